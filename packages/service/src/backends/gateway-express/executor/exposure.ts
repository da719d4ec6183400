import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../../core/instant.ts'
import type { FrontedDelivery, Store } from '../../../store/store.ts'
import type { InventoryBounds, KeyedExecutorConfig } from './config.ts'

/** A delivery that the executor may front, or execute once it is approved: then `amount` is 0, since it pays gas alone. */
export type Wanted = Omit<FrontedDelivery, 'outcome' | 'decidedAt'>

/** Why a delivery is not fronted now, though nothing is wrong with its message. */
type Bound =
  | 'daily_amount'
  | 'daily_deliveries'
  | 'daily_cost'
  | 'cost'
  | 'direction_unproven'
  | 'repayment_overdue'

/** What the executor has at stake, by its store, and whether more may be. */
export type Exposure = {
  /** Reads what earlier processes decided. */
  readonly load: () => Promise<void>
  /** Which bound a delivery would break; undefined for none. One that is decided already breaks none. */
  readonly boundOf: (wanted: Wanted) => Promise<Bound | undefined>
  /** Stores the decision to front or execute a delivery; false if it has ended. Durable when it resolves. */
  readonly decide: (wanted: Wanted) => Promise<boolean>
  readonly end: (commandId: string, outcome: 'repaid' | 'void') => Promise<void>
  /** The deliveries that are not over. */
  readonly open: () => readonly FrontedDelivery[]
  /** Base units of a token in deliveries that are not over and that `isUnderWay`. */
  readonly underWay: (
    chainId: ChainId,
    token: string,
    isUnderWay: (delivery: FrontedDelivery) => boolean,
  ) => bigint
}

type Deps = {
  readonly store: Pick<
    Store,
    'addFrontedDelivery' | 'endFrontedDelivery' | 'listFrontedDeliveries' | 'hasRepaidDelivery'
  >
  readonly config: Pick<KeyedExecutorConfig, 'inventory' | 'gas' | 'dailyDeliveries'>
  /** How long repayments of a direction take at most, in milliseconds. */
  readonly patienceMs: (sourceChain: ChainId, chainId: ChainId) => number
  readonly now: () => Instant
}

const DAY_MS = 86_400_000
const PAGE = 1_000

const sumOf = (deliveries: readonly FrontedDelivery[], of: (delivery: FrontedDelivery) => bigint): bigint =>
  deliveries.reduce((sum, delivery) => sum + of(delivery), 0n)

/** Whether the executor waits for the repayment of a delivery in a direction. */
const isAtStake = ({ outcome, amount, ...delivery }: FrontedDelivery, from: ChainId, to: ChainId): boolean =>
  outcome === 'open' && amount > 0n && delivery.sourceChain === from && delivery.chainId === to

/** The bounds of a token on a chain. */
export const boundsOf = (
  { inventory }: Pick<KeyedExecutorConfig, 'inventory'>,
  chainId: ChainId,
  token: string,
): InventoryBounds | undefined =>
  inventory.find((entry) => entry.chainId === chainId && entry.token.toLowerCase() === token.toLowerCase())

/**
 * Keeps the deliveries of the last 24 hours and those that are not over. A direction that was never repaid has one delivery at
 * stake, and one whose repayment is overdue gets no more: a wrong command id, a reorg or a halt of Axelar costs one message.
 */
export const createExposure = ({ store, config, patienceMs, now }: Deps): Exposure => {
  let known = new Map<string, FrontedDelivery>()
  const forgetOld = (): void => {
    const since = now() - DAY_MS
    known = new Map(
      [...known].filter(([, { outcome, decidedAt }]) => outcome === 'open' || decidedAt > since),
    )
  }
  const isOverdue = ({ sourceChain, chainId, decidedAt }: FrontedDelivery): boolean =>
    now() - decidedAt > patienceMs(sourceChain, chainId)

  const directionBound = async ({ sourceChain, chainId, amount }: Wanted): Promise<Bound | undefined> => {
    if (amount === 0n) return undefined
    const open = [...known.values()].filter((one) => isAtStake(one, sourceChain, chainId))
    if (open.some(isOverdue)) return 'repayment_overdue'
    if (open.length === 0) return undefined
    return (await store.hasRepaidDelivery(sourceChain, chainId)) ? undefined : 'direction_unproven'
  }

  const dailyBound = ({ chainId, token, amount, mostCost }: Wanted): Bound | undefined => {
    const [bounds, gas] = [boundsOf(config, chainId, token), config.gas[chainId]]
    if (bounds === undefined || gas === undefined || mostCost > BigInt(gas.costCap)) return 'cost'
    const since = now() - DAY_MS
    const today = [...known.values()].filter(({ decidedAt }) => decidedAt > since)
    if (today.length >= config.dailyDeliveries) return 'daily_deliveries'
    const onChain = today.filter((one) => one.chainId === chainId)
    if (sumOf(onChain, (one) => one.mostCost) + mostCost > BigInt(gas.dailyCostCap)) return 'daily_cost'
    const moved = onChain.filter((one) => one.token === token && one.outcome !== 'void')
    return sumOf(moved, (one) => one.amount) + amount > BigInt(bounds.dailyAmount)
      ? 'daily_amount'
      : undefined
  }

  return {
    load: async () => {
      let page: readonly FrontedDelivery[] = []
      do {
        page = await store.listFrontedDeliveries(now() - DAY_MS, PAGE, page.at(-1)?.commandId)
        for (const delivery of page) known.set(delivery.commandId, delivery)
      } while (page.length === PAGE)
    },
    boundOf: async (wanted) => {
      forgetOld()
      if (known.has(wanted.commandId)) return undefined
      return dailyBound(wanted) ?? directionBound(wanted)
    },
    decide: async (wanted) => {
      const decided = known.get(wanted.commandId)
      if (decided !== undefined) return decided.outcome === 'open'
      const delivery = { ...wanted, decidedAt: now() }
      if (!(await store.addFrontedDelivery(delivery))) return false
      known.set(wanted.commandId, { ...delivery, outcome: 'open' })
      return true
    },
    end: async (commandId, outcome) => {
      await store.endFrontedDelivery(commandId, outcome)
      const delivery = known.get(commandId)
      if (delivery !== undefined) known.set(commandId, { ...delivery, outcome })
    },
    open: () => [...known.values()].filter(({ outcome }) => outcome === 'open'),
    underWay: (chainId, token, isUnderWay) =>
      sumOf(
        [...known.values()].filter(
          (one) =>
            one.outcome === 'open' && one.chainId === chainId && one.token === token && isUnderWay(one),
        ),
        ({ amount }) => amount,
      ),
  }
}
