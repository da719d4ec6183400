import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordOf } from '../../../test/backend-world.ts'
import { memoryChain } from '../../../test/memory-chain.ts'
import { NO_ESCROWS } from '../../../test/no-escrows.ts'
import { openGate } from '../../../test/open-gate.ts'
import { clockOf } from '../../../test/test-clock.ts'
import { createTestPaymentChain } from '../../../test/test-payment-chain.ts'
import { createCatalog } from '../../chains/catalog.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { associatedTokenOf } from '../../chains/solana/associated-token.ts'
import { PROGRAMS } from '../../chains/solana/programs.ts'
import { contractIdOf } from '../../chains/stellar/asset-contract.ts'
import { accountBehind, muxedAddress } from '../../chains/stellar/muxed-account.ts'
import { strKeyText } from '../../chains/stellar/str-key.ts'
import { baseUnits } from '../../core/amount.ts'
import { Network } from '../../core/network.ts'
import type { Decline, Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import { firstQuoteId } from '../../core/quote-id.ts'
import { DEFAULT_SLIPPAGE } from '../../core/slippage.ts'
import { tokenKey } from '../../core/token-key.ts'
import { type AttesterWatch, UNWATCHED } from '../../intents/attester-watch.ts'
import { depositMuxedId } from '../../intents/settlers/deposit-reference.ts'
import { openInstruction } from '../../intents/settlers/escrow-program.ts'
import { orderOfQuote } from '../../intents/settlers/quoted-order.ts'
import { openCall, orderIdOf } from '../../intents/settlers/settler-contract.ts'
import { createBook } from '../../intents/solver-api/book.ts'
import { createSolverDirectory } from '../../intents/solver-api/solver-directory.ts'
import { fixedPrices } from '../../pricing/fixed.ts'
import { intentBackend } from './intent-backend.ts'

const SECONDS = 1_800_000_000
const NOW = SECONDS * 1000 + 500
const EVM = 'eip155:101'
const SOLANA = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const STELLAR = 'stellar:test'
const account = (byte: number): string => strKeyText('G', new Uint8Array(32).fill(byte))
/** Any 32 bytes in base58 are a valid Solana account. */
const VAULTS = { solana: PROGRAMS.token2022, stellar: account(1) }
const SOLVER = {
  name: 'solver',
  address: '0x00000000000000000000000000000000000000A1',
  accounts: { solana: PROGRAMS.memoV1, stellar: account(2) },
}
/** Has no account on any payment chain. */
const EVM_SOLVER = { name: 'evm only', address: '0x00000000000000000000000000000000000000B2' }
const ATTESTER = '0x00000000000000000000000000000000000000C3'
const SETTLER = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const EVM_USER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const EVM_TOKEN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const SOLANA_USER = PROGRAMS.associatedToken
const SOLANA_MINT = 'So11111111111111111111111111111111111111112'
const STELLAR_USER = account(3)
const ASSET = { code: 'USD', issuer: account(4) }
const PASSPHRASE = 'a network for tests'
const STELLAR_TOKEN = contractIdOf(ASSET, PASSPHRASE)

/** The followed orders, and whether their depositors hold the input. */
const followed: (readonly [string, boolean])[] = []

const chain = (chainId: string, chainType: string, symbol: string, settler: string) => ({
  chainId,
  chainType,
  chainLabel: chainId,
  nativeToken: { symbol, decimals: 9 },
  rpcUrls: ['http://127.0.0.1:1'],
  finality: 'finalized',
  attested: { settler, finalitySeconds: 12 },
  ...(chainType === 'stellar' ? { passphrase: PASSPHRASE } : {}),
})
const token = (chainId: string, address: string, more = {}) => ({
  ...{ chainId, address, symbol: 'USD', name: 'Dollar', decimals: 6, verified: true, intent: true },
  ...{ usdPrice: '1', ...more },
})
const network = Network.parse({
  chains: [
    chain(EVM, 'evm', 'ETH', SETTLER),
    chain(SOLANA, 'solana', 'SOL', VAULTS.solana),
    chain(STELLAR, 'stellar', 'XLM', VAULTS.stellar),
  ],
  tokens: [
    token(EVM, EVM_TOKEN),
    token(SOLANA, SOLANA_MINT),
    token(SOLANA, PROGRAMS.system, { symbol: 'SOL', decimals: 9 }),
    token(STELLAR, STELLAR_TOKEN, { stellar: ASSET }),
  ],
  intent: { solvers: [SOLVER, EVM_SOLVER], attester: ATTESTER, depositGraceSeconds: 30 },
})
const catalog = createCatalog(network)
const HEAD: EvmHead = {
  number: 100n,
  hash: `0x${'aa'.repeat(32)}`,
  timestampSeconds: SECONDS,
  finalNumber: 98n,
  maxFeePerGas: 20n,
  maxPriorityFeePerGas: 10n,
  readAt: NOW,
}

const asset = (chainId: string, address: string): Order['from'] => {
  const [found, known] = [catalog.chain(chainId), catalog.token(chainId, address)]
  assert.ok(found && known)
  return { chain: found, token: known }
}
const ON_EVM = { asset: asset(EVM, EVM_TOKEN), user: EVM_USER }
const ON_SOLANA = { asset: asset(SOLANA, SOLANA_MINT), user: SOLANA_USER }
const IN_SOL = { asset: asset(SOLANA, PROGRAMS.system), user: SOLANA_USER }
const ON_STELLAR = { asset: asset(STELLAR, STELLAR_TOKEN), user: STELLAR_USER }
type End = typeof ON_EVM

/** The backend between one EVM chain and two payment chains, with a solver that quotes the pair. */
const quoteBetween = async (
  from: End,
  to: End,
  {
    solver = SOLVER,
    change = () => undefined,
    isCurrent = () => true,
    attesterWatch = UNWATCHED,
    orderType = 'EXACT_INPUT',
    amount = 50_000n,
  }: {
    solver?: typeof EVM_SOLVER
    change?: Change
    isCurrent?: (chainId: string) => boolean
    attesterWatch?: Pick<AttesterWatch, 'faultOf'>
    orderType?: Order['orderType']
    amount?: bigint
  } = {},
): Promise<{ readonly order: Order; readonly answer: readonly Offer[] | Decline }> => {
  const paymentChains = {
    solana: createTestPaymentChain({ chainId: SOLANA, chainType: 'solana', startSeconds: SECONDS }),
    stellar: createTestPaymentChain({ chainId: STELLAR, chainType: 'stellar', startSeconds: SECONDS }),
  }
  assert.ok(network.intent)
  const nothing = { deposits: undefined, fill: undefined }
  const assetKey = (chainId: string, address: string): string => tokenKey({ chainId, address })
  const directory = createSolverDirectory(network.intent.solvers)
  const book = createBook({ directory, assetKey, ...clockOf(() => NOW) })
  const backend = intentBackend({
    directory,
    carriage: undefined,
    gate: openGate,
    catalog,
    paymentChains: new Map(
      [paymentChains.solana, paymentChains.stellar].map((paymentChain) => [
        paymentChain.chain.chainId,
        paymentChain.chain,
      ]),
    ),
    isCurrent,
    attesterWatch,
    escrows: { ...NO_ESCROWS, follow: ({ orderId }, isBacked) => followed.push([orderId, isBacked]) },
    paymentIndex: {
      getOrderPayments: async () => nothing,
      lastKnown: async () => nothing,
    },
    evmChains: new Map([[EVM, memoryChain(EVM, [], { head: () => HEAD, allowance: async () => 0n })]]),
    terms: network.intent,
    book,
    senderBalances: { held: async () => 2n ** 255n },
    settlers: { confirms: async () => true },
    prices: fixedPrices(catalog.tokens),
    submitsRefunds: (chainId) => chainId !== SOLANA,
    opener: undefined,
    randomSalt: () => '5a'.repeat(16),
    evidence: { isUnfilled: () => Promise.resolve(false) },
    absences: { isAbsent: () => Promise.resolve(false) },
    orderFacts: { unfilled: () => assert.fail('nothing is refunded') },
    factCheck: { allows: () => assert.fail('nothing is refunded') },
    orders: {
      getOrderEvents: () => Promise.reject(new Error('nothing is tracked')),
      lastKnown: () => Promise.reject(new Error('nothing is tracked')),
      finalBlock: () => undefined,
    },
    store: {
      findTransaction: async () => undefined,
      findPayout: async () => undefined,
      listQuotesSince: async () => [],
    },
    log: () => undefined,
  })
  const { chainId: toChain, address: toToken } = to.asset.token
  const { chainId: fromChain, address: fromToken } = from.asset.token
  const inventory = { chain: toChain, token: toToken, available: baseUnits(1_000_000n), block: 1 }
  assert.equal(book.setInventory(solver, [inventory]), undefined)
  const rung = (input: bigint) => ({
    input: baseUnits(input),
    output: baseUnits(input - 10n),
    fee: baseUnits(5n),
  })
  const ladder = [rung(1_000n), rung(100_000n)]
  const pair = { fromChain, fromToken, toChain, toToken, ladder, validForMs: 60_000 }
  assert.equal(book.upsertQuotes(solver, [pair]), undefined)
  change(paymentChains)
  const order: Order = {
    from: from.asset,
    to: to.asset,
    amount: baseUnits(amount),
    orderType,
    sender: from.user,
    recipient: to.user,
    slippage: DEFAULT_SLIPPAGE,
    approvalMode: 'EXACT',
    createdAt: NOW,
    client: 'client',
    answerId: firstQuoteId(NOW, 77n),
  }
  const [route] = backend.routes(order)
  assert.ok(route)
  return { order, answer: await backend.quote(order, route) }
}

type Ledgers = Readonly<Record<'solana' | 'stellar', ReturnType<typeof createTestPaymentChain>>>
type Change = (paymentChains: Ledgers) => void

const offerBetween = async (from: End, to: End, call: Parameters<typeof quoteBetween>[2] = {}) => {
  const { order, answer } = await quoteBetween(from, to, call)
  assert.ok(!('declined' in answer))
  const [offer] = answer
  assert.ok(offer)
  const intent = orderOfQuote(recordOf(order, offer))
  assert.equal(orderIdOf(intent), offer.tracking['swapId'])
  assert.deepEqual([intent.attester, intent.depositor], [ATTESTER, from.user])
  const [action, ...others] = offer.actions.toReversed()
  assert.ok(action)
  assert.equal(action.chain, from.asset.chain.chainId)
  return { order, offer, intent, action, others }
}

test('declines pairs with a chain that their attester does not read, and says why', async () => {
  for (const unread of [STELLAR, EVM]) {
    const attesterWatch = {
      faultOf: (chainId: string) => (chainId === unread ? ('behind' as const) : undefined),
    }
    for (const [from, to] of [
      [ON_EVM, ON_STELLAR],
      [ON_STELLAR, ON_EVM],
    ] as const) {
      const { answer } = await quoteBetween(from, to, { attesterWatch })
      assert.deepEqual(answer, {
        declined: 'unpriced',
        reason: `the attester does not read ${unread}: behind`,
      })
    }
  }
  const attesterWatch = {
    faultOf: (chainId: string) => (chainId === STELLAR ? ('not_read' as const) : undefined),
  }
  const { answer } = await quoteBetween(ON_SOLANA, ON_EVM, { attesterWatch })
  assert.ok(!('declined' in answer))
})

test('declines pairs with a payment chain whose payments are not read to its head', async () => {
  for (const [from, to] of [
    [ON_STELLAR, ON_EVM],
    [ON_EVM, ON_STELLAR],
  ] as const) {
    const { answer } = await quoteBetween(from, to, { isCurrent: (chainId) => chainId !== STELLAR })
    assert.ok('declined' in answer)
    assert.match(JSON.stringify(answer), /stellar:\S+ is not read to its head/)
  }
  const { answer } = await quoteBetween(ON_SOLANA, ON_EVM, { isCurrent: (chainId) => chainId !== STELLAR })
  assert.ok(!('declined' in answer))
})

test('from Solana one transaction opens the order at the escrow program, signed by the sender only', async () => {
  for (const from of [ON_SOLANA, IN_SOL]) {
    followed.length = 0
    const { offer, intent, action, others } = await offerBetween(from, ON_EVM)
    assert.deepEqual([action.id, action.type, others.length], ['transfer', 'transaction', 0])
    assert.ok(action.payload.type === 'solana_instructions')
    const { instructions, addressLookupTableAddresses } = action.payload
    assert.deepEqual(
      instructions.map(({ programId }) => programId),
      [PROGRAMS.computeBudget, PROGRAMS.computeBudget, VAULTS.solana],
    )
    assert.deepEqual(addressLookupTableAddresses, [])
    const signers = instructions.flatMap(({ keys }) => keys.filter(({ isSigner }) => isSigner))
    assert.deepEqual(new Set(signers.map(({ pubkey }) => pubkey)), new Set([SOLANA_USER]))
    const mint = { address: from.asset.token.address, decimals: from.asset.token.decimals }
    assert.deepEqual(instructions.at(-1), openInstruction({ order: intent, mint }))
    assert.deepEqual(followed, [[orderIdOf(intent), true]])
    const rent = from === IN_SOL ? '2282880' : '4356960'
    const shown = Object(offer.metadata['rent'])
    assert.deepEqual([shown.chain, shown.token, shown.amount], [SOLANA, PROGRAMS.system, rent])
    assert.deepEqual(
      [intent.originSettler, intent.destinationSettler, intent.solver, intent.filler],
      [VAULTS.solana, SETTLER, SOLVER.accounts.solana, SOLVER.address],
    )
    assert.deepEqual(offer.gasFee.token, { chain: SOLANA, symbol: 'SOL', type: 'native' })
    assert.deepEqual(
      [offer.gasFee.paymentMethod, offer.gasFee.quoteTreatment],
      ['wallet_native', 'outside_quote'],
    )
    assert.ok(offer.gasFee.amount > 0n)
  }
})

test('from Stellar one payment goes to a muxed address of the vault that no other quote has', async () => {
  const { order, offer, intent, action, others } = await offerBetween(ON_STELLAR, ON_SOLANA)
  assert.deepEqual([action.id, action.type, others.length], ['transfer', 'deposit_address', 0])
  assert.ok(action.payload.type === 'deposit_address')
  const { address, amount, token: paid } = action.payload
  assert.deepEqual([amount, paid], ['50000', STELLAR_TOKEN])
  assert.deepEqual(accountBehind(address), {
    account: VAULTS.stellar,
    muxedId: depositMuxedId(order.createdAt, orderIdOf(intent)),
  })
  assert.deepEqual(
    [intent.originSettler, intent.destinationSettler, intent.solver, intent.filler],
    [VAULTS.stellar, VAULTS.solana, SOLVER.accounts.stellar, SOLVER.accounts.solana],
  )
  assert.equal(offer.gasFee.amount, 5n)
})

test('a deposit on a payment chain may be completed during the grace, and the fill window starts after it', async () => {
  const { offer, intent } = await offerBetween(ON_STELLAR, ON_EVM)
  assert.equal(intent.openDeadline, SECONDS + 60)
  assert.equal(intent.fillDeadline, intent.openDeadline + 30 + 600)
  assert.equal(intent.refundAfter, intent.fillDeadline + 7_200)
  assert.equal(offer.fulfillmentDeadline, intent.fillDeadline * 1000)
  const { terms, ...refund } = Object(offer.metadata['refund'])
  assert.deepEqual(refund, {
    automatic: true,
    keeper: true,
    address: STELLAR_USER,
    chain: STELLAR,
    token: STELLAR_TOKEN,
    cost: '0',
    expectedSeconds: 630,
  })
  assert.match(terms, /too much, too late or in another asset/)
})

test('a deposit at the escrow program has no grace, and any account may refund it after the refund time', async () => {
  const { offer, intent } = await offerBetween(ON_SOLANA, ON_EVM)
  assert.equal(intent.fillDeadline, intent.openDeadline + 600)
  const refund = Object(offer.metadata['refund'])
  assert.equal(refund.expectedSeconds, 600 + 7_200)
  assert.equal(refund.keeper, false, 'no keeper has an account there')
  assert.match(refund.terms, /at once when the solver declines, else after refundAfter/)
})

test('a deposit on an EVM chain for a payment chain is escrowed, without a grace', async () => {
  const { intent, action, others } = await offerBetween(ON_EVM, ON_STELLAR)
  assert.deepEqual(
    others.map(({ id }) => id),
    ['approve'],
  )
  assert.ok(action.payload.type === 'evm_transaction')
  assert.deepEqual([action.payload.to, action.payload.data], [SETTLER, openCall(intent).data])
  assert.equal(intent.fillDeadline, intent.openDeadline + 600)
  assert.deepEqual([intent.solver, intent.filler], [SOLVER.address, SOLVER.accounts.stellar])
})

test('the deposit at the escrow program bids what writing the accounts of its sender costs', async () => {
  const source = associatedTokenOf(SOLANA_USER, SOLANA_MINT, PROGRAMS.token)
  const bidsOf = async (change: Change) => {
    const { offer, action } = await offerBetween(ON_SOLANA, ON_EVM, { change })
    assert.ok(action.payload.type === 'solana_instructions')
    const price = Buffer.from(action.payload.instructions[1]?.data ?? '', 'base64').readBigUInt64LE(1)
    return [price, offer.gasFee.amount]
  }
  const demandFor =
    (account: string): Change =>
    ({ solana }) =>
      solana.setDemand(account, 41_000n)
  const plain = await bidsOf(() => undefined)
  assert.deepEqual(plain, [0n, 5_000n])
  // 36,005 lamports beyond the signature's for 120,000 units.
  for (const account of [SOLANA_USER, source])
    assert.deepEqual(await bidsOf(demandFor(account)), [300_041n, 41_005n])
  assert.deepEqual(await bidsOf(demandFor(VAULTS.solana)), plain)
})

/** The rent of a token account, and its worth in the output with a tenth more, rounded up. */
const OPENING_RENT = 2_039_280n
const OPENING_COST = 2_244n
const unopened: Change = ({ solana }) => solana.setOpeningRent(SOLANA_USER, OPENING_RENT)

test('the output of an exact input pays for opening the token account of the recipient, shown as a fee', async () => {
  const { answer } = await quoteBetween(ON_EVM, ON_SOLANA, { change: unopened })
  assert.ok(!('declined' in answer))
  const [offer] = answer
  assert.deepEqual(
    [offer?.input, offer?.output, offer?.minimumOutput, offer?.userFee.amount],
    [50_000n, 49_990n - OPENING_COST, 49_990n - OPENING_COST, 5n + OPENING_COST],
  )
})

test('the input of an exact output pays for opening the token account of the recipient', async () => {
  const { answer } = await quoteBetween(ON_EVM, ON_SOLANA, { change: unopened, orderType: 'EXACT_OUTPUT' })
  assert.ok(!('declined' in answer))
  assert.deepEqual([answer[0]?.input, answer[0]?.output], [50_010n + OPENING_COST, 50_000n])
})

test('bounds of an exact output leave room for opening the token account of the recipient', async () => {
  const call = { change: unopened, orderType: 'EXACT_OUTPUT', amount: 99_000n } as const
  const { answer } = await quoteBetween(ON_EVM, ON_SOLANA, call)
  assert.ok('declined' in answer && answer.declined === 'out_of_range')
  assert.deepEqual([answer.minimum, answer.maximum], [1n, 99_990n - OPENING_COST])
})

test('declines an output that does not cover opening the token account of the recipient', async () => {
  const call = { change: unopened, amount: 1_100n }
  assert.match(await reasonOf(ON_EVM, ON_SOLANA, call), /^unpriced: the output does not cover opening/)
})

const reasonOf = async (...call: Parameters<typeof quoteBetween>): Promise<string> => {
  const { answer } = await quoteBetween(...call)
  assert.ok('declined' in answer && answer.declined !== 'out_of_range')
  return `${answer.declined}: ${answer.reason}`
}

test('declines for an unpayable recipient, an unreadable payment chain, and a solver without an account there', async () => {
  const closed: Change = ({ stellar }) => stellar.close(STELLAR_USER)
  assert.match(
    await reasonOf(ON_EVM, ON_STELLAR, { change: closed }),
    /^unpayable: the account does not exist/,
  )
  const blind: Change = ({ solana }) => solana.setReadable(false)
  assert.match(
    await reasonOf(ON_SOLANA, ON_EVM, { change: blind }),
    /^unpriced: the source chain cannot be read/,
  )
  assert.match(await reasonOf(ON_STELLAR, ON_SOLANA, { change: blind }), /destination chain cannot be read/)
  assert.match(await reasonOf(ON_SOLANA, ON_EVM, { solver: EVM_SOLVER }), /can pay/)
  const ahead: Change = ({ solana }) => solana.advance(20)
  assert.match(await reasonOf(ON_SOLANA, ON_EVM, { change: ahead }), /clock/)
  assert.match(await reasonOf(ON_EVM, { ...ON_SOLANA, user: SOLVER.accounts.solana }), /can pay/)
  // The program holds tags of 64 bits, and that of a contract is longer.
  assert.match(await reasonOf(ON_SOLANA, { ...ON_STELLAR, user: STELLAR_TOKEN }), /can pay/)
  const muxed = muxedAddress(SOLVER.accounts.stellar, 1n)
  assert.match(await reasonOf(ON_EVM, { ...ON_STELLAR, user: muxed }), /can pay/)
})
