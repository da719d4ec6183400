import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import { USERS } from '@openrfq/sandbox/src/keys.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson, type WireQuote, type WireStatus } from 'openrfq/test/wallet.ts'
import { temporaryDirectory } from './sandbox-service.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

const DAYS = 31
/** A module that moves the clock of the process that loads it; ages inside the process are not moved. */
const AHEAD = `data:text/javascript,${encodeURIComponent(`
  const { now } = Date
  Date.now = () => now() + ${DAYS} * 86_400_000
  globalThis.Date = class extends Date {
    constructor(...words) { super(...(words.length === 0 ? [Date.now()] : words)) }
  }
`)}`

const directory = temporaryDirectory()
let sandbox: Awaited<ReturnType<typeof startSandbox>>
before(async () => {
  sandbox = await startSandbox({ log: () => undefined, now: Date.now, withPaymentChains: false })
  writeFileSync(join(directory.path, 'network.json'), JSON.stringify(sandbox.network))
})
after(async () => {
  await sandbox.stop()
  directory.remove()
})

const start = (...preload: readonly string[]): Promise<ServiceProcess> =>
  startServiceProcess(
    { RFQ_CONFIG: join(directory.path, 'network.json'), DATA_DIR: directory.path, RATE_LIMIT: 'off' },
    { words: [...preload, 'packages/service/src/main.ts'] },
  )

const tokenOn = (chainId: string): string => {
  const found = sandbox.network.tokens.find((token) => token.chainId === chainId && /USDC/.test(token.symbol))
  assert.ok(found)
  return found.address
}

const ask = async ({ url }: ServiceProcess): Promise<readonly WireQuote[]> => {
  const [sender, recipient] = USERS
  const answer = await fetchJson<{ quotes?: readonly WireQuote[] }>(`${url}/v1/rfq/quote`, {
    fromChain: 'eip155:31337',
    fromToken: tokenOn('eip155:31337'),
    toChain: 'eip155:31338',
    toToken: tokenOn('eip155:31338'),
    amount: '25000000',
    orderType: 'EXACT_INPUT',
    sender: sender?.address,
    recipient: recipient?.address,
  })
  return answer.body.quotes ?? []
}

const readiness = ({ url }: ServiceProcess): Promise<{ status: number; body: { missing: string[] } }> =>
  fetchJson(`${url}/readyz`)

test(`with a clock ${DAYS} days ahead nothing is quoted, /readyz and the log name it, and no answered quote is lost`, async () => {
  const right = await start()
  const answered = await eventually('quotes', async () => {
    const quotes = await ask(right)
    return quotes.length > 0 && quotes
  })
  await right.stop()

  const ahead = await start('--import', AHEAD)
  await eventually('/readyz names the clock', async () => {
    const { status, body } = await readiness(ahead)
    return status === 503 && body.missing.includes('clock')
  })
  assert.deepEqual(await ask(ahead), [])
  await eventually(
    () => `the log names the clock: ${ahead.stderr()}`,
    () => /"event":"clock_differs_from_chains".*ahead_of_chains/.test(ahead.stderr()),
  )
  await ahead.stop()

  const again = await start()
  await eventually('/readyz names nothing', async () => (await readiness(again)).status === 200)
  for (const { quoteId } of answered) {
    const { body } = await fetchJson<WireStatus>(`${again.url}/v1/rfq/status?quoteId=${quoteId}`)
    assert.equal(body.state, 'AWAITING_DEPOSIT', quoteId)
  }
  await again.stop()
})
