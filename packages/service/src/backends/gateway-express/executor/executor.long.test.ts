import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { EXPRESS_EXECUTOR } from '@openrfq/sandbox/src/keys.ts'
import { reorganise } from '@openrfq/sandbox/src/reorganise.ts'
import { type Hex, keccak256, type TransactionReceipt } from 'viem'
import {
  type BackendWorld,
  execute,
  offerFor,
  orderFor,
  pairsOf,
  recordOf,
  startBackendWorld,
  user,
} from '../../../../test/backend-world.ts'
import { dropBlock } from '../../../../test/drop-block.ts'
import { eventually } from '../../../../test/eventually.ts'
import { type Line, mineBlocks, withExecutor } from '../../../../test/executor-world.ts'
import { addressOf, backendOf, balance, follow, lookupOf } from '../../../../test/follow-backend.ts'
import { startLyingNode } from '../../../../test/lying-node.ts'
import { askNode, chainClients } from '../../../../test/wallet.ts'
import { createCatalog } from '../../../chains/catalog.ts'
import type { AssetPair } from '../../../core/order.ts'
import { createBackends } from '../../create-backends.ts'
import { BACKENDS } from '../../index.ts'

/** More blocks than are mined during a test, so that none becomes final by itself. */
const FINALITY_BLOCKS = 300
const SOURCE = 'eip155:31339'
const TARGET = 'eip155:31338'
const CONFIRMED = { confirmations: { [SOURCE]: 3 } }
const LONG_ENOUGH_MS = 4_000
const AMOUNT = 30_000_000n
/** As much as a network file may say, in seconds. */
const LONGEST_PRIORITY = 540

let world: BackendWorld
/** The same with the longest priority. */
let reserved: BackendWorld
before(async () => {
  world = await startBackendWorld({ slowFinality: { 'sandbox-c': FINALITY_BLOCKS } })
  await world.control('/sandbox/relayer', { express: false })
  await mine(FINALITY_BLOCKS)
  reserved = withPriority(world)
  await Promise.all(reserved.backends.map((backend) => backend.start()))
})
/** What is left is delivered the ordinary way, before the next executor starts to read. */
afterEach(() => finish())
after(async () => {
  await Promise.all((reserved?.backends ?? []).map((backend) => backend.stop()))
  await world?.stop()
})

/** A world of its own backends, whose quotes reserve deliveries for as long as the router allows. */
const withPriority = ({ deps, ...rest }: BackendWorld): BackendWorld => {
  const chains = deps.network.chains.map((chain) => {
    const { express } = chain
    if (express?.priority === undefined) return chain
    return { ...chain, express: { ...express, priority: { ...express.priority, seconds: LONGEST_PRIORITY } } }
  })
  const network = { ...deps.network, chains }
  const catalog = createCatalog(network)
  const changed = { ...deps, network, catalog }
  return { ...rest, deps: changed, catalog, backends: createBackends(BACKENDS, changed) }
}

/** The bridge token of the slow chain, into the token of that symbol on another one. */
const pairInto = (symbol: string, place = world): AssetPair => {
  const found = pairsOf(place, backendOf(place, 'gateway-express')).find(
    ({ from, to }) =>
      [from.token.symbol, to.token.symbol].join() === ['axlUSDC', symbol].join() &&
      [from.chain.chainId, to.chain.chainId].join() === [SOURCE, TARGET].join(),
  )
  assert.ok(found !== undefined)
  return found
}
const bridge = (): AssetPair => pairInto('axlUSDC')
const mine = (blocks: number): Promise<void> => mineBlocks(world.sandbox, SOURCE, blocks)

type Sending = {
  readonly amount?: bigint
  readonly pair?: AssetPair
  /** What is paid for the relay instead of the quoted fee, in wei. */
  readonly value?: bigint
  readonly place?: BackendWorld
}

/** Sends an express transfer from the slow chain. */
const send = async (
  recipient: Hex,
  { amount = AMOUNT, place = world, pair = pairInto('axlUSDC', place), value }: Sending = {},
) => {
  const backend = backendOf(place, 'gateway-express')
  const order = orderFor(pair, amount, { recipient, approvalMode: 'MAX' })
  const offer = await offerFor(backend, order)
  const actions = offer.actions.map((action) =>
    value === undefined || action.type !== 'transaction' || action.payload.type !== 'evm_transaction'
      ? action
      : { ...action, payload: { ...action.payload, value: `${value}` } },
  )
  const receipt = await execute(world, { ...offer, actions }, user(0).privateKey)
  const record = recordOf(order, offer)
  return { backend, pair, offer, record, receipt, lookup: lookupOf(world, backend, record, receipt) }
}

const said = (lines: readonly Line[], event: string, receipt: TransactionReceipt) =>
  lines.find((line) => line.event === event && line.fields['txHash'] === receipt.transactionHash)
const frontedCount = (lines: readonly Line[]): number =>
  lines.filter(({ event }) => event === 'express_fronted').length
