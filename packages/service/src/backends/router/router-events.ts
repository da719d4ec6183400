import { addressAt, addressTopic, uintAt } from '../../chains/evm/abi-words.ts'
import type { EvmChain, EvmLog, EvmReceipt } from '../../chains/evm/evm-chain.ts'
import { CONTRACT_CALL_WITH_TOKEN_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import type { BoundTransfer } from './binding.ts'
import { DELIVERED_TOPIC, REFUNDED_TOPIC, RETURNED_TOPIC } from './express-contract.ts'
import { gasPaidFor } from './gas-paid.ts'

/** An event of a router with its position; base units. */
export type RouterEvent = {
  readonly kind: 'delivered' | 'returned' | 'refunded'
  readonly amount: bigint
  readonly receipt: EvmReceipt
}

/** Filter for events of one router about one transfer, with the given token and, if present, payee. */
export type Wanted = {
  readonly router: string
  readonly transferId: string
  readonly delivered?: { readonly token: string; readonly payee: string }
  readonly returned?: { readonly token: string }
  /** To whomever: the router pays the refund address, or whom that or the sender names. */
  readonly refunded?: { readonly token: string }
}

const names = (log: EvmLog, token: string, payee?: string): boolean =>
  addressAt(log.data, 0) === token.toLowerCase() &&
  (payee === undefined || log.topics[3] === addressTopic(payee))

const kindOf = (log: EvmLog, wanted: Wanted): RouterEvent['kind'] | undefined => {
  const [topic, transferId] = log.topics
  if (log.address !== wanted.router.toLowerCase() || transferId !== wanted.transferId) return undefined
  const { delivered, returned, refunded } = wanted
  if (topic === DELIVERED_TOPIC && delivered !== undefined && names(log, delivered.token, delivered.payee))
    return 'delivered'
  if (topic === RETURNED_TOPIC && returned !== undefined && names(log, returned.token)) return 'returned'
  if (topic === REFUNDED_TOPIC && refunded !== undefined && names(log, refunded.token)) return 'refunded'
  return undefined
}

const eventsIn = (receipt: EvmReceipt, wanted: Wanted): readonly RouterEvent[] =>
  receipt.succeeded
    ? receipt.logs.flatMap((log) => {
        const kind = kindOf(log, wanted)
        const amount = uintAt(log.data, 1)
        return kind === undefined || amount === undefined ? [] : [{ kind, amount, receipt }]
      })
    : []

/** First topic of the gas service's event. Source: AxelarGasService, NativeGasPaidForContractCallWithToken. */
const GAS_PAID_TOPIC = '0x999d431b58761213cf53af96262b67a069cbd963499fd8effd1e21556217b841'

/** The way back of a transfer: from the destination's gas service to its router on the source, in the destination's symbol. */
type WayBack = Pick<BoundTransfer, 'router' | 'sourceChain' | 'destinationGasService' | 'destinationSymbol'>

/** What the transaction that gave a transfer of an amount back paid for the way, in wei. */
export const returnGasPaid = (
  receipt: EvmReceipt,
  { router, sourceChain, destinationGasService, destinationSymbol }: WayBack,
  { transferId, amount }: { readonly transferId: string; readonly amount: bigint },
): bigint =>
  gasPaidFor(receipt, {
    ...{ gasService: destinationGasService, topic: GAS_PAID_TOPIC, router, payloadHash: transferId },
    target: { chain: sourceChain, contract: router, symbol: destinationSymbol, amount },
  })

/** Position of the return message in the receipt of the giving back; -1 if absent. */
export const returnPosition = ({ logs }: EvmReceipt, gateway: string, transferId: string): number =>
  logs.findIndex(
    ({ address, topics: [topic, , payloadHash] }) =>
      address === gateway.toLowerCase() &&
      topic === CONTRACT_CALL_WITH_TOKEN_TOPIC &&
      payloadHash === transferId,
  )

const recentHashes = async (chain: EvmChain, { router, transferId }: Wanted): Promise<readonly string[]> => {
  const logs = await chain.recentLogs({ address: router, topics: [null, transferId] })
  return logs.map(({ txHash }) => txHash)
}

const eventsOf = async (
  chain: EvmChain,
  wanted: Wanted,
  hashes: Iterable<string>,
): Promise<readonly RouterEvent[]> => {
  const receipts = await Promise.all([...hashes].map((txHash) => chain.receipt(txHash)))
  return receipts.flatMap((receipt) => (receipt === undefined ? [] : eventsIn(receipt, wanted)))
}

/** Whether an event ends what there is to find about a transfer on its chain. */
const isLast = ({ kind, receipt }: RouterEvent): boolean => receipt.final && kind !== 'returned'

/**
 * A router's events about a transfer, final ones first: from the transactions that an indexer named, which may be old, and
 * unless those show its end, from recent blocks. Rejects if the chain cannot be read.
 */
export const readRouterEvents = async (
  chain: EvmChain,
  wanted: Wanted,
  hints: readonly string[],
): Promise<readonly RouterEvent[]> => {
  const hinted = await eventsOf(chain, wanted, new Set(hints))
  if (hinted.some(isLast)) return hinted
  const sought = new Set(await recentHashes(chain, wanted)).difference(new Set(hints))
  const events = [...hinted, ...(await eventsOf(chain, wanted, sought))]
  return events.toSorted((one, other) => Number(other.receipt.final) - Number(one.receipt.final))
}
