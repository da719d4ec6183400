import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { FILLER } from '@openrfq/sandbox/test/settler-world.ts'
import { type OpeningAnswer, RfqError } from '@openrfq/sdk'
import { bytesToHex, type Hex, maxUint256 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { until } from '../../../test/eventually.ts'
import {
  GAS_PRICE,
  give,
  INPUT,
  newQuote,
  newSender,
  OPENER,
  type OpenerWorld,
  openBy,
  openersOf,
  type StartedOpener,
  signOpening,
  startOpenerWorld,
} from '../../../test/opener-world.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { PERMIT2 } from './typed-data.ts'

let world: OpenerWorld
before(async () => {
  world = await startOpenerWorld()
})
after(() => world.stop())
const { mine, start } = openersOf(() => world)

const refusedAs = (code: string, field?: string) => (error: unknown) => {
  assert(error instanceof RfqError, String(error))
  assert.equal(error.code, code, error.message)
  if (field !== undefined) assert.equal(error.details['field'], field)
  return true
}

const signedBy = () => world.client.getTransactionCount({ address: OPENER })
const held = async (account: Hex) => BigInt(await world.a.balanceOf(world.token, account))

const ended = async (opener: StartedOpener, quote: QuoteRecord, last: OpeningAnswer) => {
  await mine(4)
  let state = last
  await until(async () => {
    await mine(1)
    const body = { quoteId: quote.quoteId, method: 'erc3009' as const, signatures: ['0x00'] }
    state = await opener.open(quote, body, 'client')
    return state.state !== 'submitted'
  })
  return state
}

/** The gas that a transaction of the opener used. */
const gasOf = async ({ txHash }: OpeningAnswer): Promise<bigint> =>
  // CAST: the hash of a transaction that was sent.
  (await world.client.getTransactionReceipt({ hash: txHash as Hex })).gasUsed

for (const method of ['erc3009', 'permit2', 'erc2612', 'allowance'] as const)
  test(`an order is opened by ${method}, and its sender pays no gas`, async (context) => {
    const spenders = method === 'permit2' ? [PERMIT2] : method === 'allowance' ? [world.a.settler] : []
    const sender = await newSender(world, { spenders: [...spenders] as Hex[] })
    const opener = await start()
    const quote = newQuote(world, sender.address)
    const [native, escrow] = [
      await world.client.getBalance({ address: sender.address }),
      await held(world.a.settler),
    ]
    const answer = await openBy(opener, sender, quote, method)
    assert.equal(answer.state, 'submitted', JSON.stringify(answer))
    assert.equal(answer.swapId, quote.binding['orderId'])
    assert.equal((await ended(opener, quote, answer)).state, 'opened')
    assert.equal(await world.client.getBalance({ address: sender.address }), native)
    assert.equal(await held(sender.address), 0n)
    assert.equal((await held(world.a.settler)) - escrow, INPUT)
    context.diagnostic(`${method}: ${await gasOf(answer)} gas`)
  })

test('the same order sent twenty times at once and again later is opened once', async () => {
  const sender = await newSender(world)
  const opener = await start()
  const quote = newQuote(world, sender.address)
  const signatures = await signOpening(opener, sender, quote, 'erc3009')
  const body = { quoteId: quote.quoteId, method: 'erc3009' as const, signatures }
  const signed = await signedBy()
  const answers = await Promise.all(Array.from({ length: 20 }, () => opener.open(quote, body, 'client')))
  const [first] = answers
  assert(first !== undefined)
  for (const answer of answers) assert.deepEqual(answer, first)
  const last = await ended(opener, quote, first)
  assert.deepEqual(last, { ...first, state: 'opened' })
  assert.equal(await signedBy(), signed + 1)
})

test('an opening whose process dies before it is mined is sent once, and its sender has no other turn', async () => {
  const sender = await newSender(world, { amount: 2n * INPUT })
  const first = await start()
  await world.a.rpc('evm_setAutomine', false)
  const [quote, other] = [newQuote(world, sender.address), newQuote(world, sender.address)]
  const signed = await signedBy()
  const answer = await openBy(first, sender, quote)
  await first.stop()
  await world.a.rpc('anvil_dropAllTransactions')
  const second = await start({ store: first.files })
  assert.deepEqual(await openBy(second, sender, quote), answer)
  await assert.rejects(openBy(second, sender, other), refusedAs('RATE_LIMITED'))
  await world.a.rpc('evm_setAutomine', true)
  await until(async () => {
    await mine(1)
    return (await signedBy()) === signed + 1
  })
  assert.equal((await ended(second, quote, answer)).state, 'opened')
  assert.equal(await signedBy(), signed + 1)
})

test('refuses signatures of another key, of another quote, another chain or settler, and tampered ones', async () => {
  const [sender, thief] = [await newSender(world), await newSender(world)]
  const opener = await start()
  const quote = newQuote(world, sender.address)
  const signed = await signedBy()
  const spoilt = async (data: (one: ReturnType<StartedOpener['typedData']>[number]) => object) => {
    const [own] = opener.typedData(quote, 'erc3009')
    assert(own !== undefined)
    const changed = { ...own, ...data(own) }
    const one = { ...opener, typedData: () => [changed] }
    return signOpening(one, sender, quote, 'erc3009')
  }
  const wrong = [
    await signOpening(opener, thief, quote, 'erc3009'),
    await signOpening(opener, sender, newQuote(world, sender.address), 'erc3009'),
    await signOpening(opener, sender, quote, 'allowance'),
    await spoilt(({ domain }) => ({ domain: { ...domain, chainId: '1' } })),
    await spoilt(({ message }) => ({ message: { ...message, to: thief.address } })),
    await spoilt(({ message }) => ({ message: { ...message, value: '1' } })),
    await spoilt(({ message }) => ({ message: { ...message, validBefore: '9999999999' } })),
    ['0x'],
    [`0x${'00'.repeat(65)}`],
    [bytesToHex(randomBytes(65))],
    [bytesToHex(randomBytes(2_000))],
  ]
  for (const signatures of wrong)
    await assert.rejects(
      opener.open(quote, { quoteId: quote.quoteId, method: 'erc3009', signatures }, 'client'),
      refusedAs('INVALID_REQUEST', 'signatures'),
    )
  const [one = '0x'] = await signOpening(opener, sender, quote, 'allowance')
  for (const signatures of [[one], [one, one, one], ['0x1234', one]])
    await assert.rejects(
      opener.open(quote, { quoteId: quote.quoteId, method: 'erc2612', signatures }, 'client'),
      refusedAs('INVALID_REQUEST', 'signatures'),
    )
  assert.equal(await signedBy(), signed)
  assert.equal(await held(sender.address), INPUT)
})

test('refuses a quote that expires before its order could be opened', async () => {
  const sender = await newSender(world)
  const opener = await start()
  await assert.rejects(
    openBy(opener, sender, newQuote(world, sender.address, 5)),
    refusedAs('INVALID_REQUEST', 'quoteId'),
  )
})

test('a thousand orders of senders without funds cost no gas', async (context) => {
  const opener = await start()
  const signed = await signedBy()
  const began = Date.now()
  const counts = new Map<string, number>()
  for (let round = 0; round < 20; round += 1)
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const sender = privateKeyToAccount(generatePrivateKey())
        const quote = newQuote(world, sender.address)
        const signatures = await signOpening(opener, sender, quote, 'erc3009')
        const body = { quoteId: quote.quoteId, method: 'erc3009' as const, signatures }
        const said = await opener.open(quote, body, `client ${index}`).then(
          ({ state, reason }) => `${state} ${reason}`,
          (error: unknown) => (error instanceof RfqError ? error.code : String(error)),
        )
        counts.set(said, (counts.get(said) ?? 0) + 1)
      }),
    )
  context.diagnostic(`${JSON.stringify(Object.fromEntries(counts))} in ${Date.now() - began} ms`)
  assert.deepEqual([...counts.keys()].sort(), ['RATE_LIMITED', 'declined would_fail'])
  assert.equal(await signedBy(), signed)
})

