import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createIntents } from '../src/backends/intent/index.ts'
import type { QuoteRecord } from '../src/core/quote-record.ts'
import { createSolverSocket } from '../src/http/solver-socket.ts'
import { fixedPrices } from '../src/pricing/fixed.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { type BackendWorld, startBackendWorld } from './backend-world.ts'

/** The sandbox, its solvers and the intents between its chains, with no service above them. */
export type IntentWorld = Omit<BackendWorld, 'backends'> & {
  readonly backend: BackendWorld['backends'][number]
  readonly store: Store
  /** The quotes whose deposits were seen, in order; some twice. */
  readonly deposited: readonly QuoteRecord[]
}

/** Orders may be opened for five seconds, filled for five more, and refunded ten after that. */
const SECONDS = { quoteLifetimeSeconds: 5, fillWindowSeconds: 5, refundDelaySeconds: 10 }

/** Starts it all; resolves when both solvers quote. */
export const startIntentWorld = async (): Promise<IntentWorld> => {
  const { backends: _, ...world } = await startBackendWorld({ intentSeconds: SECONDS })
  const { catalog, evmChains, network, log } = world.deps
  assert.ok(network.intent)
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-intents-'))
  const store = await openSqliteStore({ directory, log })
  const deposited: QuoteRecord[] = []
  const intents = createIntents({
    catalog,
    terms: network.intent,
    serviceName: network.name,
    evmChains,
    store,
    prices: fixedPrices(catalog.tokens),
    onDeposit: async (quote) => {
      deposited.push(quote)
    },
    randomHex: (byteLength) => randomBytes(byteLength).toString('hex'),
    now: Date.now,
    log,
  })
  const socket = createSolverSocket({
    network: intents.solvers,
    trustProxy: false,
    now: Date.now,
    randomId: randomUUID,
  })
  const server = createServer()
  server.on('upgrade', socket.upgrade)
  await intents.start()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  await world.connect(`http://127.0.0.1:${address.port}`, 60_000)
  return {
    ...world,
    backend: intents.backend,
    store,
    deposited,
    stop: async () => {
      socket.close()
      server.close()
      await intents.stop()
      await world.stop()
      await store.close()
      rmSync(directory, { recursive: true })
    },
  }
}
