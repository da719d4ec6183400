import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BackendType } from '@openrfq/sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import { assertInOrder, follow } from 'openrfq/test/wallet.ts'
import {
  type FamiliesWorld,
  type FamilyAccount,
  type FamilyChain,
  type FamilyToken,
  familiesWorld,
  UNTIL_REFUND,
} from './families-world.ts'

// Each backend and each family once, by the public API and the SDK, in one sandbox: what every change has to keep.
// The files of the long run walk the same ways with faults, attacks and every pair.

let world: FamiliesWorld
before(async () => {
  world = await familiesWorld.start()
})
after(familiesWorld.stop)

type End = { readonly chain: FamilyChain; readonly token: FamilyToken }
type Place = {
  readonly chain: (chains: readonly FamilyChain[]) => FamilyChain | undefined
  readonly symbol: RegExp
}

const evm = (index: number, symbol: RegExp): Place => ({
  chain: (chains) => chains.filter(({ chainType }) => chainType === 'evm')[index],
  symbol,
})
const ledger = (family: FamilyChain['chainType']): Place => ({
  chain: (chains) => chains.find(({ chainType }) => chainType === family),
  symbol: /USDC/,
})

const endAt = ({ chain: chainAmong, symbol }: Place): End => {
  const chain = chainAmong(world.sandbox.chains) ?? assert.fail('the sandbox lacks a chain')
  return { chain, token: world.tokenOf(chain, symbol) }
}

type Walk = {
  readonly backend: BackendType
  readonly from: Place
  readonly to: Place
  /** In whole tokens. */
  readonly amount: bigint
}

/** Each walk has accounts of its own. */
const WALKS: readonly Walk[] = [
  { backend: 'gateway', from: evm(0, /USDC/), to: evm(1, /USDC/), amount: 50n },
  { backend: 'its', from: evm(0, /^DRIFT$/), to: evm(1, /^DRIFT$/), amount: 20n },
  { backend: 'gateway-express', from: evm(0, /^WETH$/), to: evm(1, /USDC/), amount: 1n },
  { backend: 'intent', from: evm(2, /USDC/), to: ledger('solana'), amount: 40n },
  { backend: 'intent', from: ledger('solana'), to: ledger('stellar'), amount: 41n },
  { backend: 'intent', from: ledger('stellar'), to: evm(0, /USDC/), amount: 42n },
]

type Deposit = {
  readonly quote: Awaited<ReturnType<FamiliesWorld['quote']>>
  readonly from: End
  readonly to: End
  readonly amount: bigint
  readonly sender: FamilyAccount
  readonly recipient: FamilyAccount
  readonly lookup: { readonly quoteId: string; readonly messageId?: string; readonly sourceChain?: string }
  readonly txHash: string
  readonly held: readonly [source: bigint, destination: bigint]
}

const heldBy = ({ from, to, sender, recipient }: Pick<Deposit, 'from' | 'to' | 'sender' | 'recipient'>) =>
  Promise.all([
    world.balanceOf(from.chain, from.token, sender.address),
    world.balanceOf(to.chain, to.token, recipient.address),
  ])

/** Quotes a walk, and executes the quote by the SDK with the sender's key. */
const deposit = async (walk: Walk, index: number): Promise<Deposit> => {
  const [from, to] = [endAt(walk.from), endAt(walk.to)]
  const [sender, recipient] = [world.accountOf(from.chain, index), world.accountOf(to.chain, 6 + (index % 4))]
  const amount = walk.amount * 10n ** BigInt(from.token.decimals)
  const quote = await world.quote(
    {
      fromChain: from.chain.chainId,
      fromToken: from.token.address,
      toChain: to.chain.chainId,
      toToken: to.token.address,
      amount: amount.toString(),
      orderType: 'EXACT_INPUT',
      sender: sender.address,
      recipient: recipient.address,
    },
    walk.backend,
  )
  const held = await heldBy({ from, to, sender, recipient })
  const txHash = await world.execute(quote, sender)
  const { quoteId } = quote
  const lookup =
    walk.backend === 'intent' ? { quoteId } : { quoteId, messageId: txHash, sourceChain: from.chain.chainId }
  return { quote, from, to, amount, sender, recipient, lookup, txHash, held }
}

