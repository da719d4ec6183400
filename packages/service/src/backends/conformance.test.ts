import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BackendType, type EvmTransaction } from '@openrfq/sdk'
import fc from 'fast-check'
import { decodeFunctionData, encodeFunctionData, erc20Abi, getAddress, maxUint256 } from 'viem'
import { execute, offerFor, orderFor, pairsOf, quote, recordOf, user } from '../../test/backend-world.ts'
import { addressOf, backendOf, balance, follow, lookupOf, pairOf, until } from '../../test/follow-backend.ts'
import { type IntentWorld, startIntentWorld } from '../../test/intent-world.ts'
import type { Offer } from '../core/offer.ts'
import type { Asset, AssetPair, Order } from '../core/order.ts'
import { DEFAULT_SLIPPAGE, minimumAfterSlippage } from '../core/slippage.ts'
import { tokenKey } from '../core/token-key.ts'
import { fixedPrices } from '../pricing/fixed.ts'
import { refusedAccounts } from '../service/refused-accounts.ts'

let world: IntentWorld
before(async () => {
  world = await startIntentWorld()
})
after(() => world.stop())

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

test('there are four backends', () => {
  assert.deepEqual(world.backends.map(({ type }) => type).sort(), [...BackendType.options].sort())
})

test('every route quotes both order types, with a fee, a time, actions, and an enforced minimum', async () => {
  for (const backend of world.backends) {
    const pairs = pairsOf(world, backend)
    assert.ok(pairs.length >= 10, `${backend.type} has ${pairs.length} routes`)
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

test('any amount is quoted exactly: nothing is created, and EXACT_OUTPUT is never short', async () => {
  const pairs = world.backends.flatMap((backend) =>
    pairsOf(world, backend).map((pair) => ({ backend, pair })),
  )
  const prices = fixedPrices(world.catalog.tokens)
  const worth = ({ token }: Asset, amount: bigint): bigint =>
    amount * (prices(tokenKey(token)) ?? assert.fail()) * 10n ** BigInt(18 - token.decimals)
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
        const answer = await quote(backend, orderFor(pair, amount, { orderType }))
        if ('declined' in answer) {
          assert.ok(answer.declined === 'out_of_range')
          assert.ok(amount < answer.minimum || (answer.maximum !== null && amount > answer.maximum))
          return
        }
        if (orderType === 'EXACT_INPUT') assert.equal(answer.input, amount)
        else assert.ok(answer.output >= amount)
        // The sandbox's pools and solvers start at the reference prices, and both keep a margin.
        assert.ok(worth(pair.to, answer.output) <= worth(pair.from, answer.input))
        if (backend.type !== 'its' && backend.type !== 'gateway') {
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

/** Everything that an EVM action calls, approves or pays. */
const partiesOf = ({ to, data }: EvmTransaction): readonly string[] => {
  const [argument] = erc20ArgumentsOf(data)
  return typeof argument === 'string' ? [to, argument] : [to]
}

/** The arguments of a call of an ERC-20; none of any other call. */
const erc20ArgumentsOf = (data: string): readonly unknown[] => {
  try {
    return decodeFunctionData({ abi: erc20Abi, data: `0x${data.slice(2)}` }).args ?? []
  } catch {
    return []
  }
}

test('whatever its actions call, approve or pay is refused as sender and recipient', async () => {
  for (const backend of world.backends) {
    const refused = refusedAccounts({ catalog: world.catalog, backends: [backend] })
    for (const pair of pairsOf(world, backend)) {
      for (const { chain, payload } of (await offerFor(backend, orderFor(pair, someOf(pair, 'EXACT_INPUT'))))
        .actions) {
        assert.ok(payload.type === 'evm_transaction')
        for (const party of partiesOf(payload))
          assert.ok(
            refused.get(chain)?.has(getAddress(party)),
            `${backend.type} does not declare ${party} on ${chain}`,
          )
      }
    }
  }
})

test('asks for no more approval than is needed', async () => {
  const backend = backendOf(world, 'its')
  const pair = pairOf(world, backend, /^USDT$/, 1, 0)
  const sender = user(7)
  const ask = (amount: bigint, approvalMode: Order['approvalMode']) =>
    offerFor(backend, orderFor(pair, amount, { sender: sender.address, approvalMode }))
  const idsOf = (offer: Offer): readonly string[] => offer.actions.map(({ id }) => id)
  const unlimited = await ask(1_000n, 'MAX')
  assert.deepEqual(idsOf(unlimited), ['approve', 'transfer'])
  assert.ok(JSON.stringify(unlimited.actions[0]).includes('f'.repeat(64)))
  const exact = await ask(1_000n, 'EXACT')
  await execute(world, { ...exact, actions: exact.actions.slice(0, 1) }, sender.privateKey)
  const settled = (amount: bigint, wanted: readonly string[]) =>
    until(
      async () => idsOf(await ask(amount, 'EXACT')).join(),
      (ids) => ids === wanted.join(),
    )
  await settled(1_000n, ['transfer'])
  await settled(1_001n, ['approve_reset', 'approve', 'transfer'])
})

test('warns of unreviewed tokens, lost dust and high losses, and states that nothing is refunded', async () => {
  const codesOf = async (type: string, symbol: RegExp, to: number, amount: bigint): Promise<unknown> => {
    const backend = backendOf(world, type)
    const { metadata } = await offerFor(backend, orderFor(pairOf(world, backend, symbol, 0, to), amount))
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

/** Few enough for the solvers' inventory to cover every run. */
const RUNS = 200

/** Microseconds per run of each function: medians of nine interleaved rounds. */
const medians = async (works: readonly (() => unknown)[]): Promise<readonly number[]> => {
  const rounds: number[][] = works.map(() => [])
  for (let round = 0; round < 9; round += 1) {
    for (const [index, work] of works.entries()) {
      const startedAt = performance.now()
      for (let run = 0; run < RUNS; run += 1) await work()
      rounds[index]?.push(((performance.now() - startedAt) * 1_000) / RUNS)
    }
  }
  return rounds.map((times) => times.sort((one, other) => one - other)[4] ?? Number.NaN)
}

test('prices from memory, for no more than some encodings of one call', async () => {
  const encode = () =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [user(1).address, maxUint256] })
  for (const backend of world.backends) {
    const [pair] = pairsOf(world, backend)
    assert.ok(pair)
    const order = orderFor(pair, someOf(pair, 'EXACT_INPUT'))
    const [pricing = 0, encoding = 0] = await medians([() => offerFor(backend, order), encode])
    assert.ok(pricing < 25 * encoding, `${backend.type} takes ${pricing} us, one encoding ${encoding} us`)
  }
})

test('the bounds of AMOUNT_OUT_OF_RANGE really quote, and nothing beyond them does', async () => {
  for (const backend of world.backends) {
    let checked = 0
    for (const pair of pairsOf(world, backend)) {
      for (const orderType of ORDER_TYPES) {
        const ask = (amount: bigint) => quote(backend, orderFor(pair, amount, { orderType }))
        const refused = await ask(maxUint256)
        // Inventory reserved for one quote is not available to the next.
        if (backend.type === 'intent' && 'declined' in refused && refused.declined === 'unpriced') continue
        if (!('declined' in refused)) continue
        assert.ok(refused.declined === 'out_of_range', JSON.stringify(refused.declined))
        const { minimum, maximum } = refused
        assert.ok(maximum !== null && minimum >= 1n && minimum <= maximum)
        assert.ok('declined' in (await ask(maximum + 1n)))
        if (minimum > 1n) assert.ok('declined' in (await ask(minimum - 1n)))
        assert.ok(!('declined' in (await ask(maximum))))
        if (backend.type !== 'intent') assert.ok(!('declined' in (await ask(minimum))))
        checked += 1
      }
    }
    assert.ok(checked >= 2, `${backend.type} was asked for ${checked} ranges`)
  }
})

test('the maximum can be moved, then nothing more, and the opposite direction stays open', async () => {
  const backend = backendOf(world, 'its')
  const there = pairOf(world, backend, /^HBR$/, 1, 0)
  const back = pairOf(world, backend, /^HBR$/, 0, 1)
  const maximumOf = async (pair: AssetPair): Promise<bigint> => {
    const refused = await quote(backend, orderFor(pair, maxUint256))
    if (!('declined' in refused) || refused.declined !== 'out_of_range') return 0n
    return refused.maximum ?? maxUint256
  }
  const [most, mostBack] = [await maximumOf(there), await maximumOf(back)]
  const order = orderFor(there, most, { sender: user(6).address, recipient: addressOf(0xfee1) })
  const offer = await offerFor(backend, order)
  const record = recordOf(order, offer)
  const receipt = await execute(world, offer, user(6).privateKey)
  assert.equal(receipt.status, 'success')
  await until(
    () => quote(backend, orderFor(there, 1n)),
    (answer) => 'declined' in answer && answer.declined === 'unpriced',
  )
  await follow(backend, record, lookupOf(backend, record, receipt), 'delivered')
  assert.equal(await balance(world, there.to, addressOf(0xfee1)), most)
  assert.equal(await maximumOf(back), mostBack)
})
