import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../../core/instant.ts'
import type { OrderId } from '../../../core/intent-order.ts'
import { backoffMs } from '../../../lib/backoff.ts'
import type { Log } from '../../../lib/log.ts'
import { mapAtMost } from '../../../lib/map-at-most.ts'
import type { Claim, Store } from '../../../store/store.ts'
import type { EscrowAttestation } from '../../settlers/escrow-program.ts'
import type { EscrowState } from '../../settlers/escrow-reader.ts'
import { orderKeys } from '../order-keys.ts'
import type { ClaimLink } from './claim-link.ts'
import type { RepaymentOrigin } from './repayment-origins.ts'

/** Has the escrows of filled orders released to the solver, also after a restart and without the service. */
export type Repayments = {
  /** Keeps the order until its escrow is paid out. Rejects if the store fails; then the order must not be filled. */
  readonly add: (claim: Claim) => Promise<void>
  /** Looks at every kept order whose turn it is; rejects only if the kept orders cannot be read. */
  readonly round: () => Promise<void>
}

type Deps = {
  readonly origins: ReadonlyMap<ChainId, RepaymentOrigin>
  /** The attester of the network. */
  readonly claim: ClaimLink
  readonly store: Pick<Store, 'addClaim' | 'listClaims' | 'removeClaim' | 'findTransaction' | 'findPayout'>
  readonly now: () => Instant
  readonly steady: () => Instant
  readonly log: Log
}

type Fill = { readonly outcome: string; readonly txHash: string } | undefined

type Kept = Claim & {
  readonly attestation: EscrowAttestation | undefined
  readonly nextAt: Instant
  readonly failures: number
  /** Whether the log says that the order of the fill is missing. */
  readonly isReported: boolean
}

const PAGE = 1_000
const AT_ONCE = 8
const LOOK_MS = 1_000
const RETRY = { firstMs: 1_000, maximumMs: 60_000 }
/** A fill that was never signed is not signed this long after the deadline. */
const FORGOTTEN_AFTER_MS = 3_600_000

/** The claims in memory, as they are stored, with the time of each one's next turn. */
const createKept = ({ store, steady }: Deps) => {
  const kept = new Map<OrderId, Kept>()
  let isLoaded = false
  const keep = (claim: Claim): void => {
    if (kept.has(claim.orderId)) return
    kept.set(claim.orderId, { ...claim, attestation: undefined, nextAt: 0, failures: 0, isReported: false })
  }
  const load = async (): Promise<void> => {
    if (isLoaded) return
    let after: OrderId | undefined
    do {
      const page = await store.listClaims(PAGE, after)
      // Orders between EVM chains that the solver took over are proven through Axelar.
      page.filter(({ order }) => order.proven === undefined).forEach(keep)
      after = page.length < PAGE ? undefined : page.at(-1)?.orderId
    } while (after !== undefined)
    isLoaded = true
  }
  return {
    load,
    add: async (claim: Claim): Promise<void> => {
      await load()
      if (kept.has(claim.orderId)) return
      await store.addClaim(claim)
      keep(claim)
    },
    end: async ({ orderId }: Claim): Promise<void> => {
      await store.removeClaim(orderId)
      kept.delete(orderId)
    },
    pause: (entry: Kept, pauseMs: number, part: Partial<Kept> = {}): void => {
      kept.set(entry.orderId, { ...entry, ...part, nextAt: steady() + pauseMs })
    },
    dueOn: (chainId: ChainId): readonly Kept[] =>
      [...kept.values()].filter(({ order, nextAt }) => order.originChain === chainId && nextAt <= steady()),
  }
}

type KeptClaims = ReturnType<typeof createKept>

/** Has the escrow of a filled order released: asks the attester, and sends the release where the attester does not. */
const createRelease = ({ claim, log }: Deps, { pause }: KeptClaims) => {
  const attest = async (entry: Kept, transaction: string): Promise<EscrowAttestation | undefined> => {
    if (entry.attestation !== undefined) return entry.attestation
    const { orderId, order } = entry
    const failures = entry.failures + 1
    try {
      const answer = await claim(order, transaction)
      if (answer.kind === 'attested') return answer
      if (answer.kind === 'refused')
        log('error', 'fill_not_attested', { orderId, transaction, reason: answer.reason })
    } catch (error) {
      log('warn', 'attester_unreachable', { orderId, error })
    }
    pause(entry, backoffMs(RETRY, failures), { failures })
    return undefined
  }
  return async (entry: Kept, origin: RepaymentOrigin, transaction: string): Promise<void> => {
    const attestation = await attest(entry, transaction)
    if (attestation === undefined) return
    pause(entry, LOOK_MS, { attestation, failures: 0 })
    await origin.release?.(entry, attestation)
  }
}