const signedByExecutor = (chainId = TARGET): Promise<number> =>
  chainClients(world.sandbox, chainId).reader.getTransactionCount({ address: EXPRESS_EXECUTOR.address })
/** Lets everything that is under way end, so that every executor is repaid. */
const finish = async (): Promise<void> => {
  await mine(FINALITY_BLOCKS)
  await world.control('/sandbox/relayer', { paused: false })
}

test('an executor delivers under confirmations, before the source is final, and is repaid by the message', () =>
  withExecutor(
    world.deps.network,
    async (lines) => {
      const held = () => balance(world, bridge().to, EXPRESS_EXECUTOR.address)
      const before = await held()
      const { backend, record, lookup, pair, offer } = await send(addressOf(0xe1))
      await mine(4)
      const { last } = await follow(backend, record, lookup, 'delivered')
      assert.equal(last.seen, 'delivered')
      assert.equal(await balance(world, pair.to, addressOf(0xe1)), offer.output)
      assert.equal(await held(), before - AMOUNT)
      const [txHash = ''] = lookup.messageId.split('-')
      assert.equal((await world.deps.evmChains.get(SOURCE)?.receipt(txHash))?.final, false)
      await finish()
      await eventually('it is repaid', () => lines.some(({ event }) => event === 'express_repaid'))
      assert.equal(await held(), before)
      await eventually('it is logged', () => frontedCount(lines) === 1)
    },
    CONFIRMED,
  ))

test('of two messages one is fronted and the other, approved first, is executed in the priority by the same executor', () =>
  withExecutor(
    world.deps.network,
    async (lines) => {
      const held = () => balance(world, bridge().to, EXPRESS_EXECUTOR.address)
      const before = await held()
      const signed = await signedByExecutor()
      const first = await send(addressOf(0xea))
      await mine(4)
      await follow(first.backend, first.record, first.lookup, 'delivered')
      // The direction is not proven before the first is repaid, so the second waits until the gateway has approved it.
      const second = await send(addressOf(0xeb), { place: reserved })
      await finish()
      await follow(second.backend, second.record, second.lookup, 'delivered')
      await eventually('both are logged', () => {
        const events = lines.map(({ event }) => event)
        return events.includes('express_fronted') && events.includes('express_executed')
      })
      await eventually('the first is repaid', async () => (await held()) === before)
      for (const recipient of [0xea, 0xeb])
        assert.equal(await balance(world, bridge().to, addressOf(recipient)), first.offer.output)
      assert.equal(await signedByExecutor(), signed + 2)
    },
    CONFIRMED,
  ))

test('without confirmations for its chain a message is delivered when it is final', () =>
  withExecutor(world.deps.network, async (lines) => {
    await world.control('/sandbox/relayer', { paused: true })
    const { pair } = await send(addressOf(0xe2))
    await mine(20)
    await sleep(LONG_ENOUGH_MS)
    assert.equal(await balance(world, pair.to, addressOf(0xe2)), 0n)
    await mine(FINALITY_BLOCKS)
    await eventually('it is fronted', () => frontedCount(lines) === 1)
    await finish()
    await eventually('it is repaid', () => lines.some(({ event }) => event === 'express_repaid'))
  }))

test('a message whose relay is not paid for would never repay the executor, and is left', () =>
  withExecutor(
    world.deps.network,
    async (lines) => {
      const signed = await signedByExecutor()
      const { receipt, pair } = await send(addressOf(0xe3), { value: 1n })
      await mine(4)
      const left = await eventually('it is left', () => said(lines, 'express_left', receipt))
      assert.equal(left.fields['reason'], 'relay_not_paid')
      await mine(10)
      await sleep(LONG_ENOUGH_MS)
      assert.equal(await balance(world, pair.to, addressOf(0xe3)), 0n)
      assert.equal(await signedByExecutor(), signed)
    },
    CONFIRMED,
  ))

test('a message that leaves its chain before it is confirmed is not delivered', () =>
  withExecutor(
    world.deps.network,
    async (lines) => {
      const signed = await signedByExecutor()
      const { receipt, pair } = await send(addressOf(0xe4))
      await sleep(1_500)
      const { reader } = chainClients(world.sandbox, SOURCE)
      const { rpcUrl } = chainClients(world.sandbox, SOURCE)
      await dropBlock(
        { reader, reorganise: (depth) => reorganise(rpcUrl, depth, Date.now) },
        receipt.blockNumber,
      )
      await mine(30)
      await sleep(LONG_ENOUGH_MS)
      assert.equal(await balance(world, pair.to, addressOf(0xe4)), 0n)
      assert.equal(await signedByExecutor(), signed)
      assert.equal(frontedCount(lines), 0)
    },
    { confirmations: { [SOURCE]: 25 } },
  ))

