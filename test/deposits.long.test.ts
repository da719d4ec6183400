import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Claimant, Keypair, Operation } from '@stellar/stellar-sdk'
import { muxedAddress } from 'openrfq/src/chains/stellar/muxed-account.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import {
  alteredOnStellar,
  assetOf,
  depositAddressOf,
  FEE_STROOPS,
  submitOnStellar,
} from './altered-deposits.ts'
import {
  areReturned,
  assertDelivered,
  assertRefunded,
  type Deposit,
  describeExtras,
  isDone,
  isRefunded,
  quoteDeposit,
  type VaultHoldings,
  vaultHoldings,
} from './deposit-world.ts'
import { type FamiliesWorld, familiesWorld, UNTIL_REFUND } from './families-world.ts'
import { createLastCall, type LastCall } from './last-call.ts'

/** Fewer dollars than are worth returning. */
const DUST = 50n
/** What is kept of a deposit that names no order, in stroops and in dollars' base units. */
const KEPT = 10_000n
const KEPT_DOLLARS = 1_000n
/** An upper bound of the operator's fees, far below any deposit, in stroops. */
const MOST_FEES = 1_000_000n

let world: FamiliesWorld
let heldBefore: VaultHoldings
before(async () => {
  world = await familiesWorld.start()
  heldBefore = await vaultHoldings(world)
})
after(familiesWorld.stop)

/** A payer's steps before and after the last call, when the time of all deposits and fills is over. */
type Walk = (lastCall: LastCall) => Promise<void>

/** Pays, and waits until the payment is included, known by its fee in another asset, and all of it is back. */
const assertComesBack = async (
  { chain, payer, balance, follow }: Deposit,
  native: RegExp,
  pay: () => Promise<unknown>,
): Promise<void> => {
  const funds = () => world.balanceOf(chain, world.tokenOf(chain, native), payer.address)
  const [held, fundsBefore] = [await balance(), await funds()]
  await pay()
  await eventually('no fee is paid', async () => (await funds()) < fundsBefore)
  await eventually('the dollars do not come back', async () => (await balance()) === held - KEPT_DOLLARS)
  const { last } = await follow(() => true)
  assert.deepEqual([last.state, last.source], ['AWAITING_DEPOSIT', null])
}

