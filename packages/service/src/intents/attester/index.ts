import { type ChainId, chainTypeOf } from '@openrfq/sdk'
import { getAddress } from 'viem'
import { connectPaymentChains } from '../../chains/connect-payment-chains.ts'
import { evmAddressRules } from '../../chains/evm/address.ts'
import { createEvmChain } from '../../chains/evm/index.ts'
import { solanaAddressRules } from '../../chains/solana/address.ts'
import { ConfigError } from '../../core/config-error.ts'
import type { Instant } from '../../core/instant.ts'
import type { Network } from '../../core/network.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { openSqliteStore } from '../../store/sqlite.ts'
import { createFactCheck } from '../../transactions/fact-check.ts'
import { addressOfKey } from '../../transactions/signer.ts'
import { createTransactionOutbox } from '../../transactions/transaction-outbox.ts'
import { nameChains } from '../settlers/attested-order.ts'
import { createEscrowReader } from '../settlers/escrow-reader.ts'
import { createPaidFact } from '../settlers/paid-fact.ts'
import { assembleCosigner, type ConnectedChain } from './assemble-cosigner.ts'
import { createAttestationSigner } from './attestation-signer.ts'
import { createChainStatus } from './chain-status.ts'
import type { ClaimJudge } from './claim-answer.ts'
import { startClaimServer } from './claim-server.ts'
import type { KeyedAttesterConfig } from './config.ts'
import { cosignerEndpoints } from './cosigner-endpoints.ts'
import { createEscrowAttester, type EscrowOrigin } from './escrow-attestations.ts'
import { createOrderReader, type SettlerChain } from './order-reader.ts'
import { createReleaser } from './releaser.ts'
import { createSettlerReleases } from './settler-releases.ts'

/** A running attester. */
export type Attester = {
  /** The port at which it answers solvers. */
  readonly port: number
  /** Waits for work in progress, then releases all resources. Signed transactions stay stored for the next start. */
  readonly stop: () => Promise<void>
}

type AttesterDeps = Clock & { readonly log: Log }
/** Dependencies of chain readers; `now` dates their reads. */
type ReaderDeps = { readonly now: () => Instant; readonly wallTime: () => Instant; readonly log: Log }

/** Connects the chains on which orders are opened. Throws ConfigError for an invalid settler address. */
const connectSettlers = (network: Network, deps: ReaderDeps): readonly SettlerChain[] =>
  network.chains.flatMap((chain) => {
    const { chainId, chainType, attested } = chain
    if (chainType !== 'evm' || attested === undefined) return []
    const settler = evmAddressRules.parseSender(attested.settler)
    if (settler === undefined) throw new ConfigError(`not a settler: ${attested.settler} (${chainId})`)
    return [{ evm: createEvmChain({ ...chain, ...deps }), settler }]
  })

const connectPayments = ({ chains, tokens }: Network, deps: ReaderDeps): readonly ConnectedChain[] => {
  const wanted = chains.filter(({ chainType, attested }) => chainType !== 'evm' && attested !== undefined)
  const connected = connectPaymentChains({ chains: wanted, tokens }, deps)
  return wanted.flatMap((chain) => {
    const paymentChain = connected.get(chain.chainId)
    return paymentChain === undefined ? [] : [{ chain, paymentChain }]
  })
}

/** The escrow programs on the chains whose orders are accounts of one. Throws ConfigError for an invalid address. */
const escrowOrigins = (paymentChains: readonly ConnectedChain[]): ReadonlyMap<ChainId, EscrowOrigin> =>
  new Map(
    paymentChains.flatMap(({ chain: { chainId, attested }, paymentChain }) => {
      const { programs } = paymentChain
      if (programs === undefined || attested === undefined) return []
      const program = solanaAddressRules.parseSender(attested.settler)
      if (program === undefined) throw new ConfigError(`not a program: ${attested.settler} (${chainId})`)
      return [[chainId, { program, chain: paymentChain, reader: createEscrowReader(programs, program) }]]
    }),
  )

