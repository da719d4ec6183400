import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import {
  balanceOf,
  chainClients,
  execute,
  fetchJson,
  follow,
  type SandboxDescription,
  setSolverMode,
  type WireQuote,
} from 'openrfq/test/wallet.ts'
import type { Hex } from 'viem'
import { settlerEvent, settlerEvents } from './intent-chain.ts'
import { PATIENT_SECONDS } from './intent-seconds.ts'
import {
  accountAt,
  apartEvmService,
  CHAINS,
  moveClock,
  quoteIntent,
  type SandboxService,
  tokenOn,
} from './sandbox-service.ts'

const { quoteLifetimeSeconds, fillWindowSeconds } = PATIENT_SECONDS
/** Seconds after a quote in which its solver alone may fill. */
const EXCLUSIVE_SECONDS = quoteLifetimeSeconds + fillWindowSeconds / 2
const AMOUNT = 10_000_000_000n
const MOST_REVERT_GAS = 60_000n

let world: SandboxService
before(async () => {
  world = await apartEvmService.start()
})
after(apartEvmService.stop)

type Solver = SandboxService['sandbox']['solvers'][number]

/** The solver that a quote names, and the other one. */
const solversOf = async ({ backend }: WireQuote): Promise<readonly [Solver, Solver]> => {
  const { name } = Object(backend.metadata['solver'])
  // Another test may have killed one, which has another process since.
  const { solvers } = (await fetchJson<SandboxDescription>(`${world.service.url}/sandbox`)).body
  const [named, other] = [solvers.find((one) => one.name === name), solvers.find((one) => one.name !== name)]
  assert.ok(named !== undefined && other !== undefined)
  return [named, other]
}

const askForQuote = (): Promise<WireQuote> => {
  const [from, to] = [CHAINS.a, CHAINS.b].map((chainId) => tokenOn(world, chainId, 'intent', /USDC/))
  assert.ok(from && to)
  return quoteIntent(world, { from, to, amount: AMOUNT }, 0, 1)
}

/** What an account holds of a quote's input and output. */
const holdings = ({ input, output }: WireQuote, account: string) =>
  Promise.all([input, output].map((side) => balanceOf(world.sandbox, side, account as Hex)))

const change = (before: readonly bigint[], now: readonly bigint[]): readonly bigint[] =>
  now.map((amount, place) => amount - (before[place] ?? 0n))

/** Waits for DONE and the repayment, and returns who delivered. */
const delivered = async ({ quoteId, input, output, backend }: WireQuote): Promise<unknown> => {
  const { last } = await follow(world.service.url, { quoteId })
  assert.equal(last.state, 'DONE')
  assert.deepEqual(last.output, { chain: output.chain, token: output.token, amount: output.amount })
  await settlerEvent(world.sandbox, input.chain, 'Released', backend.tracking['swapId'])
  return last.details['filledBy']
}

/** The gas of the solvers' failed transactions in the blocks of a chain above this one. */
const gasOfReverts = async (chainId: string, from: bigint): Promise<bigint> => {
  const { reader } = chainClients(world.sandbox, chainId)
  const senders = new Set(world.sandbox.solvers.map(({ address }) => address.toLowerCase()))
  // The chain goes on while its blocks are read.
  const last = await reader.getBlockNumber()
  let gas = 0n
  for (let number = from + 1n; number <= last; number++) {
    const { transactions } = await reader.getBlock({ blockNumber: number, includeTransactions: true })
    for (const { hash, from: sender } of transactions) {
      if (!senders.has(sender.toLowerCase())) continue
      const { status, gasUsed } = await reader.getTransactionReceipt({ hash })
      if (status === 'reverted') gas += gasUsed
    }
  }
  return gas
}

test('an order whose solver is silent is delivered by the other one, which is repaid', async () => {
  const quote = await askForQuote()
  const [silent, other] = await solversOf(quote)
  const recipient = accountAt(world, 1).address
  const [paid, silentHeld, otherHeld] = await Promise.all([
    holdings(quote, recipient),
    holdings(quote, silent.address),
    holdings(quote, other.address),
  ])
  await setSolverMode(world.service.url, 'paused')
  await execute(world.sandbox, quote, accountAt(world, 0).privateKey)
  await moveClock(world, EXCLUSIVE_SECONDS)
  process.kill(silent.processId, 'SIGSTOP')
  try {
    // The silent one confirms no mode, the other one works.
    await setSolverMode(world.service.url, 'normal').catch(() => undefined)
    assert.equal(await delivered(quote), other.address)
    const [input, output] = [BigInt(quote.input.amount), BigInt(quote.output.amount)]
    assert.equal(change(paid, await holdings(quote, recipient))[1], output)
    assert.deepEqual(change(otherHeld, await holdings(quote, other.address)), [input, -output])
    assert.deepEqual(change(silentHeld, await holdings(quote, silent.address)), [0n, 0n])
  } finally {
    process.kill(silent.processId, 'SIGCONT')
    await eventually('both solvers work', () =>
      setSolverMode(world.service.url, 'normal').then(
        () => true,
        () => false,
      ),
    )
  }
})

test('when the named solver fills late at the same time, one delivers, and the other loses the gas of a revert at most', async (context: TestContext) => {
  const quote = await askForQuote()
  const solvers = await solversOf(quote)
  const held = await Promise.all(solvers.map(({ address }) => holdings(quote, address)))
  await setSolverMode(world.service.url, 'paused')
  await execute(world.sandbox, quote, accountAt(world, 0).privateKey)
  await moveClock(world, EXCLUSIVE_SECONDS)
  const block = await chainClients(world.sandbox, CHAINS.b).reader.getBlockNumber()
  await setSolverMode(world.service.url, 'normal')
  const filledBy = (await delivered(quote)) ?? solvers[0].address
  const orderId = quote.backend.tracking['swapId']
  assert.equal((await settlerEvents(world.sandbox, CHAINS.b, 'Filled', orderId)).length, 1)
  const gas = await gasOfReverts(CHAINS.b, block)
  context.diagnostic(`${gas} gas reverted; delivered by ${String(filledBy)}`)
  assert.ok(gas < MOST_REVERT_GAS)
  for (const [place, { address }] of solvers.entries()) {
    const expected =
      address === filledBy ? [BigInt(quote.input.amount), -BigInt(quote.output.amount)] : [0n, 0n]
    assert.deepEqual(change(held[place] ?? [], await holdings(quote, address)), expected)
  }
})
