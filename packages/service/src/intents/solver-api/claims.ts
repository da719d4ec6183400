import type { ChainId } from '@openrfq/sdk'
import { comparableAddress } from '../../core/comparable-address.ts'
import type { Instant } from '../../core/instant.ts'
import { answerOfSalt, type IntentOrder, type OrderId } from '../../core/intent-order.ts'
import { tokenKey } from '../../core/token-key.ts'
import type { BookPrice, PricedOrder } from './best-offers.ts'
import type { Positions } from './positions.ts'
import type { Keys, QuoteClaim, Source } from './quote-reservations.ts'
import type { Reservation } from './reservations.ts'

type Deps = {
  readonly assetKey: (chain: ChainId, token: string) => string | undefined
  readonly positions: Positions
  readonly now: () => Instant
}

/** How long announced bounds stay quotable. */
const HOLD_MS = 5_000

/** Makes claims of orders and prices; undefined for an unknown solver or asset. */
export const createClaims = ({ assetKey, positions, now }: Deps) => ({
  ofOrder: (orderId: OrderId, order: IntentOrder): Reservation | undefined => {
    const from = assetKey(order.originChain, order.inputToken)
    const to = assetKey(order.destinationChain, order.outputToken)
    const position = to === undefined ? undefined : positions.of(order.solver, to)
    if (from === undefined || to === undefined || position === undefined) return undefined
    return {
      orderId,
      position,
      ...keysOf(from, order.depositor, to),
      source: { chainId: order.originChain, token: order.inputToken, sender: order.depositor },
      answer: answerOfSalt(order.salt),
      input: order.inputAmount,
      output: order.outputAmount,
      quotedUntil: endOf(order.openDeadline),
      until: endOf(order.fillDeadline),
    }
  },
  ofPrice: (order: PricedOrder, { solver, input, output }: BookPrice, keys: Keys): QuoteClaim | undefined => {
    const position = positions.of(solver.address, tokenKey(order.to.token))
    if (position === undefined) return undefined
    const { chainId, address: token } = order.from.token
    return {
      position,
      ...keys,
      source: { chainId, token, sender: order.sender },
      answer: undefined,
      input,
      output,
      quotedUntil: now() + HOLD_MS,
    }
  },
  sourceKeyOf: ({ chainId, token, sender }: Source): string | undefined => {
    const from = assetKey(chainId, token)
    return from === undefined ? undefined : sourceKeyOf(from, sender)
  },
})

/** The keys of an order that is being priced. */
export const keysOfPriced = ({ from, to, sender }: PricedOrder): Keys =>
  keysOf(tokenKey(from.token), sender, tokenKey(to.token))

const keysOf = (from: string, sender: string, to: string): Keys => {
  const sourceKey = sourceKeyOf(from, sender)
  return { sourceKey, pairKey: `${sourceKey} ${to}` }
}

const sourceKeyOf = (from: string, sender: string): string => `${from} ${comparableAddress(sender)}`

/** The last millisecond of a deadline given in whole seconds. */
const endOf = (seconds: number): Instant => seconds * 1000 + 999