const isExpress = ({ quote }: Deposit): boolean => quote.backend.type === 'gateway-express'

/** Follows a deposit to DONE, and compares the answer with the balances. */
const delivered = async (made: Deposit): Promise<void> => {
  const { quote, amount, held } = made
  const { states, last } = await follow(world.url, made.lookup)
  assertInOrder(states, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
  assert.equal(last.source?.txHash, made.txHash)
  assert.equal(last.refund, null)
  const [source, destination] = await heldBy(made)
  assert.equal(held[0] - source, amount)
  const received = destination - held[1]
  assert.deepEqual(last.output, {
    chain: quote.output.chain,
    token: quote.output.token,
    amount: received.toString(),
  })
  if (isExpress(made)) assert.ok(received >= BigInt(quote.output.minimumAmount))
  else assert.equal(received, BigInt(quote.output.amount))
}

/** What all solvers hold of each end's token, by chain. */
const inventory = async (ends: readonly End[]): Promise<ReadonlyMap<string, bigint>> => {
  const held = new Map<string, bigint>()
  for (const { chain, token } of ends) {
    const each = world.solversOn(chain).map((account) => world.balanceOf(chain, token, account))
    held.set(
      chain.chainId,
      (await Promise.all(each)).reduce((sum, one) => sum + one, 0n),
    )
  }
  return held
}

test('every backend and every family delivers the exact output, and solvers are repaid every input', {
  concurrency: true,
}, async (context) => {
  const intents = WALKS.filter(({ backend }) => backend === 'intent')
  const ends = intents.flatMap(({ from, to }) => [endAt(from), endAt(to)])
  const before = await inventory(ends)
  const expected = new Map(before)
  const add = ({ chain }: End, amount: bigint): void => {
    expected.set(chain.chainId, (expected.get(chain.chainId) ?? 0n) + amount)
  }
  await Promise.all(
    WALKS.map((walk, index) =>
      context.test(`${walk.backend} ${index}`, async () => {
        const made = await deposit(walk, index)
        await delivered(made)
        if (walk.backend !== 'intent') return
        add(made.from, made.amount)
        add(made.to, -BigInt(made.quote.output.amount))
      }),
    ),
  )
  let held = before
  await eventually(
    () => `solvers hold ${[...expected]}: ${[...held]}`,
    async () => {
      held = await inventory(ends)
      return [...expected].every(([chainId, amount]) => held.get(chainId) === amount)
    },
  )
})

test('a deposit that no solver fills is refunded to its sender in full', async () => {
  await world.control('/sandbox/solver', { mode: 'paused' })
  try {
    const walk: Walk = { backend: 'intent', from: evm(0, /USDC/), to: evm(1, /USDC/), amount: 60n }
    const made = await deposit(walk, WALKS.length)
    await follow(world.url, made.lookup, ({ state }) => state === 'PENDING')
    await world.moveClock(UNTIL_REFUND)
    const { states, last } = await follow(world.url, made.lookup, ({ state }) => state === 'REFUNDED')
    assertInOrder(states, ['AWAITING_DEPOSIT', 'PENDING', 'REFUND_PENDING', 'REFUND_INITIATED', 'REFUNDED'])
    const { chain, token } = made.quote.input
    const txHash = last.refund?.txHash
    assert.deepEqual(last.refund, { chain, token, amount: made.amount.toString(), txHash })
    assert.deepEqual(await heldBy(made), made.held)
  } finally {
    await world.control('/sandbox/solver', { mode: 'normal' })
  }
})
