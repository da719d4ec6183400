import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { encodeBase58 } from '../src/chains/solana/base58.ts'
import { type LocalServer, startLocalServer } from './local-server.ts'
import type { SolanaCluster } from './solana-cluster.ts'

const Call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
type Call = z.infer<typeof Call>

/** A transaction in the form in which a node tells it; the test changes when it was made. */
const Recorded = z.looseObject({
  slot: z.number(),
  blockTime: z.number(),
  transaction: z.looseObject({ signatures: z.array(z.string()) }),
})
export type RecordedJson = z.infer<typeof Recorded>

const post = async (url: string, method: string, params: readonly unknown[]): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return z.object({ result: z.unknown() }).parse(await response.json()).result
}

/** A transaction of a cluster as its node tells it. */
export const recordedOf = async (
  { node }: Pick<SolanaCluster, 'node'>,
  signature: string,
): Promise<RecordedJson> =>
  Recorded.parse(
    await post(node.rpcUrl, 'getTransaction', [
      signature,
      { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 1 },
    ]),
  )

type Flood = {
  readonly genesisHash: string
  /** The account that every transaction names. */
  readonly account: string
  /** Another account, that the newest and every so many before it name. */
  readonly also: { readonly account: string; readonly every: number }
  /** How many there are, one a slot. */
  readonly count: number
  /** What each of them is, but for the place in `other`, counted from the oldest. */
  readonly each: RecordedJson
  readonly other?: { readonly place: number; readonly is: RecordedJson }
  readonly firstSlot: number
  readonly firstSeconds: number
  /** Of each HTTP request. */
  readonly latencyMs: number
  /** Whether a request breaks off. */
  readonly breaks?: (request: number) => boolean
}

/** Slots in a second, fewer than in reality. */
export const SLOTS_A_SECOND = 2
const SLOTS_AFTERWARDS = 200
const SIGNATURE_BYTES = 64

/** The signature of the transaction at a place, counted from the oldest, and back. */
const signatureAt = (place: number): string => {
  const bytes = Buffer.alloc(SIGNATURE_BYTES, 1)
  bytes.writeUInt32BE(place, 0)
  return encodeBase58(bytes)
}

/**
 * Starts a node in whose history many transactions name one account. It answers in the forms of a real node, as late as one
 * on another continent. The caller stops it.
 */
export const startFloodedSolana = async (flood: Flood) => {
  const {
    account,
    also,
    count,
    each,
    other,
    firstSlot,
    firstSeconds,
    latencyMs,
    breaks = () => false,
  } = flood
  const signatures = Array.from({ length: count }, (_, place) => signatureAt(place))
  const placeOf = new Map(signatures.map((signature, place) => [signature, place]))
  const secondsAt = (slot: number): number => firstSeconds + Math.floor((slot - firstSlot) / SLOTS_A_SECOND)
  const shown = new Map<string, number>()
  const counts = { requests: 0, pages: 0 }
  const final = firstSlot + count + SLOTS_AFTERWARDS

  const entryAt = (place: number) => ({
    signature: signatures[place],
    slot: firstSlot + place,
    err: null,
    memo: null,
    blockTime: secondsAt(firstSlot + place),
    confirmationStatus: 'finalized',
  })
  const page = ([listed, config]: readonly unknown[]): readonly unknown[] => {
    counts.pages += 1
    const { before, limit } = z.object({ before: z.string().optional(), limit: z.number() }).parse(config)
    const every = listed === account ? 1 : listed === also.account ? also.every : count
    const newest = before === undefined ? count - 1 : (placeOf.get(before) ?? 0) - every
    if (listed !== account && listed !== also.account) return []
    return Array.from({ length: Math.max(0, Math.min(limit, Math.floor(newest / every) + 1)) }, (_, index) =>
      entryAt(newest - index * every),
    )
  }
  const transaction = (signature: string): unknown => {
    const place = placeOf.get(signature)
    if (place === undefined) return null
    shown.set(signature, (shown.get(signature) ?? 0) + 1)
    const is = other?.place === place ? other.is : each
    const slot = firstSlot + place
    return {
      ...is,
      slot,
      blockTime: secondsAt(slot),
      transaction: { ...is.transaction, signatures: [signature] },
    }
  }
  const resultOf = ({ method, params }: Call): unknown => {
    const [first] = params
    if (method === 'getGenesisHash') return flood.genesisHash
    if (method === 'getSlot') return final
    if (method === 'getFirstAvailableBlock') return 0
    if (method === 'getBlockTime') return secondsAt(Number(first))
    if (method === 'getSignaturesForAddress') return page(params)
    if (method === 'getTransaction') return transaction(String(first))
    if (method === 'getSignatureStatuses')
      return { context: { slot: final }, value: [{ slot: 1, err: null, confirmationStatus: 'finalized' }] }
    throw new Error(`the node has no method ${method}`)
  }
  const server: LocalServer = await startLocalServer(async ({ body: text }, response) => {
    const body: unknown = JSON.parse(text)
    counts.requests += 1
    const isBroken = breaks(counts.requests)
    await pause(latencyMs)
    if (isBroken) {
      response.destroy()
      return
    }
    const answers = z
      .array(Call)
      .parse([body].flat())
      .map((call) => ({ jsonrpc: '2.0', id: call.id, result: resultOf(call) }))
    response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
  })
  return {
    ...server,
    /** How often each transaction was read. */
    shown,
    counts,
    /** The time after the last transaction of the flood. */
    untilSeconds: secondsAt(firstSlot + count),
  }
}
