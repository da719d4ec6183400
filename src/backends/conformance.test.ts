import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Hex, maxUint256, type TransactionReceipt } from 'viem'
import {
  type BackendWorld,
  execute,
  offerFor,
  orderFor,
  pairsOf,
  quote,
  recordOf,
  startBackendWorld,
  user,
} from '../../test/backend-world.ts'
import { balanceOf } from '../../test/wallet.ts'
import { TOKEN_SENT_TOPIC } from '../axelar/gateway-contract.ts'
import { CONTRACT_CALL_TOPIC } from '../axelar/its-contract.ts'
import type { AssetPair, Order } from '../core/order.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Observation } from '../core/transfer.ts'
import type { Backend, Lookup } from './backend.ts'

let world: BackendWorld
before(async () => {
  world = await startBackendWorld()
})
after(() => world.stop())

const backendOf = (type: string): Backend => {
  const found = world.backends.find((backend) => backend.type === type)
  assert.ok(found)
  return found
}

const lookupOf = (record: QuoteRecord, receipt: TransactionReceipt): NonNullable<Lookup> => {
  const topic = record.backend === 'its' ? CONTRACT_CALL_TOPIC : TOKEN_SENT_TOPIC
  const position = receipt.logs.findIndex(({ topics }) => topics[0] === topic)
  assert.ok(position >= 0)
  return { messageId: `${receipt.transactionHash}-${position}`, sourceChain: record.fromChain }
}

