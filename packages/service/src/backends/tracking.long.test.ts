import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import {
  type BackendWorld,
  execute,
  offerFor,
  orderFor,
  quote,
  recordOf,
  startBackendWorld,
  user,
} from '../../test/backend-world.ts'
import { dropBlock } from '../../test/drop-block.ts'
import { eventually } from '../../test/eventually.ts'
import {
  addressOf,
  backendOf,
  balance,
  follow,
  followStage,
  lookupOf,
  pairOf,
} from '../../test/follow-backend.ts'
import { startLocalServer } from '../../test/local-server.ts'
import { chainClients } from '../../test/wallet.ts'
import { baseUnits } from '../core/amount.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { createAxelarscan } from '../protocols/axelar/gmp.ts'
import { interchainTransferTemplate } from '../protocols/axelar/its-contract.ts'
import { createLcd } from '../protocols/axelar/lcd.ts'
import { createBackends } from './create-backends.ts'
import { BACKENDS } from './index.ts'

let world: BackendWorld
before(async () => {
  world = await startBackendWorld()
})
after(() => world.stop())

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
  {
    name: 'its token of the gateway',
    type: 'its',
    symbol: /^axlWETH$/,
    from: 2,
    to: 0,
    amount: 10n ** 16n + 7n,
  },
  { name: 'express', type: 'gateway-express', symbol: /^USDC$/, from: 0, to: 2, amount: 50_000_009n },
] as const

test('a transfer executed as offered delivers the exact output', {
  concurrency: true,
}, async (context) => {
  await Promise.all(
    walks.map((walk, index) =>
      context.test(walk.name, async () => {
        const backend = backendOf(world, walk.type)
        const pair = pairOf(world, backend, walk.symbol, walk.from, walk.to)
        const sender = user(index)
        const recipient = addressOf(0xabc00 + index)
        const order = orderFor(pair, walk.amount, { sender: sender.address, recipient })
        const offer = await offerFor(backend, order)
        const record = recordOf(order, offer)
        assert.equal((await backend.track(record, null)).seen, 'nothing')
        const before = await balance(world, pair.from, sender.address)
        const receipt = await execute(world, offer, sender.privateKey)
        assert.equal(receipt.status, 'success')
        const lookup = lookupOf(world, backend, record, receipt)
        const { stages, last } = await follow(backend, record, lookup, 'delivered')
        assert.ok(last.seen === 'delivered')
        const known = stages.filter((stage) => !stage.startsWith('unreadable'))
        assert.ok(
          known.slice(0, -1).every((stage) => stage.startsWith('in_flight')),
          stages.join(', '),
        )
        assert.equal(last.output.amount, offer.output.toString())
        assert.equal(last.source.messageId, lookup.messageId)
        assert.equal(before - (await balance(world, pair.from, sender.address)), offer.input)
        assert.equal(await balance(world, pair.to, recipient), offer.output)
        const changes: readonly Partial<QuoteRecord>[] = [
          // An input that is swapped first appears in no message; the salt distinguishes those quotes.
          walk.type === 'gateway-express'
            ? { binding: { ...record.binding, salt: `0x${'77'.repeat(32)}` } }
            : { input: baseUnits(record.input + 1n) },
          { recipient: addressOf(0xbad) },
          { sender: addressOf(0xbad) },
          { createdAt: record.createdAt + 3_600_000 },
          { binding: { ...record.binding, destinationAxelarChain: 'elsewhere' } },
        ]
        for (const change of changes)
          assert.equal((await backend.track({ ...record, ...change }, lookup)).seen, 'mismatched')
        const wrongLog = { ...lookup, messageId: `${receipt.transactionHash}-0` }
        assert.equal((await backend.track(record, wrongLog)).seen, 'mismatched')
        const wrongChain = { ...lookup, sourceChain: record.toChain }
        assert.equal((await backend.track(record, wrongChain)).seen, 'mismatched')
      }),
    ),
  )
})

