import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { EvmTransaction } from '@openrfq/sdk'
import fc from 'fast-check'
import { decodeFunctionData, erc20Abi, getAddress, maxUint256 } from 'viem'
import {
  execute,
  offerFor,
  orderFor,
  pairsOf,
  pricedQuote,
  quote,
  recordOf,
  user,
} from '../../test/backend-world.ts'
import { until } from '../../test/follow-backend.ts'
import { type IntentWorld, sharedIntents } from '../../test/intent-world.ts'
import type { Offer } from '../core/offer.ts'
import type { Asset, AssetPair, Order } from '../core/order.ts'
import { DEFAULT_SLIPPAGE, minimumAfterSlippage } from '../core/slippage.ts'
import { fixedPrices } from '../pricing/fixed.ts'
import { createListing } from '../service/listing.ts'
import { refusedAccounts } from '../service/refused-accounts.ts'
import type { Backend } from './backend.ts'
import type { BackendDefinition } from './backend-definition.ts'
import { createBackends } from './create-backends.ts'
import { BACKENDS } from './index.ts'

let world: IntentWorld
before(async () => {
  world = await sharedIntents.start()
})
after(sharedIntents.stop)

const ORDER_TYPES = ['EXACT_INPUT', 'EXACT_OUTPUT'] as const

/**
 * Twenty whole tokens of the side that the order's amount refers to; a tenth of ether, which every solver can pay many
 * times.
 */
const someOf = (pair: AssetPair, orderType: Order['orderType']): bigint => {
  const { symbol, decimals } = (orderType === 'EXACT_INPUT' ? pair.from : pair.to).token
  return (10n ** BigInt(decimals) * 20n) / (/ETH/.test(symbol) ? 10n : 1n)
}

/** Whether the offer includes a swap. */
const isFloating = ({ metadata }: Offer): boolean => {
  const path = metadata['path']
  return Array.isArray(path) && path.length > 0
}

/** The traits that a backend declares for its quotes. */
const traitsOf = ({ type }: Backend): BackendDefinition['quotes'] => {
  const definition = BACKENDS.find((candidate) => candidate.type === type)
  assert.ok(definition)
  return definition.quotes
}

test('the conformance test covers every backend of the table', () => {
  const types = world.backends.map(({ type }) => type)
  assert.ok(types.length > 0)
  assert.deepEqual(types.toSorted(), BACKENDS.map(({ type }) => type).toSorted())
})

test('a backend without configuration serves nothing, and its contracts are still rejected', () => {
  const { catalog } = world
  const unconfigured = BACKENDS.map((definition) => ({ ...definition, create: () => undefined }))
  const idle = createBackends(unconfigured, world.deps)
  assert.deepEqual(createListing(catalog, idle).tokens, [])
  assert.deepEqual(
    refusedAccounts({ catalog, backends: idle }),
    refusedAccounts({ catalog, backends: world.backends }),
  )
})

test('a backend that is switched off is in no list and no quote, and its transfers are still followed', async () => {
  const { catalog } = world
  const backends = createBackends(BACKENDS, world.deps, new Set(['its', 'intent']))
  const listed = new Set(createListing(catalog, backends).tokens.flatMap(({ backends: types }) => types))
  assert.deepEqual([...listed].toSorted(), ['its'])
  const off = backends.find(({ type }) => type === 'gateway')
  const on = world.backends.find(({ type }) => type === 'gateway')
  assert.ok(off && on)
  const [pair] = pairsOf(world, on)
  assert.ok(pair)
  assert.deepEqual(off.routes(pair), [])
  const order = orderFor(pair, someOf(pair, 'EXACT_INPUT'))
  const [route] = on.routes(pair)
  assert.ok(route)
  assert.ok('declined' in (await off.quote(order, route)))
  const record = recordOf(order, await offerFor(on, order))
  assert.equal((await off.track(record, null)).seen, 'nothing')
  assert.throws(
    () => createBackends(BACKENDS, world.deps, new Set(['ITS'])),
    /environment BACKENDS: ITS is not a backend; there are intent, its, gateway, gateway-express/,
  )
})

