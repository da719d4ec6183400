import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Sandbox, startSandbox } from '@openrfq/sandbox/src/index.ts'
import type { Log } from 'openrfq/src/lib/log.ts'
import {
  balanceOf,
  chainClients,
  execute,
  fetchJson,
  follow,
  type SandboxDescription,
  sendAction,
  type WireStatus,
} from 'openrfq/test/wallet.ts'
import { gasPaidBy, revertedCalls, settlerEvent, settlerEvents } from './intent-chain.ts'
import {
  accountAt,
  CHAINS,
  quoteIntent,
  type Trade,
  temporaryDirectory,
  tokenOn,
  type WireToken,
} from './sandbox-service.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

/** As short as the schema and the settlers allow, so that a refund is due within half a minute. */
const SECONDS = { quoteLifetimeSeconds: 8, fillWindowSeconds: 5, refundDelaySeconds: 5 }
const QUIET: Log = () => undefined

const directory = temporaryDirectory()
let running: Sandbox
let service: ServiceProcess
let sandbox: SandboxDescription
let tokens: readonly WireToken[]
before(async () => {
  running = await startSandbox({
    log: QUIET,
    now: Date.now,
    withPaymentChains: false,
    intentSeconds: SECONDS,
  })
  writeFileSync(join(directory.path, 'network.json'), JSON.stringify(running.network))
  service = await startServiceProcess({
    RFQ_CONFIG: join(directory.path, 'network.json'),
    DATA_DIR: directory.path,
    RATE_LIMIT: 'off',
    KEEPER_PRIVATE_KEY: running.keeperPrivateKey,
  })
  await running.connect(service.url, 60_000)
  // CAST: the sandbox's own description is what GET /sandbox answers.
  sandbox = (await control('/sandbox', undefined)) as SandboxDescription
  tokens = (await fetchJson<{ tokens: WireToken[] }>(`${service.url}/v1/rfq/tokens`)).body.tokens
})
after(async () => {
  await service.stop()
  await running.stop()
  directory.remove()
})

const control = (path: string, body: unknown): Promise<unknown> => {
  const endpoint = running.endpoints.find((candidate) => candidate.path === path)
  assert.ok(endpoint)
  return endpoint.handle(body)
}

const solverDoes = async (mode: string): Promise<void> => {
  assert.deepEqual(await control('/sandbox/solver', { mode }), {})
}

const usdcTrade = (amount: bigint): Trade => ({
  from: tokenOn({ tokens }, CHAINS.a, 'intent', /USDC/),
  to: tokenOn({ tokens }, CHAINS.b, 'intent', /USDC/),
  amount,
})
const nativeTrade = (amount: bigint): Trade => ({
  from: tokenOn({ tokens }, CHAINS.b, 'intent', /^ETH$/),
  to: tokenOn({ tokens }, CHAINS.c, 'intent', /^ETH$/),
  amount,
})

const statusOf = async (quoteId: string): Promise<WireStatus> =>
  (await fetchJson<WireStatus>(`${service.url}/v1/rfq/status?${new URLSearchParams({ quoteId })}`)).body

const isRefunded = ({ state }: WireStatus): boolean => state === 'REFUNDED'

/** A deposit that is not going to be filled; the given-back function waits for the refund and asserts all of it. */
const deposit = async (trade: Trade, from: number, to: number) => {
  const quote = await quoteIntent({ service, sandbox }, trade, from, to)
  const { address, privateKey } = accountAt({ sandbox }, from)
  const { input, output, quoteId } = quote
  const startBlock = await chainClients(sandbox, input.chain).reader.getBlockNumber()
  const before = await balanceOf(sandbox, input, address)
  const recipientBefore = await balanceOf(sandbox, output, accountAt({ sandbox }, to).address)
  await execute(sandbox, quote, privateKey)
  return async (): Promise<readonly string[]> => {
    const { states, last } = await follow(service.url, { quoteId }, isRefunded)
    const refunded = await settlerEvent(sandbox, input.chain, 'Refunded', quote.backend.tracking['swapId'])
    const { chain, token, amount } = input
    assert.deepEqual(last.refund, { chain, token, amount, txHash: refunded.txHash })
    assert.deepEqual([last.destination, last.output], [null, null])
    const gas =
      trade.from.symbol === 'ETH'
        ? await gasPaidBy(sandbox, input.chain, [address], { from: startBlock, to: refunded.blockNumber })
        : 0n
    assert.equal(await balanceOf(sandbox, input, address), before - gas)
    assert.equal(await balanceOf(sandbox, output, accountAt({ sandbox }, to).address), recipientBefore)
    return states
  }
}

