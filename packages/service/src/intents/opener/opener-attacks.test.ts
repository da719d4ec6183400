import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { FILLER } from '@openrfq/sandbox/test/settler-world.ts'
import type { OpeningAnswer } from '@openrfq/sdk'
import { bytesToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { until } from '../../../test/eventually.ts'
import {
  give,
  INPUT,
  newQuote,
  newSender,
  type OpenerWorld,
  openBy,
  openersOf,
  signOpening,
  startOpenerWorld,
} from '../../../test/opener-world.ts'
import { openForCall } from '../settlers/settler-contract.ts'
import { permissionOf } from './permission.ts'

// What a stranger can make the opener say of others, and take from them.
let world: OpenerWorld
before(async () => {
  world = await startOpenerWorld()
})
after(() => world.stop())
const { mine, start } = openersOf(() => world)

test('a stranger who sends the opening first neither makes it fail nor stops the sender', async () => {
  const sender = await newSender(world, { amount: 2n * INPUT })
  const opener = await start()
  const quote = newQuote(world, sender.address)
  const signatures = await signOpening(opener, sender, quote, 'erc3009')
  const body = { quoteId: quote.quoteId, method: 'erc3009' as const, signatures }
  await world.a.rpc('evm_setAutomine', false)
  const { order, orderId } = world.orderIn(quote)
  // What the stranger reads in the mempool, sent for a higher price.
  const { data } = openForCall(order, permissionOf('erc3009', { order, orderId, signatures }))
  await world.a.rpc('anvil_setBalance', FILLER, '0xde0b6b3a7640000')
  await world.a.rpc('eth_sendTransaction', {
    from: FILLER,
    to: world.a.settler,
    data,
    gas: '0x7a120',
    gasPrice: '0x2540be400',
  })
  const first = await opener.open(quote, body, 'client')
  assert.equal(first.state, 'submitted', JSON.stringify(first))
  await world.a.rpc('evm_setAutomine', true)
  await mine(4)
  let last: OpeningAnswer = first
  await until(async () => {
    await mine(1)
    last = await opener.open(quote, body, 'client')
    return last.state !== 'submitted'
  })
  assert.equal(last.state, 'opened', JSON.stringify(last))
  await until(async () => opener.events.includes('opening_outrun'))
  const next = await openBy(opener, sender, newQuote(world, sender.address))
  assert.equal(next.state, 'submitted', JSON.stringify(next))
})

test('an opening that was not signed takes nothing of the day', async () => {
  const sender = await newSender(world)
  let isDead = true
  const opener = await start({
    terms: { dailyOrders: 1 },
    evm: {
      transactionCount: (account) =>
        isDead ? Promise.reject(new Error('no answer')) : world.evm.transactionCount(account),
    },
  })
  const quote = newQuote(world, sender.address)
  const unsigned = await openBy(opener, sender, quote)
  assert.deepEqual([unsigned.state, unsigned.reason], ['declined', 'unavailable'])
  isDead = false
  let answer: OpeningAnswer | undefined
  await until(async () => {
    answer = await openBy(opener, sender, quote).catch((error: unknown) => {
      // The turn comes back when the watch has found nothing signed; the day's only opening is left all the time.
      assert.match(String(error), /under way/)
      return undefined
    })
    return answer !== undefined
  })
  assert.equal(answer?.state, 'submitted', JSON.stringify(answer))
})

test('a stranger who sends garbage for a contract account does not take its turn', async () => {
  const key = privateKeyToAccount(generatePrivateKey())
  const wallet = await world.deployWallet(key.address)
  await give(world, wallet, INPUT)
  await mine(10)
  await until(async () => (await world.evm.heldBy(wallet, world.token)) === INPUT)
  const garbage = bytesToHex(randomBytes(66))
  const gate = Promise.withResolvers<void>()
  const opener = await start({
    evm: {
      callAgreed: async (calls, expected) => {
        if (calls.some(({ data }) => data.includes(garbage.slice(2)))) await gate.promise
        return world.evm.callAgreed(calls, expected)
      },
    },
  })
  const bad = newQuote(world, wallet)
  const thief = opener.open(bad, { quoteId: bad.quoteId, method: 'erc3009', signatures: [garbage] }, 'thief')
  const quote = newQuote(world, wallet)
  const [signature = '0x'] = await signOpening(opener, key, quote, 'erc3009')
  const body = { quoteId: quote.quoteId, method: 'erc3009' as const, signatures: [`${signature}00`] }
  const answer = await opener.open(quote, body, 'client')
  assert.equal(answer.state, 'submitted', JSON.stringify(answer))
  gate.resolve()
  assert.equal((await thief).reason, 'would_fail')
})
