import { BlockNotFoundError } from 'viem'
import { GAS_SERVICE_ABI, GATEWAY_ABI } from './abi.ts'
import type { ChainReader } from './chain-reader.ts'
import { type ReceiptEvents, readReceipt } from './receipt-events.ts'

/** A block of one fork of a chain. */
type BlockId = { readonly number: bigint; readonly hash: string }

/** Follows one chain and reports the transactions of confirmed blocks in order. */
export type Watcher = {
  /** Reads new blocks once. Rejects when the chain cannot be read; the next step reads the same blocks again. */
  readonly step: () => Promise<void>
  /** Whether unreported events exist, confirmed or not. Rejects when the chain cannot be read. */
  readonly hasUnread: () => Promise<boolean>
  /** Follows a block that somebody else read first: if a reorg removes it, the next steps report a rollback. */
  readonly follow: (block: BlockId) => void
}

type WatcherDeps = {
  readonly reader: ChainReader
  /** Confirmations before a block's events are reported. */
  readonly confirmations: number
  readonly onEvents: (events: ReceiptEvents) => void
  /** Called when blocks from this one on may have been replaced; their events are reported again. */
  readonly onRollback: (firstLostBlock: bigint) => void
}

/** Heads remembered, which bounds the depth of a detectable reorg. */
const REMEMBERED_HEADS = 256
const BLOCKS_PER_STEP = 500n

const EVENTS = [...GATEWAY_ABI, ...GAS_SERVICE_ABI].filter(
  (item) =>
    item.type === 'event' && ['ContractCall', 'ContractCallWithToken', 'NativeGasAdded'].includes(item.name),
)

const readLogs = ({ client, chain }: ChainReader, fromBlock: bigint, toBlock: bigint) =>
  client.getLogs({ address: [chain.gateway, chain.gasService], events: EVENTS, fromBlock, toBlock })

/** The relevant transactions between two blocks with all their logs. Rejects when a reorg intervenes. */
const readBlocks = async (
  reader: ChainReader,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<readonly ReceiptEvents[]> => {
  const { client, chain } = reader
  const logs = await readLogs(reader, fromBlock, toBlock)
  const firstLogs = new Map(logs.map((log) => [log.transactionHash, log]))
  const found: ReceiptEvents[] = []
  for (const [hash, log] of firstLogs) {
    const [receipt, block] = await Promise.all([
      client.getTransactionReceipt({ hash }),
      client.getBlock({ blockHash: log.blockHash }),
    ])
    if (receipt.blockHash !== log.blockHash)
      throw new Error(`${hash} moved to another block while being read`)
    found.push(readReceipt(chain, receipt, Number(block.timestamp)))
  }
  return found
}

/** Creates a watcher that starts at the head of its first read; earlier messages are ignored. */
export const createWatcher = ({ reader, confirmations, onEvents, onRollback }: WatcherDeps): Watcher => {
  const { client } = reader
  const seen: BlockId[] = []
  const followed = new Set<BlockId>()
  let start: bigint | undefined
  let scanned: bigint | undefined

  const isCanonical = async (head: BlockId): Promise<boolean> => {
    const block = await client.getBlock({ blockNumber: head.number }).catch((error: unknown) => {
      if (error instanceof BlockNotFoundError) return undefined
      throw error
    })
    return block?.hash === head.hash
  }

  const dropLost = async (floor: bigint): Promise<void> => {
    let lost = false
    for (let last = seen.at(-1); last !== undefined && !(await isCanonical(last)); last = seen.at(-1)) {
      seen.pop()
      lost = true
    }
    if (!lost || scanned === undefined) return
    const kept = seen.at(-1)?.number ?? floor
    if (scanned > kept) scanned = kept
    onRollback(kept + 1n)
  }

  /** A remembered head at or above a canonical block descends from it, and is followed from then on. */
  const dropUnseen = async (head: bigint): Promise<void> => {
    for (const block of [...followed].filter(({ number }) => number <= head)) {
      const isLost = !(await isCanonical(block))
      followed.delete(block)
      if (isLost) onRollback(block.number)
    }
  }

  const step = async (): Promise<void> => {
    const latest = await client.getBlock({ blockTag: 'latest' })
    const last = seen.at(-1)
    start = start === undefined || latest.number < start ? latest.number : start
    if (last?.hash !== latest.hash) {
      if (last !== undefined && latest.parentHash !== last.hash) await dropLost(start)
      seen.push({ number: latest.number, hash: latest.hash })
      if (seen.length > REMEMBERED_HEADS) seen.shift()
    }
    await dropUnseen(latest.number)
    scanned ??= start
    const confirmed = latest.number - BigInt(confirmations)
    if (scanned >= confirmed) return
    const until = confirmed - scanned > BLOCKS_PER_STEP ? scanned + BLOCKS_PER_STEP : confirmed
    for (const events of await readBlocks(reader, scanned + 1n, until)) onEvents(events)
    scanned = until
  }
  const hasUnread = async (): Promise<boolean> => {
    const head = await client.getBlockNumber()
    if (scanned === undefined || scanned >= head) return false
    return (await readLogs(reader, scanned + 1n, head)).length > 0
  }
  return { step, hasUnread, follow: (block) => void followed.add(block) }
}
