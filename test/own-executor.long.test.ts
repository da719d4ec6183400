import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import { EXPRESS_EXECUTOR } from '@openrfq/sandbox/src/keys.ts'
import { QUICK_BLOCK_MS } from '@openrfq/sandbox/test/quick-blocks.ts'
import { Network } from 'openrfq/network'
import { eventually } from 'openrfq/test/eventually.ts'
import { executorConfig, mineBlocks, withOwnExecutor } from 'openrfq/test/executor-world.ts'
import { balanceOf, chainClients, execute, follow, type SandboxDescription } from 'openrfq/test/wallet.ts'
import { type Hex, parseAbiItem } from 'viem'
import {
  CHAINS,
  listTokens,
  quoteOf,
  requestBody,
  temporaryDirectory,
  tokenOn,
  type WireToken,
} from './sandbox-service.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

/** More than are mined during the test, so that nothing of the source is final. */
const FINALITY_BLOCKS = 300
const CONFIRMATIONS = 2
const KILLS = 6
const AMOUNT = 30_000_000n
const FRONTED = parseAbiItem(
  'event ExpressExecutedWithToken(bytes32 indexed commandId, string sourceChain, string sourceAddress, bytes32 payloadHash, string symbol, uint256 indexed amount, address indexed expressExecutor)',
)

const folder = temporaryDirectory()
let running: Awaited<ReturnType<typeof startSandbox>>
let service: ServiceProcess
let sandbox: SandboxDescription
let tokens: readonly WireToken[]
let network: Network

const control = (path: string, body: unknown): Promise<unknown> =>
  Promise.resolve(running.endpoints.find((one) => one.path === path)?.handle(body))

before(async () => {
  const quiet = { log: () => undefined, now: Date.now, withPaymentChains: false, endpointSeed: undefined }
  running = await startSandbox({
    ...quiet,
    blockMs: QUICK_BLOCK_MS,
    slowFinality: { 'sandbox-c': FINALITY_BLOCKS },
  })
  network = withOwnExecutor(Network.parse(running.network))
  // CAST: the sandbox describes itself as DESIGN.md says.
  sandbox = (await control('/sandbox', undefined)) as SandboxDescription
  await control('/sandbox/relayer', { express: false })
  await mineBlocks(sandbox, CHAINS.c, FINALITY_BLOCKS)
  const file = join(folder.path, 'network.json')
  writeFileSync(file, JSON.stringify(network))
  service = await startServiceProcess({
    ...{ RFQ_CONFIG: file, DATA_DIR: join(folder.path, 'service'), RATE_LIMIT: 'off' },
  })
  tokens = await listTokens(service.url)
})
after(async () => {
  await service?.stop()
  await running?.stop()
  folder.remove()
})

/** Starts `rfq executor`; `kill` ends it by the signal. */
const startExecutor = () => {
  const file = join(folder.path, 'executor.json')
  const config = executorConfig(network, join(folder.path, 'executor'), {
    confirmations: { [CHAINS.c]: CONFIRMATIONS },
  })
  writeFileSync(file, JSON.stringify(config))
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env
  const words = ['--conditions=openrfq-source', 'packages/service/src/cli/rfq.ts']
  const child = spawn(process.execPath, [...words, 'executor', '--config', file, '--json'], {
    cwd: join(import.meta.dirname, '..'),
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += String(chunk)
  })
  return {
    said: () => said,
    kill: async (signal: NodeJS.Signals): Promise<number | null> => {
      const exited = once(child, 'exit')
      child.kill(signal)
      return (await exited)[0]
    },
  }
}

/** Quotes and sends a transfer of the bridge token to a new account. */
const send = async (recipient: Hex) => {
  const trade = {
    from: tokenOn({ tokens }, CHAINS.c, 'gateway-express', /^axlUSDC$/),
    to: tokenOn({ tokens }, CHAINS.b, 'gateway-express', /^axlUSDC$/),
    amount: AMOUNT,
  }
  const sender = sandbox.accounts[0] ?? assert.fail()
  const quote = await quoteOf({ service }, 'gateway-express', requestBody(trade, sender.address, recipient))
  await execute(sandbox, quote, sender.privateKey)
  await mineBlocks(sandbox, CHAINS.c, 3)
  return quote
}

const frontedBy = (amount: bigint) => {
  const router = sandbox.chains.find(({ chainId }) => chainId === CHAINS.b)?.contracts.expressRouter
  assert.ok(router !== undefined)
  return chainClients(sandbox, CHAINS.b).reader.getLogs({
    address: router,
    event: FRONTED,
    args: { amount, expressExecutor: EXPRESS_EXECUTOR.address },
    fromBlock: 0n,
  })
}

test("the operator's own executor makes a transfer DONE by the quoted time, at no express fee, and is repaid", async () => {
  let code: number | null = null
  const executor = startExecutor()
  try {
    await eventually('it runs', () => executor.said().includes('executor_started'))
    const recipient = `0x${'e1'.repeat(20)}` as const
    const quote = await send(recipient)
    assert.deepEqual(quote.backend.metadata['express'], true)
    const { last } = await follow(service.url, { quoteId: quote.quoteId })
    assert.equal(last.state, 'DONE')
    assert.equal(await balanceOf(sandbox, quote.output, recipient), BigInt(quote.output.amount))
    const source = last.source?.txHash ?? assert.fail()
    const { reader } = chainClients(sandbox, CHAINS.c)
    const { blockNumber } = await reader.getTransactionReceipt({ hash: source })
    assert.ok((await reader.getBlockNumber({ cacheTime: 0 })) < blockNumber + BigInt(FINALITY_BLOCKS))
    assert.equal((await frontedBy(AMOUNT)).length, 1)
    await mineBlocks(sandbox, CHAINS.c, FINALITY_BLOCKS)
    await eventually('it is repaid', () => executor.said().includes('express_repaid'))
  } finally {
    code = await executor.kill('SIGTERM')
  }
  assert.equal(code, 0)
})

test(`an executor that is killed ${KILLS} times delivers each message at most once, and none by two transactions`, async () => {
  const fronted = (await frontedBy(AMOUNT)).length
  const quotes = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const executor = startExecutor()
    await eventually('it runs', () => executor.said().includes('executor_started'))
    quotes.push(await send(`0x${(0xf100 + kill).toString(16).padStart(40, '0')}`))
    await sleep(kill * 400)
    await executor.kill('SIGKILL')
  }
  const executor = startExecutor()
  try {
    await eventually('it runs', () => executor.said().includes('executor_started'))
    for (const { quoteId } of quotes) {
      const { last } = await follow(service.url, { quoteId })
      assert.equal(last.state, 'DONE')
    }
    const logs = await frontedBy(AMOUNT)
    assert.equal(logs.length, fronted + KILLS)
    assert.equal(new Set(logs.map(({ args }) => args.commandId)).size, logs.length)
  } finally {
    await executor.kill('SIGTERM')
  }
})
