import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type PrivateAnvil, startAnvil } from 'openrfq/test/private-anvil.ts'
import { toEventSelector } from 'viem'
import { recorded } from '../../test/recorded-quotes.ts'
import type { Quote } from '../wire/quote.ts'
import type { Eip1193Provider } from './eip1193-provider.ts'
import { injectedPayer } from './injected-payer.ts'
import { toSendCalls } from './send-calls.ts'

const { quote: QUOTE, guards, request, lacks } = recorded('evm', 'gateway')
/** Emits a log without topics and then `ContractCallWithToken` of itself, and answers a token. */
const gatewayCode = (token: string): string =>
  `0x5f5fa0307f${toEventSelector('ContractCallWithToken(address,string,string,bytes32,bytes,string,uint256)').slice(2)}5f5fa273${token.slice(2)}5f5260205ff3`
/** Answers 2^255 to every call, as a token does that everybody is rich in. */
const TOKEN_CODE = '0x60015f5360205ff3'

let anvil: PrivateAnvil
before(async () => {
  anvil = await startAnvil(31337)
  await anvil.rpc('anvil_setCode', gatewayOf(QUOTE), gatewayCode(QUOTE.input.token))
  await anvil.rpc('anvil_setCode', QUOTE.input.token, TOKEN_CODE)
})
after(() => anvil.stop())

const gatewayOf = ({ actions }: Quote): string => {
  const payload = actions.at(-1)?.payload
  assert.ok(payload?.type === 'evm_transaction')
  return payload.to
}

type Batch = { readonly status: number; readonly refusal?: number }

/** A wallet of anvil's first account; `batch` says whether and how it executes batches. */
const walletOf = (batch?: Batch, onAsk: (method: string) => void = () => undefined) => {
  const asked: string[] = []
  let hash = ''
  const send = (call: object): Promise<unknown> => anvil.rpc('eth_sendTransaction', call)
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    asked.push(method)
    onAsk(method)
    const list: readonly unknown[] = Array.isArray(params) ? params : []
    if (method === 'eth_requestAccounts') return [toSendCalls(QUOTE).from]
    if (method === 'wallet_getCapabilities')
      return batch === undefined ? {} : { '0x7a69': { atomic: { status: 'ready' } } }
    if (method === 'wallet_sendCalls') {
      if (batch?.refusal !== undefined) throw Object.assign(new Error('no'), { code: batch.refusal })
      const { calls, from } = Object(list[0])
      for (const call of calls) hash = String(await send({ from, ...call }))
      return { id: 'batch' }
    }
    if (method === 'wallet_getCallsStatus')
      return { status: batch?.status, receipts: [{ transactionHash: hash, logs: [] }] }
    return anvil.rpc(method, ...list)
  }
  const provider: Eip1193Provider = { request }
  return { provider, asked }
}

const now = Date.parse(QUOTE.validity.quoteExpiresAt) - 30_000
const count = (asked: readonly string[], name: string): number => asked.filter((one) => one === name).length

test('sends approval and transfer as one atomic batch where the wallet can, and finds the message in its transaction', async () => {
  const { provider, asked } = walletOf({ status: 200 })
  const payer = await injectedPayer(provider)
  await payer.guard({ quote: QUOTE, guards, request, now, lacks })
  await payer.simulate(QUOTE)
  const seen: string[] = []
  const started = await payer.execute({
    quote: QUOTE,
    now,
    onAction: ({ action, event }) => seen.push(`${action.id} ${event}`),
  })
  assert.equal(started.messageId, `${started.txHash}-1`)
  assert.deepEqual(seen, ['approve sent', 'transfer sent', 'approve included', 'transfer included'])
  assert.deepEqual([count(asked, 'wallet_sendCalls'), count(asked, 'eth_sendTransaction')], [1, 0])
  const { calls, atomicRequired, chainId } = toSendCalls(QUOTE)
  assert.deepEqual([calls.length, atomicRequired, chainId], [2, true, '0x7a69'])
})

test('sends one action after the other where the wallet does not batch, or finds that it cannot', async () => {
  for (const batch of [undefined, { status: 200, refusal: 5750 }]) {
    const { provider, asked } = walletOf(batch)
    const started = await (await injectedPayer(provider)).execute({ quote: QUOTE, now })
    assert.equal(started.messageId, `${started.txHash}-1`)
    assert.equal(count(asked, 'eth_sendTransaction'), 2)
  }
})

test('reports a batch as refused, uncertain or reverted', async () => {
  for (const [batch, code, message] of [
    [{ status: 200, refusal: 4001 }, 'refused', /the wallet refused/],
    [{ status: 200, refusal: -32603 }, 'uncertain', /the wallet failed while it was sent/],
    [{ status: 400 }, 'refused', /is not on chain: the wallet gave it up/],
    [{ status: 500 }, 'reverted', /nothing but gas was spent/],
    [{ status: 600 }, 'uncertain', /was executed in part/],
    [{ status: 700 }, 'uncertain', /failed with 700/],
  ] as const) {
    const { provider, asked } = walletOf(batch)
    const payer = await injectedPayer(provider)
    await assert.rejects(payer.execute({ quote: QUOTE, now }), { name: 'ExecutionError', code, message })
    assert.equal(count(asked, 'eth_sendTransaction'), 0)
  }
})

test('refuses to ask for a signature when the wallet lacks what the quote takes', async () => {
  const payer = await injectedPayer(walletOf().provider)
  const poor = { ...QUOTE, input: { ...QUOTE.input, amount: '9'.repeat(78) } }
  await assert.rejects(payer.simulate(poor), {
    code: 'refused',
    message: /holds \d+ base units of 0x.*, the quote takes 9{78}/,
  })
})

test('signs no quote that expires while the wallet is asked to change the chain, or before it says that it cannot batch', async (context) => {
  for (const slow of ['eth_chainId', 'wallet_getCapabilities', 'wallet_sendCalls']) {
    const steady = performance.now.bind(performance)
    let skipped = 0
    const mocked = context.mock.method(performance, 'now', () => steady() + skipped)
    const { provider, asked } = walletOf({ status: 200, refusal: 5750 }, (method) => {
      if (method === slow) skipped = 3_600_000
    })
    const payer = await injectedPayer(provider)
    await assert.rejects(payer.execute({ quote: QUOTE, now }), { name: 'ExecutionError', code: 'expired' })
    assert.equal(count(asked, 'eth_sendTransaction'), 0, slow)
    mocked.mock.restore()
  }
})
