import { z } from 'zod'
import { digits } from '../../core/decimal-text.ts'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { createSharedReads } from '../../lib/shared-reads.ts'
import { AxelarError } from './axelar-error.ts'
import { type HopFees, HopFeesRecord, toHopFees } from './gas-fee.ts'
import { type GmpMessage, GmpRecord, toGmpMessage } from './gmp-message.ts'
import { createJsonServers } from './json-servers.ts'

/** For searches, which a status request waits for. */
const SEARCH_TIMEOUT_MS = 1_300
/** For fees and times, which are read in the background too. */
const FACT_TIMEOUT_MS = 10_000
const MAX_BYTES = 4 * 1024 * 1024
const MAX_RECORDS = 50
const MAX_HOP_SECONDS = 30 * 24 * 3_600
/** Identical searches within this time share one answer. */
const SHARED_MS = 700
const MAX_SHARED = 1_000

/** A message with a token: by its contracts, symbol and amount Axelar knows whether executors deliver it. */
export type ExpressMessage = {
  readonly sourceContractAddress: string
  readonly destinationContractAddress: string
  /** The token's symbol in the source chain's gateway. */
  readonly symbol: string
  /** Base units. */
  readonly amountInUnits?: string
}

/** Axelar's indexer. Every call has a deadline and rejects with AxelarError without a usable answer. */
export type Axelarscan = {
  /** The message with this id, from a chain (by Axelar name) if one is given; undefined while it is not indexed. */
  readonly findMessage: (messageId: string, sourceChain?: string) => Promise<GmpMessage | undefined>
  /** The cost of one hop between two chains (by Axelar name); with a message also whether executors deliver it. */
  readonly hopFees: (
    sourceChain: string,
    destinationChain: string,
    message?: ExpressMessage,
  ) => Promise<HopFees>
  /**
   * What both hops of an interchain transfer between two chains (by Axelar name) cost, with the destination's L1 data fee, in
   * base units of the source's native token, rounded up.
   */
  readonly transferFee: (sourceChain: string, destinationChain: string) => Promise<bigint>
  /** What the native asset of a chain (by Axelar name) costs, as decimal text in USD; undefined if Axelar has no price. */
  readonly nativeUsd: (chain: string, otherChain: string) => Promise<string | undefined>
  /** Recent seconds from call to execution of messages between two chains; undefined if none was measured. */
  readonly hopSeconds: (sourceChain: string, destinationChain: string) => Promise<number | undefined>
}

const GmpAnswer = z.object({ data: z.array(GmpRecord).max(MAX_RECORDS) })
const seconds = z.number().min(0).max(MAX_HOP_SECONDS).nullish()
const TimesAnswer = z
  .array(z.object({ confirm: seconds, approve: seconds, execute: seconds, total: seconds }))
  .max(MAX_RECORDS)
const FeesAnswer = z.object({ result: HopFeesRecord })
/** Wei as text, or as a number that may have lost digits; 0 and an error object say that there is no estimate. */
const EstimateAnswer = z.union([digits(30), z.number().positive().max(1e30)])

export type AxelarscanDeps = {
  /** Base URLs of servers that answer alike; `/gmp/<method>` is appended. */
  readonly urls: string | readonly string[]
  readonly now: () => Instant
  readonly log: Log
}

/** Asks a method, shares equal requests of the last moments, and checks the answer. */
const createAsk = ({ urls, now, log }: AxelarscanDeps) => {
  const servers = createJsonServers(urls)
  const share = createSharedReads<string, unknown>({ now, maxAgeMs: SHARED_MS, limit: MAX_SHARED })
  return async <Answer>(
    path: string,
    body: unknown,
    schema: z.ZodType<Answer>,
    timeoutMs = FACT_TIMEOUT_MS,
    usable: z.ZodType = schema,
  ): Promise<Answer> => {
    const isUsable = (answer: unknown): boolean => usable.safeParse(answer).success
    const request = { path, body, timeoutMs, maxBytes: MAX_BYTES, isUsable }
    const answer = await share(`${path} ${JSON.stringify(body)}`, () => servers.ask(request))
    const parsed = schema.safeParse(answer)
    if (parsed.success) return parsed.data
    log('warn', 'axelarscan_format_unknown', { path, issue: parsed.error.issues[0] })
    throw new AxelarError('MALFORMED', `Axelarscan answered ${path} in an unknown shape`, {
      cause: parsed.error,
    })
  }
}

/** Creates a client of the Axelarscan API. Source: Axelarscan `searchGMP`, `getFees`, `estimateTimeSpent`. */
export const createAxelarscan = (deps: AxelarscanDeps): Axelarscan => {
  const ask = createAsk(deps)
  return {
    findMessage: async (messageId, sourceChain) => {
      const { data } = await ask('/gmp/searchGMP', { messageId, size: 5 }, GmpAnswer, SEARCH_TIMEOUT_MS)
      const name = sourceChain?.toLowerCase()
      const isFrom = (chain = name): boolean => name === undefined || chain === name
      return data
        .map(toGmpMessage)
        .find((message) => message?.messageId === messageId && isFrom(message.sourceChain))
    },
    hopFees: async (sourceChain, destinationChain, message) => {
      const body = { sourceChain, destinationChain, ...message }
      const { result } = await ask('/gmp/getFees', body, FeesAnswer)
      const fees = toHopFees(result)
      if (fees !== undefined) return fees
      throw new AxelarError('NO_FEES', `Axelarscan has no fees from ${sourceChain} to ${destinationChain}`)
    },
    nativeUsd: async (sourceChain, destinationChain) => {
      const { result } = await ask('/gmp/getFees', { sourceChain, destinationChain }, FeesAnswer)
      const usd = result.source_token.token_price?.usd
      return usd === undefined ? undefined : String(usd)
    },
    transferFee: async (sourceChain, destinationChain) => {
      const body = { sourceChain, destinationChain, event: 'InterchainTransfer' }
      const estimate = await ask('/gmp/estimateITSFee', body, z.unknown(), FACT_TIMEOUT_MS, EstimateAnswer)
      const wei = EstimateAnswer.safeParse(estimate).data
      const fee = typeof wei === 'number' ? BigInt(Math.ceil(wei)) : BigInt(wei ?? 0)
      if (fee > 0n) return fee
      throw new AxelarError(
        'NO_FEES',
        `Axelarscan has no estimate from ${sourceChain} to ${destinationChain}`,
      )
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
