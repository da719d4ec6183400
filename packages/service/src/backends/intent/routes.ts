import type { ChainId } from '@openrfq/sdk'
import type { Catalog } from '../../chains/catalog.ts'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { NetworkChain, NetworkToken } from '../../core/network.ts'
import type { AssetPair } from '../../core/order.ts'
import type { Token } from '../../core/token.ts'
import { createTokenMap } from '../../core/token-map.ts'

/** A token that solvers may quote on one chain, and the contracts or accounts that move it. */
type Side = {
  readonly chain: NetworkChain
  readonly token: NetworkToken
  /** The identifier of the chain's native asset. */
  readonly nativeToken: string
  /** Whether the token is the chain's native asset. */
  readonly isNative: boolean
  /** The settler contract; on Solana the escrow program, on Stellar the operator's vault account. */
  readonly settler: string
  /** Whole seconds until a solver may rely on a deposit here. */
  readonly finalitySeconds: number
}
export type EvmSide = Side & { readonly evm: EvmChain }
export type PaymentSide = Side & { readonly paymentChain: PaymentChain }
export type IntentSide = EvmSide | PaymentSide

/**
 * A direction between two tokens on different chains. With an attester, whose signature proves fills, one of the chains
 * is a payment chain; without one, Axelar carries the proofs between two EVM chains.
 */
export type IntentRoute = {
  readonly from: IntentSide
  readonly to: IntentSide
  readonly attester: string | undefined
  /** Axelar's name of the destination in lower case, if Axelar carries the proofs. */
  readonly destinationName: string | undefined
}

/** The newest state of a side's chain; undefined while it cannot be read. */
export const headOf = (side: IntentSide): { readonly timestampSeconds: number } | undefined =>
  'evm' in side ? side.evm.head() : side.paymentChain.head()

/** Whether deposits on the side go into the operator's vault. */
export const hasVault = (side: IntentSide): boolean =>
  'paymentChain' in side && side.paymentChain.programs === undefined

/** The tokens and directions that solvers may quote. */
export type IntentRoutes = {
  /** Whether the token has a route to some other chain. */
  readonly serves: (token: Token) => boolean
  readonly between: (pair: AssetPair) => IntentRoute | undefined
}

type Deps = {
  readonly catalog: Catalog
  readonly evmChains: ReadonlyMap<ChainId, EvmChain>
  readonly paymentChains: ReadonlyMap<ChainId, PaymentChain>
  readonly attester: string | undefined
}

/** The two roles of a token: in an order proven by Axelar, and in an attested order. */
type Ends = { readonly proven: EvmSide | undefined; readonly attested: IntentSide | undefined }

const endsOf = ({ catalog, evmChains, paymentChains }: Deps, token: NetworkToken): Ends | undefined => {
  const chain = catalog.chain(token.chainId)
  if (!token.intent || chain === undefined) return undefined
  const { axelar, intent, attested } = chain
  const nativeToken = catalog.rules(chain.chainType).nativeToken(chain.chainId)
  if (nativeToken === undefined) return undefined
  const common = { chain, token, nativeToken, isNative: token.address === nativeToken }
  const evm = evmChains.get(token.chainId)
  const reached = evm === undefined ? { paymentChain: paymentChains.get(token.chainId) } : { evm }
  const proven =
    axelar === undefined || intent === undefined || evm === undefined
      ? undefined
      : {
          ...common,
          evm,
          settler: catalog.contract(chain, intent.settler),
          finalitySeconds: axelar.finalitySeconds,
        }
  if (attested === undefined) return { proven, attested: undefined }
  const { finalitySeconds } = attested
  const side = { ...common, settler: catalog.contract(chain, attested.settler), finalitySeconds }
  if ('evm' in reached) return { proven, attested: { ...side, evm: reached.evm } }
  const { paymentChain } = reached
  return { proven, attested: paymentChain === undefined ? undefined : { ...side, paymentChain } }
}

const isPaymentSide = (side: IntentSide | undefined): boolean => side !== undefined && 'paymentChain' in side

/**
 * All directions between tokens on different chains that solvers may quote: between EVM chains if both have an
 * IntentSettler and Axelar to carry the proofs; between a payment chain and any other chain if the operator has an
 * attester and both have a settler or vault for attested orders.
 */
export const intentRoutes = (deps: Deps): IntentRoutes => {
  const byToken = createTokenMap<Ends>()
  for (const token of deps.catalog.tokens) {
    const ends = endsOf(deps, token)
    if (ends !== undefined) byToken.set(token, ends)
  }
  const join = (source: Ends, destination: Ends): IntentRoute | undefined => {
    const { attester } = deps
    const [from, to] = [source.proven, destination.proven]
    if (from !== undefined && to !== undefined)
      // A settler trusts its own address on other chains alone.
      return from.chain === to.chain || from.settler !== to.settler
        ? undefined
        : { from, to, attester: undefined, destinationName: to.chain.axelar?.name.toLowerCase() }
    const [out, back] = [source.attested, destination.attested]
    if (attester === undefined || out === undefined || back === undefined) return undefined
    return out.chain !== back.chain && (isPaymentSide(out) || isPaymentSide(back))
      ? { from: out, to: back, attester, destinationName: undefined }
      : undefined
  }
  return {
    serves: (token) => {
      const source = byToken.get(token)
      return source !== undefined && byToken.values().some((other) => join(source, other) !== undefined)
    },
    between: ({ from, to }) => {
      const source = byToken.get(from.token)
      const destination = byToken.get(to.token)
      return source === undefined || destination === undefined ? undefined : join(source, destination)
    },
  }
}
