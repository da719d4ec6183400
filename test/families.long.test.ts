import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import type { Quote } from '@openrfq/sdk'
import type { StellarExecution } from '@openrfq/sdk/stellar'
import { eventually } from 'openrfq/test/eventually.ts'
import { assertInOrder, follow, type WireStatus } from 'openrfq/test/wallet.ts'
import {
  type FamiliesWorld,
  type FamilyChain,
  type FamilyToken,
  familiesWorld,
  UNTIL_REFUND,
} from './families-world.ts'
import { createLastCall, type LastCall } from './last-call.ts'

let world: FamiliesWorld
before(async () => {
  world = await familiesWorld.start()
})
after(familiesWorld.stop)

type Family = FamilyChain['chainType']
type End = { readonly chain: FamilyChain; readonly token: FamilyToken }

const endOf = (family: Family, symbol: RegExp): End => {
  const chain = world.chainOf(family)
  return { chain, token: world.tokenOf(chain, symbol) }
}

const quoteBetween = (
  from: End,
  to: End,
  amount: bigint,
  sender: number,
  recipient: number,
): Promise<Quote> =>
  world.quote({
    fromChain: from.chain.chainId,
    fromToken: from.token.address,
    toChain: to.chain.chainId,
    toToken: to.token.address,
    amount: amount.toString(),
    orderType: 'EXACT_INPUT',
    sender: world.accountOf(from.chain, sender).address,
    recipient: world.accountOf(to.chain, recipient).address,
  })

/** Waits until the solver's balance has grown by exactly the input. */
const repaid = async (from: End, before: ReadonlyMap<string, bigint>, amount: bigint): Promise<void> => {
  await eventually('the solver is repaid', async () => {
    for (const [account, held] of before)
      if ((await world.balanceOf(from.chain, from.token, account)) - held === amount) return true
    return false
  })
}

