import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recorded } from '../../test/recorded-quotes.ts'
import { createClient } from '../client/create-client.ts'
import { isTransient } from '../client/request.ts'
import type { Quote } from '../wire/quote.ts'
import { type Execution, startedTransfer } from './execution.ts'
import { ExecutionError } from './execution-error.ts'
import type { Payer } from './payer.ts'
import { type Swap, type SwapProgress, swap } from './swap.ts'

const { quote: QUOTE, request } = recorded('evm', 'gateway')
const { sender, ...ORDER } = request
/** A service that answers these lists of quotes in turn, and whose clock is ahead of the device's by some milliseconds. */
const serve = (answers: readonly (readonly Quote[])[], aheadMs = 0) => {
  const asked: { readonly path: string; readonly body: unknown }[] = []
  let turn = -1
  const answerTo = (path: string): object => {
    if (path === '/v1/rfq/quote') {
      turn += 1
      return { quotes: answers[turn] ?? answers.at(-1) ?? [] }
    }
    return {
      quoteId: QUOTE.quoteId,
      state: 'DONE',
      backend: { type: 'gateway', name: 'Axelar Gateway' },
      source: null,
      destination: null,
      output: null,
      refund: null,
      details: {},
    }
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(String(input))
    asked.push({ path: pathname, body: init?.body === undefined ? undefined : JSON.parse(String(init.body)) })
    const date = new Date(Date.now() + aheadMs).toUTCString()
    return Response.json(answerTo(pathname), { headers: { date } })
  }
  return { client: createClient({ baseUrl: 'http://rfq.example', fetch }), asked }
}

/** A quote that is valid for some seconds more, by the device's clock. */
const fresh = (changes: Partial<Quote> = {}, seconds = 60): Quote => {
  const quoteExpiresAt = new Date(Date.now() + seconds * 1000).toISOString()
  return { ...QUOTE, validity: { type: 'expires_at', quoteExpiresAt }, ...changes }
}

/** A payer that keeps what it is asked; `ends` says how each execution ends. */
const payerOf = (...ends: readonly (ExecutionError | undefined)[]) => {
  const executed: Execution[] = []
  const payer: Payer = {
    address: sender,
    guard: async () => undefined,
    simulate: async () => undefined,
    execute: async (execution) => {
      executed.push(execution)
      const end = ends[executed.length - 1]
      if (end !== undefined) throw end
      const [action] = execution.quote.actions
      assert.ok(action !== undefined)
      for (const event of ['sent', 'included'] as const)
        execution.onAction?.({ action, event, txHash: '0x1' })
      return startedTransfer(execution.quote, '0x1', undefined)
    },
  }
  return { payer, executed }
}

const run = (service: ReturnType<typeof serve>, payer: Payer, changes: Partial<Swap> = {}) =>
  swap({ ...ORDER, client: service.client, payer, ...changes })

const EXPIRED = new ExecutionError('expired', 'the approval took too long', { actionId: 'transfer' })

test('quotes, simulates, sends and follows the transfer in one call, and tells each step', async () => {
  const service = serve([[fresh()]])
  const seen: string[] = []
  const onProgress = ({ step }: SwapProgress): void => void seen.push(step)
  const { ended, status, quote, started } = await run(service, payerOf().payer, {
    orderType: undefined,
    onProgress,
  })
  assert.deepEqual([ended, status?.state, quote.quoteId], ['resolved', 'DONE', QUOTE.quoteId])
  assert.equal(started.txHash, '0x1')
  assert.deepEqual(seen, ['quoted', 'guarded', 'simulated', 'sent', 'included', 'started', 'status'])
  const asked = Object(service.asked[0]?.body)
  assert.deepEqual([asked.sender, asked.orderType], [sender, 'EXACT_INPUT'])
})

test('goes on with a new quote of the same backend when the first expires before its transfer is sent', async () => {
  const second = fresh({ quoteId: 'quote_2' })
  const { payer, executed } = payerOf(EXPIRED)
  const { quote } = await run(serve([[fresh()], [second]]), payer)
  assert.equal(quote.quoteId, 'quote_2')
  assert.deepEqual(
    executed.map((execution) => execution.quote.quoteId),
    [QUOTE.quoteId, 'quote_2'],
  )
})

test('does not go on with a new quote that is worse than the accepted one', async () => {
  const worse = fresh({ output: { ...QUOTE.output, minimumAmount: '999300000000000000' } })
  const { payer, executed } = payerOf(EXPIRED)
  await assert.rejects(run(serve([[fresh()], [worse]]), payer), { code: 'unsafe', guard: 'worse_quote' })
  assert.equal(executed.length, 1)
})

/** A payer that sends an approval for the first quote, which then expires. */
const approvingPayer = (): Payer => ({
  ...payerOf().payer,
  execute: async ({ quote, onAction }) => {
    const [action] = quote.actions
    assert.ok(action !== undefined)
    for (const event of ['sent', 'included'] as const)
      onAction?.({ action: { ...action, id: 'approve' }, event, txHash: '0xa' })
    throw EXPIRED
  },
})

