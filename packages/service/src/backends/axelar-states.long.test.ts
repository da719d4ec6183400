import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Hex } from 'viem'
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
import { addressOf, backendOf, balance, follow, lookupOf, pairOf, until } from '../../test/follow-backend.ts'
import { createCarriage } from '../protocols/axelar/carriage.ts'
import type { Backend } from './backend.ts'
import { createBackends } from './create-backends.ts'
import { BACKENDS } from './index.ts'

const [A, B] = ['eip155:31337', 'eip155:31338']
const AMOUNT = 30_000_000n
/** What was read of Axelar is old after this. */
const STALE_MS = 61_000

let running: BackendWorld
/** The same with backends that have just read what Axelar carries. */
let world: BackendWorld
let aheadMs = 0
before(async () => {
  running = await startBackendWorld()
  const { deps } = running
  const carriage = createCarriage({
    ...{ chains: deps.network.chains, evmChains: deps.evmChains, lcd: deps.axelar.lcd },
    routerAddress: deps.network.axelar?.routerAddress,
    ...{ now: () => Date.now() + aheadMs, log: () => undefined },
  })
  world = { ...running, backends: createBackends(BACKENDS, { ...deps, carriage }) }
  await Promise.all(world.backends.map((backend) => backend.start()))
  // The sandbox's executor would deliver before axelar-core decides.
  await world.control('/sandbox/relayer', { express: false })
})
after(async () => {
  await Promise.all((world?.backends ?? []).map((backend) => backend.stop()))
  await running?.stop()
})

type State = { readonly state: string; readonly chain?: string; readonly token?: string }
const force = (body: State): Promise<unknown> => world.control('/sandbox/axelar', body)
const express = (): Backend => backendOf(world, 'gateway-express')
const pair = () => pairOf(world, express(), /^USDC$/, 0, 1)
/** Waits until the backend quotes the route, or stops quoting it. Each try reads Axelar again. */
const untilQuoted = (isWanted: boolean): Promise<unknown> =>
  until(
    () => {
      aheadMs += STALE_MS
      return quote(express(), orderFor(pair(), AMOUNT))
    },
    (answer) => 'declined' in answer !== isWanted,
  )

const prepare = async (recipient: Hex) => {
  const order = orderFor(pair(), AMOUNT, { recipient })
  return { order, offer: await offerFor(express(), order) }
}
/** Sends a transfer that was quoted before a state began. */
const send = async ({ order, offer }: Awaited<ReturnType<typeof prepare>>) => {
  const receipt = await execute(world, offer, user(0).privateKey)
  const record = recordOf(order, offer)
  return { record, offer, lookup: lookupOf(world, express(), record, receipt) }
}
type Sent = Awaited<ReturnType<typeof send>>
const detailsOf = async ({ record, lookup }: Sent) => {
  const { seen, details } = await express().track(record, lookup)
  return [seen, details['stage'], details['reasonCode'], details['actionRequired']]
}
const arrives = async ({ record, lookup, offer }: Sent, recipient: Hex): Promise<void> => {
  const { last } = await follow(express(), record, lookup, 'delivered')
  assert.equal(last.seen, 'delivered')
  assert.equal(await balance(world, pair().to, recipient), offer.output)
}

/** Each state, what ends it, and what a transfer in flight says meanwhile; those that fail go on after a retry alone. */
const STATES: readonly {
  readonly name: string
  readonly begin: readonly State[]
  readonly end: readonly State[]
  readonly says: readonly unknown[]
}[] = [
  {
    name: 'a deactivated source',
    begin: [{ state: 'chain_deactivated', chain: A }],
    end: [{ state: 'chain_activated', chain: A }],
    says: ['in_flight', 'called', undefined, undefined],
  },
  {
    name: 'a deactivated destination',
    begin: [{ state: 'chain_deactivated', chain: B }],
    end: [{ state: 'chain_activated', chain: B }],
    says: ['in_flight', 'core_failed', 'destination_deactivated', 'retry_failed_event'],
  },
  {
    name: 'an amplifier destination',
    begin: [{ state: 'amplifier', chain: B }],
    end: [{ state: 'consensus', chain: B }],
    says: ['in_flight', 'core_failed', 'destination_deactivated', 'retry_failed_event'],
  },
  {
    name: 'a source whose tokens are not confirmed',
    begin: ['USDC', 'WETH'].map((token) => ({ state: 'token_unconfirmed', chain: A, token })),
    end: ['USDC', 'WETH'].map((token) => ({ state: 'token_confirmed', chain: A, token })),
    says: ['in_flight', 'core_failed', 'core_failed', 'retry_failed_event'],
  },
  {
    name: 'a paused destination gateway',
    begin: [{ state: 'gateway_paused', chain: B }],
    end: [{ state: 'gateway_resumed', chain: B }],
    says: ['in_flight', 'execution_error', undefined, undefined],
  },
]
for (const [place, { name, begin, end, says }] of STATES.entries())
  test(`${name} is not quoted; a transfer in flight says so, and arrives when it has ended`, async () => {
    const recipient = addressOf(0xc0de00 + place)
    await untilQuoted(true)
    const prepared = await prepare(recipient)
    for (const state of begin) await force(state)
    await untilQuoted(false)
    const sent = await send(prepared)
    await until(
      () => detailsOf(sent),
      (told) => JSON.stringify(told) === JSON.stringify(says),
    )
    assert.equal(await balance(world, pair().to, recipient), 0n)
    for (const state of end) await force(state)
    if (says.includes('retry_failed_event')) await force({ state: 'retry_failed_events' })
    await arrives(sent, recipient)
    await untilQuoted(true)
  })

test('a paused source gateway is not quoted, and takes nothing of a transfer that was', async () => {
  const prepared = await prepare(addressOf(0xc0deff))
  const held = await balance(world, pair().from, user(0).address)
  await force({ state: 'gateway_paused', chain: A })
  await untilQuoted(false)
  const { status } = await execute(world, prepared.offer, user(0).privateKey)
  assert.equal(status, 'reverted')
  assert.equal(await balance(world, pair().from, user(0).address), held)
  await force({ state: 'gateway_resumed', chain: A })
  await untilQuoted(true)
})

test('an interchain token from or to a chain that core has switched off is not quoted', async () => {
  const its = backendOf(world, 'its')
  const token = pairOf(world, its, /^HBR$/, 0, 1)
  const untilCarried = (isWanted: boolean): Promise<unknown> =>
    until(
      () => {
        aheadMs += STALE_MS
        return quote(its, orderFor(token, 10n ** 18n))
      },
      (answer) => 'declined' in answer !== isWanted,
    )
  for (const chain of [A, B]) {
    await untilCarried(true)
    await force({ state: 'chain_deactivated', chain })
    await untilCarried(false)
    await force({ state: 'chain_activated', chain })
  }
  await untilCarried(true)
})

test('an answer of core that does not come is no promise', async () => {
  const { deps } = running
  const carriage = createCarriage({
    ...{ chains: deps.network.chains, evmChains: deps.evmChains, now: Date.now, log: () => undefined },
    lcd: { read: () => Promise.reject(new Error('down')) },
    routerAddress: undefined,
  })
  const backends = createBackends(BACKENDS, { ...deps, carriage })
  const blind = backendOf({ ...world, backends }, 'gateway-express')
  const answer = await quote(blind, orderFor(pair(), AMOUNT))
  assert.ok('declined' in answer && answer.declined === 'unpriced')
})
