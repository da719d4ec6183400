import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { createTestPaymentChain } from '../../../test/test-payment-chain.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { createPaymentWatch, type PaymentWatch } from './payment-watch.ts'

const STELLAR = 'stellar:sandbox'
const FILLERS = ['filler one', 'filler two']

/** A step of a run: a payment for an order, a block, settling a pending payment, or a restart. */
type Step =
  | { readonly kind: 'pay'; readonly by: string; readonly order: number }
  | { readonly kind: 'block' }
  | { readonly kind: 'read' }
  | { readonly kind: 'restart' }
  | { readonly kind: 'settle'; readonly which: number }

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('pay' as const),
      by: fc.constantFrom(...FILLERS, 'stranger'),
      order: fc.nat(999),
    }),
    fc.constantFrom<Step>({ kind: 'block' }, { kind: 'read' }, { kind: 'restart' }),
    fc.record({ kind: fc.constant('settle' as const), which: fc.nat(5) }),
  ),
  { maxLength: 25 },
)

const memoOf = (order: number): string => `0x${order.toString(16).padStart(64, '0')}`

test('after any restart every final payment of a filler is pending or settled', async (context) => {
  const files = await openOwnStore()
  context.after(files.remove)
  let run = 0
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      run += 1
      const chainId = `${STELLAR}-${run}`
      const paymentChain = createTestPaymentChain({ chainId, chainType: 'stellar' })
      let clock = 0
      const open = (): PaymentWatch =>
        createPaymentWatch({
          paymentChain: paymentChain.chain,
          fillers: FILLERS,
          startAfter: 0,
          store: files.store(),
          now: () => clock,
          log: () => undefined,
        })
      let watch = open()
      const settled = new Set<string>()
      for (const step of taken) {
        clock += 700
        if (step.kind === 'pay')
          paymentChain.pay({ from: step.by, to: 'user', token: 'coin', amount: 1n, memo: memoOf(step.order) })
        else if (step.kind === 'block') paymentChain.advance()
        else if (step.kind === 'read') await watch.read()
        else if (step.kind === 'restart') watch = open()
        else if (step.kind === 'settle') {
          const pending = watch.pending()[step.which]
          if (pending === undefined) continue
          settled.add(pending.payment.txHash)
          watch.settle(pending)
        }
      }
      paymentChain.advance(3)
      watch = open()
      await watch.read()
      const found = watch.pending().map(({ payment }) => payment.txHash)
      const wanted = paymentChain
        .landed()
        .filter(({ from, txHash }) => from !== 'stranger' && !settled.has(txHash))
        .map(({ txHash }) => txHash)
      assert.deepEqual(
        wanted.filter((txHash) => !found.includes(txHash)),
        [],
      )
    }),
    { numRuns: 40 },
  )
})

test("ignores payments without an order id, by other accounts, and above a filler's limit", async (context) => {
  const files = await openOwnStore()
  context.after(files.remove)
  const paymentChain = createTestPaymentChain({ chainId: STELLAR, chainType: 'stellar' })
  const lines: string[] = []
  const watch = createPaymentWatch({
    paymentChain: paymentChain.chain,
    fillers: FILLERS,
    startAfter: undefined,
    store: files.store(),
    now: () => 0,
    log: (_, message) => lines.push(message),
  })
  await watch.read()
  const base = { to: 'user', token: 'coin', amount: 1n }
  const by = (from: string) => (order: number) => ({ ...base, from, memo: memoOf(order) })
  paymentChain.pay({ ...base, from: 'filler one', memo: 'thanks' }, { ...base, from: 'filler one' })
  paymentChain.pay(...Array.from({ length: 2_001 }, (_, order) => order).map(by('filler one')))
  paymentChain.pay({ ...by('stranger')(1), to: 'filler one' }, by('filler two')(1))
  paymentChain.advance(3)
  await watch.read()
  assert.equal(watch.pending().length, 2_001)
  assert.equal(watch.pending().filter(({ payment }) => payment.from === 'filler two').length, 1)
  assert.deepEqual(lines, ['too_many_pending_payments'])
})

const openWatch = async (context: TestContext, chainId: string) => {
  const files = await openOwnStore()
  context.after(files.remove)
  const open = (paymentChain: Pick<PaymentChain, 'chainId' | 'head' | 'readPayments' | 'timeOf'>) =>
    createPaymentWatch({
      paymentChain,
      fillers: FILLERS,
      startAfter: undefined,
      store: files.store(),
      now: () => 0,
      log: () => undefined,
    })
  const paymentChain = createTestPaymentChain({ chainId, chainType: 'stellar' })
  paymentChain.advance(50)
  await open(paymentChain.chain).read()
  return { files, open, paymentChain }
}

test('a cursor knows the time of its block', async (context) => {
  const { files, paymentChain } = await openWatch(context, 'stellar:timed')
  const cursor = await files.store().findCursor('stellar:timed')
  assert.ok(cursor !== undefined)
  assert.equal(cursor.timestampSeconds, await paymentChain.chain.timeOf(cursor.blockNumber))
})

for (const [length, blocks] of [
  ['shorter', 20],
  ['longer', 80],
] as const)
  test(`reads nothing from a chain that was reset and is ${length} than before`, async (context) => {
    const chainId = `stellar:reset-${length}`
    const { files, open } = await openWatch(context, chainId)
    const reset = createTestPaymentChain({ chainId, chainType: 'stellar', startSeconds: 1_800_010_000 })
    reset.advance(blocks)
    const before = await files.store().findCursor(chainId)
    await assert.rejects(open(reset.chain).read(), { code: 'WRONG_CHAIN' })
    assert.deepEqual(await files.store().findCursor(chainId), before)
  })

test('a cursor of an earlier version without a time is continued', async (context) => {
  const { files, open, paymentChain } = await openWatch(context, 'stellar:untimed')
  await files.store().savePayments('stellar:untimed', { blockNumber: 10n, blockHash: '' }, [])
  const memo = memoOf(1)
  paymentChain.pay({ from: 'filler one', to: 'user', token: 'coin', amount: 1n, memo })
  paymentChain.advance(3)
  const watch = open(paymentChain.chain)
  await watch.read()
  assert.equal(watch.pending().length, 1)
})