test('an error after an approval names the approval, for every guard and every quote that ends the swap', async () => {
  const sent = [{ actionId: 'approve', txHash: '0xa' }]
  const worse = fresh({ output: { ...QUOTE.output, minimumAmount: '999300000000000000' } })
  await assert.rejects(run(serve([[fresh()], [worse]]), approvingPayer()), {
    ...{ code: 'unsafe', guard: 'worse_quote', sent },
    message: /; sent before: approve 0xa$/,
  })
  await assert.rejects(run(serve([[fresh()], []]), approvingPayer()), {
    ...{ code: 'no_quote', isTransient: true, sent },
  })
  const before = new ExecutionError('unsafe', 'pays a thief', { guard: 'call_recipient' })
  const guard = async (): Promise<void> => {
    throw before
  }
  await assert.rejects(run(serve([[fresh()]]), { ...approvingPayer(), guard }), {
    sent: [],
    message: 'pays a thief',
  })
})

test('a transaction that failed is not named as sent before', async () => {
  const failed = new ExecutionError('reverted', 'no', { actionId: 'approve', txHash: '0xa' })
  const payer: Payer = {
    ...payerOf().payer,
    execute: async ({ quote, onAction }) => {
      const [action] = quote.actions
      assert.ok(action !== undefined)
      onAction?.({ action, event: 'sent', txHash: '0xa' })
      throw failed
    },
  }
  await assert.rejects(run(serve([[fresh()]]), payer), failed)
})

test('gives up after three quotes that expired', async () => {
  const { payer, executed } = payerOf(EXPIRED, EXPIRED, EXPIRED, EXPIRED)
  await assert.rejects(run(serve([[fresh()]]), payer), { code: 'expired' })
  assert.equal(executed.length, 3)
})

test("counts the expiry by the service's clock", async () => {
  const { payer, executed } = payerOf()
  const hourLater = Date.now() + 3_600_000
  await run(serve([[fresh({}, 3_660)]], 3_600_000), payer)
  const { now = 0 } = executed[0] ?? {}
  // The header `date` holds whole seconds.
  assert.ok(now > hourLater - 1_000 && now < Date.now() + 2 * 3_600_000, `${now}, not ${hourLater}`)
})

test('no quote says that repeating may help where the service answered none, and not where all are declined', async () => {
  const { payer } = payerOf()
  const failure = async (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)
  const unpriced = await failure(run(serve([[]]), payer))
  const declined = await failure(run(serve([[fresh()]]), payer, { choose: () => undefined }))
  for (const error of [unpriced, declined])
    assert.ok(error instanceof ExecutionError && error.code === 'no_quote')
  assert.deepEqual([unpriced, declined].map(isTransient), [true, false])
})

test('signs nothing when nothing prices the pair, a guard refuses the quote, or the payer cannot pay it', async () => {
  const none = payerOf()
  const elsewhere = fresh({ output: { ...QUOTE.output, chain: 'eip155:5' } })
  await assert.rejects(run(serve([[elsewhere]]), none.payer), { code: 'unsafe', guard: 'other_assets' })
  const guard = async (): Promise<void> => {
    throw new ExecutionError('unsafe', 'pays a thief', { guard: 'call_recipient' })
  }
  await assert.rejects(run(serve([[fresh()]]), { ...none.payer, guard }), { guard: 'call_recipient' })
  const simulate = async (): Promise<void> => {
    throw new ExecutionError('refused', 'the wallet holds 0 base units')
  }
  await assert.rejects(run(serve([[fresh()]]), { ...none.payer, simulate }), { code: 'refused' })
  const signal = AbortSignal.abort(new Error('the person left'))
  await assert.rejects(run(serve([[fresh()]]), none.payer, { signal }), /the person left/)
  assert.equal(none.executed.length, 0)
})

test('executes the quote that `choose` picks', async () => {
  const other = fresh({ quoteId: 'quote_other' })
  const { quote } = await run(serve([[fresh(), other]]), payerOf().payer, { choose: (quotes) => quotes[1] })
  assert.equal(quote.quoteId, 'quote_other')
})

const unsafeFor =
  (...quoteIds: readonly string[]): Payer['guard'] =>
  async ({ quote }) => {
    if (quoteIds.includes(quote.quoteId))
      throw new ExecutionError('unsafe', 'no', { guard: 'unknown_contract' })
  }