/** Builds all parts of an attester without starting them. */
const assemble = async (config: KeyedAttesterConfig, deps: AttesterDeps) => {
  const { network, privateKey, releaseGas, startAfter } = config
  const { now, steady, log } = deps
  const readerDeps = { now: steady, wallTime: now, log }
  const settlers = connectSettlers(network, readerDeps)
  const paymentChains = connectPayments(network, readerDeps)
  const store = await openSqliteStore({ directory: config.dataDirectory, log })
  const outboxes = new Map(
    settlers.map(({ evm }) => [
      evm.chainId,
      createTransactionOutbox({ now, log, store, chain: evm, privateKey }),
    ]),
  )
  const attester = getAddress(addressOfKey(privateKey))
  const orders = createOrderReader({
    ...readerDeps,
    chains: settlers,
    named: nameChains(network.chains.map(({ chainId }) => chainId)),
    attester,
    startAfter,
    store,
  })
  const attest = createAttestationSigner(privateKey)
  const paymentClients = new Map(
    paymentChains.map(({ chain, paymentChain }) => [chain.chainId, paymentChain]),
  )
  const paidFact = createPaidFact(paymentClients)
  const factCheck = createFactCheck(readerDeps)
  const evmFills = new Map(settlers.map((settler) => [settler.evm.chainId, settler]))
  const fills = { evmFills, paymentChains: paymentClients, paidFact }
  const attestEscrow = createEscrowAttester({
    ...fills,
    privateKey,
    origins: escrowOrigins(paymentChains),
    factCheck,
  })
  const cosigner = assembleCosigner(config, { ...fills, paymentChains, factCheck, store, now, log })
  const releaser = createReleaser({
    attest,
    outboxes,
    store,
    releaseGas,
    paidFact,
    factCheck,
    log,
  })
  const releaseBySettler = createSettlerReleases({
    attester,
    orders,
    paymentChains: paymentClients,
    releaser,
  })
  const judge: ClaimJudge = (claim) =>
    (chainTypeOf(claim.order.originChain) === 'evm' ? releaseBySettler : attestEscrow)(claim)
  const status = createChainStatus({
    attester,
    chains: [...settlers.map(({ evm }) => evm), ...paymentClients.values()],
    isRead: orders.isCurrent,
  })
  return { settlers, paymentChains, store, outboxes, orders, judge, status, cosigner }
}

/**
 * Starts an attester: solvers hand over their fills; it releases escrows on EVM chains, and signs for solvers that release escrows
 * on Solana themselves. Rejects if the database cannot be opened, the network
 * config is invalid, or the port is taken; unreachable chains are retried.
 */
export const startAttester = async (config: KeyedAttesterConfig, deps: AttesterDeps): Promise<Attester> => {
  const { settlers, paymentChains, store, outboxes, orders, judge, status, cosigner } = await assemble(
    config,
    deps,
  )
  await Promise.all([
    ...settlers.map(({ evm }) => evm.start()),
    ...paymentChains.map(({ paymentChain }) => paymentChain.start()),
  ])
  await orders.start()
  for (const outbox of outboxes.values()) outbox.start()
  const solvers = (config.network.intent?.solvers ?? []).map(({ address }) => address)
  await cosigner.mark()
  const { log } = deps
  const furtherEndpoints = cosignerEndpoints({ cosigner, log })
  const claims = await startClaimServer({ ...config.listen, judge, status, solvers, furtherEndpoints, log })
  return {
    port: claims.port,
    stop: async () => {
      await claims.stop()
      await orders.stop()
      await Promise.all([...outboxes.values()].map((outbox) => outbox.stop()))
      for (const { evm } of settlers) evm.stop()
      for (const { paymentChain } of paymentChains) paymentChain.stop()
      await store.close()
    },
  }
}
