import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { solanaKey } from '@openrfq/sandbox/src/solana/keys.ts'
import { address } from '@solana/kit'
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { eventually } from 'openrfq/test/eventually.ts'
import { follow } from 'openrfq/test/wallet.ts'
import { assertDelivered, isDone, isRefunded } from './deposit-world.ts'
import { type FamiliesWorld, type FamilyChain, UNTIL_REFUND } from './families-world.ts'

type Family = FamilyChain['chainType']

const [SENDER, RECIPIENT] = [1, 2]

/** Transfers from and to a world's Solana, and the accounts that a stranger can name to flood them. */
export const createSignatureScene = (world: FamiliesWorld) => {
  const chain = world.chainOf('solana')
  const dollarsOn = (family: Family) => world.tokenOf(world.chainOf(family), /USDC/)
  const recipient = world.accountOf(chain, RECIPIENT).address
  const wallets = [...world.solversOn(chain), solanaKey('keeper').address]
  const holdingOf = async (owner: string): Promise<string> => {
    const mint = address(dollarsOn('solana').address)
    const seeds = { owner: address(owner), mint, tokenProgram: TOKEN_PROGRAM_ADDRESS }
    return (await findAssociatedTokenPda(seeds))[0]
  }
  const held = (family: Family, index: number): Promise<bigint> => {
    const at = world.chainOf(family)
    return world.balanceOf(at, dollarsOn(family), world.accountOf(at, index).address)
  }
  const solversHold = async (family: Family): Promise<bigint> => {
    const at = world.chainOf(family)
    const each = world.solversOn(at).map((account) => world.balanceOf(at, dollarsOn(family), account))
    return (await Promise.all(each)).reduce((sum, one) => sum + one, 0n)
  }
  const deposit = async (from: Family, to: Family) => {
    const [source, destination] = [world.chainOf(from), world.chainOf(to)]
    const token = dollarsOn(from)
    const sender = world.accountOf(source, SENDER)
    const quote = await world.quote({
      fromChain: source.chainId,
      fromToken: token.address,
      toChain: destination.chainId,
      toToken: dollarsOn(to).address,
      amount: (40n * 10n ** BigInt(token.decimals)).toString(),
      orderType: 'EXACT_INPUT',
      sender: sender.address,
      recipient: world.accountOf(destination, RECIPIENT).address,
    })
    const { quoteId } = quote
    return { quote, quoteId, pay: () => world.execute(quote, sender) }
  }
  const timed = (context: TestContext, name: string) => {
    const startedAt = performance.now()
    return (what: string): void =>
      context.diagnostic(`${name}: ${what} after ${Math.round(performance.now() - startedAt)} ms`)
  }

  return {
    chain,
    accounts: async () => ({
      named: [
        chain.contracts?.escrowProgram ?? '',
        ...wallets,
        ...(await Promise.all([recipient, ...wallets].map(holdingOf))),
      ],
      paid: [recipient],
    }),
    holdings: async () => ({
      sender: await held('solana', SENDER),
      recipient: await held('solana', RECIPIENT),
      solvers: await solversHold('solana'),
    }),
    /** Makes a transfer that must be delivered exactly, and its solver repaid. */
    deliver: async (context: TestContext, from: Family, to: Family): Promise<void> => {
      const { quote, quoteId, pay } = await deposit(from, to)
      const [solvers, received] = [await solversHold(from), await held(to, RECIPIENT)]
      const after = timed(context, `${from} to ${to}`)
      await pay()
      after('deposited')
      assertDelivered((await follow(world.url, { quoteId }, isDone)).last, quote)
      after('DONE')
      assert.equal((await held(to, RECIPIENT)) - received, BigInt(quote.output.amount))
      const input = BigInt(quote.input.amount)
      await eventually('the solver is repaid', async () => (await solversHold(from)) >= solvers + input, 200)
      after('the solver is repaid')
    },
    /** Makes a transfer that no solver fills; its deposit must come back in full once its time is over. */
    refund: async (context: TestContext, from: Family, to: Family): Promise<void> => {
      const before = await held(from, SENDER)
      const { quoteId, pay } = await deposit(from, to)
      await world.control('/sandbox/solver', { mode: 'paused' })
      try {
        await pay()
        await follow(world.url, { quoteId }, ({ state }) => state === 'PENDING')
        const after = timed(context, `${from} to ${to}, unfilled`)
        await world.moveClock(UNTIL_REFUND)
        await follow(world.url, { quoteId }, isRefunded)
        after('REFUNDED')
        assert.equal(await held(from, SENDER), before)
      } finally {
        await world.control('/sandbox/solver', { mode: 'normal' })
      }
    },
  }
}
