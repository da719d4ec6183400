import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson, type SandboxDescription } from 'openrfq/test/wallet.ts'
import { type Hex, hexToBigInt, parseAbi, parseEventLogs, type RpcLog, zeroAddress } from 'viem'

/** The settler's events for one order. */
export type OrderHistory = {
  /** The number of events of each name, and the transaction of the last one. */
  readonly counts: Readonly<Record<string, number>>
  readonly txHashes: Readonly<Record<string, string>>
  /** The account that paid the recipient, and the one that the settler repays. */
  readonly fill: { readonly filler: Hex; readonly repayTo: Hex } | undefined
}

type RunningHistory = {
  readonly counts: Record<string, number>
  readonly txHashes: Record<string, string>
  fill: OrderHistory['fill']
}

/** Everything mined on all chains since a block: settler events by order, and gas paid by account. */
export type BalanceSheet = {
  readonly orders: ReadonlyMap<string, OrderHistory>
  /** Wei, by `gasKey`. */
  readonly gas: ReadonlyMap<string, bigint>
  readonly blocks: number
  /** Failed calls of a settler: senders and selectors. */
  readonly reverted: readonly string[]
}

type SandboxChain = SandboxDescription['chains'][number]

type Receipt = {
  readonly from: Hex
  readonly to: Hex | null
  readonly status: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly transactionHash: Hex
  readonly logs: readonly RpcLog[]
}

const EVENTS = parseAbi([
  'struct Output { bytes32 token; uint256 amount; bytes32 recipient; uint256 chainId; }',
  'struct FillInstruction { uint256 destinationChainId; bytes32 destinationSettler; bytes originData; }',
  'struct ResolvedCrossChainOrder { address user; uint256 originChainId; uint32 openDeadline; uint32 fillDeadline; bytes32 orderId; Output[] maxSpent; Output[] minReceived; FillInstruction[] fillInstructions; }',
  'event Open(bytes32 indexed orderId, ResolvedCrossChainOrder resolvedOrder)',
  'event Filled(bytes32 indexed orderId, address indexed filler, address indexed repayTo)',
  'event Proven(bytes32 indexed orderId, address indexed payee)',
  'event Released(bytes32 indexed orderId, address indexed payee, address to, uint256 amount)',
  'event Refunded(bytes32 indexed orderId, address indexed to, uint256 amount)',
])

const AT_ONCE = 25

/** The key of an account's gas on a chain. */
export const gasKey = (chainId: string, account: string): string => `${chainId} ${account.toLowerCase()}`

type RpcAnswer = { readonly result?: unknown; readonly error?: unknown }

/** Asks an endpoint, which may be restarted meanwhile, until it answers. */
const call = async (rpcUrl: string, method: string, ...params: unknown[]): Promise<unknown> => {
  const request = { jsonrpc: '2.0', id: 1, method, params }
  const { body } = await eventually(`${rpcUrl} answers ${method}`, () =>
    fetchJson<RpcAnswer>(rpcUrl, request).catch(() => undefined),
  )
  if (body.error !== undefined) throw new Error(`${method}: ${JSON.stringify(body.error)}`)
  return body.result
}

const headOf = async (rpcUrl: string): Promise<number> => Number(await call(rpcUrl, 'eth_blockNumber'))

/** The newest block of each chain, by id. */
export const headsOf = async (sandbox: SandboxDescription): Promise<ReadonlyMap<string, number>> =>
  new Map(
    await Promise.all(
      sandbox.chains.map(async ({ chainId, rpcUrl }) => [chainId, await headOf(rpcUrl)] as const),
    ),
  )

const receiptsOf = async (rpcUrl: string, number: number): Promise<readonly Receipt[]> =>
  // CAST: anvil's receipts.
  (await call(rpcUrl, 'eth_getBlockReceipts', `0x${number.toString(16)}`)) as readonly Receipt[]

const add = (gas: Map<string, bigint>, key: string, amount: bigint): void => {
  gas.set(key, (gas.get(key) ?? 0n) + amount)
}

