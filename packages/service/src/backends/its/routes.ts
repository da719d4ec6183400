import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { ContractChain, PaymentChain, ProgramChain } from '../../chains/payment-chain.ts'
import { associatedTokenOf } from '../../chains/solana/associated-token.ts'
import { solanaKeyBytes } from '../../chains/solana/key-bytes.ts'
import { programOf } from '../../chains/solana/programs.ts'
import { tokenIdsOf } from '../../core/interchain-token.ts'
import type { NetworkChain, NetworkToken } from '../../core/network.ts'
import { memoize } from '../../lib/memoize.ts'
import { type InterchainTransfer, interchainTransferTemplate } from '../../protocols/axelar/its-contract.ts'
import {
  type ItsPlaces,
  itsPlaces,
  type SendingPlaces,
  sendingPlaces,
} from '../../protocols/axelar/its-solana.ts'
import type { ChainDeps } from '../backend-definition.ts'
import { createPairMap, type PairMap } from '../pair-map.ts'

const CHAINS = 16

/** A token on one chain under one interchain token id, with the contracts that move it there. */
type Side = {
  readonly chain: NetworkChain
  readonly token: NetworkToken
  readonly tokenId: string
  readonly axelarName: string
  readonly gateway: string
  readonly its: string
  readonly maxUintBits: number
}

/** A side on an EVM chain, from and to which the token moves. `erc20`: its contract, also that of a native asset. */
export type ItsSide = Side & {
  readonly evm: EvmChain
  readonly erc20: string
  readonly finalitySeconds: number
}

/** A side on a Stellar chain, which only receives. */
export type StellarReceiver = Side & {
  readonly family: 'stellar'
  readonly ledger: PaymentChain
  readonly contracts: ContractChain
}

/**
 * A side on a Solana chain. `held`: the account in which the token's manager holds it; `sending`: what transfers from there
 * name, undefined where the operator configures no gas service, so that it only receives.
 */
export type SolanaReceiver = Side & {
  readonly family: 'solana'
  readonly ledger: PaymentChain
  readonly programs: ProgramChain
  readonly places: ItsPlaces
  readonly held: string
  readonly sending: SendingPlaces | undefined
  readonly finalitySeconds: number
}

/** A side on a chain of another family. */
export type ItsReceiver = StellarReceiver | SolanaReceiver

/** Whether a side is on a chain of another family. */
export const isReceiver = (side: ItsSide | ItsReceiver): side is ItsReceiver => 'ledger' in side

/** A direction from an EVM chain between two sides of one interchain token, with its calldata prepared. */
export type ItsRoute = {
  readonly from: ItsSide
  readonly to: ItsSide | ItsReceiver
  readonly calldata: (transfer: InterchainTransfer) => string
}

/** A direction from a Solana chain to an EVM chain. */
export type SolanaRoute = {
  readonly from: SolanaReceiver & { readonly sending: SendingPlaces }
  readonly to: ItsSide
}

/** Whether a route begins on a Solana chain. */
export const isFromSolana = (route: ItsRoute | SolanaRoute): route is SolanaRoute => isReceiver(route.from)

/** Bits of the largest supply of a token of the Hedera Token Service. */
const HTS_BITS = 63

const sideOf = (
  { catalog, evmChains }: ChainDeps,
  token: NetworkToken,
  tokenId: string,
): ItsSide | undefined => {
  const chain = catalog.chain(token.chainId)
  const evm = evmChains.get(token.chainId)
  const axelar = chain?.axelar
  if (chain === undefined || evm === undefined || axelar?.its === undefined) return undefined
  return {
    chain,
    token,
    evm,
    tokenId,
    erc20: token.its?.contract === undefined ? token.address : catalog.contract(chain, token.its.contract),
    axelarName: axelar.name,
    gateway: catalog.contract(chain, axelar.gateway),
    its: catalog.contract(chain, axelar.its),
    maxUintBits: Math.min(axelar.maxUintBits, chain.tokenStandard === 'hts' ? HTS_BITS : axelar.maxUintBits),
    finalitySeconds: axelar.finalitySeconds,
  }
}