test('goes on to the next quote when a guard refuses the first, or the payer cannot pay it', async () => {
  const [first, other, third] = [
    fresh(),
    fresh({ quoteId: 'quote_other' }),
    fresh({ quoteId: 'quote_third' }),
  ]
  const { payer, executed } = payerOf()
  const simulate = async ({ quoteId }: Quote): Promise<void> => {
    if (quoteId === 'quote_other') throw new ExecutionError('refused', 'the wallet holds 0 wei')
  }
  const seen: string[] = []
  const onProgress = (progress: SwapProgress): void => {
    if (progress.step === 'refused') seen.push(`${progress.quote.quoteId} ${progress.error.code}`)
  }
  const careful = { ...payer, simulate, guard: unsafeFor(QUOTE.quoteId) }
  const { quote } = await run(serve([[first, other, third]]), careful, { onProgress })
  assert.equal(quote.quoteId, 'quote_third')
  assert.deepEqual(seen, [`${QUOTE.quoteId} unsafe`, 'quote_other refused'])
  assert.equal(executed.length, 1)
})

test('throws the refusal of the first quote when all are refused, and asks `choose` once more than it answers', async () => {
  const { payer, executed } = payerOf()
  const other = fresh({ quoteId: 'quote_other' })
  const guard = unsafeFor(QUOTE.quoteId, 'quote_other')
  const service = serve([[fresh(), other]])
  await assert.rejects(run(service, { ...payer, guard }), { code: 'unsafe', guard: 'unknown_contract' })
  const stubborn = fresh()
  const choose = (): Quote => stubborn
  await assert.rejects(run(serve([[fresh(), other]]), { ...payer, guard }, { choose }), { code: 'unsafe' })
  assert.equal(executed.length, 0)
})

test('begins with the quote that a person chose, and asks for others only when it expires', async () => {
  const chosen = fresh({ quoteId: 'quote_chosen' })
  const service = serve([[fresh({ quoteId: 'quote_2' })]])
  const { quote } = await run(service, payerOf().payer, { quote: chosen })
  assert.equal(quote.quoteId, 'quote_chosen')
  assert.equal(service.asked.filter(({ path }) => path === '/v1/rfq/quote').length, 0)
  const again = await run(service, payerOf(EXPIRED).payer, { quote: chosen })
  assert.equal(again.quote.quoteId, 'quote_2')
  const guard = unsafeFor('quote_chosen')
  await assert.rejects(run(service, { ...payerOf().payer, guard }, { quote: chosen }), { code: 'unsafe' })
})

test('a chosen quote has aged since it arrived, and so has a copy of one', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const [behindMs, agedMs] = [3_600_000, 40_000]
  const service = serve([[fresh({}, 30 - behindMs / 1_000)]], -behindMs)
  const [chosen] = await service.client.getQuotes({ ...ORDER, orderType: 'EXACT_INPUT', sender })
  assert.ok(chosen !== undefined)
  context.mock.timers.tick(agedMs)
  for (const quote of [chosen, structuredClone(chosen)]) {
    const { payer, executed } = payerOf()
    await run(service, payer, { quote })
    const over = (executed[0]?.now ?? 0) - Date.parse(chosen.validity.quoteExpiresAt)
    assert.ok(over >= 10_000 && over <= 11_100, `${over} ms past its expiry`)
  }
})

test('an error that is no refusal of the quote ends the swap', async () => {
  const { payer } = payerOf()
  const simulate = async (): Promise<void> => {
    throw new ExecutionError('unreachable', 'the chain cannot be read')
  }
  const service = serve([[fresh(), fresh({ quoteId: 'quote_other' })]])
  await assert.rejects(run(service, { ...payer, simulate }), { code: 'unreachable' })
})

test('a quote that replaces an expired one is held against it', async () => {
  const { payer } = payerOf(EXPIRED)
  const seen: unknown[] = []
  const guard: Payer['guard'] = async ({ accepted }) => void seen.push(accepted?.quoteId)
  await run(serve([[fresh()], [fresh({ quoteId: 'quote_2' })]]), { ...payer, guard })
  assert.deepEqual(seen, [undefined, QUOTE.quoteId])
})

test('tells what the guards do not say, and refuses the quote where they are strict', async () => {
  const payer: Payer = { ...payerOf().payer, guard: async ({ lacks }) => lacks('attester') }
  let told: readonly string[] = []
  const onProgress = (progress: SwapProgress): void => {
    if (progress.step === 'guarded') told = progress.missing
  }
  await run(serve([[fresh()]]), payer, { onProgress, guards: { minimumOutput: 1n } })
  assert.deepEqual(told, ['attester'])
  const strict = run(serve([[fresh()]]), payer, { guards: { minimumOutput: 1n, strict: true } })
  await assert.rejects(strict, { code: 'unsafe', guard: 'missing_guard', message: /attester/ })
  const complete = { minimumOutput: 1n, strict: true }
  await run(serve([[fresh()]]), payerOf().payer, { guards: complete })
})

test("a service whose clock is days off the device's is refused: it could lock a deposit for years", async () => {
  const ahead = 2 * 24 * 3600 * 1000
  for (const offset of [ahead, -ahead]) {
    const { payer, executed } = payerOf()
    const service = serve([[fresh({}, 60 + offset / 1000)]], offset)
    await assert.rejects(run(service, payer), { code: 'unsafe', guard: 'service_clock' })
    assert.equal(executed.length, 0)
  }
})
