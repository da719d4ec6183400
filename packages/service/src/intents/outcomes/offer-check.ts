import type { Catalog } from '../../chains/catalog.ts'
import { powerOfTen } from '../../core/decimal.ts'
import type { Clock } from '../../lib/clock.ts'
import { createEmitter } from '../../lib/emitter.ts'
import type { Log } from '../../lib/log.ts'
import type { PriceSource } from '../../pricing/price-source.ts'
import type { Solver } from '../solver-api/best-offers.ts'
import type { Admits } from '../solver-api/book.ts'
import type { Rung } from '../solver-api/protocol.ts'
import { assetsOf, type WithdrawnOffer } from './solver-news.ts'

/** Finds solvers' standing quotes that are too good to be true. */
export type OfferCheck = {
  /**
   * Whether the book takes a standing quote: none of its rungs beats the reference prices by more than the bound, and the
   * solver is not refused on the pair. Takes a comparison per rung.
   */
  readonly admits: Admits
  /** Adds a listener for standing quotes that were not taken. */
  readonly onWithdrawn: (listener: (offer: WithdrawnOffer) => void) => () => void
  /** How many standing quotes of each solver were too good to be taken. */
  readonly counts: () => readonly { readonly solver: string; readonly count: number }[]
}

type Deps = {
  readonly solvers: readonly Solver[]
  readonly prices: PriceSource
  readonly catalog: Pick<Catalog, 'token'>
  /** How much better than the reference prices a quote may be; undefined: any quote is taken. */
  readonly boundBps: number | undefined
  readonly clock: Clock
  readonly log: Log
}

const BPS = 10_000n
/** How long a solver's quotes of a pair are refused after a repeated mistake. */
const REFUSED_MS = 300_000
/** How long a mistake is remembered. */
const REMEMBERED_MS = 600_000

/** A solver's last mistake on a pair, and until when (steady time) its quotes are refused. */
type Mistake = { readonly until: number; isMended: boolean }

/** Creates the check; it logs for each solver and pair when its quotes begin to be too good and when they are not any more. */
export const createOfferCheck = (deps: Deps): OfferCheck => {
  const { solvers, clock, log } = deps
  const withdrawn = createEmitter<WithdrawnOffer>((error) =>
    log('error', 'listener_failed', { listener: 'offers', error }),
  )
  const counts = new Map(solvers.map(({ name }) => [name, 0]))
  const mistakes = new Map<string, Mistake>()

  const refuse = (pair: string, { name, address }: Solver, { input, output }: Rung): void => {
    const key = `${address} ${pair}`
    const before = mistakes.get(key)
    const at = clock.steady()
    const refusedMs = before !== undefined && at - before.until < REMEMBERED_MS ? REFUSED_MS : 0
    counts.set(name, (counts.get(name) ?? 0) + 1)
    mistakes.set(key, { until: at + refusedMs, isMended: false })
    withdrawn.emit({ solver: address, pair, until: clock.now() + refusedMs })
    if (before === undefined || before.isMended)
      log('warn', 'offer_too_good', { solver: name, pair, input: `${input}`, output: `${output}` })
  }
  return {
    admits: (solver, pair, ladder) => {
      const mistake = mistakes.get(`${solver.address} ${pair}`)
      if (mistake !== undefined && clock.steady() < mistake.until) return false
      const rung = tooGoodRung(deps, pair, ladder)
      if (rung !== undefined) {
        refuse(pair, solver, rung)
        return false
      }
      if (mistake?.isMended === false) {
        mistake.isMended = true
        log('info', 'offer_plausible', { solver: solver.name, pair })
      }
      return true
    },
    onWithdrawn: withdrawn.on,
    counts: () => [...counts].map(([solver, count]) => ({ solver, count })),
  }
}

/**
 * A rung whose output is worth more than its input by more than the bound; undefined if a reference price is missing. One
 * base unit of output is forgiven: the least output of a small input may be worth more than it.
 */
const tooGoodRung = (
  { prices, catalog, boundBps }: Deps,
  pair: string,
  ladder: readonly Rung[],
): Rung | undefined => {
  if (boundBps === undefined) return undefined
  const { fromChain, fromToken, toChain, toToken } = assetsOf(pair)
  const from = catalog.token(fromChain, fromToken)
  const to = catalog.token(toChain, toToken)
  if (from === undefined || to === undefined) return undefined
  const [paid, received] = [prices(from), prices(to)]
  if (paid === undefined || received === undefined) return undefined
  const inputFactor = paid * powerOfTen(to.decimals) * (BPS + BigInt(boundBps))
  const outputFactor = received * powerOfTen(from.decimals) * BPS
  return ladder.find(({ input, output }) => (output - 1n) * outputFactor > input * inputFactor)
}