const ON_STELLAR: Readonly<Record<string, Walk>> = {
  'several deposits in time are one when their sum is exact': async () => {
    const { quote, payer, input, balance, follow } = await quoteDeposit(world, { from: 'stellar', user: 0 })
    const held = await balance()
    const first = await world.execute(alteredOnStellar(quote, { amount: input - 3n }), payer)
    const { last: partial } = await follow(({ details }) => details['stage'] === 'deposit_partial')
    assert.deepEqual(
      [partial.state, partial.details['deposited'], partial.details['expected']],
      ['PENDING', `${input - 3n}`, `${input}`],
    )
    await world.execute(alteredOnStellar(quote, { amount: 3n }), payer)
    const { last } = await follow(isDone)
    assertDelivered(last, quote)
    assert.deepEqual([last.source?.txHash, describeExtras(last)], [first, []])
    assert.equal(await balance(), held - input)
  },

  'deposits that stay short go back in one sum when their time is over': async (lastCall) => {
    const deposit = await quoteDeposit(world, { from: 'stellar', user: 1 })
    const { quote, payer, input, balance, token, follow } = deposit
    const held = await balance()
    const first = await world.execute(alteredOnStellar(quote, { amount: input / 2n }), payer)
    await world.execute(alteredOnStellar(quote, { amount: input / 4n }), payer)
    await lastCall()
    const { last } = await follow(isRefunded)
    const amount = input / 2n + input / 4n
    assertRefunded(last, { token: token.address, amount, reasonCode: 'deposit_short' })
    assert.equal(last.source?.txHash, first)
    assert.equal(await balance(), held)
  },

  'too much is filled and the excess goes back; so does what is paid after DONE': async () => {
    const deposit = await quoteDeposit(world, { from: 'stellar', user: 2 })
    const { quote, payer, input, balance, token, follow } = deposit
    const held = await balance()
    const over = await world.execute(alteredOnStellar(quote, { amount: input + 7_000_000n }), payer)
    assertDelivered((await follow(isDone)).last, quote)
    const { last } = await follow(areReturned(1))
    assertDelivered(last, quote)
    assert.deepEqual(describeExtras(last), [['excess', token.address, '7000000', over]])
    assert.ok('excessRefund' in last.details)
    assert.equal(await balance(), held - input)
    const second = await world.execute(alteredOnStellar(quote, { amount: 9_000_000n }), payer)
    const { states, last: later } = await follow(areReturned(2))
    assert.deepEqual(states, ['DONE'])
    assertDelivered(later, quote)
    assert.deepEqual(describeExtras(later)[1]?.slice(1), [token.address, '9000000', second])
    assert.equal(await balance(), held - input)
  },

  'what comes late goes back whole, and so does what comes after REFUNDED': async (lastCall) => {
    const deposit = await quoteDeposit(world, { from: 'stellar', user: 3 })
    const { quote, payer, input, balance, token, follow } = deposit
    const held = await balance()
    await lastCall()
    const late = await world.execute(alteredOnStellar(quote), payer)
    const { last } = await follow(isRefunded)
    assertRefunded(last, { token: token.address, amount: input, reasonCode: 'late' })
    assert.deepEqual(describeExtras(last), [['late', token.address, input.toString(), late]])
    assert.equal(last.source?.txHash, late)
    assert.equal(await balance(), held)
    const later = await world.execute(alteredOnStellar(quote, { amount: 8_000_000n }), payer)
    const { states, last: afterwards } = await follow(areReturned(2))
    assert.deepEqual([states, afterwards.refund], [['REFUNDED'], last.refund])
    assert.deepEqual(describeExtras(afterwards)[1], ['late', token.address, '8000000', later])
    assert.equal(await balance(), held)
  },

  'another asset goes back as that asset': async (lastCall) => {
    const { quote, payer, chain, follow } = await quoteDeposit(world, { from: 'stellar', user: 4 })
    const euros = world.tokenOf(chain, /EURC/)
    const held = await world.balanceOf(chain, euros, payer.address)
    await world.execute(alteredOnStellar(quote, { token: euros.address, amount: 50_000_000n }), payer)
    await lastCall()
    const { last } = await follow(isRefunded)
    assertRefunded(last, { token: euros.address, amount: 50_000_000n, reasonCode: 'wrong_asset' })
    assert.equal(await world.balanceOf(chain, euros, payer.address), held)
  },

  'dust starts no transfer and is held': async (lastCall) => {
    const deposit = await quoteDeposit(world, { from: 'stellar', user: 5 })
    const { quote, payer, balance, token, follow } = deposit
    const held = await balance()
    await world.execute(alteredOnStellar(quote, { amount: DUST }), payer)
    await lastCall()
    const { states, last } = await follow(({ details }) => 'parked' in details)
    assert.deepEqual([states, last.source, last.refund], [['AWAITING_DEPOSIT'], null, null])
    assert.deepEqual(last.details['parked'], [{ token: token.address, amount: DUST.toString() }])
    assert.equal(await balance(), held - DUST)
  },

  'a path payment counts by what arrives': async () => {
    const { quote, payer, chain, token, balance, follow } = await quoteDeposit(world, {
      from: 'stellar',
      user: 6,
    })
    const held = await balance()
    const { txHash } = await submitOnStellar(chain, payer.privateKey, [
      Operation.pathPaymentStrictReceive({
        sendAsset: assetOf(world.tokenOf(chain, /XLM/)),
        sendMax: '1000',
        destination: depositAddressOf(quote),
        destAsset: assetOf(token),
        destAmount: '40',
        path: [],
      }),
    ])
    const { last } = await follow(isDone)
    assertDelivered(last, quote)
    assert.deepEqual([last.source?.txHash, describeExtras(last)], [txHash, []])
    assert.equal(await balance(), held)
  },

  'an account that is merged into the address counts, and its excess goes to the sender': async () => {
    const deposit = await quoteDeposit(world, { from: 'stellar', user: 7, symbol: /XLM/, whole: 400n })
    const { quote, input, chain, token, balance, follow } = deposit
    const held = await balance()
    const payer = Keypair.random()
    const funds = input + 5_000_000n + FEE_STROOPS
    await world.fund(chain, token, payer.publicKey(), funds)
    const merge = Operation.accountMerge({ destination: depositAddressOf(quote) })
    const { txHash } = await submitOnStellar(chain, payer.secret(), [merge])
    const { last } = await follow((status) => isDone(status) && areReturned(1)(status))
    assertDelivered(last, quote)
    assert.deepEqual(describeExtras(last), [['excess', token.address, '5000000', txHash]])
    assert.equal(await balance(), held + 5_000_000n)
  },

  'a claimable balance is no deposit, and its sender can take it back': async (lastCall) => {
    const deposit = await quoteDeposit(world, { from: 'stellar', user: 8 })
    const { payer, chain, token, balance, follow } = deposit
    const held = await balance()
    const claimants = [chain.vault ?? '', payer.address].map((account) => new Claimant(account))
    const create = Operation.createClaimableBalance({ asset: assetOf(token), amount: '40', claimants })
    const { transaction } = await submitOnStellar(chain, payer.privateKey, [create])
    await lastCall()
    const { states, last } = await follow(({ details }) => details['expired'] === true)
    assert.deepEqual([states, last.source, last.refund], [['AWAITING_DEPOSIT'], null, null])
    const balanceId = transaction.getClaimableBalanceId(0)
    await submitOnStellar(chain, payer.privateKey, [Operation.claimClaimableBalance({ balanceId })])
    assert.equal(await balance(), held)
  },

  'what names no quote goes back to its payer, though it is the exact amount of one': async () => {
    const deposit = await quoteDeposit(world, { from: 'stellar', user: 9 })
    const { quote, payer, chain } = deposit
    await assertComesBack(deposit, /XLM/, () =>
      world.execute(alteredOnStellar(quote, { address: chain.vault ?? '' }), payer),
    )
  },

  'what belongs to no quote goes back to its payer': async () => {
    const chain = world.chainOf('stellar')
    const lumens = world.tokenOf(chain, /XLM/)
    const payer = Keypair.random()
    const funds = 1_000_000_000n
    await world.fund(chain, lumens, payer.publicKey(), funds)
    const vault = chain.vault ?? ''
    const pay = (destination: string, amount: string) =>
      submitOnStellar(chain, payer.secret(), [
        Operation.payment({ destination, asset: assetOf(lumens), amount }),
      ])
    await pay(muxedAddress(vault, 1n), '20')
    await pay(vault, '30')
    await eventually(
      'the lumens do not come back',
      async () =>
        (await world.balanceOf(chain, lumens, payer.publicKey())) === funds - 2n * (FEE_STROOPS + KEPT),
    )
  },
}

test('deposits that differ from the quote', { concurrency: true }, async (context) => {
  const walks = [...Object.entries(ON_STELLAR).map(([name, walk]) => [`on Stellar: ${name}`, walk] as const)]
  const run = createLastCall(walks.length, () => world.moveClock(UNTIL_REFUND))
  await Promise.all(walks.map(([name, walk]) => context.test(name, () => run(walk))))
})

test("the vaults end with their starting balances, except for dust, kept costs and the operator's fees", async () => {
  await eventually('solvers are not repaid', async () => {
    const held = await vaultHoldings(world)
    return held.every(({ name, isNative, amount }, index) => {
      const gained = amount - (heldBefore[index]?.amount ?? 0n)
      if (isNative) return gained <= 2n * KEPT && gained > -MOST_FEES
      return gained === (name === 'USDC on stellar' ? DUST + KEPT_DOLLARS : 0n)
    })
  })
})
