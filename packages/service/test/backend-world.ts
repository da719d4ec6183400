import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import { KEEPER, USERS } from '@openrfq/sandbox/src/keys.ts'
import { QUICK_BLOCK_MS } from '@openrfq/sandbox/test/quick-blocks.ts'
import { createWalletClient, type Hex, type TransactionReceipt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Backend } from '../src/backends/backend.ts'
import type { BackendDeps } from '../src/backends/backend-definition.ts'
import { createBackends } from '../src/backends/create-backends.ts'
import { BACKENDS } from '../src/backends/index.ts'
import { type Catalog, createCatalog } from '../src/chains/catalog.ts'
import { connectPaymentChains } from '../src/chains/connect-payment-chains.ts'
import { createEvmChain } from '../src/chains/evm/index.ts'
import { baseUnits } from '../src/core/amount.ts'
import { Network } from '../src/core/network.ts'
import type { Decline, Offer } from '../src/core/offer.ts'
import type { Asset, AssetPair, Order } from '../src/core/order.ts'
import { firstQuoteId } from '../src/core/quote-id.ts'
import { type QuoteRecord, quoteRecordOf } from '../src/core/quote-record.ts'
import { DEFAULT_SLIPPAGE } from '../src/core/slippage.ts'
import type { Log } from '../src/lib/log.ts'
import { type Axelar, connectAxelar } from '../src/protocols/axelar/axelar.ts'
import { createCarriage } from '../src/protocols/axelar/carriage.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'
import { eventually } from './eventually.ts'
import { chainClients, type SandboxDescription } from './wallet.ts'

const DEADLINE_MS = 120_000
/** Deadlines that a busy machine keeps. */
const PATIENT = { readMs: 60_000, allowanceMs: 60_000, observeMs: 60_000 }

/** The sandbox with backends on it, without a service above them. */
export type BackendWorld = {
  readonly catalog: Catalog
  readonly backends: readonly Backend[]
  readonly sandbox: SandboxDescription
  /** The backends' dependencies, with which a test can create more on the same chains. */
  readonly deps: BackendDeps & { readonly network: Network; readonly axelar: Axelar }
  readonly simulatedChains: Running['simulatedChains']
  /** Calls a POST control of the sandbox. */
  readonly control: (path: string, body: unknown) => Promise<unknown>
  /** Connects the sandbox's solvers to a service. */
  readonly connect: (serviceUrl: string, timeoutMs?: number) => Promise<void>
  readonly stop: () => Promise<void>
}

const silent: Log = () => undefined
const randomHex = (byteLength: number): string => randomBytes(byteLength).toString('hex')

type Running = Awaited<ReturnType<typeof startSandbox>>

/** Starts the sandbox and every backend of the table that works without solvers. */
export const startBackendWorld = async (
  options: Pick<
    Parameters<typeof startSandbox>[0],
    'intentSeconds' | 'slowFinality' | 'withPaymentChains'
  > = {},
): Promise<BackendWorld> => {
  const running = await startSandbox({
    log: silent,
    now: Date.now,
    withPaymentChains: false,
    endpointSeed: undefined,
    blockMs: QUICK_BLOCK_MS,
    ...options,
  })
  try {
    return await startBackends(running)
  } catch (error) {
    // A running sandbox would keep the process of a failed test alive.
    await running.stop()
    throw error
  }
}

const startBackends = async (running: Running): Promise<BackendWorld> => {
  const network = Network.parse(running.network)
  assert.ok(network.axelar)
  const catalog = createCatalog(network)
  const evmChains = new Map(
    catalog.chains
      .filter(({ chainType }) => chainType === 'evm')
      .map((chain) => [
        chain.chainId,
        createEvmChain({ ...chain, now: Date.now, log: silent, timing: PATIENT }),
      ]),
  )
  const axelar = connectAxelar(network.axelar, { now: Date.now, log: silent })
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-backends-'))
  const store = await openSqliteStore({ directory, log: silent })
  const deps = {
    catalog,
    network,
    evmChains,
    paymentChains: connectPaymentChains(catalog, { now: Date.now, log: silent }),
    axelar,
    carriage: createCarriage({
      ...{ chains: network.chains, evmChains, lcd: axelar.lcd },
      routerAddress: network.axelar?.routerAddress,
      ...{ now: Date.now, log: silent },
    }),
    intents: undefined,
    deliveryConfirmations: () => undefined,
    store,
    keeper: KEEPER.address,
    randomHex,
    now: Date.now,
    log: silent,
  }
  const backends = createBackends(BACKENDS, deps)
  const endpoint = (path: string) => running.endpoints.find((candidate) => candidate.path === path)
  await Promise.all([...evmChains.values()].map((chain) => chain.start()))
  await Promise.all(backends.map((backend) => backend.start()))
  // CAST: the sandbox describes itself as DESIGN.md says; the tests use nothing else of it.
  const sandbox = (await endpoint('/sandbox')?.handle(undefined)) as SandboxDescription
  for (const backend of backends) await untilPriced(backend, pairsOf({ catalog }, backend).filter(isEvmPair))
  return {
    catalog,
    backends,
    sandbox,
    simulatedChains: running.simulatedChains,
    deps,
    connect: running.connect,
    control: async (path, body) => endpoint(path)?.handle(body),
    stop: async () => {
      for (const backend of backends) backend.stop()
      for (const chain of [...evmChains.values(), ...deps.paymentChains.values()]) await chain.stop()
      await running.stop()
      await store.close()
      rmSync(directory, { recursive: true })
    },
  }
}