const headOf = (chainId: string): Promise<bigint> => chainClients(sandbox, chainId).reader.getBlockNumber()

const assertFillsFailed = async (chainId: string, from: bigint): Promise<void> => {
  const solvers = sandbox.solvers.map(({ address }) => address)
  assert.ok((await revertedCalls(sandbox, chainId, solvers, from)) > 0, `no fill failed on ${chainId}`)
}

const lateDeposit = async (): Promise<void> => {
  const quote = await quoteIntent({ service, sandbox }, nativeTrade(10n ** 17n), 4, 5)
  await delay(Date.parse(quote.validity.quoteExpiresAt) - Date.now() + 1_500)
  const [action] = quote.actions
  assert.ok(action)
  await assert.rejects(execute(sandbox, quote, accountAt({ sandbox }, 4).privateKey))
  const hash = await sendAction(sandbox, action, accountAt({ sandbox }, 4).privateKey, { gas: 500_000n })
  const receipt = await chainClients(sandbox, quote.input.chain).reader.waitForTransactionReceipt({ hash })
  assert.equal(receipt.status, 'reverted')
  await delay(3_000)
  const status = await statusOf(quote.quoteId)
  assert.equal(status.state, 'AWAITING_DEPOSIT')
  assert.equal(status.details['expired'], true)
  assert.deepEqual(
    [status.source, status.destination, status.output, status.refund],
    [null, null, null, null],
  )
}

const unfilledDeposits = async (): Promise<void> => {
  const waits = [await deposit(usdcTrade(60_000_000n), 0, 1), await deposit(nativeTrade(10n ** 18n), 2, 3)]
  for (const states of await Promise.all(waits.map((wait) => wait())))
    assert.deepEqual(
      states.filter((state) => state !== 'AWAITING_DEPOSIT'),
      ['PENDING', 'REFUND_PENDING', 'REFUND_INITIATED', 'REFUNDED'],
    )
}

test('while solvers do nothing', { concurrency: true }, async (context) => {
  await solverDoes('paused')
  await Promise.all([
    context.test(
      'a deposit after quoteExpiresAt reverts on chain, and the status stays AWAITING_DEPOSIT',
      lateDeposit,
    ),
    context.test('deposits come back by themselves through every state of a refund', unfilledDeposits),
  ])
})

test('a fill that is too small or too late fails on chain, and the deposit comes back', async () => {
  const [shortFrom, lateFrom] = [await headOf(CHAINS.b), await headOf(CHAINS.c)]
  await solverDoes('short')
  const short = await deposit(usdcTrade(61_000_000n), 0, 1)
  await delay(4_000)
  await solverDoes('late')
  const late = await deposit(nativeTrade(2n * 10n ** 17n), 2, 3)
  await Promise.all([short(), late()])
  await solverDoes('normal')
  await assertFillsFailed(CHAINS.b, shortFrom)
  await assertFillsFailed(CHAINS.c, lateFrom)
})

test('afterwards solvers fill again', async () => {
  const quote = await quoteIntent({ service, sandbox }, usdcTrade(62_000_000n), 0, 1)
  await execute(sandbox, quote, accountAt({ sandbox }, 0).privateKey)
  await follow(service.url, { quoteId: quote.quoteId })
  const orderId = quote.backend.tracking['swapId']
  assert.equal((await settlerEvents(sandbox, CHAINS.b, 'Filled', orderId)).length, 1)
})