/** Every distinct stage seen until the observation is of the wanted kind, within 30 seconds. */
const follow = async (
  backend: Backend,
  record: QuoteRecord,
  lookup: Lookup,
  wanted: Observation['seen'],
): Promise<{ readonly stages: readonly unknown[]; readonly last: Observation }> => {
  const stages: unknown[] = []
  const giveUpAt = Date.now() + 30_000
  for (;;) {
    const last = await backend.track(record, lookup)
    const stage = `${last.seen} ${last.details['stage'] ?? ''}`
    if (stages.at(-1) !== stage) stages.push(stage)
    if (last.seen === wanted) return { stages, last }
    if (Date.now() > giveUpAt) assert.fail(`still ${stages.join(', ')}: ${JSON.stringify(last)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const pairOf = (backend: Backend, symbol: RegExp, from: number, to: number): AssetPair => {
  const ids = world.catalog.chains.map(({ chainId }) => chainId)
  const found = pairsOf(world, backend).find(
    (pair) =>
      symbol.test(pair.from.token.symbol) &&
      pair.from.chain.chainId === ids[from] &&
      pair.to.chain.chainId === ids[to],
  )
  assert.ok(found)
  return found
}

const balance = (asset: AssetPair['from'], owner: Hex): Promise<bigint> =>
  balanceOf(world.sandbox, { chain: asset.chain.chainId, token: `0x${asset.token.address.slice(2)}` }, owner)

test('every route quotes both order types, firm, with a fee, a time and actions', async () => {
  for (const backend of world.backends) {
    const pairs = pairsOf(world, backend)
    assert.ok(pairs.length >= 10, `${backend.type} has ${pairs.length} routes`)
    for (const pair of pairs) {
      assert.ok(backend.serves(pair.from.token) && backend.serves(pair.to.token))
      for (const orderType of ['EXACT_INPUT', 'EXACT_OUTPUT'] as const) {
        const amount = 10n ** BigInt((orderType === 'EXACT_INPUT' ? pair.from : pair.to).token.decimals) * 20n
        const offer = await offerFor(backend, orderFor(pair, amount, { orderType }))
        assert.equal(orderType === 'EXACT_INPUT' ? offer.input : offer.output, amount)
        assert.equal(offer.minimumOutput, offer.output)
        assert.equal(offer.backend, backend.type)
        assert.ok(offer.userFee.amount > 0n && offer.gasFee.amount > 0n && offer.estimatedTimeSeconds > 0)
        assert.equal(offer.actions.at(-1)?.id, 'transfer')
        for (const action of offer.actions) assert.equal(action.chain, pair.from.chain.chainId)
        assert.deepEqual(JSON.parse(JSON.stringify(offer.binding)), offer.binding)
        assert.ok('refund' in offer.metadata && Array.isArray(offer.metadata['warnings']))
      }
    }
  }
})

test('the bounds of AMOUNT_OUT_OF_RANGE really quote, and nothing beyond them does', async () => {
  for (const backend of world.backends) {
    for (const pair of pairsOf(world, backend)) {
      for (const orderType of ['EXACT_INPUT', 'EXACT_OUTPUT'] as const) {
        const ask = (amount: bigint) => quote(backend, orderFor(pair, amount, { orderType }))
        const refused = await ask(maxUint256)
        if (!('declined' in refused)) continue
        assert.ok(refused.declined === 'out_of_range', JSON.stringify(refused.declined))
        const { minimum, maximum } = refused
        assert.ok(maximum !== null && minimum >= 1n && minimum <= maximum)
        assert.ok(!('declined' in (await ask(minimum))))
        assert.ok(!('declined' in (await ask(maximum))))
        assert.ok('declined' in (await ask(maximum + 1n)))
        if (minimum > 1n) assert.ok('declined' in (await ask(minimum - 1n)))
      }
    }
  }
})

test('any amount is quoted exactly: nothing is created, and EXACT_OUTPUT is never short', async () => {
  const pairs = world.backends.flatMap((backend) =>
    pairsOf(world, backend).map((pair) => ({ backend, pair })),
  )
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 30n })
  await fc.assert(
    fc.asyncProperty(
      fc.nat(pairs.length - 1),
      amounts,
      fc.constantFrom<Order['orderType']>('EXACT_INPUT', 'EXACT_OUTPUT'),
      async (index, amount, orderType) => {
        const chosen = pairs[index]
        assert.ok(chosen)
        const { backend, pair } = chosen
        const answer = await quote(backend, orderFor(pair, amount, { orderType }))
        if ('declined' in answer) {
          assert.ok(answer.declined === 'out_of_range')
          assert.ok(amount < answer.minimum || (answer.maximum !== null && amount > answer.maximum))
          return
        }
        const shift = pair.from.token.decimals - pair.to.token.decimals
        const fee = answer.userFee.quoteTreatment === 'included_in_quote' ? answer.userFee.amount : 0n
        const moved = answer.input - fee
        const scaled = shift >= 0 ? moved / 10n ** BigInt(shift) : moved * 10n ** BigInt(-shift)
        assert.equal(answer.output, scaled)
        if (orderType === 'EXACT_INPUT') assert.equal(answer.input, amount)
        else assert.ok(shift < 0 ? answer.output >= amount : answer.output === amount)
      },
    ),
    { numRuns: 300 },
  )
})

const walks = [
  { name: 'its locked token', type: 'its', symbol: /^HBR$/, from: 0, to: 1, amount: 5n * 10n ** 18n + 7n },
  { name: 'its token with dust', type: 'its', symbol: /^HBR$/, from: 0, to: 2, amount: 3n * 10n ** 18n + 7n },
  { name: 'its token home', type: 'its', symbol: /^HBR$/, from: 2, to: 0, amount: 1_234_567n },
  { name: 'its native token', type: 'its', symbol: /^BCN$/, from: 1, to: 2, amount: 2n * 10n ** 18n },
  { name: 'gateway asset out', type: 'gateway', symbol: /^USDC$/, from: 0, to: 1, amount: 25_000_001n },
  { name: 'gateway asset home', type: 'gateway', symbol: /^axlUSDC$/, from: 1, to: 0, amount: 30_000_003n },
] as const

for (const [index, walk] of walks.entries()) {
  test(`a transfer executed as offered arrives to the last base unit: ${walk.name}`, async () => {
    const backend = backendOf(walk.type)
    const pair = pairOf(backend, walk.symbol, walk.from, walk.to)
    const [sender, recipient] = [user(index), user((index + 1) % 10)]
    const order = orderFor(pair, walk.amount, { sender: sender.address, recipient: recipient.address })
    const offer = await offerFor(backend, order)
    const record = recordOf(order, offer)
    assert.equal((await backend.track(record, null)).seen, 'nothing')
    const [sourceBefore, destinationBefore] = [
      await balance(pair.from, sender.address),
      await balance(pair.to, recipient.address),
    ]
    const receipt = await execute(world, offer, sender.privateKey)
    assert.equal(receipt.status, 'success')
    const lookup = lookupOf(record, receipt)
    const { stages, last } = await follow(backend, record, lookup, 'delivered')
    assert.ok(last.seen === 'delivered')
    assert.ok(String(stages[0]).startsWith('in_flight'), stages.join(', '))
    assert.equal(last.output.amount, offer.output.toString())
    assert.equal(last.source.messageId, lookup.messageId)
    assert.equal(sourceBefore - (await balance(pair.from, sender.address)), offer.input)
    assert.equal((await balance(pair.to, recipient.address)) - destinationBefore, offer.output)
    const other = { ...record, input: record.input + 1n } as QuoteRecord
    for (const changed of [
      other,
      { ...record, recipient: user(9).address },
      { ...record, sender: user(8).address },
      { ...record, createdAt: record.createdAt + 3_600_000 },
    ])
      assert.equal((await backend.track(changed, lookup)).seen, 'foreign')
    const wrongLog = { ...lookup, messageId: `${receipt.transactionHash}-0` }
    assert.equal((await backend.track(record, wrongLog)).seen, 'foreign')
  })
}
