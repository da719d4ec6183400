import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dropBlock } from 'openrfq/test/drop-block.ts'
import { eventually } from 'openrfq/test/eventually.ts'
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
import { settlerEvent, settlerEvents } from './intent-chain.ts'
import {
  accountAt,
  apartEvmService,
  CHAINS,
  quoteIntent,
  quotesOf,
  requestBody,
  type SandboxService,
  tokenOn,
} from './sandbox-service.ts'

let world: SandboxService
before(async () => {
  world = await apartEvmService.start()
})
after(apartEvmService.stop)

const native = (chainId: string) => tokenOn(world, chainId, 'intent', /^ETH$/)
const usdc = (chainId: string) => tokenOn(world, chainId, 'intent', /USDC/)

/** A pair on which solvers filled every order; on other pairs they may be blocked. */
const neverMissed = () => ({ from: usdc(CHAINS.b), to: usdc(CHAINS.a), amount: 50_000_000n })

const solverDoes = async (mode: string): Promise<void> => {
  const { url } = world.service
  assert.deepEqual(await fetchJson(`${url}/sandbox/solver`, { mode }), { status: 200, body: {} })
  const { body } = await fetchJson<SandboxDescription>(`${url}/sandbox`)
  assert.ok(body.solvers.every((solver) => solver.mode === mode))
}

const rpcOf =
  (chainId: string) =>
  async (method: string, ...params: readonly unknown[]): Promise<void> => {
    const call = { jsonrpc: '2.0', id: 1, method, params }
    const { body } = await fetchJson<object>(chainClients(world.sandbox, chainId).rpcUrl, call)
    assert.ok(!('error' in body), JSON.stringify(body))
  }

test('a reorg that removes the deposit moves PENDING back to AWAITING_DEPOSIT, and no solver fills', async () => {
  const { url } = world.service
  const quote = await quoteIntent(
    world,
    { from: native(CHAINS.a), to: native(CHAINS.c), amount: 10n ** 17n },
    7,
    8,
  )
  const rpc = rpcOf(CHAINS.a)
  const { quoteId } = quote
  const recipientBefore = await balanceOf(world.sandbox, quote.output, accountAt(world, 8).address)
  const [deposit] = quote.actions
  assert.ok(deposit)
  await rpc('evm_setAutomine', false)
  try {
    const first = await sendAction(world.sandbox, deposit, accountAt(world, 7).privateKey)
    await rpc('evm_mine')
    const pending = await follow(url, { quoteId }, ({ state }) => state === 'PENDING')
    assert.equal(pending.last.source?.txHash, first)
    const { reader } = chainClients(world.sandbox, CHAINS.a)
    const { blockNumber } = await reader.getTransactionReceipt({ hash: first })
    await dropBlock({ reader, reorganise: (depth) => rpc('anvil_reorg', depth, []) }, blockNumber)
    const back = await follow(url, { quoteId }, ({ state }) => state === 'AWAITING_DEPOSIT')
    assert.equal(back.last.source, null)
  } finally {
    await rpc('evm_setAutomine', true)
  }
  assert.equal(
    (await settlerEvents(world.sandbox, CHAINS.c, 'Filled', quote.backend.tracking['swapId'])).length,
    0,
  )
  assert.equal(await balanceOf(world.sandbox, quote.output, accountAt(world, 8).address), recipientBefore)
  const again = await sendAction(world.sandbox, deposit, accountAt(world, 7).privateKey)
  const { last } = await follow(url, { quoteId })
  assert.equal(last.source?.txHash, again)
  assert.equal(
    (await balanceOf(world.sandbox, quote.output, accountAt(world, 8).address)) - recipientBefore,
    BigInt(quote.output.amount),
  )
})