const walk = async (
  context: TestContext,
  from: End,
  to: End,
  users: readonly [number, number],
  holding?: StellarExecution['holding'],
): Promise<void> => {
  const [sender, recipient] = [world.accountOf(from.chain, users[0]), world.accountOf(to.chain, users[1])]
  const amount = 40n * 10n ** BigInt(from.token.decimals)
  const quote = await quoteBetween(from, to, amount, ...users)
  const [sourceBefore, destinationBefore] = await Promise.all([
    world.balanceOf(from.chain, from.token, sender.address),
    world.balanceOf(to.chain, to.token, recipient.address),
  ])
  const solverBefore = new Map<string, bigint>()
  for (const account of world.solversOn(from.chain))
    solverBefore.set(account, await world.balanceOf(from.chain, from.token, account))
  const startedAt = Date.now()
  const txHash = await world.execute(quote, sender, holding)
  const { states, last } = await follow(world.url, { quoteId: quote.quoteId })
  context.diagnostic(`DONE ${Date.now() - startedAt} ms after signing began`)
  assertInOrder(states, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
  assert.equal(last.source?.txHash, txHash)
  const { chain, token, amount: output } = quote.output
  assert.deepEqual(last.output, { chain, token, amount: output })
  assert.equal(
    (await world.balanceOf(to.chain, to.token, recipient.address)) - destinationBefore,
    BigInt(output),
  )
  assert.equal(sourceBefore - (await world.balanceOf(from.chain, from.token, sender.address)), amount)
  await repaid(from, solverBefore, amount)
}

const PAIRS: readonly (readonly [Family, Family])[] = [
  ['evm', 'solana'],
  ['solana', 'evm'],
  ['evm', 'stellar'],
  ['stellar', 'evm'],
  ['solana', 'stellar'],
  ['stellar', 'solana'],
]

for (const [source, destination] of PAIRS)
  test(`a transfer from ${source} to ${destination} delivers the exact output and repays the solver`, (context) =>
    walk(context, endOf(source, /USDC/), endOf(destination, /USDC/), [1, 2]))

test('a claimable balance from stellar to evm delivers the exact output, and repays the solver from it', async (context) => {
  const from = endOf('stellar', /USDC/)
  const vault = from.chain.vault ?? ''
  const held = await world.balanceOf(from.chain, from.token, vault)
  await walk(context, from, endOf('evm', /USDC/), [7, 8], 'claimable_balance')
  assert.equal(await world.balanceOf(from.chain, from.token, vault), held)
})

/** More than fees and rent of one order. */
const EXPENSES = 10_000_000n

test('a transfer of SOL through the escrow program delivers the exact output and repays the solver', async () => {
  const [from, to] = [endOf('solana', /^SOL$/), endOf('evm', /USDC/)]
  const [sender, recipient] = [world.accountOf(from.chain, 5), world.accountOf(to.chain, 6)]
  const amount = 10n ** BigInt(from.token.decimals)
  const quote = await quoteBetween(from, to, amount, 5, 6)
  const held = await world.balanceOf(to.chain, to.token, recipient.address)
  const paidFrom = await world.balanceOf(from.chain, from.token, sender.address)
  const solvers = await Promise.all(
    world.solversOn(from.chain).map(async (account) => {
      return [account, await world.balanceOf(from.chain, from.token, account)] as const
    }),
  )
  await world.execute(quote, sender)
  const { last } = await follow(world.url, { quoteId: quote.quoteId })
  assert.equal(last.state, 'DONE')
  const received = (await world.balanceOf(to.chain, to.token, recipient.address)) - held
  assert.equal(received, BigInt(quote.output.amount))
  const spent = paidFrom - (await world.balanceOf(from.chain, from.token, sender.address))
  assert.ok(spent >= amount && spent < amount + EXPENSES, `${spent} lamports`)
  await eventually('the solver is repaid', async () => {
    for (const [account, before] of solvers)
      if ((await world.balanceOf(from.chain, from.token, account)) > before + amount - EXPENSES) return true
    return false
  })
})

const isRefunded = ({ state }: WireStatus): boolean => state === 'REFUNDED'

const REFUND_STATES = ['AWAITING_DEPOSIT', 'PENDING', 'REFUND_PENDING', 'REFUND_INITIATED', 'REFUNDED']

const givenBack = async (
  source: 'solana' | 'stellar',
  user: number,
  lastCall: LastCall,
  holding?: StellarExecution['holding'],
): Promise<void> => {
  const [from, to] = [endOf(source, /USDC/), endOf('evm', /USDC/)]
  const sender = world.accountOf(from.chain, user)
  const amount = 30n * 10n ** BigInt(from.token.decimals)
  const quote = await quoteBetween(from, to, amount, user, 4)
  const before = await world.balanceOf(from.chain, from.token, sender.address)
  await world.execute(quote, sender, holding)
  assert.equal(await world.balanceOf(from.chain, from.token, sender.address), before - amount)
  const { quoteId } = quote
  await follow(world.url, { quoteId }, ({ state }) => state === 'PENDING')
  await lastCall()
  const { states, last } = await follow(world.url, { quoteId }, isRefunded)
  assertInOrder(states, REFUND_STATES)
  assert.equal(last.refund?.amount, amount.toString())
  assert.equal(last.refund.token, from.token.address)
  assert.equal(await world.balanceOf(from.chain, from.token, sender.address), before)
}

test('an unfilled deposit is refunded to its sender in full', { concurrency: true }, async (context) => {
  await world.control('/sandbox/solver', { mode: 'paused' })
  try {
    const run = createLastCall(3, () => world.moveClock(UNTIL_REFUND))
    await Promise.all([
      context.test('on Solana', () => run((lastCall) => givenBack('solana', 3, lastCall))),
      context.test('on Stellar', () => run((lastCall) => givenBack('stellar', 3, lastCall))),
      context.test('on Stellar, in a claimable balance', () =>
        run((lastCall) => givenBack('stellar', 4, lastCall, 'claimable_balance')),
      ),
    ])
  } finally {
    await world.control('/sandbox/solver', { mode: 'normal' })
  }
})
