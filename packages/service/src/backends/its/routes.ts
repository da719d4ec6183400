import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { ContractChain, PaymentChain } from '../../chains/payment-chain.ts'
import type { NetworkChain, NetworkToken } from '../../core/network.ts'
import { type InterchainTransfer, interchainTransferTemplate } from '../../protocols/axelar/its-contract.ts'
import type { ChainDeps } from '../backend-definition.ts'
import { createPairMap, type PairMap } from '../pair-map.ts'

/** An interchain token on one chain, with the contracts that move it there. */
type Side = {
  readonly chain: NetworkChain
  readonly token: NetworkToken
  readonly tokenId: string
  readonly axelarName: string
  readonly gateway: string
  readonly its: string
  readonly maxUintBits: number
}

/** A side on an EVM chain, from and to which the token moves. */
export type ItsSide = Side & { readonly evm: EvmChain; readonly finalitySeconds: number }

/** A side on a chain of another family, which only receives. */
export type ItsReceiver = Side & { readonly ledger: PaymentChain; readonly contracts: ContractChain }

/** Whether a side is on a chain of another family. */
export const isReceiver = (side: ItsSide | ItsReceiver): side is ItsReceiver => 'ledger' in side

/** A direction between two sides of one interchain token, with its calldata prepared. */
export type ItsRoute = {
  readonly from: ItsSide
  readonly to: ItsSide | ItsReceiver
  readonly calldata: (transfer: InterchainTransfer) => string
}

const sideOf = ({ catalog, evmChains }: ChainDeps, token: NetworkToken): ItsSide | undefined => {
  const chain = catalog.chain(token.chainId)
  const evm = evmChains.get(token.chainId)
  const axelar = chain?.axelar
  if (chain === undefined || evm === undefined || axelar?.its === undefined || token.its === undefined)
    return undefined
  return {
    chain,
    token,
    evm,
    tokenId: token.its.tokenId,
    axelarName: axelar.name,
    gateway: catalog.contract(chain, axelar.gateway),
    its: catalog.contract(chain, axelar.its),
    maxUintBits: axelar.maxUintBits,
    finalitySeconds: axelar.finalitySeconds,
  }
}

const receiverOf = ({ catalog, paymentChains }: ChainDeps, token: NetworkToken): ItsReceiver | undefined => {
  const chain = catalog.chain(token.chainId)
  const ledger = paymentChains.get(token.chainId)
  const contracts = ledger?.contracts
  const receiver = chain?.tokenReceiver
  if (chain === undefined || ledger === undefined || contracts === undefined) return undefined
  if (receiver === undefined || token.its === undefined) return undefined
  return {
    chain,
    token,
    ledger,
    contracts,
    tokenId: token.its.tokenId,
    axelarName: receiver.name,
    gateway: catalog.contract(chain, receiver.gateway),
    its: catalog.contract(chain, receiver.its),
    maxUintBits: receiver.maxUintBits,
  }
}

/** All sides of all interchain tokens in the catalogue whose chain can be read. */
export const itsSides = (deps: ChainDeps): readonly (ItsSide | ItsReceiver)[] =>
  deps.catalog.tokens
    .map((token) => sideOf(deps, token) ?? receiverOf(deps, token))
    .filter((side) => side !== undefined)

/** The sides of the same token on other chains. */
const counterparts = (
  side: ItsSide,
  sides: readonly (ItsSide | ItsReceiver)[],
): readonly (ItsSide | ItsReceiver)[] =>
  sides.filter((other) => other.tokenId === side.tokenId && other.chain !== side.chain)

/**
 * The recipient as the token service of its chain decodes it, as `0x` hex: the address of an EVM account, the text of a
 * Stellar address.
 */
export const recipientBytes = (to: ItsSide | ItsReceiver, recipient: string): string =>
  isReceiver(to) ? `0x${Buffer.from(recipient, 'ascii').toString('hex')}` : recipient

/** All directions between two sides, from EVM chains. */
export const itsRoutes = (sides: readonly (ItsSide | ItsReceiver)[]): PairMap<ItsRoute> =>
  createPairMap(
    sides.flatMap((from) =>
      isReceiver(from)
        ? []
        : counterparts(from, sides).map((to) => ({
            from,
            to,
            calldata: interchainTransferTemplate(from.tokenId, to.axelarName),
          })),
    ),
  )