/** The places of a gateway, a gas service and a token service, which all tokens of a chain share. */
const sendingPlacesOf = memoize(CHAINS, (programs: string): SendingPlaces => {
  const [gateway = '', gasService = '', its = ''] = programs.split(' ')
  return sendingPlaces(gateway, gasService, its)
})

/** Bits of the amounts of Solana's tokens. */
const SOLANA_BITS = 64

const receiverOf = (
  { catalog, paymentChains }: ChainDeps,
  token: NetworkToken,
  tokenId: string,
): ItsReceiver | undefined => {
  const chain = catalog.chain(token.chainId)
  const ledger = paymentChains.get(token.chainId)
  const receiver = chain?.tokenReceiver
  if (chain === undefined || ledger === undefined || receiver === undefined) return undefined
  const its = catalog.contract(chain, receiver.its)
  const side = {
    ...{ chain, token, ledger, tokenId, its },
    axelarName: receiver.name,
    gateway: catalog.contract(chain, receiver.gateway),
    maxUintBits: receiver.maxUintBits,
  }
  const { contracts, programs } = ledger
  if (contracts !== undefined) return { ...side, family: 'stellar', contracts }
  if (programs === undefined) return undefined
  const places = itsPlaces(its, tokenId)
  const held = associatedTokenOf(places.manager, token.address, programOf(token))
  return {
    ...side,
    ...{ family: 'solana', programs, places, held },
    finalitySeconds: receiver.finalitySeconds,
    sending:
      receiver.gasService === undefined
        ? undefined
        : sendingPlacesOf(`${side.gateway} ${catalog.contract(chain, receiver.gasService)} ${its}`),
    maxUintBits: Math.min(receiver.maxUintBits, SOLANA_BITS),
  }
}

/** All sides of all interchain tokens in the catalogue whose chain can be read, one for each of a token's ids. */
export const itsSides = (deps: ChainDeps): readonly (ItsSide | ItsReceiver)[] =>
  deps.catalog.tokens
    .flatMap((token) =>
      tokenIdsOf(token).map((tokenId) => sideOf(deps, token, tokenId) ?? receiverOf(deps, token, tokenId)),
    )
    .filter((side) => side !== undefined)

/** The sides of the same token id on other chains: two tokens have at most one id in common. */
const counterparts = (
  side: ItsSide | ItsReceiver,
  sides: readonly (ItsSide | ItsReceiver)[],
): readonly (ItsSide | ItsReceiver)[] =>
  sides.filter((other) => other.tokenId === side.tokenId && other.chain !== side.chain)

/**
 * The recipient as the token service of its chain decodes it, as `0x` hex: the address of an EVM account, the text of a
 * Stellar address, the 32 bytes of a Solana wallet.
 */
export const recipientBytes = (to: ItsSide | ItsReceiver, recipient: string): string => {
  if (!isReceiver(to)) return recipient
  const bytes = to.family === 'solana' ? solanaKeyBytes(recipient) : Buffer.from(recipient, 'ascii')
  return `0x${Buffer.from(bytes).toString('hex')}`
}

const fromEvm = (from: ItsSide, to: ItsSide | ItsReceiver): ItsRoute => ({
  from,
  to,
  calldata: interchainTransferTemplate(from.tokenId, to.axelarName),
})

const fromSolana = (from: SolanaReceiver, to: ItsSide): readonly SolanaRoute[] => {
  const { sending } = from
  return sending === undefined ? [] : [{ from: { ...from, sending }, to }]
}

/** All directions between two sides, from EVM chains and from Solana to EVM chains. */
export const itsRoutes = (sides: readonly (ItsSide | ItsReceiver)[]): PairMap<ItsRoute | SolanaRoute> =>
  createPairMap(
    sides.flatMap((from) =>
      counterparts(from, sides).flatMap((to): readonly (ItsRoute | SolanaRoute)[] => {
        if (!isReceiver(from)) return [fromEvm(from, to)]
        return from.family === 'solana' && !isReceiver(to) ? fromSolana(from, to) : []
      }),
    ),
  )
