import { type Hex, zeroAddress } from 'viem'

/** Index of one of the two chains of a world. */
export type SideIndex = 0 | 1

/** The model's order from one chain to the other; times in seconds since 1970. */
export type ModelOrder = {
  readonly from: SideIndex
  readonly openDeadline: number
  readonly fillDeadline: number
  readonly refundAfter: number
  readonly depositor: Hex
  readonly inputToken: Hex
  readonly inputAmount: bigint
  readonly outputToken: Hex
  readonly outputAmount: bigint
  readonly recipient: Hex
  readonly solver: Hex
  readonly filler: Hex
}

/** One step of a random walk. `order`, `orders` and `message` are positions in the model's lists. */
export type Action =
  | { readonly kind: 'open' | 'fill' | 'decline'; readonly order: number; readonly isEntitled: boolean }
  | { readonly kind: 'refund' | 'forge' | 'misplace'; readonly order: number }
  | { readonly kind: 'prove'; readonly orders: readonly number[] }
  | { readonly kind: 'deliver' | 'replay'; readonly message: number }
  | { readonly kind: 'withdraw'; readonly side: SideIndex; readonly account: Hex; readonly token: Hex }
  | { readonly kind: 'mood'; readonly side: SideIndex; readonly puppet: Hex; readonly mood: number }
  | { readonly kind: 'wait'; readonly side: SideIndex; readonly seconds: number }

/** Status numbers of IIntentSettler.sol. */
export const STATUS = { none: 0, open: 1, released: 2, refunded: 3, filled: 4 } as const

type Books = Map<string, bigint>
const keyOf = (account: Hex, token: Hex): string => `${account} ${token}`

/** The state of one chain: balances and credits by account and token, statuses by order, moods by contract. */
export type ModelSide = {
  time: number
  readonly settler: Hex
  readonly balances: Books
  readonly credits: Books
  readonly statuses: Map<number, number>
  readonly moods: Map<Hex, number>
}

/** The expected state of two settlers and the messages between them. */
export type Model = {
  readonly sides: readonly [ModelSide, ModelSide]
  readonly orders: readonly ModelOrder[]
  readonly messages: { readonly to: SideIndex; readonly orders: readonly number[]; isDelivered: boolean }[]
  /** The account that pays the native value when a contract depositor opens an order. */
  readonly patron: Hex
  readonly isContract: (account: Hex) => boolean
}

export const otherOf = (side: SideIndex): SideIndex => (side === 0 ? 1 : 0)

/** Base units of a token in a table of balances or credits. */
export const amountIn = (books: Books, account: Hex, token: Hex): bigint =>
  books.get(keyOf(account, token)) ?? 0n

/** The accounts with credits on a side, with the token. */
export const creditors = ({ credits }: ModelSide): readonly (readonly [Hex, Hex])[] =>
  // CAST: the keys that keyOf made of two addresses.
  [...credits.keys()].map((key) => key.split(' ') as [Hex, Hex])

const add = (books: Books, account: Hex, token: Hex, amount: bigint): void => {
  books.set(keyOf(account, token), amountIn(books, account, token) + amount)
}

const accepts = ({ moods }: ModelSide, token: Hex, payee: Hex): boolean =>
  (moods.get(token === zeroAddress ? payee : token) ?? 0) === 0

const pay = (side: ModelSide, token: Hex, from: Hex, to: Hex, amount: bigint): void => {
  add(side.balances, from, token, -amount)
  add(side.balances, to, token, amount)
}

const settle = (side: ModelSide, order: ModelOrder, payee: Hex): void => {
  if (accepts(side, order.inputToken, payee))
    pay(side, order.inputToken, side.settler, payee, order.inputAmount)
  else add(side.credits, payee, order.inputToken, order.inputAmount)
}

const statusOf = (side: ModelSide, order: number): number => side.statuses.get(order) ?? STATUS.none

const open = (model: Model, index: number, order: ModelOrder, isEntitled: boolean): boolean => {
  const side = model.sides[order.from]
  const isOnTime = side.time <= order.openDeadline
  const isNew = statusOf(side, index) === STATUS.none
  const isPayable = order.inputToken === zeroAddress || accepts(side, order.inputToken, side.settler)
  if (!isEntitled || !isOnTime || !isNew || !isPayable) return false
  const isPatron = order.inputToken === zeroAddress && model.isContract(order.depositor)
  pay(side, order.inputToken, isPatron ? model.patron : order.depositor, side.settler, order.inputAmount)
  side.statuses.set(index, STATUS.open)
  return true
}

const fill = (model: Model, index: number, order: ModelOrder, isEntitled: boolean): boolean => {
  const side = model.sides[otherOf(order.from)]
  const isOnTime = side.time <= order.fillDeadline
  const isNew = statusOf(side, index) === STATUS.none
  if (!isEntitled || !isOnTime || !isNew || !accepts(side, order.outputToken, order.recipient)) return false
  pay(side, order.outputToken, order.filler, order.recipient, order.outputAmount)
  side.statuses.set(index, STATUS.filled)
  return true
}

const refund = (model: Model, index: number, order: ModelOrder, isAllowed: boolean): boolean => {
  const side = model.sides[order.from]
  if (!isAllowed || statusOf(side, index) !== STATUS.open) return false
  side.statuses.set(index, STATUS.refunded)
  settle(side, order, order.depositor)
  return true
}

const prove = (model: Model, indexes: readonly number[]): boolean => {
  const [first] = indexes.flatMap((index) => model.orders[index] ?? [])
  if (first === undefined) return false
  const side = model.sides[otherOf(first.from)]
  if (!indexes.every((index) => statusOf(side, index) === STATUS.filled)) return false
  model.messages.push({ to: first.from, orders: indexes, isDelivered: false })
  return true
}

const deliver = (model: Model, position: number): boolean => {
  const message = model.messages[position]
  if (message === undefined) return false
  message.isDelivered = true
  const side = model.sides[message.to]
  for (const index of message.orders) {
    const order = model.orders[index]
    if (order === undefined || statusOf(side, index) !== STATUS.open) continue
    side.statuses.set(index, STATUS.released)
    settle(side, order, order.solver)
  }
  return true
}

const withdraw = (side: ModelSide, account: Hex, token: Hex): boolean => {
  const amount = amountIn(side.credits, account, token)
  if (amount === 0n || !accepts(side, token, account)) return false
  side.credits.delete(keyOf(account, token))
  pay(side, token, side.settler, account, amount)
  return true
}

const actOnOrder = (model: Model, index: number, action: Extract<Action, { order: number }>): boolean => {
  const order = model.orders[index]
  if (order === undefined) return false
  switch (action.kind) {
    case 'open':
      return open(model, index, order, action.isEntitled)
    case 'fill':
      return fill(model, index, order, action.isEntitled)
    case 'decline':
      return refund(model, index, order, action.isEntitled)
    case 'refund':
      return refund(model, index, order, model.sides[order.from].time > order.refundAfter)
    case 'forge':
      return false
    case 'misplace':
      return true
  }
}

/** Makes one step at the model's current times. Returns whether the transaction must succeed. */
export const step = (model: Model, action: Action): boolean => {
  switch (action.kind) {
    case 'prove':
      return prove(model, action.orders)
    case 'deliver':
      return deliver(model, action.message)
    case 'replay':
      return false
    case 'withdraw':
      return withdraw(model.sides[action.side], action.account, action.token)
    case 'mood':
      model.sides[action.side].moods.set(action.puppet, action.mood)
      return true
    case 'wait':
      return true
    default:
      return actOnOrder(model, action.order, action)
  }
}
