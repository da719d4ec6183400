import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { decodeFunctionData, type Hex, parseAbi } from 'viem'
import { recordOf } from '../../../test/backend-world.ts'
import { memoryChain } from '../../../test/memory-chain.ts'
import { NO_ESCROWS } from '../../../test/no-escrows.ts'
import { openGate } from '../../../test/open-gate.ts'
import { clockOf } from '../../../test/test-clock.ts'
import { createCatalog } from '../../chains/catalog.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { baseUnits } from '../../core/amount.ts'
import { Network } from '../../core/network.ts'
import type { Decline, Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import { firstQuoteId } from '../../core/quote-id.ts'
import { DEFAULT_SLIPPAGE } from '../../core/slippage.ts'
import { tokenKey } from '../../core/token-key.ts'
import { UNWATCHED } from '../../intents/attester-watch.ts'
import { createOrderEventIndex } from '../../intents/settlers/order-event-index.ts'
import type { SettlerKind } from '../../intents/settlers/order-status.ts'
import { idsOfSalt, orderIdOfQuote, orderOfQuote } from '../../intents/settlers/quoted-order.ts'
import { openCall, orderIdOf } from '../../intents/settlers/settler-contract.ts'
import { createBook } from '../../intents/solver-api/book.ts'
import { createSolverDirectory } from '../../intents/solver-api/solver-directory.ts'
import { fixedPrices } from '../../pricing/fixed.ts'
import { openSqliteStore } from '../../store/sqlite.ts'
import type { Store } from '../../store/store.ts'
import { intentBackend } from './intent-backend.ts'

const NOW = 1_800_000_000_500
const NATIVE = '0x0000000000000000000000000000000000000000'
const TOKEN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const SETTLER = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const SENDER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const CHEAP = { name: 'cheap', address: '0x00000000000000000000000000000000000000A1' }
const DEAR = { name: 'dear', address: '0x00000000000000000000000000000000000000B2' }

const chain = (chainId: string) => ({
  chainId,
  chainLabel: chainId,
  chainType: 'evm',
  nativeToken: { symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://127.0.0.1:1'],
  finality: 1,
  axelar: {
    name: `chain-${chainId.slice(7)}`,
    gateway: TOKEN,
    gasService: TOKEN,
    finalitySeconds: 12,
    executeGasLimit: 1,
  },
  intent: { settler: SETTLER },
})
const tokens = (chainId: string) => [
  {
    chainId,
    address: NATIVE,
    symbol: 'ETH',
    name: 'Ether',
    decimals: 18,
    verified: true,
    intent: true,
    usdPrice: '2000',
  },
  {
    chainId,
    address: TOKEN,
    symbol: 'USD',
    name: 'Dollar',
    decimals: 6,
    verified: true,
    intent: true,
    usdPrice: '1',
  },
]
const CHAINS = ['eip155:101', 'eip155:102'] as const
const network = Network.parse({
  chains: CHAINS.map(chain),
  tokens: CHAINS.flatMap(tokens),
  intent: { solvers: [CHEAP, DEAR] },
})
const catalog = createCatalog(network)
const HEAD: EvmHead = {
  number: 100n,
  hash: `0x${'aa'.repeat(32)}`,
  timestampSeconds: Math.floor(NOW / 1000),
  finalNumber: 98n,
  maxFeePerGas: 20n,
  maxPriorityFeePerGas: 10n,
  readAt: NOW,
}

const directory = mkdtempSync(join(tmpdir(), 'openrfq-'))
let store: Store
before(async () => {
  store = await openSqliteStore({ directory, log: () => undefined })
})
after(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

const NO_LEDGERS = {
  getOrderPayments: () => Promise.resolve({ deposits: undefined, fill: undefined }),
  lastKnown: () => Promise.resolve({ deposits: undefined, fill: undefined }),
}

type World = {
  readonly backend: ReturnType<typeof intentBackend>
  readonly book: ReturnType<typeof createBook>
}

/** The backend on two in-memory chains, with the solvers' inventory of all tokens on the second. */
const createWorld = ({
  head = HEAD,
  allowance = () => Promise.resolve(0n),
  inventory = 10n ** 30n,
  isCurrent = () => true,
  confirms = async () => true,
  carries = async () => true,
}: {
  readonly head?: EvmHead | null
  readonly allowance?: () => Promise<bigint | undefined>
  readonly inventory?: bigint
  readonly isCurrent?: (chainId: string) => boolean
  readonly carries?: (chainId: string) => Promise<boolean | undefined>
  readonly confirms?: (kind: SettlerKind, chainId: string) => Promise<boolean | undefined>
} = {}): World => {
  const assetKey = (chainId: string, address: string): string | undefined => {
    const token = catalog.token(chainId, address)
    return token === undefined ? undefined : tokenKey(token)
  }
  assert.ok(network.intent)
  const directory = createSolverDirectory(network.intent.solvers)
  const book = createBook({ directory, assetKey, ...clockOf(() => NOW) })
  let salts = 0n
  const backend = intentBackend({
    directory,
    carriage: { read: carries },
    gate: openGate,
    catalog,
    paymentChains: new Map(),
    paymentIndex: NO_LEDGERS,
    isCurrent,
    attesterWatch: UNWATCHED,
    escrows: NO_ESCROWS,
    evidence: { isUnfilled: () => Promise.resolve(false) },
    absences: { isAbsent: () => Promise.resolve(false) },
    orderFacts: { unfilled: () => assert.fail('nothing is refunded') },
    factCheck: { allows: () => assert.fail('nothing is refunded') },
    evmChains: new Map(
      CHAINS.map((chainId) => [
        chainId,
        memoryChain(chainId, [], { head: () => head ?? undefined, allowance }),
      ]),
    ),
    terms: network.intent,
    book,
    senderBalances: { held: async () => 2n ** 255n },
    settlers: { confirms },
    prices: fixedPrices(catalog.tokens),
    submitsRefunds: () => true,
    opener: undefined,
    randomSalt: () => {
      salts += 1n
      return salts.toString(16).padStart(32, '0')
    },
    orders: createOrderEventIndex({
      settlers: [],
      chainIds: [],
      store,
      now: () => NOW,
      log: () => undefined,
    }),
    store,
    log: () => undefined,
  })
  for (const solver of [CHEAP, DEAR]) {
    const assets = tokens('eip155:102').map(({ chainId, address }) => ({
      chain: chainId,
      token: address,
      available: baseUnits(inventory),
      block: 1,
    }))
    assert.equal(book.setInventory(solver, assets), undefined)
  }
  return { backend, book }
}

type Rung = readonly [input: bigint, output: bigint, fee: bigint]

/** Quotes a ladder of the solver from `fromToken` on the first chain to `toToken` on the second. */
const upsertQuotes = (
  { book }: World,
  solver: typeof CHEAP,
  fromToken: string,
  toToken: string,
  rungs: readonly Rung[],
) => {
  const ladder = rungs.map(([input, output, fee]) => ({
    input: baseUnits(input),
    output: baseUnits(output),
    fee: baseUnits(fee),
  }))
  const pair = { fromChain: CHAINS[0], fromToken, toChain: CHAINS[1], toToken, ladder, validForMs: 60_000 }
  assert.equal(book.upsertQuotes(solver, [pair]), undefined)
}

const asset = (chainId: string, address: string): Order['from'] => {
  const [found, token] = [catalog.chain(chainId), catalog.token(chainId, address)]
  assert.ok(found && token)
  return { chain: found, token }
}

const orderOf = (
  fromToken: string,
  toToken: string,
  amount: bigint,
  changes: Partial<Order> = {},
): Order => ({
  from: asset(CHAINS[0], fromToken),
  to: asset(CHAINS[1], toToken),
  amount: baseUnits(amount),
  orderType: 'EXACT_INPUT',
  sender: SENDER,
  recipient: TOKEN,
  slippage: DEFAULT_SLIPPAGE,
  approvalMode: 'EXACT',
  createdAt: NOW,
  client: 'client',
  answerId: firstQuoteId(NOW, 77n),
  ...changes,
})

const ask = async ({ backend }: World, order: Order): Promise<readonly Offer[] | Decline> => {
  const [route] = backend.routes(order)
  assert.ok(route)
  return backend.quote(order, route)
}

const offersOf = async (world: World, order: Order): Promise<readonly Offer[]> => {
  const answer = await ask(world, order)
  assert.ok(
    !('declined' in answer),
    JSON.stringify(answer, (_, value) => String(value)),
  )
  return answer
}

const LADDER: readonly Rung[] = [
  [1_000n, 990n, 5n],
  [1_000_000n, 980_000n, 9_000n],
]

test('offers name their solver and terms, and their orders are found again', async () => {
  const world = createWorld()
  upsertQuotes(world, CHEAP, TOKEN, TOKEN, LADDER)
  upsertQuotes(world, DEAR, TOKEN, TOKEN, [
    [1_000n, 900n, 5n],
    [1_000_000n, 900_000n, 9_000n],
  ])
  const order = orderOf(TOKEN, TOKEN, 500_000n)
  const offers = await offersOf(world, order)
  assert.equal(offers.length, 2)
  for (const [index, offer] of offers.entries()) {
    const solver = [CHEAP, DEAR][index]
    assert.deepEqual(offer.metadata['solver'], solver)
    const intentOrder = orderOfQuote(recordOf(order, offer))
    assert.equal(intentOrder.solver, solver?.address)
    assert.equal(orderIdOf(intentOrder), offer.tracking['swapId'])
    assert.equal(orderIdOfQuote(recordOf(order, offer)), offer.tracking['swapId'])
    assert.equal(idsOfSalt(intentOrder.salt)[0], order.answerId)
    assert.equal(intentOrder.openDeadline, Math.floor((NOW + offer.lifetimeSeconds * 1000) / 1000))
    assert.equal(intentOrder.fillDeadline * 1000, offer.fulfillmentDeadline)
    assert.equal(intentOrder.refundAfter, intentOrder.fillDeadline + 7_200)
    assert.equal(offer.estimatedTimeSeconds, 17)
    assert.deepEqual(
      offer.actions.map(({ id, type }) => [id, type]),
      [
        ['approve', 'approval'],
        ['transfer', 'transaction'],
      ],
    )
    const [approve, transfer] = offer.actions
    assert.ok(approve?.payload.type === 'evm_transaction' && transfer?.payload.type === 'evm_transaction')
    const approval = decodeFunctionData({
      abi: parseAbi(['function approve(address spender, uint256 amount)']),
      // CAST: an action's data is hex.
      data: approve.payload.data as Hex,
    })
    assert.deepEqual(approval.args, [SETTLER, 500_000n])
    assert.equal(transfer.payload.to, SETTLER)
    assert.equal(transfer.payload.data, openCall(intentOrder).data)
    assert.equal(transfer.payload.value, '0')
    assert.deepEqual(offer.userFee.token, { chain: CHAINS[1], symbol: 'USD', address: TOKEN })
    assert.equal(offer.userFee.quoteTreatment, 'included_in_quote')
  }
  assert.notEqual(offers[0]?.tracking['swapId'], offers[1]?.tracking['swapId'])
})

test('native value is sent with the deposit and needs no approval', async () => {
  const world = createWorld({ allowance: () => Promise.reject(new Error('the allowance must not be read')) })
  upsertQuotes(world, CHEAP, NATIVE, NATIVE, LADDER)
  const [offer] = await offersOf(world, orderOf(NATIVE, NATIVE, 1_000n))
  const [transfer, ...more] = offer?.actions ?? []
  assert.equal(more.length, 0)
  assert.ok(transfer?.payload.type === 'evm_transaction')
  assert.equal(transfer.payload.value, '1000')
  assert.deepEqual(offer?.userFee.token, { chain: CHAINS[1], symbol: 'ETH', type: 'native' })
})

test('an allowance that suffices needs no approval', async () => {
  const world = createWorld({ allowance: () => Promise.resolve(1_000n) })
  upsertQuotes(world, CHEAP, TOKEN, TOKEN, LADDER)
  const idsOf = async (amount: bigint) =>
    (await offersOf(world, orderOf(TOKEN, TOKEN, amount))).flatMap(({ actions }) =>
      actions.map(({ id }) => id),
    )
  assert.deepEqual(await idsOf(1_000n), ['transfer'])
  assert.deepEqual(await idsOf(1_001n), ['approve', 'transfer'])
})

test('every amount is quoted exactly or declined with bounds that are quoted', async () => {
  const amounts = fc.bigInt({ min: 1n, max: 2_000_000n })
  await fc.assert(
    fc.asyncProperty(
      amounts,
      fc.constantFrom('EXACT_INPUT' as const, 'EXACT_OUTPUT' as const),
      async (amount, orderType) => {
        const world = createWorld()
        upsertQuotes(world, CHEAP, TOKEN, TOKEN, LADDER)
        const answer = await ask(world, orderOf(TOKEN, TOKEN, amount, { orderType }))
        if ('declined' in answer) {
          assert.ok(answer.declined === 'out_of_range' && answer.maximum !== null)
          assert.ok(amount < answer.minimum || amount > answer.maximum)
          for (const bound of [answer.minimum, answer.maximum])
            assert.ok(!('declined' in (await ask(world, orderOf(TOKEN, TOKEN, bound, { orderType })))))
          return
        }
        const [offer] = answer
        assert.ok(offer)
        assert.equal(orderType === 'EXACT_INPUT' ? offer.input : offer.output, amount)
        assert.equal(offer.minimumOutput, offer.output)
        assert.ok(offer.output < offer.input && offer.userFee.amount > 0n)
        const record = recordOf(orderOf(TOKEN, TOKEN, amount, { orderType }), offer)
        assert.equal(orderIdOf(orderOfQuote(record)), offer.tracking['swapId'])
      },
    ),
    { numRuns: 200 },
  )
})

/** Terms of an order of a sender and a client of its own. */
const askerOf = (number: number): Pick<Order, 'sender' | 'client'> => ({
  sender: `0x${(number + 1).toString(16).padStart(40, '0')}`,
  client: `client ${number}`,
})

test('a thousand concurrent answers to one client reserve no more than the inventory', async () => {
  const inventory = 5_000_000n
  const world = createWorld({
    inventory,
    allowance: () => new Promise((resolve) => setImmediate(resolve, undefined)),
  })
  for (const solver of [CHEAP, DEAR]) upsertQuotes(world, solver, TOKEN, TOKEN, LADDER)
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) =>
      ask(world, orderOf(TOKEN, TOKEN, 20_000n + BigInt(index * 100), { ...askerOf(index), client: 'one' })),
    ),
  )
  const promised = new Map<unknown, bigint>()
  for (const answer of answers) {
    if ('declined' in answer) continue
    const [best] = answer
    if (best === undefined) continue
    const { solver } = best.binding
    promised.set(solver, (promised.get(solver) ?? 0n) + best.output)
  }
  assert.deepEqual([...promised.keys()].sort(), [CHEAP.address, DEAR.address])
  for (const total of promised.values()) assert.ok(total <= inventory && total > inventory / 2n, `${total}`)
  assert.ok(answers.some((answer) => 'declined' in answer))
})

