import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { Keypair, Operation } from '@stellar/stellar-sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import { alteredOnStellar, assetOf, FEE_STROOPS, submitOnStellar } from './altered-deposits.ts'
import { openBooks } from './attack-books.ts'
import { assertDelivered, isDone, quoteDeposit } from './deposit-world.ts'
import { type FamiliesWorld, startFamiliesWorld } from './families-world.ts'

const LUMEN = 10_000_000n
/** The most operations of a transaction. */
const OPERATIONS = 100
const QUARTER = 25
/** What the vault keeps of returned lumens that name no order, in stroops. */
const KEPT = 10_000n
/** Too few stroops to be returned, and enough. */
const [DUST, RETURNED] = [1_000n, LUMEN / 10n]
const EXCESS = 50_000_000n
const FLOODERS = 5
/** As many as the sandbox carries beside the service in one process; `payment-reader.test.ts` reads 14,000. */
const FLOOD = 2_000
/** Time limit for delivering an order, repaying its solver and returning its excess during a flood of payments to the vault. */
const PAID_WITHIN_SECONDS = 45
/** Returns that were under way when the order's fill was seen, and those signed before the co-signer saw it, too. */
const MOST_RETURNS_MEANWHILE = 25

let world: FamiliesWorld
before(async () => {
  world = await startFamiliesWorld()
})
after(() => world?.stop())

const lumensOf = (account: string): Promise<bigint> => {
  const chain = world.chainOf('stellar')
  return world.balanceOf(chain, world.tokenOf(chain, /XLM/), account)
}

/** An account of its own with lumens. */
const openAttacker = async (): Promise<Keypair> => {
  const keys = Keypair.random()
  const chain = world.chainOf('stellar')
  await world.fund(chain, world.tokenOf(chain, /XLM/), keys.publicKey(), 100n * LUMEN)
  return keys
}

/** Pays the vault a hundred times in one transaction, without a reference. */
const payAHundredTimes = (attacker: Keypair, stroops: bigint) => {
  const chain = world.chainOf('stellar')
  const asset = assetOf(world.tokenOf(chain, /XLM/))
  const amount = (Number(stroops) / Number(LUMEN)).toFixed(7)
  const pay = Operation.payment({ destination: chain.vault ?? '', asset, amount })
  return submitOnStellar(
    chain,
    attacker.secret(),
    Array.from({ length: OPERATIONS }, () => pay),
  )
}

const solversHold = async (): Promise<bigint> => {
  const chain = world.chainOf('stellar')
  const held = world
    .solversOn(chain)
    .map((account) => world.balanceOf(chain, world.tokenOf(chain, /USDC/), account))
  return (await Promise.all(held)).reduce((sum, one) => sum + one, 0n)
}

/**
 * Pays too much for an order, and waits until it is delivered, its solver repaid and the excess back. Prints the times; throws if
 * it takes too long.
 */
const payHonestly = async (
  context: TestContext,
  user: number,
  atDone: () => Promise<void> = async () => undefined,
): Promise<void> => {
  const { quote, payer, input, balance, follow } = await quoteDeposit(world, { from: 'stellar', user })
  const [held, solvers] = [await balance(), await solversHold()]
  const startedAt = performance.now()
  const after = (what: string): void => {
    const took = Math.round(performance.now() - startedAt)
    context.diagnostic(`${what} ${took} ms after the deposit`)
    assert.ok(took <= PAID_WITHIN_SECONDS * 1_000, `${what} ${took} ms after the deposit`)
  }
  await world.execute(alteredOnStellar(quote, { amount: input + EXCESS }), payer)
  assertDelivered((await follow(isDone)).last, quote)
  after('DONE')
  await atDone()
  await eventually('the solver is repaid', async () => (await solversHold()) === solvers + input)
  after('the solver is repaid')
  await eventually('the excess comes back', async () => (await balance()) === held - input)
  after('the excess is back')
}

for (const [name, stroops, returned] of [
  ['a hundred payments of dust', DUST, 0n],
  ['a hundred payments that have to be returned', RETURNED, RETURNED - KEPT],
] as const)
  test(`an order is paid out within ${PAID_WITHIN_SECONDS} s after ${name} in one transaction`, async (context) => {
    const attacker = await openAttacker()
    const books = await openBooks(async () => ({ attacker: await lumensOf(attacker.publicKey()) }))
    await payAHundredTimes(attacker, stroops)
    const startedAt = performance.now()
    const paid = books.start.attacker - BigInt(OPERATIONS) * (stroops + FEE_STROOPS)
    const held = () => lumensOf(attacker.publicKey())
    let heldAtDone = 0n
    await payHonestly(context, 0, async () => {
      heldAtDone = await held()
    })
    if (returned > 0n) {
      const meanwhile = ((await held()) - heldAtDone) / returned
      context.diagnostic(`${meanwhile} returns to the attacker between DONE and the honest payouts`)
      assert.ok(meanwhile <= MOST_RETURNS_MEANWHILE, `${meanwhile} returns`)
      for (let some = QUARTER; some <= OPERATIONS; some += QUARTER)
        await eventually(
          `${some} payments are returned`,
          async () => (await held()) >= paid + BigInt(some) * returned,
          1_000,
        )
      context.diagnostic(`a hundred returns took ${Math.round((performance.now() - startedAt) / 1_000)} s`)
    }
    const { attacker: change } = await books.print(context)
    assert.equal(change, BigInt(OPERATIONS) * (returned - stroops - FEE_STROOPS))
  })

test(`orders are paid out within ${PAID_WITHIN_SECONDS} s during and after 2,000 payments of one stroop, which cost the attacker their fees`, async (context) => {
  await payHonestly(context, 1)
  const flooders = await Promise.all(Array.from({ length: FLOODERS }, openAttacker))
  const vault = world.chainOf('stellar').vault ?? ''
  const books = await openBooks(async () => {
    const held = await Promise.all(flooders.map((keys) => lumensOf(keys.publicKey())))
    return { attacker: held.reduce((sum, one) => sum + one, 0n), vault: await lumensOf(vault) }
  })
  const startedAt = performance.now()
  const flood = Promise.all(
    flooders.map(async (keys) => {
      for (let made = 0; made < FLOOD / FLOODERS / OPERATIONS; made += 1) await payAHundredTimes(keys, 1n)
    }),
  )
  await payHonestly(context, 2)
  await flood
  context.diagnostic(`${FLOOD} payments in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  await payHonestly(context, 3)
  const { attacker, vault: gained } = await books.print(context)
  assert.equal(attacker, -BigInt(FLOOD) * (1n + FEE_STROOPS))
  // Its channels pay the fees of payouts, and it one in five.
  assert.ok(gained <= BigInt(FLOOD) && gained > BigInt(FLOOD) - LUMEN / 100n, `${gained} stroops`)
})