test('declines a sender whose funds came a moment ago, so that one sum cannot back many senders at once', async () => {
  const opener = await start()
  const account = privateKeyToAccount(generatePrivateKey())
  await give(world, account.address, INPUT)
  const { state, reason } = await openBy(opener, account, newQuote(world, account.address))
  assert.deepEqual([state, reason], ['declined', 'not_backed'])
})

test('a sender that withdraws its funds before the block has cost one opening, and waits twice as long each time', async (context) => {
  const sender = await newSender(world)
  const opener = await start()
  const signed = await signedBy()
  let gas = 0n
  for (const minutes of [10, 20, 40]) {
    await give(world, sender.address, INPUT - (await held(sender.address)))
    await mine(10)
    await until(async () => (await world.evm.heldBy(sender.address, world.token)) === INPUT)
    await world.a.rpc('evm_setAutomine', false)
    await world.a.rpc('anvil_setBalance', sender.address, '0xde0b6b3a7640000')
    const away = world.a.encode('transfer', [OPENER, INPUT])
    await world.a.rpc('eth_sendTransaction', {
      from: sender.address,
      to: world.token,
      data: away,
      gasPrice: '0x2540be400',
    })
    const quote = newQuote(world, sender.address)
    const answer = await openBy(opener, sender, quote)
    assert.equal(answer.state, 'submitted', JSON.stringify(answer))
    // Others of the same sender have no turn while this one waits, however many they are.
    for (let count = 0; count < 5; count += 1)
      await assert.rejects(openBy(opener, sender, newQuote(world, sender.address)), refusedAs('RATE_LIMITED'))
    await world.a.rpc('evm_setAutomine', true)
    await mine(1)
    assert.equal((await ended(opener, quote, answer)).state, 'failed')
    gas += await gasOf(answer)
    await until(
      async () =>
        opener.events.filter((event) => event === 'opening_failed').length ===
        [10, 20, 40].indexOf(minutes) + 1,
    )
    opener.pass((minutes - 1) * 60_000)
    await assert.rejects(openBy(opener, sender, newQuote(world, sender.address)), refusedAs('RATE_LIMITED'))
    opener.pass(61_000)
  }
  context.diagnostic(`3 failed openings of one sender in 70 minutes cost ${gas} gas`)
  assert.equal(await signedBy(), signed + 3)
})