test('the second offer of an answer reserves nothing more', async () => {
  const world = createWorld({ inventory: 1_000_000n })
  for (const [solver, output] of [
    [CHEAP, 700_000n],
    [DEAR, 690_000n],
  ] as const)
    upsertQuotes(world, solver, TOKEN, TOKEN, [
      [1n, 1n, 0n],
      [1_000_000n, output, 0n],
    ])
  const solversOf = async (number: number) =>
    (await offersOf(world, orderOf(TOKEN, TOKEN, 1_000_000n, askerOf(number)))).map(
      ({ metadata }) => metadata['solver'],
    )
  assert.deepEqual(await solversOf(1), [CHEAP, DEAR])
  assert.deepEqual(await solversOf(2), [DEAR])
})

test('declines without a solver, a readable chain, settlers that confirm the network file, or a reliable clock', async () => {
  const order = orderOf(TOKEN, TOKEN, 1_000n)
  const reasonOf = async (world: World, asked: Order = order): Promise<string> => {
    const answer = await ask(world, asked)
    assert.ok('declined' in answer && answer.declined === 'unpriced')
    return answer.reason
  }
  assert.match(await reasonOf(createWorld()), /no solver/)
  const blind = createWorld({ head: null })
  upsertQuotes(blind, CHEAP, TOKEN, TOKEN, LADDER)
  assert.match(await reasonOf(blind), /cannot be read/)
  for (const unread of ['eip155:101', 'eip155:102']) {
    const lagging = createWorld({ isCurrent: (chainId) => chainId !== unread })
    upsertQuotes(lagging, CHEAP, TOKEN, TOKEN, LADDER)
    assert.match(await reasonOf(lagging), /is not read to its head/)
  }
  for (const unfit of ['eip155:101', 'eip155:102'])
    for (const [told, reason] of [
      [false, `the settler of ${unfit} does not confirm the network file`],
      [undefined, `the settler of ${unfit} cannot be read`],
    ] as const) {
      const world = createWorld({
        confirms: async (kind, chainId) => (kind === 'intent' && chainId === unfit ? told : true),
      })
      upsertQuotes(world, CHEAP, TOKEN, TOKEN, LADDER)
      assert.equal(await reasonOf(world), reason)
    }
  for (const dark of CHAINS)
    for (const [told, reason] of [
      [false, `Axelar carries no messages of ${dark} now`],
      [undefined, 'what Axelar carries cannot be read'],
    ] as const) {
      const world = createWorld({ carries: async (chainId) => (chainId === dark ? told : true) })
      upsertQuotes(world, CHEAP, TOKEN, TOKEN, LADDER)
      assert.equal(await reasonOf(world), reason)
    }
  const fast = createWorld({ head: { ...HEAD, timestampSeconds: HEAD.timestampSeconds + 60 } })
  upsertQuotes(fast, CHEAP, TOKEN, TOKEN, LADDER)
  assert.match(await reasonOf(fast), /clock/)
  const own = createWorld()
  upsertQuotes(own, CHEAP, TOKEN, TOKEN, LADDER)
  assert.match(await reasonOf(own, { ...order, recipient: CHEAP.address }), /can pay/)
})
