import { eventually } from 'openrfq/test/eventually.ts'
import { balanceOf, chainClients, type SandboxDescription } from 'openrfq/test/wallet.ts'
import { type Hex, parseAbi } from 'viem'

/** The settler's events as contracts/settlers/interfaces declares them. */
const SETTLER_EVENTS = parseAbi([
  'struct Output { bytes32 token; uint256 amount; bytes32 recipient; uint256 chainId; }',
  'struct FillInstruction { uint256 destinationChainId; bytes32 destinationSettler; bytes originData; }',
  'struct ResolvedCrossChainOrder { address user; uint256 originChainId; uint32 openDeadline; uint32 fillDeadline; bytes32 orderId; Output[] maxSpent; Output[] minReceived; FillInstruction[] fillInstructions; }',
  'event Open(bytes32 indexed orderId, ResolvedCrossChainOrder resolvedOrder)',
  'event Filled(bytes32 indexed orderId, address indexed filler, address indexed repayTo)',
  'event Proven(bytes32 indexed orderId, address indexed payee)',
  'event Released(bytes32 indexed orderId, address indexed payee, address to, uint256 amount)',
  'event Refunded(bytes32 indexed orderId, address indexed to, uint256 amount)',
])
const GATEWAY_EVENTS = parseAbi(['event ContractCallExecuted(bytes32 indexed commandId)'])

export type SettlerEventName = (typeof SETTLER_EVENTS)[number]['name']

/** A settler event with its position. */
export type SettlerLog = { readonly txHash: Hex; readonly blockNumber: bigint }

const contractsOn = (sandbox: SandboxDescription, chainId: string) => {
  const chain = sandbox.chains.find((candidate) => candidate.chainId === chainId)
  if (chain === undefined) throw new Error(`the sandbox has no chain ${chainId}`)
  return chain.contracts
}

/** The events of one name that a chain's settler emitted for an order. */
export const settlerEvents = async (
  sandbox: SandboxDescription,
  chainId: string,
  eventName: SettlerEventName,
  orderId: unknown,
): Promise<readonly SettlerLog[]> => {
  const logs = await chainClients(sandbox, chainId).reader.getContractEvents({
    abi: SETTLER_EVENTS,
    address: contractsOn(sandbox, chainId).settler,
    eventName,
    fromBlock: 0n,
  })
  return logs
    .filter((log) => log.topics[1] === orderId)
    .map(({ transactionHash, blockNumber }) => ({ txHash: transactionHash, blockNumber }))
}

/** Waits up to 40 seconds for the order's single event of this name. */
export const settlerEvent = async (
  sandbox: SandboxDescription,
  chainId: string,
  eventName: SettlerEventName,
  orderId: unknown,
): Promise<SettlerLog> => {
  return eventually(`${eventName} of ${orderId} on ${chainId}`, async () => {
    const [found, second] = await settlerEvents(sandbox, chainId, eventName, orderId)
    if (second !== undefined)
      throw new Error(`the chain ${chainId} has two events ${eventName} of order ${orderId}`)
    return found
  })
}

/** The number of messages that the chain's Axelar gateway executed in a transaction. */
export const executedMessages = async (
  sandbox: SandboxDescription,
  chainId: string,
  { blockNumber, txHash }: SettlerLog,
): Promise<number> => {
  const logs = await chainClients(sandbox, chainId).reader.getContractEvents({
    abi: GATEWAY_EVENTS,
    address: contractsOn(sandbox, chainId).gateway,
    eventName: 'ContractCallExecuted',
    fromBlock: blockNumber,
    toBlock: blockNumber,
  })
  return logs.filter(({ transactionHash }) => transactionHash === txHash).length
}

const isAmong = (addresses: readonly Hex[], address: Hex): boolean =>
  addresses.some((candidate) => candidate.toLowerCase() === address.toLowerCase())

/** Gas paid by the senders in base units of the native asset, in the blocks after `from` and up to `to`. */
export const gasPaidBy = async (
  sandbox: SandboxDescription,
  chainId: string,
  senders: readonly Hex[],
  blocks: { readonly from: bigint; readonly to: bigint },
): Promise<bigint> => {
  const { reader } = chainClients(sandbox, chainId)
  let paid = 0n
  for (let blockNumber = blocks.from + 1n; blockNumber <= blocks.to; blockNumber++) {
    const { transactions } = await reader.getBlock({ blockNumber, includeTransactions: true })
    for (const { hash, from } of transactions) {
      if (!isAmong(senders, from)) continue
      const { gasUsed, effectiveGasPrice } = await reader.getTransactionReceipt({ hash })
      paid += gasUsed * effectiveGasPrice
    }
  }
  return paid
}

/** The number of the senders' reverted settler calls in the blocks after `from`. */
export const revertedCalls = async (
  sandbox: SandboxDescription,
  chainId: string,
  senders: readonly Hex[],
  from: bigint,
): Promise<number> => {
  const { reader } = chainClients(sandbox, chainId)
  const settler = contractsOn(sandbox, chainId).settler.toLowerCase()
  const head = await reader.getBlockNumber()
  let reverted = 0
  for (let blockNumber = from + 1n; blockNumber <= head; blockNumber++) {
    const { transactions } = await reader.getBlock({ blockNumber, includeTransactions: true })
    for (const { hash, from: sender, to } of transactions) {
      if (to?.toLowerCase() !== settler || !isAmong(senders, sender)) continue
      if ((await reader.getTransactionReceipt({ hash })).status === 'reverted') reverted += 1
    }
  }
  return reverted
}

/** The holders' total of an asset at the end of a block, in base units. */
export const sumOf = async (
  sandbox: SandboxDescription,
  asset: { readonly chain: string; readonly token: Hex },
  holders: readonly Hex[],
  blockNumber: bigint,
): Promise<bigint> => {
  const balances = await Promise.all(
    [...new Set(holders)].map((holder) => balanceOf(sandbox, asset, holder, blockNumber)),
  )
  return balances.reduce((sum, balance) => sum + balance, 0n)
}

/** All accounts on a chain that an intent's value passes through. */
export const handsOn = (sandbox: SandboxDescription, chainId: string, users: readonly Hex[]) => {
  const { settler, gasService } = contractsOn(sandbox, chainId)
  return [...users, ...sandbox.solvers.map(({ address }) => address), settler, gasService]
}
