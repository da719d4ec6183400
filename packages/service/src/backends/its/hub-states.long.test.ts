import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type BackendWorld,
  execute,
  offerFor,
  orderFor,
  quote,
  recordOf,
  startBackendWorld,
  user,
} from '../../../test/backend-world.ts'
import {
  addressOf,
  backendOf,
  balance,
  follow,
  lookupOf,
  pairOf,
  until,
} from '../../../test/follow-backend.ts'
import { itsDestination } from '../../../test/its-destination.ts'
import { baseUnits } from '../../core/amount.ts'
import type { AssetPair } from '../../core/order.ts'
import { connectAxelar } from '../../protocols/axelar/axelar.ts'
import { interchainTransferTemplate } from '../../protocols/axelar/its-contract.ts'
import { createBackends } from '../create-backends.ts'
import { its } from './index.ts'

let world: BackendWorld
before(async () => {
  world = await startBackendWorld({ withPaymentChains: true })
})
after(() => world.stop())

const force = (state: string, chain?: string, token?: string): Promise<unknown> =>
  world.control('/sandbox/axelar', {
    state,
    ...(chain === undefined ? {} : { chain }),
    ...(token === undefined ? {} : { token }),
  })

/** A new `its` over the same chains, which knows nothing of the hub yet. */
const newBackend = async () => {
  const { network, now, log } = world.deps
  assert.ok(network.axelar)
  const [backend] = createBackends([its], {
    ...world.deps,
    axelar: connectAxelar(network.axelar, { now, log }),
  })
  assert.ok(backend)
  await backend.start()
  return backend
}

/** Why a backend that asks the hub now does not quote a pair; undefined if it does. */
const whyNotQuoted = async (pair: AssetPair): Promise<string | undefined> => {
  const backend = await newBackend()
  const order = () => orderFor(pair, 10n ** BigInt(pair.from.token.decimals))
  const answer = await until(
    () => quote(backend, order()),
    (one) => !('declined' in one && one.declined === 'unpriced' && /unknown|cannot be read/.test(one.reason)),
  )
  backend.stop()
  if (!('declined' in answer)) return undefined
  return 'reason' in answer ? answer.reason : answer.declined
}

type Case = {
  readonly state: string
  /** The side of the pair that the state is about, if any. */
  readonly side?: 'from' | 'to'
  readonly isOfToken?: true
  /** Indices of the pair's chains; the tracked supply is that of a remote chain. */
  readonly between: readonly [number, number]
  readonly declined: RegExp
  /** What a transfer says that was sent before; undefined where the message waits at the router, unseen by the hub. */
  readonly told: string | undefined
}

const CASES: readonly Case[] = [
  { state: 'hub_disabled', between: [0, 1], declined: /carries nothing now/, told: 'hub_disabled' },
  {
    state: 'hub_frozen',
    side: 'from',
    between: [0, 1],
    declined: /has frozen the chain sandbox-a/,
    told: 'hub_frozen',
  },
  {
    state: 'hub_frozen',
    side: 'to',
    between: [0, 1],
    declined: /has frozen the chain sandbox-b/,
    told: 'hub_frozen',
  },
  {
    state: 'not_on_hub',
    side: 'from',
    isOfToken: true,
    between: [0, 1],
    declined: /has no HBR on sandbox-a/,
    told: 'not_on_hub',
  },
  {
    state: 'not_on_hub',
    side: 'to',
    isOfToken: true,
    between: [0, 1],
    declined: /has no HBR on sandbox-b/,
    told: 'not_on_hub',
  },
  {
    state: 'supply_short',
    side: 'from',
    isOfToken: true,
    between: [1, 0],
    declined: /used up/,
    told: 'supply_short',
  },
  { state: 'router_disabled', between: [0, 1], declined: /carries nothing now/, told: undefined },
]

for (const [index, { state, side, isOfToken, between, declined, told }] of CASES.entries())
  test(`${state}${side === undefined ? '' : ` of the ${side === 'from' ? 'source' : 'destination'}`}: nothing is quoted, a transfer under way says why, and is delivered once it is over`, async (context) => {
    const backend = backendOf(world, 'its')
    const pair = pairOf(world, backend, /^HBR$/, ...between)
    const amount = 10n ** BigInt(pair.from.token.decimals)
    const sender = user(index)
    const recipient = addressOf(0xb0b0 + index)
    const order = orderFor(pair, amount, { sender: sender.address, recipient })
    const offer = await offerFor(backend, order)
    const place = side === undefined ? undefined : pair[side]
    await force(state, place?.chain.chainId, isOfToken && place?.token.symbol)
    assert.match((await whyNotQuoted(pair)) ?? 'it is quoted', declined)
    const record = recordOf(order, offer)
    const lookup = lookupOf(world, backend, record, await execute(world, offer, sender.privateKey))
    const seen = await until(
      () => backend.track(record, lookup),
      ({ details }) =>
        told === undefined ? details['stage'] === 'called' : details['reasonCode'] !== undefined,
    )
    assert.equal(seen.seen, 'in_flight')
    if (told !== undefined) {
      const { stage, reasonCode, actionRequired } = seen.details
      assert.deepEqual([stage, reasonCode, actionRequired], ['hub_refused', told, 'execute_at_hub'])
    }
    assert.deepEqual(await backend.recoveries?.(record, lookup), [])
    // A message that a hub refused is not executed again unasked.
    await force('hub_normal')
    if (told !== undefined) {
      assert.equal((await backend.track(record, lookup)).details['stage'], 'hub_refused')
      await force('execute_at_hub')
    }
    await follow(backend, record, lookup, 'delivered')
    assert.equal(await balance(world, pair.to, recipient), BigInt(offer.output))
    context.diagnostic(`${state} ${side ?? ''}: declined ${declined}, in flight ${told ?? 'called'}, DONE`)
  })