test('a pair of gateway assets is quoted by gateway whole, and by gateway-express only where that delivers early', async () => {
  const [gateway, express] = ['gateway', 'gateway-express'].map((type) =>
    world.backends.find((backend) => backend.type === type),
  )
  assert.ok(gateway && express)
  for (const pair of pairsOf(world, gateway)) {
    const order = orderFor(pair, someOf(pair, 'EXACT_INPUT'))
    const firm: Offer = await offerFor(gateway, order)
    const early: Offer = await offerFor(express, order)
    assert.equal(firm.output, firm.input)
    assert.ok(
      early.estimatedTimeSeconds <= firm.estimatedTimeSeconds && early.userFee.amount > firm.userFee.amount,
    )
  }
  const chains = world.catalog.chains.map((chain) =>
    chain.express === undefined
      ? chain
      : { ...chain, express: { ...chain.express, executor: 'none' as const } },
  )
  const byId = new Map(chains.map((chain) => [chain.chainId, chain]))
  const catalog = { ...world.catalog, chains, chain: (chainId: string) => byId.get(chainId) }
  const ordinary = createBackends(BACKENDS, { ...world.deps, catalog })
  const [whole, swaps] = ['gateway', 'gateway-express'].map((type) =>
    ordinary.find((backend) => backend.type === type),
  )
  assert.ok(whole && swaps)
  assert.equal(pairsOf({ catalog }, whole).length, pairsOf(world, gateway).length)
  for (const pair of pairsOf({ catalog }, whole)) {
    const [route] = swaps.routes(pair)
    if (route === undefined) continue
    const offer = await quote(swaps, orderFor(pair, someOf(pair, 'EXACT_INPUT')))
    assert.ok('declined' in offer || isFloating(offer), 'the asset itself is quoted twice')
  }
})

test('backend types are unique, and settings name an existing one', () => {
  const [first] = BACKENDS
  assert.ok(first)
  assert.throws(() => createBackends([...BACKENDS, first], world.deps), /listed twice/)
  const { catalog } = world
  const chains = catalog.chains.map((chain) => ({ ...chain, backends: { [first.type]: {}, other: {} } }))
  assert.throws(
    () => createBackends(BACKENDS, { ...world.deps, catalog: { ...catalog, chains } }),
    /chain eip155:31337: backends.other is not a backend; there are/,
  )
})

