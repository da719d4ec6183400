import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { intentSettlerAbi } from '@openrfq/contracts'
import { chainWord } from '@openrfq/sandbox/test/intent-order.ts'
import { type Abi, createWalletClient, encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { execute, offerFor, orderFor, pairsOf, quote, recordOf, user } from '../../../test/backend-world.ts'
import { eventually } from '../../../test/eventually.ts'
import { addressOf, until } from '../../../test/follow-backend.ts'
import { type IntentWorld, sharedIntents } from '../../../test/intent-world.ts'
import { askNode, balanceOf, chainClients } from '../../../test/wallet.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { Asset, AssetPair, Order } from '../../core/order.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Observation } from '../../core/transfer.ts'
import { orderOfQuote } from '../../intents/settlers/quoted-order.ts'
import type { RefundCall } from '../backend.ts'

const abi: Abi = intentSettlerAbi

let world: IntentWorld
before(async () => {
  world = await sharedIntents.start()
})
after(sharedIntents.stop)

const pairs = (): readonly AssetPair[] => pairsOf(world, world.backend)

const pairOf = (from: RegExp, to: RegExp, [source, destination]: readonly [number, number]): AssetPair => {
  const ids = world.catalog.chains.map(({ chainId }) => chainId)
  const found = pairs().find(
    (pair) =>
      from.test(pair.from.token.symbol) &&
      to.test(pair.to.token.symbol) &&
      pair.from.chain.chainId === ids[source] &&
      pair.to.chain.chainId === ids[destination],
  )
  assert.ok(found)
  return found
}

/** The order as the contract's struct. */
const onChain = (order: IntentOrder) => {
  const { originChain, destinationChain, proven, ...rest } = order
  assert.ok(proven !== undefined)
  const { destinationName, exclusiveUntil, integrator, integratorFee } = proven
  return {
    ...rest,
    originChainId: BigInt(originChain.slice(7)),
    destinationChainId: BigInt(destinationChain.slice(7)),
    destinationChain: chainWord(destinationName),
    ...{ exclusiveUntil, integrator, integratorFee },
  }
}

/** The order id that the settler of the order's origin computes. */
const idOnChain = async (order: IntentOrder): Promise<string | undefined> => {
  const data = encodeFunctionData({ abi, functionName: 'orderIdOf', args: [onChain(order)] })
  const [answer] = (await world.deps.evmChains
    .get(order.originChain)
    ?.callMany([{ to: order.originSettler, data }])) ?? [undefined]
  return answer
}

const follow = (record: QuoteRecord, isWanted: (observation: Observation) => boolean): Promise<Observation> =>
  until(() => world.backend.track(record, null), isWanted)

const stageOf = ({ seen, details }: Observation): string => `${seen} ${details['stage']}`

const quoted = async (
  pair: AssetPair,
  amount: bigint,
  changes: Partial<Order> = {},
): Promise<{
  readonly offer: Awaited<ReturnType<typeof offerFor>>
  readonly record: QuoteRecord
}> => {
  const order = orderFor(pair, amount, changes)
  const offer = await offerFor(world.backend, order)
  const record = recordOf(order, offer)
  await world.deps.store.saveQuotes([record])
  return { offer, record }
}

/** Quotes and deposits, again while a busy machine deposits too late, which reverts. */
const deposited = (
  pair: AssetPair,
  amount: bigint,
  changes: Partial<Order> = {},
  depositor: Pick<ReturnType<typeof user>, 'privateKey'> = user(0),
): ReturnType<typeof quoted> =>
  eventually('a deposit is in time', async () => {
    const made = await quoted(pair, amount, changes)
    const { status } = await execute(world, made.offer, depositor.privateKey)
    return status === 'success' && made
  })

const balance = ({ chain, token }: Asset, owner: Hex): Promise<bigint> =>
  balanceOf(world.sandbox, { chain: chain.chainId, token: `0x${token.address.slice(2)}` }, owner)