test('an underpaid message stalls, reports it, and continues once gas is added', async () => {
  const backend = backendOf(world, 'its')
  const pair = pairOf(world, backend, /^BCN$/, 0, 1)
  const order = orderFor(pair, 10n ** 18n, { sender: user(0).address, recipient: addressOf(0xdef1) })
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
  const lookup = lookupOf(world, backend, record, receipt)
  const last = await followStage(backend, record, lookup, 'gas_insufficient')
  assert.equal(last.details['actionRequired'], 'add_gas')
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

test('a transfer that the hub can never execute is told as such, and is not over at once', async () => {
  const backend = backendOf(world, 'its')
  const pair = pairOf(world, backend, /^HBR$/, 0, 2)
  const order = orderFor(pair, 10n ** 12n, { sender: user(4).address, recipient: addressOf(0xdef3) })
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
  const lookup = lookupOf(world, backend, record, receipt)
  const last = await eventually('the refusal is told', async () => {
    const seen = await backend.track(record, lookup)
    return seen.details['reasonCode'] === 'amount_too_small' ? seen : undefined
  })
  assert.deepEqual([last.seen, last.details['stage']], ['in_flight', 'invalid_message'])
  assert.match(String(last.details['error']), /invalid transfer amount/)
})

/** An indexer that reports every message as delivered by one transaction. */
const startLiar = (deliveryTxHash: string) =>
  startLocalServer(({ body }, response) => {
    const { messageId } = JSON.parse(body)
    const executed = { transactionHash: deliveryTxHash, childMessageIDs: [`0x${'01'.repeat(32)}-1`] }
    response.end(JSON.stringify({ data: [{ message_id: messageId, status: 'executed', executed }] }))
  })

test('a delivery that the destination chain does not show is not reported', async () => {
  const prepare = async (type: 'its' | 'gateway', sender: ReturnType<typeof user>) => {
    const backend = backendOf(world, type)
    const pair = pairOf(world, backend, type === 'its' ? /^BCN$/ : /^USDC$/, 0, 1)
    const send = async (recipient: Hex) => {
      const amount = 60n * 10n ** BigInt(pair.from.token.decimals)
      const order = orderFor(pair, amount, { sender: sender.address, recipient })
      const offer = await offerFor(backend, order)
      const record = recordOf(order, offer)
      return {
        record,
        lookup: lookupOf(world, backend, record, await execute(world, offer, sender.privateKey)),
      }
    }
    const others = await send(addressOf(0xdef5))
    const { last } = await follow(backend, others.record, others.lookup, 'delivered')
    assert.ok(last.seen === 'delivered')
    return { type, backend, send, delivery: last.destination.txHash }
  }
  const deceive = async ({ type, send, delivery }: Awaited<ReturnType<typeof prepare>>) => {
    const mine = await send(addressOf(0xdef4))
    const liar = await startLiar(delivery)
    const axelarscan = createAxelarscan({ urls: liar.url, now: Date.now, log: () => undefined })
    const deceived = { ...world.deps, axelar: { ...world.deps.axelar, axelarscan } }
    const believer = createBackends(BACKENDS, deceived).find((candidate) => candidate.type === type)
    assert.ok(believer)
    const seen = await believer.track(mine.record, mine.lookup)
    const stage = type === 'its' ? 'delivery_not_verified' : 'executed'
    assert.equal(`${seen.seen} ${seen.details['stage']}`, `in_flight ${stage}`)
    liar.stop()
    return mine
  }
  const prepared = await Promise.all([prepare('its', user(6)), prepare('gateway', user(2))])
  // A transfer that has arrived would be reported.
  await world.control('/sandbox/relayer', { paused: true })
  const sent = await Promise.all(prepared.map(deceive))
  await world.control('/sandbox/relayer', { paused: false })
  for (const [index, { backend }] of prepared.entries()) {
    const mine = sent[index]
    assert.ok(mine)
    await follow(backend, mine.record, mine.lookup, 'delivered')
  }
})

test('without Axelar a known message stays in flight or is found on its destination, and nothing is quoted', async () => {
  const nowhere = { urls: 'http://127.0.0.1:9', now: Date.now, log: () => undefined }
  const axelar = {
    ...world.deps.axelar,
    axelarscan: createAxelarscan(nowhere),
    lcd: createLcd(nowhere),
  }
  for (const type of ['its', 'gateway']) {
    const blind = createBackends(BACKENDS, { ...world.deps, axelar }).find(
      (candidate) => candidate.type === type,
    )
    assert.ok(blind)
    const backend = backendOf(world, blind.type)
    const pair = pairOf(world, backend, blind.type === 'its' ? /^BCN$/ : /^USDC$/, 0, 1)
    const order = orderFor(pair, 50n * 10n ** BigInt(pair.from.token.decimals), { sender: user(5).address })
    const offer = await offerFor(backend, order)
    const record = recordOf(order, offer)
    const lookup = lookupOf(world, backend, record, await execute(world, offer, user(5).privateKey))
    if (type === 'its') await followStage(blind, record, lookup, 'relay_unreadable')
    else await follow(blind, record, lookup, 'delivered')
    await blind.start()
    const answer = await quote(blind, order)
    blind.stop()
    assert.ok('declined' in answer && answer.declined === 'unpriced')
  }
})

test('a reverted source transaction fails the transfer once it is final, never before', async () => {
  const revert = async (type: 'its' | 'gateway', sender: ReturnType<typeof user>): Promise<void> => {
    const backend = backendOf(world, type)
    const pair = pairOf(world, backend, type === 'its' ? /^HBR$/ : /^USDC$/, 0, 1)
    const order = orderFor(pair, 30n * 10n ** BigInt(pair.from.token.decimals), { sender: sender.address })
    const offer = await offerFor(backend, order)
    const record = recordOf(order, offer)
    const unapproved = offer.actions.slice(-1)
    const receipt = await execute(world, { ...offer, actions: unapproved }, sender.privateKey)
    assert.equal(receipt.status, 'reverted')
    const lookup = { messageId: `${receipt.transactionHash}-0`, sourceChain: record.fromChain }
    const { stages, last } = await follow(backend, record, lookup, 'failed')
    const early = stages.slice(0, -1).filter((stage) => !stage.startsWith('unreadable'))
    assert.ok(
      early.every((stage) => stage === 'nothing source_reverted_not_final'),
      stages.join(', '),
    )
    assert.equal(last.details['reasonCode'], 'source_tx_reverted')
    const stranger = { ...record, sender: user(7).address }
    assert.equal((await backend.track(stranger, lookup)).seen, 'mismatched')
  }
  await Promise.all([revert('its', user(9)), revert('gateway', user(8))])
})

test('a paused relay, an unreachable chain and a reorg end no transfer', async () => {
  const backend = backendOf(world, 'gateway')
  const pair = pairOf(world, backend, /^axlUSDC$/, 1, 2)
  const order = orderFor(pair, 40_000_000n, { sender: user(3).address, recipient: addressOf(0xdef2) })
  const offer = await offerFor(backend, order)
  const first = recordOf(order, offer)
  const unknown = { messageId: `0x${'77'.repeat(32)}-1`, sourceChain: first.fromChain }
  await follow(backend, first, unknown, 'nothing')
  await world.control('/sandbox/relayer', { paused: true })
  const receipt = await execute(world, offer, user(3).privateKey)
  const dropped = lookupOf(world, backend, first, receipt)
  await follow(backend, first, dropped, 'in_flight')
  const chainId = first.fromChain
  const { reader } = chainClients(world.sandbox, chainId)
  const reorganise = (depth: number) => world.control('/sandbox/reorg', { chainId, depth })
  await dropBlock({ reader, reorganise }, receipt.blockNumber)
  await follow(backend, first, dropped, 'nothing')
  const again = await offerFor(backend, order)
  const record = recordOf(order, again)
  const lookup = lookupOf(world, backend, record, await execute(world, again, user(3).privateKey))
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
