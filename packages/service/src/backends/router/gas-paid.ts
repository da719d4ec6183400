import { addressTopic, stringAt, uintAt } from '../../chains/evm/abi-words.ts'
import type { EvmReceipt } from '../../chains/evm/evm-chain.ts'
import { isSameAddress } from '../../core/comparable-address.ts'

/** Where a message with a token goes, by Axelar's name and as text, and what it moves; base units. */
export type MessageTarget = {
  readonly chain: string
  readonly contract: string
  readonly symbol: string
  readonly amount: bigint
}

/** Payments for a router's message, by the event of the gas service for its kind. */
type Payments = {
  readonly gasService: string
  readonly topic: string
  readonly router: string
  readonly payloadHash: string
  readonly target: MessageTarget
}

const GAS_WORD = 4
/** Where the gas service's events have the symbol. */
const SYMBOL_WORD = 2

/** Whether the data of an event names a target; the symbol is at `symbolAt`, the amount behind it. */
export const isDataTo = (
  data: string,
  symbolAt: number,
  { chain, contract, symbol, amount }: MessageTarget,
): boolean => {
  const told = stringAt(data, 1)
  return (
    stringAt(data, 0) === chain &&
    told !== undefined &&
    isSameAddress(told, contract) &&
    stringAt(data, symbolAt) === symbol &&
    uintAt(data, symbolAt + 1) === amount
  )
}

/**
 * What a transaction paid for the relay of a message, in wei. Anybody may pay in the router's name for its payload, to another chain
 * too, which moves nothing: only what names this message counts. Source: AxelarGasService.
 */
export const gasPaidFor = (
  { logs }: EvmReceipt,
  { gasService, topic, router, payloadHash, target }: Payments,
): bigint =>
  logs
    .filter(
      ({ address, topics: [first, payer, hash], data }) =>
        isSameAddress(address, gasService) &&
        first === topic &&
        payer === addressTopic(router) &&
        hash === payloadHash &&
        isDataTo(data, SYMBOL_WORD, target),
    )
    .reduce((sum, { data }) => sum + (uintAt(data, GAS_WORD) ?? 0n), 0n)
