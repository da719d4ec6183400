import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type Fixture, ONE, startFixture } from '@openrfq/sandbox/test/relayer-fixture.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { z } from 'zod'
import { installTools } from '../tools/cruise.ts'
import { checkLicences } from '../tools/licences.ts'

const TOOLS = join(import.meta.dirname, '../tools/axelarjs')
const DEADLINE_MS = 60_000
const FEWEST_PACKAGES = 200

let fixture: Fixture
before(async () => {
  installTools(TOOLS)
  fixture = await startFixture(Date.now)
})
after(() => fixture?.stop())

/** Asks the published SDK; it fails when the SDK asks a host or a path that the facade does not play. */
const askSdk = async (...words: readonly string[]): Promise<unknown> => {
  const { NODE_OPTIONS: _, NODE_COMPILE_CACHE: __, ...env } = process.env
  const options = { cwd: TOOLS, env, timeout: DEADLINE_MS }
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['ask.cjs', fixture.url, ...words],
    options,
  )
  assert.doesNotMatch(stderr, /Error/)
  return JSON.parse(stdout)
}

const Fees = z.object({ its: z.string(), hop: z.string(), hops: z.string() })
const Status = z.object({
  status: z.string(),
  gasPaidInfo: z.object({ status: z.string() }).optional(),
  callback: z.object({ messageIdHash: z.string() }).optional(),
  executed: z.object({ chain: z.string(), transactionHash: z.string() }).optional(),
  callTx: z.object({ chain: z.string(), transactionHash: z.string() }).optional(),
})

/** What the SDK says of a transaction once it says that it is executed. */
const executedOf = (txHash: string) => {
  let said = ''
  return eventually(
    () => `axelarjs-sdk to say that ${txHash} is executed: ${said}`,
    async () => {
      const status = Status.parse(await askSdk('status', txHash))
      said = JSON.stringify(status)
      return status.status === 'destination_executed' && status
    },
    500,
  )
}

test('axelarjs-sdk estimates the fee that an interchain transfer is sent with', async () => {
  const [from, to] = [fixture.chainAt(0), fixture.chainAt(2)]
  const { its, hop, hops } = Fees.parse(await askSdk('fee', from.axelarName, to.axelarName))
  assert.equal(BigInt(its), await fixture.questions.feeBetween(from, to))
  assert.equal(hops, its)
  assert.ok(BigInt(hop) > 0n && BigInt(hop) < BigInt(its))
})

test('axelarjs-sdk follows an interchain transfer through the hub to executed', async () => {
  const [from, to] = [fixture.chainAt(0), fixture.chainAt(1)]
  const id = await fixture.send({ from, to, symbol: 'HBR', amount: 2n * ONE, user: 0 })
  const [txHash = ''] = id.split('-')
  const toHub = await executedOf(txHash)
  assert.deepEqual(
    [toHub.callTx?.transactionHash, toHub.executed?.chain, toHub.gasPaidInfo?.status],
    [txHash, 'axelar', 'gas_paid_enough_gas'],
  )
  const fromHub = await executedOf(toHub.callback?.messageIdHash ?? '')
  assert.deepEqual([fromHub.callTx?.chain, fromHub.executed?.chain], ['axelar', to.axelarName])
  const first = await fixture.questions.messageOf(id)
  const second = await fixture.questions.messageOf(first?.executed?.childMessageIDs[0] ?? '')
  assert.equal(fromHub.executed?.transactionHash, second?.executed?.transactionHash)
})

test('axelarjs-sdk knows no transaction that is none', async () => {
  assert.deepEqual(await askSdk('status', `0x${'7'.repeat(64)}`), { status: 'cannot_fetch_status' })
})

test('only four packages of axelarjs-sdk, which we do not ship, have licences that ours may not have', () => {
  const { read, problems } = checkLicences(TOOLS)
  assert.ok(read > FEWEST_PACKAGES)
  assert.deepEqual(problems, [
    'rpc-websockets: LGPL-3.0-only is not allowed',
    'standard-error: LAGPL is not allowed',
    'standard-http-error: LAGPL is not allowed',
    'text-encoding-utf-8: UNKNOWN is not allowed',
  ])
})