test('after a reorg that removes the fill, the same fill is repeated and pays the recipient once', async () => {
  const { url } = world.service
  const quote = await quoteIntent(
    world,
    { from: native(CHAINS.a), to: native(CHAINS.b), amount: 10n ** 17n },
    7,
    9,
  )
  const orderId = quote.backend.tracking['swapId']
  const { quoteId } = quote
  const recipientBefore = await balanceOf(world.sandbox, quote.output, accountAt(world, 9).address)
  const rpc = rpcOf(CHAINS.b)
  const solvers = world.sandbox.solvers.map(({ address }) => address)
  const { reader } = chainClients(world.sandbox, CHAINS.b)
  const sent = async (): Promise<number> => {
    const counts = solvers.map((address) => reader.getTransactionCount({ address, blockTag: 'pending' }))
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  }
  const sentBefore = await sent()
  // The chain mines no block after the fill's, so that it does not become final.
  await rpc('evm_setAutomine', false)
  try {
    await execute(world.sandbox, quote, accountAt(world, 7).privateKey)
    await eventually('a fill waits for its block', async () => (await sent()) > sentBefore)
    await rpc('evm_mine')
    const { blockNumber } = await settlerEvent(world.sandbox, CHAINS.b, 'Filled', orderId)
    const reorganise = (depth: number) => fetchJson(`${url}/sandbox/reorg`, { chainId: CHAINS.b, depth })
    await dropBlock({ reader, reorganise }, blockNumber)
    assert.deepEqual(await settlerEvents(world.sandbox, CHAINS.b, 'Filled', orderId), [])
  } finally {
    await rpc('evm_setAutomine', true)
  }
  const { last } = await follow(url, { quoteId })
  assert.equal(
    (await balanceOf(world.sandbox, quote.output, accountAt(world, 9).address)) - recipientBefore,
    BigInt(quote.output.amount),
  )
  const filled = await settlerEvent(world.sandbox, CHAINS.b, 'Filled', orderId)
  assert.equal(last.destination?.txHash, filled.txHash)
  await settlerEvent(world.sandbox, CHAINS.a, 'Released', orderId)
})

test('a solver that declines refunds the deposit at once', async () => {
  await solverDoes('declining')
  try {
    const quote = await quoteIntent(
      world,
      { from: usdc(CHAINS.c), to: usdc(CHAINS.b), amount: 40_000_000n },
      2,
      3,
    )
    const before = await balanceOf(world.sandbox, quote.input, accountAt(world, 2).address)
    await execute(world.sandbox, quote, accountAt(world, 2).privateKey)
    const isRefunded = ({ state }: WireStatus): boolean => state === 'REFUNDED'
    const { states, last } = await follow(world.service.url, { quoteId: quote.quoteId }, isRefunded)
    assert.ok(!states.includes('DONE') && !states.includes('FAILED'), states.join(', '))
    const refunded = await settlerEvent(world.sandbox, CHAINS.c, 'Refunded', quote.backend.tracking['swapId'])
    const { chain, token, amount } = quote.input
    assert.deepEqual(last.refund, { chain, token, amount, txHash: refunded.txHash })
    assert.equal(last.details['reasonCode'], 'declined')
    assert.deepEqual([last.destination, last.output], [null, null])
    assert.equal(await balanceOf(world.sandbox, quote.input, accountAt(world, 2).address), before)
  } finally {
    await solverDoes('normal')
  }
})

test('the quotes of a silent solver disappear within their validity, and return with it', async () => {
  const [first, second] = world.sandbox.solvers
  assert.ok(first && second)
  const trade = neverMissed()
  const body = requestBody(trade, accountAt(world, 0).address, accountAt(world, 1).address)
  const names = async (): Promise<string> => {
    const quotes = await quotesOf(world, 'intent', body)
    return quotes.map(({ backend }) => JSON.stringify(backend.metadata['solver'])).join()
  }
  process.kill(first.processId, 'SIGSTOP')
  try {
    await eventually('only the other solver is quoted', async () => {
      const now = await names()
      return !now.includes(first.name) && now.includes(second.name)
    })
  } finally {
    process.kill(first.processId, 'SIGCONT')
  }
  await eventually('both solvers are quoted', async () => (await names()).includes(first.name))
})

test('a killed solver is restarted and quotes again', async () => {
  const describe = async () =>
    (await fetchJson<SandboxDescription>(`${world.service.url}/sandbox`)).body.solvers
  const [first] = await describe()
  assert.ok(first)
  process.kill(first.processId, 'SIGKILL')
  await eventually('another process of its name quotes', async () => {
    const [again] = await describe()
    return again?.name === first.name && again.processId !== first.processId && again.hasQuoted
  })
  const trade = neverMissed()
  const body = requestBody(trade, accountAt(world, 0).address, accountAt(world, 1).address)
  await eventually('it is quoted', async () => {
    const quotes = await quotesOf(world, 'intent', body)
    return quotes.some(({ backend }) => JSON.stringify(backend.metadata['solver']).includes(first.name))
  })
  const exits = world.service
    .stderr()
    .split('\n')
    .filter((line) => line.includes('sandbox_solver_exited'))
  assert.equal(exits.length, 1)
})