/** Asks for both order types of a pair and checks the offers. Returns their number, and adds the reasons of declines. */
const offersOf = async (pair: AssetPair, reasons: Set<string>): Promise<number> => {
  let offers = 0
  for (const orderType of ['EXACT_INPUT', 'EXACT_OUTPUT'] as const) {
    const { token } = orderType === 'EXACT_INPUT' ? pair.from : pair.to
    const amount = 10n ** BigInt(token.decimals) / (/ETH/.test(token.symbol) ? 20n : 1n)
    const order = orderFor(pair, amount, { orderType })
    const offer = await quote(world.backend, order)
    if ('declined' in offer) {
      reasons.add('reason' in offer ? offer.reason : offer.declined)
      continue
    }
    offers += 1
    assert.equal(orderType === 'EXACT_INPUT' ? offer.input : offer.output, amount)
    assert.equal(offer.minimumOutput, offer.output)
    assert.equal(offer.actions.at(-1)?.id, 'transfer')
    if (orderType === 'EXACT_OUTPUT') continue
    assert.equal(await idOnChain(orderOfQuote(recordOf(order, offer))), offer.tracking['swapId'])
  }
  return offers
}

test("offers between any two quoted tokens are exact, and their orders match the settler's id", async () => {
  assert.ok(pairs().length >= 100, `${pairs().length} pairs`)
  for (const { from, to } of pairs())
    assert.ok(world.backend.serves(from.token) && world.backend.serves(to.token))
  const reasons = new Set<string>()
  let offers = 0
  await eventually(
    () => `${pairs().length} offers: ${offers}, and ${[...reasons].join('; ')}`,
    async () => {
      offers = 0
      for (const pair of pairs()) offers += await offersOf(pair, reasons)
      return offers >= pairs().length
    },
  )
})

test('the suggested gas covers a deposit', async () => {
  for (const pair of pairs().filter(({ from }) => from.token.symbol === 'ETH')) {
    const { offer } = await quoted(pair, 10n ** 16n)
    const { reader } = chainClients(world.sandbox, pair.from.chain.chainId)
    const [transfer] = offer.actions
    assert.ok(transfer?.payload.type === 'evm_transaction')
    const { from, to, data, value, gasLimit } = transfer.payload
    // CAST: an action's addresses and data are hex.
    const call = { account: from as Hex, to: to as Hex, data: data as Hex, value: BigInt(value) }
    const used = await reader.estimateGas(call)
    assert.ok(used < BigInt(gasLimit ?? 0) && used * 2n > BigInt(gasLimit ?? 0), `${used} of ${gasLimit}`)
  }
})

/** A busy machine may miss the seconds that an order has, which says nothing about the solver. */
const isTooLate = ({ fulfillmentDeadline = 0 }: QuoteRecord): boolean => Date.now() >= fulfillmentDeadline

test('an intent executed as offered delivers the exact output', async () => {
  await Promise.all(
    [
      { from: /^HBR$/, to: /^HBR$/, chains: [0, 2] as const, amount: 3n * 10n ** 18n + 7n },
      { from: /^ETH$/, to: /USDC$/, chains: [2, 1] as const, amount: 10n ** 15n + 3n },
    ].map(async ({ from, to, chains, amount }, index) => {
      const pair = pairOf(from, to, chains)
      const recipient = addressOf(0xfeed0 + index)
      const run = async () => {
        const { offer, record } = await deposited(pair, amount, { recipient })
        const last = await follow(record, ({ seen }) => seen !== 'nothing' && seen !== 'in_flight')
        assert.ok(last.seen === 'delivered' || isTooLate(record), stageOf(last))
        return { offer, record, last }
      }
      const { offer, record, last } = await until(run, ({ last: { seen } }) => seen === 'delivered')
      assert.ok(last.seen === 'delivered', stageOf(last))
      assert.equal(last.output.amount, offer.output.toString())
      assert.equal(await balance(pair.to, recipient), offer.output)
      const other = { ...record, binding: { ...record.binding, orderId: `0x${'12'.repeat(32)}` } }
      assert.equal((await world.backend.track(other, null)).seen, 'nothing')
    }),
  )
})

/** Waits until the deposit of a quote is announced, which follows the chain. */
const announced = (quoteId: string): Promise<true> =>
  eventually(`the deposit of ${quoteId} is announced`, () =>
    world.deposited.some((quote) => quote.quoteId === quoteId),
  )