/** Decides what an order needs next, by its final state. */
const createAdvance = (deps: Deps, kept: KeptClaims) => {
  const { store, now, log } = deps
  const release = createRelease(deps, kept)

  /** The fill's transaction; a key is permanent, so it is signed at most once. */
  const fillOf = async ({ orderId, fillTxHash }: Claim): Promise<Fill> => {
    if (fillTxHash !== undefined) return { outcome: 'succeeded', txHash: fillTxHash }
    const { fill } = orderKeys(orderId)
    return (await store.findPayout(fill)) ?? (await store.findTransaction(fill))
  }
  const conclude = async (entry: Kept, fill: Fill, isReleased: boolean): Promise<void> => {
    const { orderId, order } = entry
    const fields = { orderId, chainId: order.originChain, amount: order.inputAmount }
    if (isReleased) log('info', 'order_repaid', fields)
    else if (fill?.outcome === 'succeeded') log('error', 'filled_order_refunded', fields)
    await kept.end(entry)
  }

  /** Keeps the claim of a paid fill: the endpoints may be wrong, and they may find the order again. */
  const lack = (entry: Kept): void => {
    const { orderId, order, isReported } = entry
    if (!isReported) log('error', 'filled_order_missing', { orderId, chainId: order.originChain })
    kept.pause(entry, RETRY.maximumMs, { isReported: true })
  }
  const dropUnlessOpen = async (entry: Kept, fill: Fill): Promise<void> =>
    fill?.outcome === 'open' ? kept.pause(entry, LOOK_MS) : kept.end(entry)

  return async (entry: Kept, origin: RepaymentOrigin, status: EscrowState['status']): Promise<void> => {
    const fill = await fillOf(entry)
    const { order, orderId } = entry
    if (status === 'released' || status === 'refunded') return conclude(entry, fill, status === 'released')
    if (status === 'missing') {
      // Its account is closed, or endpoints are on a fork without it.
      if (now() <= order.openDeadline * 1000 + FORGOTTEN_AFTER_MS) return kept.pause(entry, LOOK_MS)
      const end = await origin.endOf?.(orderId)
      if (end !== undefined) return conclude(entry, fill, end === 'released')
      return fill?.outcome === 'succeeded' ? lack(entry) : dropUnlessOpen(entry, fill)
    }
    if (fill?.outcome === 'succeeded') return release(entry, origin, fill.txHash)
    if (fill === undefined && now() <= order.fillDeadline * 1000 + FORGOTTEN_AFTER_MS)
      return kept.pause(entry, LOOK_MS)
    return dropUnlessOpen(entry, fill)
  }
}

/** Creates the repayments. An order is kept from before its fill is signed until its escrow is released or refunded. */
export const createRepayments = (deps: Deps): Repayments => {
  const { origins, log } = deps
  const kept = createKept(deps)
  const advance = createAdvance(deps, kept)

  const roundOn = async (origin: RepaymentOrigin, due: readonly Kept[]): Promise<void> => {
    const states = await origin.read(due.map(({ orderId }) => orderId))
    await mapAtMost(AT_ONCE, due, async (entry) => {
      const state = states.get(entry.orderId)
      if (state === undefined) return kept.pause(entry, LOOK_MS)
      try {
        await advance(entry, origin, state.status)
      } catch (error) {
        log('warn', 'repayment_failed', { orderId: entry.orderId, error })
        kept.pause(entry, LOOK_MS)
      }
    })
  }

  return {
    add: kept.add,
    round: async () => {
      await kept.load()
      for (const [chainId, origin] of origins) {
        const due = kept.dueOn(chainId)
        if (due.length === 0) continue
        try {
          await roundOn(origin, due)
        } catch (error) {
          log('warn', 'escrow_read_failed', { chainId, error })
        }
      }
    },
  }
}
