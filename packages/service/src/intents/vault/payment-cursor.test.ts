import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { TERMS, testUnmatchedTermsOf } from '../../../test/test-deposits.ts'
import { createTestPaymentChain } from '../../../test/test-payment-chain.ts'
import { unsettledDeposits } from '../../../test/test-vault.ts'
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
  const { signingMarks } = chain
  assert.ok(signingMarks)
  const index = createPaymentIndex({
    vaults: [
      {
        chain,
        signingMarks,
        vault: 'vault',
        treasury: [],
        readAfter,
        tokens: ['token'],
        dustOf: TERMS.dustOf,
        unmatchedTermsOf: testUnmatchedTermsOf,
        dailyLimitOf: () => undefined,
      },
    ],
    paymentChains: new Map([[chain.chainId, chain]]),
    terms: { depositGraceSeconds: 5 },
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
  test(`rejects a chain that was reset and is ${length} than before, and logs it once`, async () => {
    const chainId = `stellar:reset-${length}`
    await indexOf(ledgerOf(chainId).chain).index.round()
    const number = await cursorNumber(chainId)
    const reset = createTestPaymentChain({ chainId, startSeconds: START_SECONDS + 1_000 })
    reset.advance(blocks)
    const { index, lines, isCurrent } = indexOf(reset.chain)
    for (let round = 0; round < 3; round += 1) {
      await index.round()
      reset.advance()
    }
    assert.equal(isCurrent(), false)
    assert.equal(lines.filter((line) => line === 'error payment_history_lost').length, 1)
    assert.equal(await cursorNumber(chainId), number)
  })

const PAYMENT = { from: 'payer', to: 'vault', token: 'token', amount: 1_000n }

/** The chain while endpoints claim final blocks ahead of it, at the present time. */
const claiming = (chain: PaymentChain, ahead: bigint): PaymentChain => {
  const head = () => {
    const known = chain.head()
    return known && { ...known, number: known.number + ahead, finalNumber: known.finalNumber + ahead }
  }
  return {
    ...chain,
    head,
    readPayments: async (_, after) => {
      const known = head()
      const upTo = known?.finalNumber ?? after
      return {
        upTo,
        upToTimestampSeconds: known?.finalTimestampSeconds ?? 0,
        final: [],
        tentative: [],
      }
    },
  }
}

/** The chain as endpoints tell it that refuse to read after blocks that they do not have. */
const sound = (chain: PaymentChain): PaymentChain => ({
  ...chain,
  readPayments: async (accounts, after) => {
    if (after > (chain.head()?.finalNumber ?? 0n)) throw new RpcError('NODE_BEHIND', `no block ${after}`)
    return chain.readPayments(accounts, after)
  },
  timeOf: async (number) => {
    if (number > (chain.head()?.finalNumber ?? 0n)) throw new RpcError('NODE_BEHIND', `no block ${number}`)
    return chain.timeOf(number)
  },
})

const depositsOn = async (chainId: string) =>
  (await files.store().listPayments(chainId, 10)).map(({ blockNumber }) => blockNumber)

test('a cursor that endpoints raised beyond the chain goes back to the newest confirmed payment', async () => {
  const { chain, advance, pay } = ledgerOf('stellar:raised')
  await indexOf(chain).index.round()
  pay(PAYMENT)
  advance(20)
  await indexOf(chain).index.round()
  await indexOf(claiming(chain, 1_000_000_000n)).index.round()
  assert.ok(((await cursorNumber(chain.chainId)) ?? 0n) < 100n)
  const misled = indexOf(claiming(chain, 1_000_000_000n))
  await misled.index.round()
  pay({ ...PAYMENT, amount: 7n })
  advance(20)
  await misled.index.round()
  assert.ok(((await cursorNumber(chain.chainId)) ?? 0n) > 1_000_000_000n)
  advance(100)
  const { index, lines, isCurrent } = indexOf(sound(chain))
  await index.round()
  assert.equal(isCurrent(), true)
  assert.equal((await depositsOn(chain.chainId)).length, 2)
  assert.equal(lines.filter((line) => line === 'error payment_cursor_not_on_chain').length, 1)
})

test('a running index whose progress endpoints raised beyond the chain goes back', async () => {
  const { chain, advance, pay } = ledgerOf('stellar:raised-running')
  let isLying = false
  const lied = claiming(chain, 1_000_000_000n)
  const told: PaymentChain = {
    ...sound(chain),
    head: () => (isLying ? lied.head() : chain.head()),
    readPayments: (...asked) => (isLying ? lied : sound(chain)).readPayments(...asked),
  }
  const { index, isCurrent } = indexOf(told)
  await index.round()
  pay(PAYMENT)
  advance(20)
  await index.round()
  isLying = true
  await index.round()
  isLying = false
  pay({ ...PAYMENT, amount: 7n })
  for (let second = 0; second < 100; second += 1) {
    advance()
    await index.round()
  }
  assert.equal(isCurrent(), true)
  assert.equal((await depositsOn(chain.chainId)).length, 2)
})

test('a chain with payments that was reset is rejected', async () => {
  const chainId = 'stellar:reset-with-payments'
  const { chain, advance, pay } = ledgerOf(chainId)
  await indexOf(chain).index.round()
  pay(PAYMENT)
  advance(20)
  await indexOf(chain).index.round()
  const reset = createTestPaymentChain({ chainId, startSeconds: START_SECONDS + 1_000 })
  reset.advance(50)
  const { index, lines, isCurrent } = indexOf(reset.chain)
  await index.round()
  assert.equal(isCurrent(), false)
  assert.equal(lines.filter((line) => line === 'error payment_history_lost').length, 1)
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
  assert.equal(lines.filter((line) => line === 'error payment_history_lost').length, 0)
  for (let round = 0; round < 3; round += 1) {
    advance(5)
    await index.round()
  }
  assert.equal(isCurrent(), false)
  assert.equal(lines.filter((line) => line === 'error payment_history_lost').length, 1)
  const resumed = indexOf(pruned, 110n)
  pay({ from: 'payer', to: 'vault', token: 'token', amount: 1_000n })
  advance(5)
  await resumed.index.round()
  assert.deepEqual([resumed.isCurrent(), resumed.lines], [true, []])
  const deposits = await unsettledDeposits(files.store())
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