test('a flood of messages below the minimum costs the executor nothing and holds up no other', () =>
  withExecutor(
    world.deps.network,
    async (lines) => {
      const signed = await signedByExecutor()
      const dust = []
      for (let count = 0; count < 25; count += 1)
        dust.push(await send(addressOf(0xd000 + count), { amount: 2_000_000n }))
      const { pair, offer } = await send(addressOf(0xe5))
      await mine(4)
      await eventually(
        'it is delivered',
        async () => (await balance(world, pair.to, addressOf(0xe5))) === offer.output,
      )
      assert.equal(await signedByExecutor(), signed + 1)
      for (const { receipt } of dust)
        assert.equal(
          lines.some(({ fields }) => fields['txHash'] === receipt.transactionHash),
          false,
        )
      await finish()
    },
    CONFIRMED,
    { minimumAmount: '3000000' },
  ))

test('a recipient that burns all gas is not paid, and the executor signs nothing for it', () =>
  withExecutor(
    world.deps.network,
    async (lines) => {
      const puppet = await burner(TARGET)
      const signed = await signedByExecutor()
      const { receipt } = await send(puppet, { pair: pairInto('ETH') })
      await mine(4)
      const left = await eventually('it is left', () => said(lines, 'express_left', receipt))
      assert.equal(left.fields['reason'], 'would_fail')
      assert.equal(await signedByExecutor(), signed)
    },
    CONFIRMED,
  ))

/** Runs in a circle when it is called. */
const BURNER_CODE = '0x5b5f56'
/** A contract that burns all gas when it is paid. */
const burner = async (chainId: string): Promise<Hex> => {
  const address = addressOf(0xb0441)
  await askNode(world.sandbox, chainId, 'anvil_setCode', address, BURNER_CODE)
  return address
}

test('a delivery that costs more gas than the bound is not made', () =>
  withExecutor(
    world.deps.network,
    async (lines) => {
      const signed = await signedByExecutor()
      const { pair } = await send(addressOf(0xe6))
      await mine(10)
      await sleep(LONG_ENOUGH_MS)
      assert.equal(await balance(world, pair.to, addressOf(0xe6)), 0n)
      assert.equal(await signedByExecutor(), signed)
      assert.equal(frontedCount(lines), 0)
    },
    { ...CONFIRMED, gas: { 'eip155:31337': CHEAP, 'eip155:31338': CHEAP, 'eip155:31339': CHEAP } },
  ))
const CHEAP = { costCap: '1', dailyCostCap: '1' }

test('a lying endpoint that tells another recipient has nothing delivered', async () => {
  const victim = addressOf(0xe7)
  const thief = addressOf(0xbadbad)
  const chain = world.deps.network.chains.find(({ chainId }) => chainId === SOURCE)
  assert.ok(chain !== undefined)
  let forge: ((text: string) => string) | undefined
  const node = await startLyingNode(
    chain.rpcUrls[0] ?? '',
    () => (_, result) => (forge === undefined ? result : JSON.parse(forge(JSON.stringify(result ?? null)))),
  )
  const rpcUrls = [`${node.url}/first`, ...chain.rpcUrls.slice(0, 2)]
  const network = {
    ...world.deps.network,
    chains: world.deps.network.chains.map((one) => (one === chain ? { ...one, rpcUrls } : one)),
  }
  try {
    await withExecutor(
      network,
      async (lines) => {
        const signed = await signedByExecutor()
        forge = (text) => forged(text, victim, thief)
        await world.control('/sandbox/relayer', { paused: true })
        const { pair, offer } = await send(victim)
        await mine(FINALITY_BLOCKS + 10)
        await eventually(
          'the true one is delivered',
          async () => (await balance(world, pair.to, victim)) === offer.output,
        )
        assert.equal(await balance(world, pair.to, thief), 0n)
        assert.equal(await signedByExecutor(), signed + 1)
        await eventually('it is logged', () => frontedCount(lines) === 1)
        await finish()
      },
      CONFIRMED,
    )
  } finally {
    await node.stop()
  }
})

const DATA = /"data":"(0x[0-9a-f]+)"/g
/** The answer with another recipient in every payload of a message, and with the payload's new hash wherever the old one was. */
const forged = (text: string, victim: Hex, thief: Hex): string => {
  let told = text
  for (const [, data = ''] of text.matchAll(DATA)) {
    if (!data.includes(victim.slice(2))) continue
    const start = 2 + 64 * 5
    const at = Number(BigInt(`0x${data.slice(2 + 128, 2 + 192)}`)) * 2 + 2
    const length = Number(BigInt(`0x${data.slice(at, at + 64)}`)) * 2
    if (!Number.isSafeInteger(length) || at < start || length > data.length) continue
    const payload = `0x${data.slice(at + 64, at + 64 + length)}` as const
    const other = payload.replaceAll(victim.slice(2), thief.slice(2)) as Hex
    told = told.replaceAll(keccak256(payload), keccak256(other))
  }
  return told.replaceAll(victim.slice(2), thief.slice(2))
}
