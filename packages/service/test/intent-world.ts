import assert from 'node:assert/strict'
import { createBackends } from '../src/backends/create-backends.ts'
import { BACKENDS } from '../src/backends/index.ts'
import { createIntents, intent } from '../src/backends/intent/index.ts'
import type { QuoteRecord } from '../src/core/quote-record.ts'
import { systemClock } from '../src/lib/clock.ts'
import { fixedPrices } from '../src/pricing/fixed.ts'
import { type BackendWorld, startBackendWorld } from './backend-world.ts'
import { shareWorld } from './shared-world.ts'
import { startTableServer } from './table-server.ts'

/** The sandbox with its solvers and every backend, without a service above them. `backend` is the intent backend. */
export type IntentWorld = BackendWorld & {
  readonly backend: BackendWorld['backends'][number]
  /** The quotes whose deposits were seen, in order; some are repeated. */
  readonly deposited: readonly QuoteRecord[]
}

/** Orders may be opened for five seconds, filled for five more, and refunded ten seconds later. */
const SECONDS = { quoteLifetimeSeconds: 5, fillWindowSeconds: 5, refundDelaySeconds: 10 }

/** Starts the world; resolves when both solvers quote. */
const startIntentWorld = async (): Promise<IntentWorld> => {
  const world = await startBackendWorld({ intentSeconds: SECONDS })
  try {
    return await startIntents(world)
  } catch (error) {
    await world.stop()
    throw error
  }
}

/** The intent backend with its solvers, shared by the test files of one process. */
export const sharedIntents = shareWorld(startIntentWorld)

const startIntents = async (world: BackendWorld): Promise<IntentWorld> => {
  const { catalog, network } = world.deps
  assert.ok(network.intent)
  const deposited: QuoteRecord[] = []
  const intents = createIntents({
    submitsRefunds: () => false,
    keepers: new Map(),
    openers: new Map(),
    ...world.deps,
    clock: systemClock,
    terms: network.intent,
    serviceName: network.name,
    paymentChains: new Map(),
    prices: fixedPrices(catalog.tokens),
  })
  intents.onDeposit(async (quote) => {
    deposited.push(quote)
  })
  const backends = createBackends(BACKENDS, { ...world.deps, intents })
  const backend = backends.find(({ type }) => type === intent.type)
  assert.ok(backend)
  await backend.start()
  const server = await startTableServer({ solvers: intents.solvers })
  await world.connect(server.url, 60_000)
  return {
    ...world,
    backends: [...world.backends.filter(({ type }) => type !== backend.type), backend],
    backend,
    deposited,
    stop: async () => {
      await server.close()
      await backend.stop()
      await world.stop()
    },
  }
}
