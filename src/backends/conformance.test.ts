import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { encodeFunctionData, type Hex, maxUint256, parseAbi, type TransactionReceipt } from 'viem'
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
import { createAxelarscan } from '../axelar/gmp.ts'
import { CONTRACT_CALL_TOPIC, interchainTransferTemplate } from '../axelar/its-contract.ts'
import { createLcd } from '../axelar/lcd.ts'
import { baseUnits } from '../core/amount.ts'
import type { Offer } from '../core/offer.ts'
import type { AssetPair, Order } from '../core/order.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Observation } from '../core/transfer.ts'
import type { Backend, Lookup } from './backend.ts'
import { gateway } from './gateway/index.ts'
import { its } from './its/index.ts'

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

/** Polls until `isWanted`, within 30 seconds; answers every distinct stage on the way and the last observation. */
const poll = async (
  backend: Backend,
  record: QuoteRecord,
  lookup: Lookup,
  isWanted: (observation: Observation) => boolean,
): Promise<{ readonly stages: readonly string[]; readonly last: Observation }> => {
  const stages: string[] = []
  const giveUpAt = Date.now() + 30_000
  for (;;) {
    const last = await backend.track(record, lookup)
    const stage = `${last.seen} ${last.details['stage'] ?? ''}`
    if (stages.at(-1) !== stage) stages.push(stage)
    if (isWanted(last)) return { stages, last }
    if (Date.now() > giveUpAt) assert.fail(`still ${stages.join(', ')}: ${JSON.stringify(last)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const follow = (backend: Backend, record: QuoteRecord, lookup: Lookup, wanted: Observation['seen']) =>
  poll(backend, record, lookup, ({ seen }) => seen === wanted)

const followStage = async (
  backend: Backend,
  record: QuoteRecord,
  lookup: Lookup,
  wanted: string,
): Promise<Observation> => {
  const { last } = await poll(backend, record, lookup, ({ details }) => details['stage'] === wanted)
  assert.equal(last.seen, 'in_flight')
  return last
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
  { name: 'its token from home', type: 'its', symbol: /^HBR$/, from: 0, to: 1, amount: 5n * 10n ** 18n + 7n },
  { name: 'its token with dust', type: 'its', symbol: /^HBR$/, from: 0, to: 2, amount: 3n * 10n ** 18n + 7n },
  { name: 'its token to its home', type: 'its', symbol: /^HBR$/, from: 2, to: 0, amount: 1_234_567n },
  { name: 'its token that resets allowances', type: 'its', symbol: /^USDT$/, from: 1, to: 0, amount: 77n },
  {
    name: 'its token without approval',
    type: 'its',
    symbol: /^BCN$/,
    from: 1,
    to: 2,
    amount: 2n * 10n ** 18n,
  },
  { name: 'gateway asset from home', type: 'gateway', symbol: /^USDC$/, from: 0, to: 1, amount: 25_000_001n },
  {
    name: 'gateway asset to its home',
    type: 'gateway',
    symbol: /^axlUSDC$/,
    from: 1,
    to: 0,
    amount: 30_000_003n,
  },
] as const

const address = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`

test('a transfer executed as offered arrives to the last base unit', {
  concurrency: true,
}, async (context) => {
  await Promise.all(
    walks.map((walk, index) =>
      context.test(walk.name, async () => {
        const backend = backendOf(walk.type)
        const pair = pairOf(backend, walk.symbol, walk.from, walk.to)
        const sender = user(index)
        const recipient = address(0xabc00 + index)
        const order = orderFor(pair, walk.amount, { sender: sender.address, recipient })
        const offer = await offerFor(backend, order)
        const record = recordOf(order, offer)
        assert.equal((await backend.track(record, null)).seen, 'nothing')
        const before = await balance(pair.from, sender.address)
        const receipt = await execute(world, offer, sender.privateKey)
        assert.equal(receipt.status, 'success')
        const lookup = lookupOf(record, receipt)
        const { stages, last } = await follow(backend, record, lookup, 'delivered')
        assert.ok(last.seen === 'delivered')
        assert.ok(String(stages[0]).startsWith('in_flight'), stages.join(', '))
        assert.equal(last.output.amount, offer.output.toString())
        assert.equal(last.source.messageId, lookup.messageId)
        assert.equal(before - (await balance(pair.from, sender.address)), offer.input)
        assert.equal(await balance(pair.to, recipient), offer.output)
        const changes: readonly Partial<QuoteRecord>[] = [
          { input: baseUnits(record.input + 1n) },
          { recipient: user(9).address },
          { sender: user(8).address },
          { createdAt: record.createdAt + 3_600_000 },
          { binding: { ...record.binding, destinationAxelarChain: 'elsewhere' } },
        ]
        for (const change of changes)
          assert.equal((await backend.track({ ...record, ...change }, lookup)).seen, 'foreign')
        const wrongLog = { ...lookup, messageId: `${receipt.transactionHash}-0` }
        assert.equal((await backend.track(record, wrongLog)).seen, 'foreign')
        const wrongChain = { ...lookup, sourceChain: record.toChain }
        assert.equal((await backend.track(record, wrongChain)).seen, 'foreign')
      }),
    ),
  )
})

test('asks for no more approval than is needed', async () => {
  const backend = backendOf('its')
  const pair = pairOf(backend, /^USDT$/, 1, 0)
  const sender = user(7)
  const ask = (amount: bigint, approvalMode: Order['approvalMode']) =>
    offerFor(backend, orderFor(pair, amount, { sender: sender.address, approvalMode }))
  const idsOf = (offer: Offer): readonly string[] => offer.actions.map(({ id }) => id)
  const unlimited = await ask(1_000n, 'MAX')
  assert.deepEqual(idsOf(unlimited), ['approve', 'transfer'])
  assert.ok(JSON.stringify(unlimited.actions[0]).includes('f'.repeat(64)))
  const exact = await ask(1_000n, 'EXACT')
  await execute(world, { ...exact, actions: exact.actions.slice(0, 1) }, sender.privateKey)
  const settled = async (amount: bigint, wanted: readonly string[]): Promise<void> => {
    const giveUpAt = Date.now() + 10_000
    for (;;) {
      const ids = idsOf(await ask(amount, 'EXACT'))
      if (ids.join() === wanted.join()) return
      if (Date.now() > giveUpAt) assert.deepEqual(ids, wanted)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  await settled(1_000n, ['transfer'])
  await settled(1_001n, ['approve_reset', 'approve', 'transfer'])
})

test('an underpaid message stalls, says so, and moves on once gas is added', async () => {
  const backend = backendOf('its')
  const pair = pairOf(backend, /^BCN$/, 0, 1)
  const order = orderFor(pair, 10n ** 18n, { sender: user(0).address, recipient: address(0xdef1) })
  const offer = await offerFor(backend, order)
  const record = recordOf(order, offer)
  const data = interchainTransferTemplate(
    String(record.binding['tokenId']),
    String(record.binding['destinationAxelarChain']),
  )({ recipient: order.recipient, amount: offer.input, gasValue: 1n })
  const [action] = offer.actions
  assert.ok(action?.payload.type === 'evm_transaction')
  const underpaid = { ...action, payload: { ...action.payload, data, value: '1' } }
  const receipt = await execute(world, { ...offer, actions: [underpaid] }, user(0).privateKey)
  const lookup = lookupOf(record, receipt)
  const last = await followStage(backend, record, lookup, 'gas_insufficient')
  assert.equal(last.details['actionRequired'], 'ADD_GAS')
  const position = Number(lookup.messageId.split('-')[1])
  const logIndex = receipt.logs[position]?.logIndex
  const deployment = world.catalog.chain(record.fromChain)?.axelar
  assert.ok(logIndex !== undefined && deployment !== undefined)
  const addGas = encodeFunctionData({
    abi: parseAbi(['function addNativeGas(bytes32 txHash, uint256 logIndex, address refundAddress) payable']),
    args: [receipt.transactionHash, BigInt(logIndex), user(0).address],
  })
  const topUp = {
    ...action,
    payload: {
      ...action.payload,
      to: deployment.gasService,
      data: addGas,
      value: offer.userFee.amount.toString(),
    },
  }
  await execute(world, { ...offer, actions: [topUp] }, user(0).privateKey)
  await follow(backend, record, lookup, 'delivered')
})

test('a transfer that the hub refuses for good fails, and only that', async () => {
  const backend = backendOf('its')
  const pair = pairOf(backend, /^HBR$/, 0, 2)
  const order = orderFor(pair, 10n ** 12n, { sender: user(4).address, recipient: address(0xdef3) })
  const offer = await offerFor(backend, order)
  const record = { ...recordOf(order, offer), input: baseUnits(1n) }
  const data = interchainTransferTemplate(
    String(record.binding['tokenId']),
    String(record.binding['destinationAxelarChain']),
  )({ recipient: order.recipient, amount: 1n, gasValue: offer.userFee.amount })
  const actions = offer.actions.map((action) =>
    action.id === 'transfer' && action.payload.type === 'evm_transaction'
      ? { ...action, payload: { ...action.payload, data } }
      : action,
  )
  const receipt = await execute(world, { ...offer, actions }, user(4).privateKey)
  const { last } = await follow(backend, record, lookupOf(record, receipt), 'failed')
  assert.equal(last.details['reasonCode'], 'HUB_REJECTED')
  assert.match(String(last.details['error']), /invalid transfer amount/)
})

test('without Axelar a seen message stays in flight, and nothing is priced', async () => {
  const nowhere = { url: 'http://127.0.0.1:9', now: Date.now, log: () => undefined }
  const deps = { ...world.deps, axelarscan: createAxelarscan(nowhere), lcd: createLcd(nowhere) }
  for (const [type, blind] of [
    ['its', its(deps)],
    ['gateway', gateway(deps)],
  ] as const) {
    const backend = backendOf(type)
    const pair = pairOf(backend, type === 'its' ? /^BCN$/ : /^USDC$/, 0, 1)
    const order = orderFor(pair, 50n * 10n ** BigInt(pair.from.token.decimals), { sender: user(5).address })
    const offer = await offerFor(backend, order)
    const record = recordOf(order, offer)
    const lookup = lookupOf(record, await execute(world, offer, user(5).privateKey))
    const seen = await blind.track(record, lookup)
    assert.equal(`${seen.seen} ${seen.details['stage']}`, 'in_flight relay_unreadable')
    await blind.start()
    const answer = await quote(blind, order)
    blind.stop()
    assert.ok('declined' in answer && answer.declined === 'unpriced')
  }
})

test('warns of unreviewed tokens, lost dust and high losses, and states that nothing is refunded', async () => {
  const codesOf = async (type: string, symbol: RegExp, to: number, amount: bigint): Promise<unknown> => {
    const backend = backendOf(type)
    const { metadata } = await offerFor(backend, orderFor(pairOf(backend, symbol, 0, to), amount))
    assert.equal(metadata['priceImpactBps'], 0)
    assert.equal(Object(metadata['refund']).automatic, false)
    const warnings = metadata['warnings']
    assert.ok(Array.isArray(warnings))
    return warnings.map(({ code }) => code)
  }
  assert.deepEqual(await codesOf('its', /^HBR$/, 1, 10n ** 18n), [])
  assert.deepEqual(await codesOf('its', /^DRIFT$/, 1, 10n ** 18n), ['unverified_token', 'unverified_token'])
  assert.deepEqual(await codesOf('its', /^HBR$/, 2, 10n ** 18n + 1n), ['dust_lost'])
  assert.deepEqual(await codesOf('its', /^HBR$/, 2, 19n * 10n ** 11n), ['dust_lost', 'high_loss'])
  assert.deepEqual(await codesOf('gateway', /^USDC$/, 1, 1_500_001n), ['high_loss'])
})

test('prices from memory', async () => {
  for (const backend of world.backends) {
    const [pair] = pairsOf(world, backend)
    assert.ok(pair)
    const order = orderFor(pair, 20n * 10n ** BigInt(pair.from.token.decimals))
    const runs = 5_000
    for (let run = 0; run < runs; run += 1) await offerFor(backend, order)
    const startedAt = performance.now()
    for (let run = 0; run < runs; run += 1) await offerFor(backend, order)
    const microseconds = ((performance.now() - startedAt) / runs) * 1000
    assert.ok(microseconds < 100, `${backend.type} takes ${microseconds} us`)
  }
})

test('a reverted source transaction fails the transfer once it is final, never before', async () => {
  for (const type of ['its', 'gateway']) {
    const backend = backendOf(type)
    const pair = pairOf(backend, type === 'its' ? /^HBR$/ : /^USDC$/, 0, 1)
    const order = orderFor(pair, 30n * 10n ** BigInt(pair.from.token.decimals), { sender: user(9).address })
    const offer = await offerFor(backend, order)
    const record = recordOf(order, offer)
    const unapproved = offer.actions.slice(-1)
    const receipt = await execute(world, { ...offer, actions: unapproved }, user(9).privateKey)
    assert.equal(receipt.status, 'reverted')
    const lookup = { messageId: `${receipt.transactionHash}-0`, sourceChain: record.fromChain }
    const { stages, last } = await follow(backend, record, lookup, 'failed')
    assert.deepEqual(stages, ['nothing source_reverted_not_final', 'failed source_reverted'])
    assert.equal(last.details['reasonCode'], 'SOURCE_TX_REVERTED')
    const stranger = { ...record, sender: user(8).address }
    assert.equal((await backend.track(stranger, lookup)).seen, 'foreign')
  }
})

test('a paused relay, a dead chain and a reorg end nothing', async () => {
  const backend = backendOf('gateway')
  const pair = pairOf(backend, /^axlUSDC$/, 1, 2)
  const order = orderFor(pair, 40_000_000n, { sender: user(3).address, recipient: address(0xdef2) })
  const offer = await offerFor(backend, order)
  const record = recordOf(order, offer)
  const unknown = { messageId: `0x${'77'.repeat(32)}-1`, sourceChain: record.fromChain }
  assert.equal((await backend.track(record, unknown)).seen, 'nothing')
  await world.control('/sandbox/relayer', { paused: true })
  const dropped = lookupOf(record, await execute(world, offer, user(3).privateKey))
  assert.equal((await backend.track(record, dropped)).seen, 'in_flight')
  await world.control('/sandbox/reorg', { chainId: record.fromChain, depth: 5 })
  await follow(backend, record, dropped, 'nothing')
  const lookup = lookupOf(record, await execute(world, await offerFor(backend, order), user(3).privateKey))
  await world.control('/sandbox/rpc', { chainId: record.fromChain, up: false })
  await follow(backend, record, unknown, 'unreadable')
  await world.control('/sandbox/rpc', { chainId: record.fromChain, up: true })
  await follow(backend, record, lookup, 'in_flight')
  await world.control('/sandbox/rpc', { chainId: record.toChain, up: false })
  await world.control('/sandbox/relayer', { paused: false })
  await followStage(backend, record, lookup, 'destination_unreadable')
  await world.control('/sandbox/rpc', { chainId: record.toChain, up: true })
  await follow(backend, record, lookup, 'delivered')
})