test('a permit that somebody else has submitted does not keep the order from being opened', async () => {
  const sender = await newSender(world)
  const opener = await start()
  const quote = newQuote(world, sender.address)
  const signatures = await signOpening(opener, sender, quote, 'erc2612')
  const [permit = '0x'] = signatures
  const { openDeadline } = quote.binding
  const [r, s, v] = [
    permit.slice(0, 66),
    `0x${permit.slice(66, 130)}`,
    Number.parseInt(permit.slice(130), 16),
  ]
  await world.client.waitForTransactionReceipt({
    // CAST: anvil answers the hash.
    hash: (await world.a.rpc('eth_sendTransaction', {
      from: FILLER,
      to: world.token,
      data: world.permitCall([sender.address, world.a.settler, INPUT, BigInt(Number(openDeadline)), v, r, s]),
      gasPrice: '0x0',
    })) as Hex,
  })
  const answer = await opener.open(quote, { quoteId: quote.quoteId, method: 'erc2612', signatures }, 'client')
  assert.equal(answer.state, 'submitted', JSON.stringify(answer))
  assert.equal((await ended(opener, quote, answer)).state, 'opened')
})

test('opens the order of a contract account by a signature that the account accepts, and of no other', async () => {
  const key = privateKeyToAccount(generatePrivateKey())
  const wallet = await world.deployWallet(key.address)
  await give(world, wallet, INPUT)
  await mine(10)
  const opener = await start()
  const quote = newQuote(world, wallet)
  const [signature = '0x'] = await signOpening(opener, key, quote, 'erc3009')
  const open = (signatures: string[]) =>
    opener.open(quote, { quoteId: quote.quoteId, method: 'erc3009', signatures }, 'client')
  const declined = await open([bytesToHex(randomBytes(66))])
  assert.deepEqual([declined.state, declined.reason], ['declined', 'would_fail'])
  const answer = await open([`${signature}00`])
  assert.equal(answer.state, 'submitted', JSON.stringify(answer))
  assert.equal((await ended(opener, quote, answer)).state, 'opened')
})

