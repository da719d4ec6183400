import { z } from 'zod'
import type { Instant } from '../../core/instant.ts'
import { createHttpClient } from '../../lib/http-client.ts'
import type { Log } from '../../lib/log.ts'
import { createSharedReads } from '../../lib/shared-reads.ts'
import { AxelarError } from './axelar-error.ts'
import { fetchJson } from './fetch-json.ts'
import { type HopFees, HopFeesRecord, toHopFees } from './gas-fee.ts'
import { type GmpMessage, GmpRecord, toGmpMessage } from './gmp-message.ts'
import { type AxelarTokenTransfer, TransferRecord, toTokenTransfer } from './token-transfer.ts'

const TIMEOUT_MS = 800
const MAX_BYTES = 4 * 1024 * 1024
const MAX_RECORDS = 50
const MAX_HOP_SECONDS = 30 * 24 * 3_600
/** Identical searches within this time share one answer. */
const SHARED_MS = 700
const MAX_SHARED = 1_000

/** Axelar's indexer. Every call has a deadline and rejects with AxelarError without a usable answer. */
export type Axelarscan = {
  /** The message with this id, or undefined while it is not indexed. */
  readonly findMessage: (messageId: string) => Promise<GmpMessage | undefined>
  /** The gateway token transfers started by a source transaction. */
  readonly findTransfers: (txHash: string) => Promise<readonly AxelarTokenTransfer[]>
  /** The cost of one hop between two chains (by Axelar name). */
  readonly hopFees: (sourceChain: string, destinationChain: string) => Promise<HopFees>
  /** Recent seconds from call to execution of messages between two chains; undefined if none was measured. */
  readonly hopSeconds: (sourceChain: string, destinationChain: string) => Promise<number | undefined>
}

const GmpAnswer = z.object({ data: z.array(GmpRecord).max(MAX_RECORDS) })
const TransfersAnswer = z.object({ data: z.array(TransferRecord).max(MAX_RECORDS) })
const seconds = z.number().min(0).max(MAX_HOP_SECONDS).nullish()
const TimesAnswer = z
  .array(z.object({ confirm: seconds, approve: seconds, execute: seconds, total: seconds }))
  .max(MAX_RECORDS)
const FeesAnswer = z.object({ result: HopFeesRecord })

export type AxelarscanDeps = {
  /** Base URL; `/gmp/<method>` and `/api/<method>` are appended. */
  readonly url: string
  readonly now: () => Instant
  readonly log: Log
}

/**
 * Creates a client of the Axelarscan API. Source: Axelarscan `searchGMP`, `searchTransfers`, `getFees`,
 * `estimateTimeSpent`.
 */
export const createAxelarscan = ({ url, now, log }: AxelarscanDeps): Axelarscan => {
  const base = url.replace(/\/+$/, '')
  const http = createHttpClient()
  const share = createSharedReads<string, unknown>({ now, maxAgeMs: SHARED_MS, limit: MAX_SHARED })
  const ask = async <Answer>(path: string, body: unknown, schema: z.ZodType<Answer>): Promise<Answer> => {
    const request = { url: `${base}${path}`, body, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
    const answer = await share(`${path} ${JSON.stringify(body)}`, () => fetchJson(http, request))
    const parsed = schema.safeParse(answer)
    if (parsed.success) return parsed.data
    log('warn', 'axelarscan_format_unknown', { path, issue: parsed.error.issues[0] })
    throw new AxelarError('MALFORMED', `Axelarscan answered ${path} in an unknown shape`, {
      cause: parsed.error,
    })
  }
  return {
    findMessage: async (messageId) => {
      const { data } = await ask('/gmp/searchGMP', { messageId, size: 5 }, GmpAnswer)
      return data.map(toGmpMessage).find((message) => message?.messageId === messageId)
    },
    findTransfers: async (txHash) => {
      const { data } = await ask('/api/searchTransfers', { txHash, size: MAX_RECORDS }, TransfersAnswer)
      return data.filter(({ send }) => send?.txhash?.toLowerCase() === txHash).map(toTokenTransfer)
    },
    hopFees: async (sourceChain, destinationChain) => {
      const { result } = await ask('/gmp/getFees', { sourceChain, destinationChain }, FeesAnswer)
      const fees = toHopFees(result)
      if (fees !== undefined) return fees
      throw new AxelarError('NO_FEES', `Axelarscan has no fees from ${sourceChain} to ${destinationChain}`)
    },
    hopSeconds: async (sourceChain, destinationChain) => {
      const [times] = await ask('/gmp/estimateTimeSpent', { sourceChain, destinationChain }, TimesAnswer)
      if (times === undefined) return undefined
      const steps = [times.confirm, times.approve, times.execute]
      if (times.total !== null && times.total !== undefined) return times.total
      return steps.reduce<number | undefined>(
        (sum, step) => (sum === undefined || step === null || step === undefined ? undefined : sum + step),
        0,
      )
    },
  }
}