const staysKnown = async (): Promise<void> => {
  const pair = pairOf(/^USDC$/, /^axlUSDC$/, [0, 1])
  const { record: unused } = await quoted(pair, 3_000_000n)
  assert.deepEqual(await world.backend.track(unused, null), { seen: 'nothing', details: {} })
  const { record } = await deposited(pair, 3_000_000n)
  const found = await follow(record, ({ seen }) => seen === 'in_flight')
  assert.ok(found.seen === 'in_flight' && found.source.messageId === null)
  await announced(record.quoteId)
  await world.control('/sandbox/rpc', { chainId: record.toChain, up: false })
  const blind = await follow(record, ({ details }) => details['stage'] === 'chain_unreadable')
  assert.ok(blind.seen === 'in_flight' && blind.source.txHash === found.source.txHash)
  await world.control('/sandbox/rpc', { chainId: record.toChain, up: true })
  await follow(record, ({ details }) => details['stage'] !== 'chain_unreadable')
}

/** Code that loops until its gas is gone, and code that takes native value. */
const [BURNING, TAKING] = ['0x5b5f56', '0x00']

/** A depositor that burns the gas of its refund costs the keeper nothing. */
const isNotBurnt = async (record: QuoteRecord, depositor: string): Promise<void> => {
  const dueAs = async (code: string, isWanted: (due: RefundCall | undefined) => boolean) => {
    await askNode(world.sandbox, record.fromChain, 'anvil_setCode', depositor, code)
    await askNode(world.sandbox, record.fromChain, 'evm_mine')
    return until(async () => world.backend.refundCall?.(record, null), isWanted)
  }
  await dueAs(BURNING, (due) => due === undefined)
  await dueAs(TAKING, (due) => due !== undefined && 'gasLimit' in due && due.gasLimit === 150_000n)
  await dueAs('0x', (due) => due !== undefined)
}

const isRefunded = async (): Promise<void> => {
  const pair = pairOf(/^ETH$/, /^ETH$/, [0, 2])
  const [sender, stranger] = [user(4), user(5)]
  const { offer, record } = await deposited(pair, 10n ** 16n, { sender: sender.address }, sender)
  await follow(record, ({ details }) => details['stage'] === 'deposit_final')
  assert.equal(await world.backend.refundCall?.(record, null), undefined)
  const decided = await follow(record, ({ seen }) => seen !== 'in_flight')
  assert.deepEqual(
    [stageOf(decided), decided.details['reasonCode']],
    ['refund_decided awaiting_refund', 'not_filled'],
  )
  const call = await until(
    async () => world.backend.refundCall?.(record, null),
    (due) => due !== undefined,
  )
  assert.ok(call && 'data' in call)
  assert.equal(call.key, `refund:${record.binding['orderId']}`)
  await isNotBurnt(record, sender.address)
  const before = await balance(pair.from, sender.address)
  const { chain, transport } = chainClients(world.sandbox, call.chainId)
  const wallet = createWalletClient({ account: privateKeyToAccount(stranger.privateKey), chain, transport })
  // CAST: the call's texts are hex.
  await wallet.sendTransaction({ to: call.to as Hex, data: call.data as Hex, gas: call.gasLimit })
  const last = await follow(record, ({ seen }) => seen === 'refunded')
  assert.ok(last.seen === 'refunded')
  assert.equal(last.refund.amount, offer.input.toString())
  assert.equal((await balance(pair.from, sender.address)) - before, offer.input)
  assert.equal(await world.backend.refundCall?.(record, null), undefined)
}

test('an unfilled intent', { concurrency: true }, async (context) => {
  await world.control('/sandbox/solver', { mode: 'paused' })
  try {
    await Promise.all([
      context.test(
        'an intent is found by its quote alone, also while the destination cannot be read',
        staysKnown,
      ),
      context.test('a refund is due once no solver can fill any more, until it is on chain', isRefunded),
    ])
  } finally {
    await world.control('/sandbox/solver', { mode: 'normal' })
  }
})