test('opens no more orders in a day, and for no more gas, than the operator says', async () => {
  const senders = await Promise.all(Array.from({ length: 4 }, () => newSender(world)))
  const opener = await start({ terms: { dailyOrders: 2 } })
  const [one, two, three, four] = senders
  assert(one && two && three && four)
  for (const sender of [one, two])
    assert.equal((await openBy(opener, sender, newQuote(world, sender.address))).state, 'submitted')
  await assert.rejects(openBy(opener, three, newQuote(world, three.address)), refusedAs('RATE_LIMITED'))
  opener.pass(86_400_001)
  assert.equal((await openBy(opener, three, newQuote(world, three.address))).state, 'submitted')
  // The limit of gas for this method is 260,000.
  const frugal = await start({ terms: { costCap: (260_000n * GAS_PRICE - 1n).toString() } })
  const dear = await openBy(frugal, four, newQuote(world, four.address))
  assert.deepEqual([dear.state, dear.reason], ['declined', 'too_expensive'])
  const short = await start({ terms: { dailyCostCap: (520_000n * GAS_PRICE - 1n).toString() } })
  assert.equal((await openBy(short, four, newQuote(world, four.address))).state, 'submitted')
  const fifth = await newSender(world)
  await assert.rejects(openBy(short, fifth, newQuote(world, fifth.address)), refusedAs('RATE_LIMITED'))
})

test('many senders at once do not open more than the day allows', async () => {
  const senders = await Promise.all(Array.from({ length: 8 }, () => newSender(world)))
  const opener = await start({ terms: { dailyOrders: 3 } })
  const signed = await signedBy()
  const answers = await Promise.allSettled(
    senders.map((sender) => openBy(opener, sender, newQuote(world, sender.address))),
  )
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 3)
  await until(async () => (await signedBy()) === signed + 3)
})

test('declines while the chain cannot be read, or the opener has no funds for what waits', async () => {
  const sender = await newSender(world)
  const dead = () => Promise.reject(new Error('no answer'))
  const blind = await start({ evm: { callAgreed: dead } })
  const unread = await openBy(blind, sender, newQuote(world, sender.address))
  assert.deepEqual([unread.state, unread.reason], ['declined', 'unavailable'])
  let balance = 260_000n * GAS_PRICE - 1n
  const poor = await start({ evm: { balances: async () => ({ blockNumber: 1n, amounts: [balance] }) } })
  const told = () => poor.events.filter((event) => event.startsWith('opener_'))
  for (const _ of [1, 2]) {
    const unpaid = await openBy(poor, sender, newQuote(world, sender.address))
    assert.deepEqual([unpaid.state, unpaid.reason], ['declined', 'unavailable'])
  }
  assert.deepEqual(told(), ['opener_unfunded'])
  balance += 1n
  assert.equal((await openBy(poor, sender, newQuote(world, sender.address))).state, 'submitted')
  assert.deepEqual(told(), ['opener_unfunded', 'opener_funded'])
})

test('quotes offer the opening methods of the token and the chain, and none for native input', async () => {
  const opener = await start({ terms: { permit2: false } })
  const { order, orderId } = world.orderIn(newQuote(world, OPENER))
  const methods = (allowance: bigint | undefined, input = order.inputToken) =>
    opener.openingsOf({ ...order, inputToken: input }, orderId, allowance)?.map(({ method }) => method)
  assert.deepEqual(methods(undefined), ['erc3009', 'erc2612'])
  assert.deepEqual(methods(maxUint256), ['erc3009', 'erc2612', 'allowance'])
  assert.equal(methods(0n, '0x0000000000000000000000000000000000000000'), undefined)
})
