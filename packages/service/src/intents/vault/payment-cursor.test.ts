import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { TERMS } from '../../../test/test-deposits.ts'
import { createTestPaymentChain } from '../../../test/test-payment-chain.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { RpcError } from '../../chains/rpc/rpc-error.ts'
import { createPaymentIndex } from './payment-index.ts'

const START_SECONDS = 1_800_000_000

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

const ledgerOf = (chainId: string, startSeconds = START_SECONDS) => {
  const paymentChain = createTestPaymentChain({ chainId, chainType: 'stellar', startSeconds })
  paymentChain.advance(20)
  return paymentChain
}

/** An index of the vault on a chain, and its log. */
const indexOf = (chain: PaymentChain, readAfter?: bigint) => {
  const lines: string[] = []
  const index = createPaymentIndex({
    vaultChains: [
      {
        chain,
        vault: 'vault',
        fillers: [],
        treasury: [],
        readAfter,
        tokens: ['token'],
        dustOf: TERMS.dustOf,
        dailyLimitOf: () => undefined,
      },
    ],
    terms: { quoteLifetimeSeconds: 60, depositGraceSeconds: 5 },
    store: files.store(),
    now: () => (chain.head()?.timestampSeconds ?? START_SECONDS) * 1000,
    log: (level, event) => lines.push(`${level} ${event}`),
  })
  return { index, lines, isCurrent: () => index.isCurrent(chain.chainId) }
}

const cursorNumber = async (chainId: string) => (await files.store().findCursor(chainId))?.blockNumber

test('a restart continues at the cursor of the same chain', async () => {
  const { chain, advance } = ledgerOf('stellar:same')
  await indexOf(chain).index.round()
  advance(30)
  const again = indexOf(chain)
  assert.equal(again.isCurrent(), false)
  await again.index.round()
  assert.deepEqual([again.isCurrent(), again.lines], [true, []])
})

for (const [length, blocks] of [
  ['shorter', 5],
  ['longer', 50],
] as const)
  test(`rejects a chain that was started anew and is ${length} than before, and logs it once`, async () => {
    const chainId = `stellar:anew-${length}`
    await indexOf(ledgerOf(chainId).chain).index.round()
    const number = await cursorNumber(chainId)
    const anew = createTestPaymentChain({ chainId, startSeconds: START_SECONDS + 1_000 })
    anew.advance(blocks)
    const { index, lines, isCurrent } = indexOf(anew.chain)
    for (let round = 0; round < 3; round += 1) {
      await index.round()
      anew.advance()
    }
    assert.equal(isCurrent(), false)
    assert.equal(lines.filter((line) => line === 'error payment_history_lost').length, 1)
    assert.equal(await cursorNumber(chainId), number)
  })

test('rejects lost history after the cursor until the operator lets reading continue', async () => {
  const { chain, advance, pay } = ledgerOf('stellar:pruned')
  await indexOf(chain).index.round()
  advance(100)
  const pruned: PaymentChain = {
    ...chain,
    readPayments: async (accounts, number) => {
      if (number < 100n) throw new RpcError('NODE_PRUNED', 'the node knows ledgers from 100 on')
      return chain.readPayments(accounts, number)
    },
  }
  const { index, lines, isCurrent } = indexOf(pruned)
  await index.round()
  await index.round()
  assert.equal(isCurrent(), false)
  assert.equal(lines.filter((line) => line === 'error payment_history_lost').length, 1)
  const resumed = indexOf(pruned, 110n)
  pay({ from: 'payer', to: 'vault', token: 'token', amount: 1_000n })
  advance(5)
  await resumed.index.round()
  assert.deepEqual([resumed.isCurrent(), resumed.lines], [true, []])
  const deposits = await files.store().listUnsettledDeposits(10)
  assert.equal(deposits.filter(({ chainId }) => chainId === chain.chainId).length, 1)
})

test('an index that does not reach the head is not current, and logs one event', async () => {
  const { chain, advance } = ledgerOf('stellar:stuck')
  const first = chain.head()?.finalNumber ?? 0n
  const stuck: PaymentChain = {
    ...chain,
    readPayments: async () => ({
      upTo: first,
      upToTimestampSeconds: await chain.timeOf(first),
      final: [],
      tentative: [],
    }),
  }
  const { index, lines, isCurrent } = indexOf(stuck)
  await index.start()
  assert.equal(isCurrent(), true)
  advance(31)
  assert.equal(isCurrent(), false)
  await index.round()
  await index.stop()
  assert.deepEqual(lines, ['warn payment_read_failed'])
})
