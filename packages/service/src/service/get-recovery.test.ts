import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testItsQuote } from '../../test/test-quotes.ts'
import type { RecoveryCall } from '../backends/backend.ts'
import { evmRecovery, gasRecovery } from '../backends/message-recovery.ts'
import { createCatalog } from '../chains/catalog.ts'
import { Network } from '../core/network.ts'
import { presentStatus } from '../core/status.ts'
import { awaitingDeposit, type Transfer } from '../core/transfer.ts'
import { createGetRecovery } from './get-recovery.ts'
import { createRecoveryBudget } from './recovery-budget.ts'

const CHAIN = {
  chainId: 'eip155:1',
  chainLabel: 'Chain',
  chainType: 'evm',
  nativeToken: { symbol: 'ETH', decimals: 18 },
  rpcUrls: ['https://one.example'],
  finality: 1,
}

/** A service that knows so many late transfers, on a clock that the test sets; counts the reads of its backend. */
const world = (transfers: number, status: Partial<Transfer> = {}, calls: readonly RecoveryCall[] = []) => {
  let [time, reads] = [0, 0]
  const quotes = new Map(
    Array.from({ length: transfers }, (_, index) => {
      const quote = testItsQuote(32n * BigInt(index + 1))
      return [quote.quoteId, quote]
    }),
  )
  const getRecovery = createGetRecovery({
    catalog: createCatalog(Network.parse({ chains: [CHAIN], tokens: [] })),
    store: { findQuote: async (quoteId) => quotes.get(quoteId) },
    backends: new Map([
      [
        'its',
        {
          recoveries: async () => {
            reads += 1
            return calls
          },
        },
      ],
    ]),
    getStatus: async ({ quoteId }) => {
      const quote = [...quotes.values()].find((known) => known.quoteId === quoteId)
      assert.ok(quote)
      const source = { chain: 'eip155:1', txHash: '0x', messageId: null, timestamp: '2026-11-21T07:00:00Z' }
      return presentStatus(
        quote,
        { ...awaitingDeposit(quote.quoteId, ''), state: 'PENDING', source, ...status },
        {},
      )
    },
    mayRead: createRecoveryBudget(() => time),
    steady: () => time,
    trackDeadlineMs: 1_000,
    log: () => undefined,
  })
  const ids = [...quotes.keys()]
  return {
    ask: (index: number, client: string) => getRecovery({ quoteId: ids[index] ?? '' }, client),
    reads: () => reads,
    wait: (ms: number) => {
      time += ms
    },
  }
}

const LIMITED = { code: 'RATE_LIMITED', details: { retryAfterSeconds: 1 } }

test('a client that asks about ever other transfers is limited, and no other client with it', async () => {
  const { ask, reads, wait } = world(40)
  for (let index = 0; index < 20; index += 1) await ask(index, 'greedy')
  await assert.rejects(ask(20, 'greedy'), LIMITED)
  assert.equal(reads(), 20)
  assert.deepEqual((await ask(20, 'other')).recoveries, [])
  assert.deepEqual((await ask(20, 'greedy')).recoveries, [], 'shares what the other had read')
  wait(500)
  await ask(21, 'greedy')
  await assert.rejects(ask(22, 'greedy'), LIMITED)
})

test('many clients together have at most 100 transfers read in four seconds, and one that comes later is served', async () => {
  const { ask, reads, wait } = world(200)
  const answers = await Promise.allSettled(
    Array.from({ length: 200 }, (_, index) => ask(index, `client ${index % 50}`)),
  )
  assert.ok(answers.some(({ status }) => status === 'rejected'))
  assert.ok(reads() <= 100, `${reads()}`)
  wait(4_000)
  await ask(199, 'late')
})

test('only a transfer that is on its way is looked at, and so is one whose delivery its chain took back', async () => {
  for (const [state, details, isRead] of [
    ['PENDING', {}, true],
    ['REFUND_INITIATED', {}, true],
    ['DONE', {}, false],
    ['DONE', { deliveryFinal: false }, false],
    ['DONE', { deliveryFinal: false, deliveryReverted: true }, true],
    ['DONE', { deliveryReverted: true }, false],
    ['REFUNDED', {}, false],
    ['FAILED', {}, false],
  ] as const) {
    const { ask, reads } = world(1, { state, details })
    await ask(0, 'anybody')
    assert.equal(reads(), isRead ? 1 : 0, `${state} ${JSON.stringify(details)}`)
  }
})

test('a recovery on a chain of two scales tells base units and pays their value', () => {
  const short = { gasService: '0xb', txHash: `0x${'ab'.repeat(32)}`, logPosition: 0, valueScale: 10n ** 10n }
  const call = gasRecovery({ chainId: 'eip155:295', leadsTo: 'DONE', ...short, value: 12n })
  const payload = call.payloadBy(`0x${'1'.repeat(40)}`)
  assert.ok(payload.type === 'evm_transaction')
  assert.deepEqual([call.value, payload.value], [12n, '120000000000'])
})

test('the native value that a recovery pays is told before anybody is named to sign it', async () => {
  const short = { gasService: '0xb', txHash: `0x${'ab'.repeat(32)}`, logPosition: 0 }
  const told = { chainId: 'eip155:1', leadsTo: 'DONE' } as const
  const free = { kind: 'execute', label: 'Execute', to: '0xb', dataBy: () => '0x' } as const
  const { ask } = world(1, {}, [
    gasRecovery({ ...told, ...short, value: 12n }),
    evmRecovery({ ...told, ...free, value: 0n }),
  ])
  const { recoveries } = await ask(0, 'anybody')
  assert.deepEqual(
    recoveries.map(({ kind, value, actions }) => [kind, value, actions]),
    [
      ['add_gas', '12', []],
      ['execute', undefined, []],
    ],
  )
})
