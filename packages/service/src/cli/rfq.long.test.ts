import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { rfq } from '../../test/rfq-process.ts'
import { type ScriptedAnswer, startScriptedService } from '../../test/scripted-service.ts'

const chain = (chainId: string, chainLabel: string) => ({
  chainId,
  chainLabel,
  chainType: 'evm',
  nativeToken: { symbol: 'ETH', decimals: 18 },
})
const CHAINS: ScriptedAnswer = { body: { chains: [chain('eip155:1', 'One'), chain('eip155:2', 'Two')] } }
const usdc = (chainId: string, address: string) => ({
  chainId,
  address,
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
  verified: true,
  backends: ['its', 'gateway'],
})
const TOKENS: ScriptedAnswer = { body: { tokens: [usdc('eip155:1', '0xa1'), usdc('eip155:2', '0xa2')] } }
const LISTS = { 'GET /v1/rfq/chains': [CHAINS], 'GET /v1/rfq/tokens': [TOKENS] }
const PENDING = {
  quoteId: 'quote_1',
  state: 'PENDING',
  backend: { type: 'its', name: 'ITS' },
  source: { chain: 'eip155:1', txHash: '0x1', messageId: '0x1-2', timestamp: '2026-01-01T00:00:00Z' },
  destination: null,
  output: null,
  refund: null,
  details: { stage: 'confirming' },
}
const DONE = {
  ...PENDING,
  state: 'DONE',
  destination: { chain: 'eip155:2', txHash: '0x2', timestamp: '2026-01-01T00:00:09Z' },
  output: { chain: 'eip155:2', token: '0xa2', amount: '1500000' },
  details: {},
}

const serve = async (t: TestContext, script: Readonly<Record<string, readonly ScriptedAnswer[]>>) => {
  const service = await startScriptedService({ ...LISTS, ...script })
  t.after(service.stop)
  return service
}

test('without a command prints the commands and exits with a usage error', async () => {
  const { code, output } = await rfq([])
  assert.equal(code, 2)
  for (const command of ['chains', 'tokens', 'quote', 'execute', 'status', 'watch', 'demo'])
    assert.match(output, new RegExp(`^  ${command} `, 'm'))
})

test('every command documents its flags', async () => {
  const { code, output } = await rfq(['quote', '--help'])
  assert.equal(code, 0)
  assert.match(output, /--approval-mode <mode> +EXACT \(default\) or MAX/)
})

test('a mistyped command or flag exits with a usage error and a suggestion', async () => {
  const command = await rfq(['qoute'])
  assert.deepEqual([command.code, /did you mean quote\?/.test(command.notes)], [2, true])
  const half = await rfq(['network'])
  assert.deepEqual([half.code, /did you mean network sync\?/.test(half.notes)], [2, true])
  const flag = await rfq(['status', '--quoteid', 'x'])
  assert.deepEqual([flag.code, /did you mean --quote-id\?/.test(flag.notes)], [2, true])
})

test('lists chains as an aligned table, from the URL in RFQ_URL', async (t) => {
  const { url } = await serve(t, {})
  const { code, output, notes } = await rfq(['chains'], { RFQ_URL: url })
  assert.deepEqual([code, notes], [0, ''])
  assert.deepEqual(output.split('\n').slice(0, 2), [
    'CHAIN     NAME  TYPE  GAS TOKEN  DECIMALS',
    'eip155:1  One   evm   ETH              18',
  ])
})

test('lists tokens with the names of their chains', async (t) => {
  const { url } = await serve(t, {})
  const { output } = await rfq(['tokens', '--url', url])
  assert.match(output, /^eip155:2 {2}Two {2}USDC +6 {2}yes +its gateway {2}0xa2 +USD Coin$/m)
})

test('requests quotes in base units for tokens named by symbol', async (t) => {
  const { url, asked } = await serve(t, { 'POST /v1/rfq/quote': [{ body: { quotes: [] } }] })
  const words =
    'quote --from-chain eip155:1 --from-token usdc --to-chain eip155:2 --to-token USDC --amount 1.5 --sender 0xc --slippage 30 --approval-mode MAX --json'
  const { code, output } = await rfq([...words.split(' '), '--url', url])
  assert.deepEqual([code, output], [3, '{"quotes":[]}\n'])
  assert.deepEqual(JSON.parse(asked.at(-1)?.body ?? ''), {
    fromChain: 'eip155:1',
    fromToken: '0xa1',
    toChain: 'eip155:2',
    toToken: '0xa2',
    amount: '1500000',
    orderType: 'EXACT_INPUT',
    sender: '0xc',
    recipient: '0xc',
    slippageTolerance: 30,
    options: { approvalMode: 'MAX' },
  })
})