test('every route quotes both order types, with fees, a time, actions and an enforced minimum', async () => {
  for (const backend of world.backends) {
    const pairs = pairsOf(world, backend)
    assert.ok(pairs.length > 0, `${backend.type} serves no pair of the sandbox`)
    for (const pair of pairs) {
      assert.ok(backend.serves(pair.from.token) && backend.serves(pair.to.token))
      for (const orderType of ORDER_TYPES) {
        const amount = someOf(pair, orderType)
        const offer = await offerFor(backend, orderFor(pair, amount, { orderType }))
        assert.equal(orderType === 'EXACT_INPUT' ? offer.input : offer.output, amount)
        const floats = isFloating(offer)
        assert.equal(
          offer.minimumOutput,
          floats ? minimumAfterSlippage(offer.output, DEFAULT_SLIPPAGE) : offer.output,
        )
        assert.ok(offer.lifetimeSeconds <= (floats ? 30 : 60))
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

test('quotes of any amount create no value, and EXACT_OUTPUT never delivers less', async () => {
  const pairs = world.backends.flatMap((backend) =>
    pairsOf(world, backend).map((pair) => ({ backend, pair })),
  )
  const prices = fixedPrices(world.catalog.tokens)
  const worth = ({ token }: Asset, amount: bigint): bigint =>
    amount * (prices(token) ?? assert.fail()) * 10n ** BigInt(18 - token.decimals)
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 30n })
  await fc.assert(
    fc.asyncProperty(
      fc.nat(pairs.length - 1),
      amounts,
      fc.constantFrom(...ORDER_TYPES),
      async (index, amount, orderType) => {
        const chosen = pairs[index]
        assert.ok(chosen)
        const { backend, pair } = chosen
        const answer = await pricedQuote(backend, orderFor(pair, amount, { orderType }))
        if ('declined' in answer) {
          assert.ok(answer.declined === 'out_of_range')
          assert.ok(amount < answer.minimum || (answer.maximum !== null && amount > answer.maximum))
          return
        }
        if (orderType === 'EXACT_INPUT') assert.equal(answer.input, amount)
        else assert.ok(answer.output >= amount)
        // The sandbox's pools and solvers start at the reference prices, and both keep a margin.
        assert.ok(worth(pair.to, answer.output) <= worth(pair.from, answer.input))
        if (traitsOf(backend).output === 'priced') {
          if (orderType === 'EXACT_OUTPUT') assert.equal(answer.output, amount)
          return
        }
        const shift = pair.from.token.decimals - pair.to.token.decimals
        const fee = answer.userFee.quoteTreatment === 'included_in_quote' ? answer.userFee.amount : 0n
        const moved = answer.input - fee
        const scaled = shift >= 0 ? moved / 10n ** BigInt(shift) : moved * 10n ** BigInt(-shift)
        assert.equal(answer.output, scaled)
        if (orderType === 'EXACT_OUTPUT' && shift >= 0) assert.equal(answer.output, amount)
      },
    ),
    { numRuns: 600 },
  )
})

/** Every account that an EVM action calls, approves or pays. */
const partiesOf = ({ to, data }: EvmTransaction): readonly string[] => {
  const [argument] = erc20ArgumentsOf(data)
  return typeof argument === 'string' ? [to, argument] : [to]
}

/** The arguments of an ERC-20 call; undefined for any other call. */
const erc20ArgumentsOf = (data: string): readonly unknown[] => {
  try {
    return decodeFunctionData({ abi: erc20Abi, data: `0x${data.slice(2)}` }).args ?? []
  } catch {
    return []
  }
}

/** Accounts that the backend's actions call, approve or pay and that its declared contracts lack. */
const undeclaredParties = async (backend: Backend): Promise<readonly string[]> => {
  const refused = refusedAccounts({ catalog: world.catalog, backends: [backend] })
  const offers = await Promise.all(
    pairsOf(world, backend).map((pair) => offerFor(backend, orderFor(pair, someOf(pair, 'EXACT_INPUT')))),
  )
  return offers
    .flatMap(({ actions }) => actions)
    .flatMap(({ chain, payload }) => {
      assert.ok(payload.type === 'evm_transaction')
      return partiesOf(payload)
        .filter((party) => refused.get(chain)?.has(getAddress(party)) !== true)
        .map((party) => `${backend.type} does not declare ${party} on ${chain}`)
    })
}

test('every account that actions call, approve or pay is rejected as sender and recipient', async () => {
  for (const backend of world.backends) {
    assert.deepEqual(await undeclaredParties(backend), [])
    assert.notDeepEqual(await undeclaredParties({ ...backend, contracts: () => [] }), [])
  }
})

/** Every EVM address in a part of the configuration. */
const addressesIn = (part: unknown): readonly string[] => {
  if (typeof part === 'string') return /^0x[0-9a-fA-F]{40}$/.test(part) ? [part] : []
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(addressesIn) : []
}

test("every contract in a chain's configuration is rejected, including an exchange's pools", () => {
  const refused = refusedAccounts({ catalog: world.catalog, backends: world.backends })
  let pools = 0
  for (const { chainId, axelar, intent, attested, exchange, express } of world.catalog.chains) {
    pools += exchange?.pools.length ?? 0
    for (const address of addressesIn([axelar, intent, attested, exchange, express?.router]))
      assert.ok(refused.get(chainId)?.has(getAddress(address)), `${address} is accepted on ${chainId}`)
  }
  assert.ok(pools > 0)
})

/** A pair whose quotes need an approval; if possible of a token that must be reset first. */
const approvedPairOf = async (backend: Backend): Promise<AssetPair | undefined> => {
  const resets = ({ token }: Asset) => world.catalog.token(token.chainId, token.address)?.resetsAllowance
  const byReset = (one: AssetPair, other: AssetPair) => Number(resets(other.from)) - Number(resets(one.from))
  for (const pair of pairsOf(world, backend).toSorted(byReset)) {
    const { actions } = await offerFor(backend, orderFor(pair, someOf(pair, 'EXACT_INPUT')))
    if (actions.some(({ type }) => type === 'approval')) return pair
  }
  return undefined
}

test('approves no more than the input, and only when the allowance is too small', async () => {
  let [checked, reset] = [0, 0]
  for (const [index, backend] of world.backends.entries()) {
    const pair = await approvedPairOf(backend)
    if (pair === undefined) continue
    const sender = user(3 + index)
    const amount = someOf(pair, 'EXACT_INPUT')
    const ask = (asked: bigint, approvalMode: Order['approvalMode']) =>
      offerFor(backend, orderFor(pair, asked, { sender: sender.address, approvalMode }))
    const idsOf = (offer: Offer): readonly string[] => offer.actions.map(({ id }) => id)
    const unlimited = await until(
      () => ask(amount, 'MAX'),
      (offer) => idsOf(offer).join() === 'approve,transfer',
    )
    assert.ok(JSON.stringify(unlimited.actions[0]).includes('f'.repeat(64)))
    const exact = await ask(amount, 'EXACT')
    await execute(world, { ...exact, actions: exact.actions.slice(0, 1) }, sender.privateKey)
    const settled = (asked: bigint, wanted: readonly string[]) =>
      until(
        async () => idsOf(await ask(asked, 'EXACT')).join(),
        (ids) => ids === wanted.join(),
      )
    await settled(amount, ['transfer'])
    const resets = world.catalog.token(pair.from.token.chainId, pair.from.token.address)?.resetsAllowance
    await settled(amount + 1n, [...(resets === true ? ['approve_reset'] : []), 'approve', 'transfer'])
    checked += 1
    reset += Number(resets)
  }
  assert.ok(checked > 0 && reset > 0, `${checked} backends were asked, ${reset} for a token to reset`)
})

/** Whether a promise is fulfilled before the process turns to its sockets, threads and timers again. */
const isFromMemory = async (work: Promise<unknown>): Promise<boolean> => {
  const { promise: turned, resolve } = Promise.withResolvers<boolean>()
  setImmediate(() => resolve(false))
  return Promise.race([work.then(() => true), turned])
}

test('prices from memory: a quote waits for no network, thread or timer', async () => {
  for (const backend of world.backends) {
    const [pair] = pairsOf(world, backend)
    assert.ok(pair)
    const order = orderFor(pair, someOf(pair, 'EXACT_INPUT'))
    // The first reads the allowance.
    await offerFor(backend, order)
    assert.ok(await isFromMemory(offerFor(backend, order)), backend.type)
  }
})

type Ask = (amount: bigint) => ReturnType<typeof quote>

/**
 * Whether a range's bounds are quoted and the amounts beyond them are not; undefined without a range. The minimum of
 * reserved inventory is not asked for: one quote took the maximum.
 */
const isRangeExact = async (ask: Ask, isReserved: boolean): Promise<boolean | undefined> => {
  const refused = await ask(maxUint256)
  if (!('declined' in refused)) return undefined
  // Inventory reserved for one quote is not available to the next.
  if (refused.declined !== 'out_of_range') return isReserved ? undefined : false
  const { minimum, maximum } = refused
  assert.ok(maximum !== null && minimum >= 1n && minimum <= maximum)
  const isQuoted = async (amount: bigint): Promise<boolean> => !('declined' in (await ask(amount)))
  if (await isQuoted(maximum + 1n)) return false
  if (minimum > 1n && (await isQuoted(minimum - 1n))) return false
  return (await isQuoted(maximum)) && (isReserved || (await isQuoted(minimum)))
}

test('the bounds of AMOUNT_OUT_OF_RANGE are quoted, and amounts beyond them are not', async () => {
  for (const backend of world.backends) {
    const isReserved = traitsOf(backend).capacity === 'reserved'
    let checked = 0
    for (const pair of pairsOf(world, backend))
      for (const orderType of ORDER_TYPES) {
        const ask: Ask = (amount) => quote(backend, orderFor(pair, amount, { orderType }))
        // The bounds move when the service reads a fee or price again, and when a reservation ends, between two questions.
        const isExact = await until(
          () => isRangeExact(ask, isReserved),
          (exact) => exact !== false,
        )
        assert.notEqual(isExact, false)
        if (isExact === true) checked += 1
      }
    assert.ok(checked > 0, `${backend.type} was asked for ${checked} ranges`)
  }
})