/** A user of the sandbox with its private key. */
export const user = (index: number): (typeof USERS)[number] => {
  const found = USERS[index]
  assert.ok(found)
  return found
}

const isEvmPair = ({ from, to }: AssetPair): boolean =>
  from.chain.chainType === 'evm' && to.chain.chainType === 'evm'

/** Waits until the backend has read all facts its prices need. */
const untilPriced = async (backend: Backend, pairs: readonly AssetPair[]): Promise<void> => {
  for (const pair of pairs)
    await eventually(`${backend.type} quotes`, async () => {
      const answer = await quote(backend, orderFor(pair, 10n ** BigInt(pair.from.token.decimals)))
      return !('declined' in answer) || answer.declined === 'out_of_range'
    })
}

/** Every pair of tokens on different chains that the backend serves. */
export const pairsOf = (world: Pick<BackendWorld, 'catalog'>, backend: Backend): readonly AssetPair[] => {
  const assets = world.catalog.tokens.flatMap((token): readonly Asset[] => {
    const chain = world.catalog.chain(token.chainId)
    return chain === undefined ? [] : [{ chain, token }]
  })
  return assets.flatMap((from) =>
    assets.map((to) => ({ from, to })).filter((pair) => backend.routes(pair).length > 0),
  )
}

/** An order of the first user to the second, by default EXACT_INPUT with EXACT approval. */
export const orderFor = (pair: AssetPair, amount: bigint, changes: Partial<Order> = {}): Order => ({
  ...pair,
  amount: baseUnits(amount),
  orderType: 'EXACT_INPUT',
  sender: user(0).address,
  recipient: user(1).address,
  slippage: DEFAULT_SLIPPAGE,
  approvalMode: 'EXACT',
  createdAt: Date.now(),
  client: 'client',
  answerId: firstQuoteId(Date.now(), BigInt(`0x${randomBytes(10).toString('hex')}`)),
  ...changes,
})

/** The backend's result for an order on its single route: its best offer, or a decline. */
export const quote = async (backend: Backend, order: Order): Promise<Offer | Decline> => {
  const [route] = backend.routes(order)
  assert.ok(route)
  const answer = await backend.quote(order, route)
  if ('declined' in answer) return answer
  const [best] = answer
  assert.ok(best)
  return best
}

/** The backend's result for an order, asked for again, as of now, while a busy machine lets prices grow stale. */
export const pricedQuote = async (backend: Backend, order: Order): Promise<Offer | Decline> => {
  let said = ''
  return eventually(
    () => `a price for ${order.from.token.symbol} after ${said}`,
    async () => {
      const answer = await quote(backend, said === '' ? order : { ...order, createdAt: Date.now() })
      if (!('declined' in answer) || answer.declined !== 'unpriced') return answer
      said = answer.reason
      return undefined
    },
  )
}

/** The offer for an order; a decline for another reason than stale prices fails the test. */
export const offerFor = async (backend: Backend, order: Order): Promise<Offer> => {
  const answer = await pricedQuote(backend, order)
  if ('declined' in answer) assert.fail(JSON.stringify(answer, printable))
  return answer
}

const printable = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value)

/** The quote as the service stores it, with its binding read back from JSON. */
export const recordOf = (order: Order, offer: Offer): QuoteRecord =>
  quoteRecordOf(order, { ...offer, binding: JSON.parse(JSON.stringify(offer.binding)) }, order.answerId)

const hex = (text: string): Hex => {
  assert.match(text, /^0x/)
  return `0x${text.slice(2)}`
}

/** Signs and sends the actions unchanged and in order, each mined before the next. Returns the last receipt. */
export const execute = async (
  world: BackendWorld,
  offer: Offer,
  privateKey: Hex,
): Promise<TransactionReceipt> => {
  let receipt: TransactionReceipt | undefined
  for (const { chain: chainId, payload } of offer.actions) {
    assert.ok(payload.type === 'evm_transaction')
    const { chain, transport, reader } = chainClients(world.sandbox, chainId)
    const wallet = createWalletClient({ account: privateKeyToAccount(privateKey), chain, transport })
    const hash = await wallet.sendTransaction({
      to: hex(payload.to),
      data: hex(payload.data),
      value: BigInt(payload.value),
      ...(payload.gasLimit === undefined ? {} : { gas: BigInt(payload.gasLimit) }),
    })
    receipt = await reader.waitForTransactionReceipt({ hash, timeout: DEADLINE_MS })
  }
  assert.ok(receipt)
  return receipt
}
