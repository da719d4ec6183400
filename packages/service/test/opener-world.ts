import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach } from 'node:test'
import { createDeploy, ownArtifact } from '@openrfq/sandbox/test/contract-deployer.ts'
import {
  FILLER,
  RECIPIENT,
  type Side,
  SOLVER,
  startSettlerWorld,
} from '@openrfq/sandbox/test/settler-world.ts'
import { evmChainIdOf, type OpeningAnswer, type OpeningMethod } from '@openrfq/sdk'
import {
  createPublicClient,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  maxUint256,
  numberToHex,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { EvmChain } from '../src/chains/evm/evm-chain.ts'
import { createEvmChain } from '../src/chains/evm/index.ts'
import { baseUnits } from '../src/core/amount.ts'
import type { IntentOrder, OrderId } from '../src/core/intent-order.ts'
import type { NetworkToken, OpeningTerms } from '../src/core/network.ts'
import { firstQuoteId } from '../src/core/quote-id.ts'
import type { QuoteRecord } from '../src/core/quote-record.ts'
import { createOpener, type Opener } from '../src/intents/opener/index.ts'
import { PERMIT2, type WrittenData } from '../src/intents/opener/typed-data.ts'
import { intentBinding, orderOfQuote, provenTerms, saltOf } from '../src/intents/settlers/quoted-order.ts'
import { orderIdOf } from '../src/intents/settlers/settler-contract.ts'
import { createTransactionOutbox } from '../src/transactions/transaction-outbox.ts'
import { until } from './eventually.ts'
import { openOwnStore } from './outbox-world.ts'

const OPENER_KEY = generatePrivateKey()
/** The opener's account. */
export const OPENER = privateKeyToAccount(OPENER_KEY).address
/** What the opener believes that a unit of gas costs at most, in wei; the chain itself asks for nothing. */
export const GAS_PRICE = 1_000_000_000n
/** What a sender holds and an order takes. */
export const INPUT = 1_000_000n
const QUICK = { roundMs: 30, rebroadcastMs: 200, patienceMs: 60_000 }
const CAP = 10n ** 18n

/** Terms that forbid nothing. */
export const TERMS: OpeningTerms = {
  costCap: CAP.toString(),
  dailyCostCap: CAP.toString(),
  dailyOrders: 1_000,
  permit2: true,
}

/** What the tests of the opener share. */
export type OpenerWorld = Awaited<ReturnType<typeof startOpenerWorld>>

/** A settler on two real chains, a token with ERC-2612 and ERC-3009 on the first, and code with Permit2's interface at its address. */
export const startOpenerWorld = async () => {
  const { a, b, stop } = await startSettlerWorld()
  const artifacts = {
    permitToken: ownArtifact('test/PermitToken'),
    permit2: ownArtifact('test/SignatureTransfers'),
    wallet: ownArtifact('test/Wallet'),
  }
  const deploy = createDeploy(a, artifacts)
  const token = getAddress(await deploy('permitToken'))
  await a.rpc('anvil_setCode', PERMIT2, await a.rpc('eth_getCode', await deploy('permit2'), 'latest'))
  await a.rpc('anvil_setBalance', OPENER, numberToHex(CAP))
  const evm = createEvmChain({
    chainId: evmChainIdOf(BigInt(a.number)),
    rpcUrls: [a.rpcUrl],
    finality: 2,
    now: Date.now,
    log: () => undefined,
    timing: { pollMs: 20, observeMs: 60_000 },
  })
  await evm.start()
  return {
    a,
    b,
    token,
    evm,
    orderIn,
    permitCall: (args: readonly unknown[]): Hex =>
      encodeFunctionData({ abi: artifacts.permitToken.abi, functionName: 'permit', args }),
    deployWallet: (key: Hex) => deploy('wallet', [key]),
    client: createPublicClient({ transport: http(a.rpcUrl, { timeout: 60_000 }) }),
    stop: async () => {
      await evm.stop()
      await stop()
    },
  }
}

const tokenOf = ({ token }: OpenerWorld): NetworkToken => ({
  chainId: 'eip155:31337',
  address: token,
  symbol: 'PERM',
  name: 'Permit Token',
  decimals: 6,
  verified: true,
  resetsAllowance: false,
  intent: true,
  signatures: { name: 'Permit Token', version: '1', methods: ['erc3009', 'erc2612'] },
})

/** An account with the input of one order, held for some blocks; `spenders` may spend it. */
export const newSender = async (
  { a, token, client, evm }: OpenerWorld,
  { amount = INPUT, spenders = [] }: { readonly amount?: bigint; readonly spenders?: readonly Hex[] } = {},
): Promise<PrivateKeyAccount> => {
  const account = privateKeyToAccount(generatePrivateKey())
  await give({ a, token }, account.address, amount)
  for (const spender of spenders)
    await a.run({ from: account.address, to: token, data: a.encode('approve', [spender, maxUint256]) })
  await a.rpc('anvil_mine', '0xa')
  const mined = await client.getBlockNumber({ cacheTime: 0 })
  await until(async () => (evm.head()?.number ?? 0n) >= mined)
  return account
}

/** Mints the token. */
export const give = async (
  { a, token }: { readonly a: Side; readonly token: Hex },
  account: Hex,
  amount: bigint,
): Promise<void> => {
  await a.run({ from: account, to: token, data: a.encode('mint', [account, amount]) })
}

/** A quote of an order of a sender; `seconds` are what is left of the time to open it. */
export const newQuote = (world: OpenerWorld, sender: string, seconds = 600): QuoteRecord => {
  const { a, token } = world
  const now = Date.now()
  const quoteId = firstQuoteId(now, BigInt(`0x${randomBytes(9).toString('hex')}`))
  const openDeadline = Math.floor(now / 1000) + seconds
  const order: IntentOrder = {
    depositor: sender,
    salt: saltOf(quoteId, randomBytes(16).toString('hex')),
    originChain: 'eip155:31337',
    originSettler: getAddress(a.settler),
    destinationChain: 'eip155:31338',
    destinationSettler: getAddress(a.settler),
    openDeadline,
    fillDeadline: openDeadline + 600,
    refundAfter: openDeadline + 7_200,
    inputToken: token,
    inputAmount: baseUnits(INPUT),
    outputToken: getAddress(world.b.token),
    outputAmount: baseUnits(INPUT - 1_000n),
    recipient: RECIPIENT,
    solver: SOLVER,
    filler: FILLER,
    proven: provenTerms('sandbox-b', openDeadline + 300),
  }
  return {
    quoteId,
    backend: 'intent',
    backendName: 'Solver Intents',
    createdAt: now,
    quoteExpiresAt: openDeadline * 1000,
    estimatedTimeSeconds: 10,
    orderType: 'EXACT_INPUT',
    fromChain: order.originChain,
    fromToken: order.inputToken,
    toChain: order.destinationChain,
    toToken: order.outputToken,
    sender: order.depositor,
    recipient: order.recipient,
    input: order.inputAmount,
    output: order.outputAmount,
    minimumOutput: order.outputAmount,
    binding: intentBinding(orderIdOf(order), order),
  }
}

export type StartedOpener = Opener & {
  /** What the log says, as events. */
  readonly events: readonly string[]
  /** What the openings of a quote ask to be signed. */
  readonly typedData: (quote: QuoteRecord, method: OpeningMethod) => readonly WrittenData[]
  /** Lets days pass for the limits. */
  readonly pass: (milliseconds: number) => void
}

type Settings = {
  readonly terms?: Partial<OpeningTerms>
  readonly evm?: Partial<EvmChain>
  readonly store?: Awaited<ReturnType<typeof openOwnStore>>
}

/** Starts an opener with a store of its own, or a given one; `stop` ends it like a killed process ends. */
export const startOpener = async (
  world: OpenerWorld,
  { terms = {}, evm: changed = {}, store: given }: Settings = {},
): Promise<StartedOpener & { readonly files: Awaited<ReturnType<typeof openOwnStore>> }> => {
  const files = given ?? (await openOwnStore())
  const store = files.store()
  const events: string[] = []
  const log = (_level: string, event: string): void => void events.push(event)
  const chain = { ...world.evm, ...changed }
  const outbox = createTransactionOutbox({
    store,
    chain,
    privateKey: OPENER_KEY,
    now: Date.now,
    log,
    timing: QUICK,
  })
  outbox.start()
  const evm = {
    ...chain,
    head: () => {
      const head = chain.head()
      return head === undefined ? undefined : { ...head, maxFeePerGas: GAS_PRICE }
    },
  }
  let passed = 0
  const opener = createOpener({
    chains: new Map([
      [evm.chainId, { evm, outbox, settler: world.a.settler, terms: { ...TERMS, ...terms } }],
    ]),
    tokenOf: () => tokenOf(world),
    store,
    now: Date.now,
    steady: () => Date.now() + passed,
    log,
  })
  await opener.start()
  return {
    ...opener,
    files,
    events,
    typedData: (quote, method) => {
      const { order, orderId } = orderIn(quote)
      const found = opener.openingsOf(order, orderId, maxUint256)?.find((one) => one.method === method)
      assert(found !== undefined, `no opening by ${method}`)
      // CAST: an answer's typed data is what the opener wrote.
      return found.typedData as unknown as readonly WrittenData[]
    },
    pass: (milliseconds) => {
      passed += milliseconds
    },
    stop: async () => {
      await opener.stop()
      await outbox.stop()
    },
  }
}

const orderIn = (quote: QuoteRecord): { readonly order: IntentOrder; readonly orderId: OrderId } => {
  const order = orderOfQuote(quote)
  return { order, orderId: orderIdOf(order) }
}

/** Signs typed data as a wallet does: from the JSON of the answer. */
export const signData = (account: PrivateKeyAccount, data: WrittenData): Promise<Hex> => {
  const { EIP712Domain: _, ...types } = data.types
  // CAST: JSON typed data, as `eth_signTypedData_v4` takes it.
  return account.signTypedData({ ...data, types } as unknown as Parameters<typeof account.signTypedData>[0])
}

/** The signatures of an opening; `nonce` is the token's for a permit. */
export const signOpening = async (
  opener: StartedOpener,
  account: PrivateKeyAccount,
  quote: QuoteRecord,
  method: OpeningMethod,
  nonce = 0n,
): Promise<string[]> => {
  const signed: string[] = []
  for (const data of opener.typedData(quote, method)) {
    const message =
      data.primaryType === 'Permit' ? { ...data.message, nonce: nonce.toString() } : data.message
    signed.push(await signData(account, { ...data, message }))
  }
  return signed
}

/** Signs and asks for the opening. */
export const openBy = async (
  opener: StartedOpener,
  account: PrivateKeyAccount,
  quote: QuoteRecord,
  method: OpeningMethod = 'erc3009',
): Promise<OpeningAnswer> => {
  const signatures = await signOpening(opener, account, quote, method)
  return opener.open(quote, { quoteId: quote.quoteId, method, signatures }, 'client')
}

/** Openers of a test file, which stop after each test, and blocks mined on its chain. */
export const openersOf = (world: () => OpenerWorld) => {
  let cleanup: (() => Promise<unknown>)[] = []
  const mine = (count: number) => world().a.rpc('anvil_mine', numberToHex(count))
  afterEach(async () => {
    await world().a.rpc('evm_setAutomine', true)
    await mine(5)
    for (const step of cleanup.toReversed()) await step()
    cleanup = []
  })
  const start = async (settings: Settings = {}) => {
    const opener = await startOpener(world(), settings)
    cleanup.push(async () => {
      await opener.stop()
      if (settings.store === undefined) await opener.files.remove()
    })
    return opener
  }
  return { mine, start }
}
