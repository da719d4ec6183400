import assert from 'node:assert/strict'
import type { ChainId } from '@openrfq/sdk'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { quorumOf } from '../../chains/rpc/quorum.ts'
import type { Instant } from '../../core/instant.ts'
import type { NetworkChain } from '../../core/network.ts'
import type { Payment } from '../../core/payment.ts'
import type { Log } from '../../lib/log.ts'
import type { Fact, FactCheck } from '../../transactions/fact-check.ts'
import { type Cosigner, createCosigner } from '../cosigner/index.ts'
import type { CosignerDeps, SettlerToAsk, VaultToSign } from '../cosigner/vault-to-sign.ts'
import type { KeyedAttesterConfig } from './config.ts'
import { findFill } from './escrow-attestations.ts'
import type { EvmFills } from './evm-fill.ts'

/** A payment chain of the network and its client. */
export type ConnectedChain = { readonly chain: NetworkChain; readonly paymentChain: PaymentChain }

type Deps = {
  readonly evmFills: ReadonlyMap<ChainId, EvmFills & SettlerToAsk>
  readonly paymentChains: readonly ConnectedChain[]
  readonly paidFact: (payment: Payment) => Fact
  readonly factCheck: Pick<FactCheck, 'allows'>
  readonly store: CosignerDeps['store']
  readonly now: () => Instant
  readonly log: Log
}

/** The vaults that the co-signer has a secret for. */
const vaultsToSign = (
  { network, vaultSecrets }: KeyedAttesterConfig,
  { chain, paymentChain }: ConnectedChain,
): readonly (readonly [ChainId, VaultToSign])[] => {
  const { chainId, attested } = chain
  const { sharedAccounts: accounts, signingMarks } = paymentChain
  const { signers, settler: vault, treasury = [], channels = [] } = attested ?? {}
  const secret = vaultSecrets[chainId]
  if (signers === undefined || secret === undefined || vault === undefined) return []
  if (accounts === undefined || signingMarks === undefined) return []
  const ofChain = network.tokens.filter((token) => token.chainId === chainId)
  const tokens = new Set(ofChain.map(({ address }) => address))
  const isToken = (token: string): boolean => tokens.has(token)
  const part = { accounts, signingMarks, vault, channels, signers, secret, treasury, isToken }
  return [[chainId, { chain: paymentChain, quorum: quorumOf(chain), ...part }]]
}

/** Builds the co-signer of an attester, which reads through the attester's endpoints. */
export const assembleCosigner = (config: KeyedAttesterConfig, deps: Deps): Cosigner => {
  const { evmFills, paymentChains, ...shared } = deps
  const { intent: terms } = config.network
  assert(terms !== undefined, 'the configuration names solvers')
  const clients = new Map(paymentChains.map(({ chain, paymentChain }) => [chain.chainId, paymentChain]))
  return createCosigner({
    ...shared,
    terms,
    vaults: new Map(paymentChains.flatMap((connected) => vaultsToSign(config, connected))),
    settlers: evmFills,
    payments: new Map(
      paymentChains.map(({ chain, paymentChain }) => [
        chain.chainId,
        { chain: paymentChain, quorum: quorumOf(chain) },
      ]),
    ),
    findFill: (fill) => findFill({ ...shared, evmFills, paymentChains: clients }, fill),
  })
}
