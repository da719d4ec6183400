import type { ChainId } from '@openrfq/sdk'
import type { Statement } from '../chains/rpc/statements.ts'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../lib/log.ts'
import { mapAtMost } from '../lib/map-at-most.ts'

/** A fact that a payment of ours rests on, agreed before, and how to ask every endpoint of its chain again. */
export type Fact = {
  readonly chainId: ChainId
  /** The fact as text for people. */
  readonly text: string
  readonly ask: () => Promise<readonly Statement[]>
}

/** Holds payments whose facts an endpoint contradicts. */
export type FactCheck = {
  /**
   * Whether the payment with this key may be signed: no endpoint that answers denies one of its facts. Rejects if no
   * endpoint of a chain answers.
   */
  readonly allows: (key: string, facts: readonly Fact[]) => Promise<boolean>
  /** The chain of the contradicted fact of each payment that is held. */
  readonly held: () => readonly ChainId[]
}

type Deps = { readonly now: () => Instant; readonly log: Log }
type Hold = Fact & { readonly lookedAt: Instant }

/** Pause between two checks of a held payment. */
const LOOK_AGAIN_MS = 5_000
/** A held payment that is not asked about any more was made or dropped elsewhere. */
const FORGOTTEN_AFTER_MS = 600_000
const MOST_HELD = 10_000
const AT_ONCE = 8

const endpointsOf = (statements: readonly Statement[], confirms: boolean): string =>
  statements
    .filter((statement) => statement.confirms === confirms)
    .map(({ endpoint }) => endpoint)
    .join()

/** Creates the check; one line is logged when a payment is held, and one when it is not any more. */
export const createFactCheck = ({ now, log }: Deps): FactCheck => {
  const holds = new Map<string, Hold>()

  const hold = (key: string, fact: Fact, statements: readonly Statement[]): void => {
    const { chainId, text } = fact
    if (holds.get(key)?.text !== text)
      log('error', 'payment_contradicted', {
        chainId,
        key,
        fact: text,
        confirmedBy: endpointsOf(statements, true),
        deniedBy: endpointsOf(statements, false),
      })
    if (holds.has(key) || holds.size < MOST_HELD) holds.set(key, { ...fact, lookedAt: now() })
  }

  const end = (key: string): void => {
    const known = holds.get(key)
    if (known === undefined) return
    holds.delete(key)
    log('info', 'payment_not_contradicted', { chainId: known.chainId, key, fact: known.text })
  }

  const forgetOld = (): void => {
    for (const [key, { lookedAt }] of holds) if (now() - lookedAt > FORGOTTEN_AFTER_MS) end(key)
  }

  return {
    allows: async (key, facts) => {
      forgetOld()
      const known = holds.get(key)
      if (known !== undefined && now() - known.lookedAt < LOOK_AGAIN_MS) return false
      const told = await mapAtMost(AT_ONCE, facts, async (fact) => ({ fact, statements: await fact.ask() }))
      const denied = told.find(({ statements }) => statements.some(({ confirms }) => !confirms))
      if (denied === undefined) end(key)
      else hold(key, denied.fact, denied.statements)
      return denied === undefined
    },
    held: () => {
      forgetOld()
      return [...holds.values()].map(({ chainId }) => chainId)
    },
  }
}