test('a transfer is quoted up to the supply that the hub has brought to its source', async () => {
  const backend = backendOf(world, 'its')
  const pair = pairOf(world, backend, /^BCN$/, 1, 0)
  const tokenId = world.catalog.token(pair.from.chain.chainId, pair.from.token.address)?.its?.tokenId
  assert.ok(tokenId !== undefined)
  const supply = (await world.deps.axelar.hub?.token('sandbox-b', tokenId))?.supply
  assert.ok(typeof supply === 'bigint' && supply > 0n)
  const answer = await quote(backend, orderFor(pair, supply + 1n))
  assert.ok('declined' in answer && answer.declined === 'out_of_range')
  assert.ok(answer.maximum !== null && answer.maximum <= supply)
  assert.equal(await world.deps.axelar.hub?.token('Sandbox-B', tokenId), undefined)
})

test('a token whose decimals the hub counts otherwise than its chain is not quoted', async () => {
  const pair = pairOf(world, backendOf(world, 'its'), /^HBR$/, 0, 1)
  for (const side of [pair.from, pair.to]) {
    await force('other_decimals', side.chain.chainId, side.token.symbol)
    assert.match((await whyNotQuoted(pair)) ?? 'it is quoted', /with 19 decimals, the chain with 18/)
    await force('hub_normal')
  }
  assert.equal(await whyNotQuoted(pair), undefined)
})

test('a chain that the router has frozen is not quoted, and a transfer to it is delivered once it is not', async () => {
  const backend = backendOf(world, 'its')
  const { pair, accountAt, held } = itsDestination(world, 'solana')
  const recipient = accountAt(3)
  const order = orderFor(pair, 10n ** BigInt(pair.from.token.decimals), {
    sender: user(8).address,
    recipient,
  })
  const offer = await offerFor(backend, order)
  await force('router_frozen', pair.to.chain.chainId)
  assert.match((await whyNotQuoted(pair)) ?? 'it is quoted', /router has frozen the chain/)
  const record = recordOf(order, offer)
  const before = await held(recipient)
  const lookup = lookupOf(world, backend, record, await execute(world, offer, user(8).privateKey))
  await until(
    () => backend.track(record, lookup),
    ({ details }) => details['reasonCode'] === 'hub_frozen',
  )
  await force('hub_normal')
  await force('execute_at_hub')
  await follow(backend, record, lookup, 'delivered')
  assert.equal((await held(recipient)) - before, BigInt(offer.output))
})

test('an amount that is nothing in the decimals of the hub has no stranger who helps: it fails by the word of the hub, once it is overdue', async () => {
  const backend = backendOf(world, 'its')
  const pair = pairOf(world, backend, /^HBR$/, 0, 2)
  const order = orderFor(pair, 10n ** 12n, { sender: user(9).address, recipient: addressOf(0xb0bf) })
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
  const lookup = lookupOf(
    world,
    backend,
    record,
    await execute(world, { ...offer, actions }, user(9).privateKey),
  )
  const overdue = { ...record, estimatedTimeSeconds: -3_600 }
  const { last } = await follow(backend, overdue, lookup, 'failed')
  assert.equal(last.details['reasonCode'], 'amount_too_small')
  assert.equal((await backend.track(record, lookup)).seen, 'in_flight')
  await force('execute_at_hub')
  assert.equal((await backend.track(overdue, lookup)).seen, 'failed')
  // Without the hub's own word nothing has failed.
  const [blind] = createBackends([its], {
    ...world.deps,
    axelar: { ...world.deps.axelar, hub: undefined },
  })
  assert.equal((await blind?.track(overdue, lookup))?.seen, 'in_flight')
})

test('without the addresses of the router and the gateway before the hub nothing is quoted, and transfers are followed', async () => {
  const { network, now, log } = world.deps
  assert.ok(network.axelar)
  const { routerAddress: _, ...settings } = network.axelar
  const [backend] = createBackends([its], { ...world.deps, axelar: connectAxelar(settings, { now, log }) })
  assert.ok(backend)
  const pair = pairOf(world, backend, /^HBR$/, 0, 1)
  const answer = await quote(backend, orderFor(pair, 10n ** 18n))
  assert.ok('declined' in answer && answer.declined === 'unpriced')
  assert.match(answer.reason, /axelar\.routerAddress or axelar\.gatewayAddress is not set/)
})
