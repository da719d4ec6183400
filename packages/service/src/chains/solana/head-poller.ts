import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import { createPoller } from '../../lib/poller.ts'
import type { PaymentChainHead } from '../payment-chain.ts'
import { expectResult } from '../rpc/expect-result.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { paymentFeeAt } from './payment-fee.ts'
import { BlockTime, U64 } from './rpc-answers.ts'
import type { SolanaTiming } from './timing.ts'
import { MIN_UNIT_PRICE, type UnitPrices } from './unit-prices.ts'

type Deps = {
  readonly chainId: ChainId
  readonly pool: RpcPool
  readonly unitPrices: UnitPrices
  readonly timing: SolanaTiming
  readonly now: () => Instant
}

/** Keeps the newest confirmed slot in memory, with the fee of a payment. */
export type HeadPoller = {
  readonly head: () => PaymentChainHead | undefined
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

const confirmed = { commitment: 'confirmed' }
const finalized = { commitment: 'finalized' }

type HeadSnapshot = {
  readonly slot: bigint
  readonly timestampSeconds: number
  readonly finalSlot: bigint
  readonly finalTimestampSeconds: number
}

const lookAt = async (ask: RpcAsk): Promise<HeadSnapshot> => {
  const [newest, final] = await ask([
    { method: 'getSlot', params: [confirmed] },
    { method: 'getSlot', params: [finalized] },
  ])
  const slot = expectResult(newest, U64)
  const finalSlot = expectResult(final, U64)
  const [time, finalTime] = await ask([
    { method: 'getBlockTime', params: [Number(slot)] },
    { method: 'getBlockTime', params: [Number(finalSlot)] },
  ])
  const timestampSeconds = expectResult(time, BlockTime)
  const finalTimestampSeconds = expectResult(finalTime, BlockTime)
  ask.checkTime(timestampSeconds)
  ask.checkTime(finalTimestampSeconds)
  return { slot, timestampSeconds, finalSlot, finalTimestampSeconds }
}

/** Keeps the bid of a transaction that writes no account in demand, read in the background. */
const createPlainPrice = ({ unitPrices }: Deps) => {
  let price = MIN_UNIT_PRICE
  return {
    current: (): bigint => price,
    renew: (): void =>
      void unitPrices.priceOf([], 0).then((read) => {
        price = read
      }),
  }
}

type DatedHead = PaymentChainHead & { readonly readAt: Instant }

const createHeadReader = (deps: Deps) => {
  const { pool, timing, now } = deps
  const unitPrice = createPlainPrice(deps)
  let newest: DatedHead | undefined

  const head = (): PaymentChainHead | undefined =>
    newest === undefined || now() - newest.readAt > timing.staleMs ? undefined : newest

  const refresh = async (): Promise<void> => {
    unitPrice.renew()
    const seen = await pool.work(async (ask) => {
      const look = await lookAt(ask)
      const known = head()
      if (look.finalSlot > look.slot || (known !== undefined && look.slot < known.number))
        throw new RpcError('NODE_BEHIND', `node is behind, at slot ${look.slot}`)
      return look
    }, timing.readMs)
    const isFinalNewer = newest === undefined || seen.finalSlot >= newest.finalNumber
    newest = {
      number: seen.slot,
      timestampSeconds: seen.timestampSeconds,
      finalNumber: isFinalNewer || newest === undefined ? seen.finalSlot : newest.finalNumber,
      finalTimestampSeconds:
        isFinalNewer || newest === undefined ? seen.finalTimestampSeconds : newest.finalTimestampSeconds,
      paymentFee: paymentFeeAt(unitPrice.current()),
      readAt: now(),
    }
  }

  return { head, refresh }
}

/** Polls the chain's newest slots at a fixed interval, one read at a time. Source: Solana RPC. */
export const createHeadPoller = (deps: Deps): HeadPoller => {
  const { head, refresh } = createHeadReader(deps)

  // The pool logs why the head cannot be read; without one nothing is offered on this chain.
  const poller = createPoller({
    name: 'head_read',
    periodMs: deps.timing.pollMs,
    run: refresh,
  })

  return { head, start: poller.start, stop: poller.stop }
}
