import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import {
  askNode,
  assertInOrder,
  balanceOf,
  chainClients,
  execute,
  follow,
  sendAction,
  setSolverMode,
  type WireStatus,
} from 'openrfq/test/wallet.ts'
import { gasPaidBy, revertedCalls, settlerEvent, settlerEvents } from './intent-chain.ts'
import { PATIENT_SECONDS } from './intent-seconds.ts'
import {
  accountAt,
  CHAINS,
  moveClock,
  patientEvmService,
  quoteIntent,
  type SandboxService,
  type Trade,
  tokenOn,
} from './sandbox-service.ts'

/** Seconds from quote to the end of an order's deadlines in the sandbox, plus one. */
const { quoteLifetimeSeconds, fillWindowSeconds, refundDelaySeconds } = PATIENT_SECONDS
const UNTIL_EXPIRED = quoteLifetimeSeconds + 1
const UNTIL_FILL_IS_OVER = UNTIL_EXPIRED + fillWindowSeconds
const UNTIL_REFUND = UNTIL_FILL_IS_OVER + refundDelaySeconds
const REFUND_STATES = ['AWAITING_DEPOSIT', 'PENDING', 'REFUND_PENDING', 'REFUND_INITIATED', 'REFUNDED']

let world: SandboxService
before(async () => {
  world = await patientEvmService.start()
})
after(patientEvmService.stop)

const solverDoes = (mode: string): Promise<void> => setSolverMode(world.service.url, mode)
const rpc = (chainId: string, method: string, ...params: readonly unknown[]): Promise<unknown> =>
  askNode(world.sandbox, chainId, method, ...params)

const usdcTrade = (amount: bigint): Trade => ({
  from: tokenOn(world, CHAINS.a, 'intent', /USDC/),
  to: tokenOn(world, CHAINS.b, 'intent', /USDC/),
  amount,
})
const nativeTrade = (amount: bigint): Trade => ({
  from: tokenOn(world, CHAINS.b, 'intent', /^ETH$/),
  to: tokenOn(world, CHAINS.c, 'intent', /^ETH$/),
  amount,
})

const isRefunded = ({ state }: WireStatus): boolean => state === 'REFUNDED'

type Deposit = {
  readonly quoteId: string
  readonly untilState: (state: string) => Promise<readonly string[]>
  /** Waits for the refund and asserts its facts. Returns the states before it. */
  readonly refunded: () => Promise<readonly string[]>
}

/** A deposit that no solver will fill. */
const deposit = async (trade: Trade, from: number, to: number): Promise<Deposit> => {
  const { service, sandbox } = world
  const quote = await quoteIntent(world, trade, from, to)
  const { address, privateKey } = accountAt(world, from)
  const { input, output, quoteId } = quote
  const startBlock = await chainClients(sandbox, input.chain).reader.getBlockNumber()
  const before = await balanceOf(sandbox, input, address)
  const recipientBefore = await balanceOf(sandbox, output, accountAt(world, to).address)
  await execute(sandbox, quote, privateKey)
  return {
    quoteId,
    untilState: async (wanted) =>
      (await follow(service.url, { quoteId }, ({ state }) => state === wanted)).states,
    refunded: async () => {
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
      assert.equal(await balanceOf(sandbox, output, accountAt(world, to).address), recipientBefore)
      return states
    },
  }
}

/** Waits until a solver's call has reverted on the chain since the block. */
const fillFailed = (chainId: string, from: bigint): Promise<true> => {
  const solvers = world.sandbox.solvers.map(({ address }) => address)
  return eventually(
    `a fill fails on ${chainId}`,
    async () => (await revertedCalls(world.sandbox, chainId, solvers, from)) > 0,
  )
}

const headOf = (chainId: string): Promise<bigint> =>
  chainClients(world.sandbox, chainId).reader.getBlockNumber()

test('a deposit after quoteExpiresAt reverts on chain, and the status stays AWAITING_DEPOSIT', async () => {
  const { sandbox, service } = world
  const quote = await quoteIntent(world, nativeTrade(10n ** 17n), 4, 5)
  const [action] = quote.actions
  assert.ok(action)
  await moveClock(world, UNTIL_EXPIRED)
  await assert.rejects(execute(sandbox, quote, accountAt(world, 4).privateKey))
  const hash = await sendAction(sandbox, action, accountAt(world, 4).privateKey, { gas: 500_000n })
  const receipt = await chainClients(sandbox, quote.input.chain).reader.waitForTransactionReceipt({ hash })
  assert.equal(receipt.status, 'reverted')
  await moveClock(world, UNTIL_REFUND)
  const isExpired = ({ details }: WireStatus): boolean => details['expired'] === true
  const { states, last } = await follow(service.url, { quoteId: quote.quoteId }, isExpired)
  assert.deepEqual(states, ['AWAITING_DEPOSIT'])
  assert.deepEqual([last.source, last.destination, last.output, last.refund], [null, null, null, null])
})

test('deposits that no solver fills are refunded without user action', async () => {
  await solverDoes('paused')
  const deposits = [await deposit(usdcTrade(60_000_000n), 0, 1), await deposit(nativeTrade(10n ** 18n), 2, 3)]
  for (const { untilState } of deposits) await untilState('PENDING')
  await moveClock(world, UNTIL_REFUND)
  for (const { refunded } of deposits) assertInOrder(await refunded(), REFUND_STATES)
  await solverDoes('normal')
})

test('a refund goes through every state', async () => {
  await solverDoes('paused')
  const { untilState, refunded } = await deposit(usdcTrade(63_000_000n), 0, 1)
  await untilState('PENDING')
  await moveClock(world, UNTIL_FILL_IS_OVER)
  await untilState('REFUND_PENDING')
  // The keeper's transaction waits until this test mines it.
  await rpc(CHAINS.a, 'evm_setAutomine', false)
  try {
    await moveClock(world, UNTIL_REFUND - UNTIL_FILL_IS_OVER)
    assertInOrder(await untilState('REFUND_INITIATED'), REFUND_STATES.slice(0, -1))
  } finally {
    await rpc(CHAINS.a, 'evm_mine')
    await rpc(CHAINS.a, 'evm_setAutomine', true)
  }
  assertInOrder(await refunded(), REFUND_STATES)
  await solverDoes('normal')
})

test('a fill that is too small or too late reverts on chain, and the deposit is refunded', async () => {
  const [shortFrom, lateFrom] = [await headOf(CHAINS.b), await headOf(CHAINS.c)]
  await solverDoes('short')
  const short = await deposit(usdcTrade(61_000_000n), 0, 1)
  await fillFailed(CHAINS.b, shortFrom)
  await solverDoes('late')
  const late = await deposit(nativeTrade(2n * 10n ** 17n), 2, 3)
  await late.untilState('PENDING')
  await moveClock(world, UNTIL_FILL_IS_OVER)
  await fillFailed(CHAINS.c, lateFrom)
  await moveClock(world, UNTIL_REFUND - UNTIL_FILL_IS_OVER)
  await Promise.all([short.refunded(), late.refunded()])
  await solverDoes('normal')
})

test('solvers fill again afterwards', async () => {
  const quote = await quoteIntent(world, usdcTrade(62_000_000n), 0, 1)
  await execute(world.sandbox, quote, accountAt(world, 0).privateKey)
  await follow(world.service.url, { quoteId: quote.quoteId })
  const orderId = quote.backend.tracking['swapId']
  assert.equal((await settlerEvents(world.sandbox, CHAINS.b, 'Filled', orderId)).length, 1)
})