const selectorOf = async ({ rpcUrl, hash }: { rpcUrl: string; hash: Hex }): Promise<string> => {
  // CAST: anvil's transaction.
  const { from, input } = (await call(rpcUrl, 'eth_getTransactionByHash', hash)) as { from: Hex; input: Hex }
  return `${from} ${input.slice(0, 10)}`
}

/** Reads every receipt of every chain after the blocks in `from`. */
export const readBalanceSheet = async (
  sandbox: SandboxDescription,
  from: ReadonlyMap<string, number>,
): Promise<BalanceSheet> => {
  const orders = new Map<string, RunningHistory>()
  const gas = new Map<string, bigint>()
  const solvers = new Set(sandbox.solvers.map(({ address }) => address.toLowerCase()))
  let blocks = 0
  const failed: { readonly rpcUrl: string; readonly hash: Hex }[] = []
  const take = ({ chainId, rpcUrl, contracts: { settler } }: SandboxChain, receipt: Receipt): void => {
    const price = hexToBigInt(receipt.gasUsed) * hexToBigInt(receipt.effectiveGasPrice)
    add(gas, gasKey(chainId, receipt.from), price)
    if (receipt.status === '0x0' && receipt.to?.toLowerCase() === settler.toLowerCase())
      failed.push({ rpcUrl, hash: receipt.transactionHash })
    const logs = receipt.logs.filter(({ address }) => address.toLowerCase() === settler.toLowerCase())
    for (const { eventName, args } of parseEventLogs({ abi: EVENTS, logs: [...logs] })) {
      const known = orders.get(args.orderId) ?? { counts: {}, txHashes: {}, fill: undefined }
      known.counts[eventName] = (known.counts[eventName] ?? 0) + 1
      known.txHashes[eventName] = receipt.transactionHash
      if (eventName === 'Filled') known.fill = { filler: args.filler, repayTo: args.repayTo }
      // A solver has a deposit refunded to decline its order.
      if (eventName === 'Refunded' && solvers.has(receipt.from.toLowerCase())) known.counts['Declined'] = 1
      orders.set(args.orderId, known)
    }
  }
  const readChain = async (chain: SandboxChain) => {
    const { chainId, rpcUrl } = chain
    const first = (from.get(chainId) ?? 0) + 1
    const last = await headOf(rpcUrl)
    for (let start = first; start <= last; start += AT_ONCE) {
      const numbers = Array.from({ length: Math.min(AT_ONCE, last - start + 1) }, (_, index) => start + index)
      blocks += numbers.length
      for (const receipts of await Promise.all(numbers.map((number) => receiptsOf(rpcUrl, number))))
        for (const receipt of receipts) take(chain, receipt)
    }
  }
  await Promise.all(sandbox.chains.map(readChain))
  return { orders, gas, blocks, reverted: await Promise.all(failed.map(selectorOf)) }
}

/** Base units that a holder has of an asset, by chain and token. */
export type Holdings = ReadonlyMap<string, bigint>

/** The key of a holder's balance. */
export const holdingKey = (chain: string, token: string, holder: string): string =>
  `${chain} ${token} ${holder}`.toLowerCase()

const balanceCall = (token: Hex, holder: Hex): readonly [string, ...unknown[]] =>
  token === zeroAddress
    ? ['eth_getBalance', holder, 'latest']
    : ['eth_call', { to: token, data: `0x70a08231${holder.slice(2).padStart(64, '0')}` }, 'latest']

/** The balances of all holders in all assets, in base units. */
export const readHoldings = async (
  sandbox: SandboxDescription,
  assets: readonly { readonly chainId: string; readonly address: Hex }[],
  holders: readonly Hex[],
): Promise<Holdings> => {
  const entries = await Promise.all(
    assets.map(({ chainId, address }) => {
      const rpcUrl = sandbox.chains.find((chain) => chain.chainId === chainId)?.rpcUrl ?? ''
      return Promise.all(
        holders.map(
          async (holder) =>
            // CAST: both calls answer a number as hex.
            [
              holdingKey(chainId, address, holder),
              BigInt((await call(rpcUrl, ...balanceCall(address, holder))) as Hex),
            ] as const,
        ),
      )
    }),
  )
  return new Map(entries.flat())
}