test("a rejected request exits with its error's code and prints the error as JSON", async (t) => {
  const body = { error: { code: 'AMOUNT_OUT_OF_RANGE', message: 'too small', details: { minimum: '9' } } }
  const { url } = await serve(t, { 'POST /v1/rfq/quote': [{ status: 422, body }] })
  const words =
    'quote --from-chain eip155:1 --from-token USDC --to-chain eip155:2 --to-token USDC --amount 1 --sender 0xc --json'
  const { code, output } = await rfq([...words.split(' '), '--url', url])
  assert.equal(code, 3)
  assert.deepEqual(JSON.parse(output), body)
})

test('an unlisted token exits as not served, an unreachable service as a transport error', async (t) => {
  const { url, stop } = await serve(t, {})
  const words =
    'quote --from-chain eip155:1 --from-token NOPE --to-chain eip155:2 --to-token USDC --amount 1 --sender 0xc'
  assert.equal((await rfq([...words.split(' '), '--url', url])).code, 3)
  stop()
  const gone = await rfq(['chains', '--url', url])
  assert.deepEqual([gone.code, /cannot reach .*ECONNREFUSED/.test(gone.notes)], [1, true])
})

test('the exit code of a status says that the transfer is still in flight', async (t) => {
  const { url, asked } = await serve(t, { 'GET /v1/rfq/status': [{ body: PENDING }] })
  const words = ['status', '--quote-id', 'quote_1', '--message-id', '0x1-2', '--source-chain', 'eip155:1']
  const { code, output } = await rfq([...words, '--url', url])
  assert.equal(code, 6)
  assert.match(output, /^state +PENDING$/m)
  assert.match(output, /^source +0x1 on One \(eip155:1\) at 2026-01-01T00:00:00Z$/m)
  assert.match(output, /^stage +Axelar is confirming the source transaction \(confirming\)$/m)
  assert.equal(asked[0]?.line, 'GET /v1/rfq/status?quoteId=quote_1&messageId=0x1-2&sourceChain=eip155%3A1')
})

test('watch prints every change and exits with the code of the final state', async (t) => {
  const { url } = await serve(t, { 'GET /v1/rfq/status': [{ body: PENDING }, { body: DONE }] })
  const lines = await rfq(['watch', '--quote-id', 'quote_1', '--json', '--url', url])
  assert.equal(lines.code, 0)
  assert.deepEqual(
    lines.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [PENDING, DONE],
  )
  const shown = await rfq(['watch', '--quote-id', 'quote_1', '--url', url])
  assert.match(shown.output, /^received +1\.5 USDC \(1500000\)$/m)
})

test('watch says that nothing was cancelled, and how to watch again, when its time limit passes', async (t) => {
  const { url } = await serve(t, { 'GET /v1/rfq/status': [{ body: PENDING }] })
  const lookup = ['--quote-id', 'quote_1', '--message-id', '0x1-2', '--source-chain', 'eip155:1']
  const { code, notes } = await rfq(['watch', ...lookup, '--timeout', '0.2', '--url', url])
  assert.equal(code, 6)
  const again = `rfq watch ${lookup.join(' ')}`
  assert.ok(notes.includes(`Stopped watching after 1 s; nothing was cancelled. Watch again: ${again}`), notes)
})

test('execute without a key says how to give one', async (t) => {
  const { url } = await serve(t, {})
  const words =
    'execute --from-chain eip155:1 --from-token USDC --to-chain eip155:2 --to-token USDC --amount 1 --rpc http://127.0.0.1:1'
  const none = await rfq([...words.split(' '), '--url', url], { RFQ_PRIVATE_KEY: '' })
  assert.deepEqual([none.code, /set RFQ_PRIVATE_KEY/.test(none.notes)], [2, true])
  const wrong = await rfq([...words.split(' '), '--url', url], { RFQ_PRIVATE_KEY: 'hunter2' })
  assert.deepEqual([wrong.code, wrong.notes.includes('hunter2')], [2, false])
})

test('exits quietly when stdout is closed', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'rfq.ts'), 'help'])
  let notes = ''
  child.stderr.on('data', (chunk: Buffer) => {
    notes += chunk.toString()
  })
  child.stdout.destroy()
  const [code] = await once(child, 'close')
  assert.deepEqual([code, notes], [141, ''])
})
