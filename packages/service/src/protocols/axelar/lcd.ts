import { z } from 'zod'
import { parseUnitsFloor } from '../../core/decimal.ts'
import { Decimal, digits } from '../../core/decimal-text.ts'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { createSharedReads } from '../../lib/shared-reads.ts'
import { AxelarError } from './axelar-error.ts'
import { createJsonServers } from './json-servers.ts'
import type { FeeInfo } from './transfer-fee.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024
/** A node names every module that it was built from besides its version. */
const MAX_NODE_INFO_BYTES = 1024 * 1024
const SHARED_MS = 700
const MAX_SHARED = 1_000

const FeeAnswer = z.object({
  fee_info: z.object({
    fee_rate: Decimal,
    // A fee that does not fit an amount with others cannot be.
    min_fee: digits(30),
    max_fee: digits(30),
  }),
})

const NodeInfo = z.object({ application_version: z.object({ version: z.string().max(50) }) })

/** Axelar's REST node. Every call has a deadline and rejects with AxelarError without a usable answer. */
export type Lcd = {
  /** What the node answers to a path, by a schema. Equal reads of the last moments share one answer. */
  readonly read: <Schema extends z.ZodType>(path: string, schema: Schema) => Promise<z.output<Schema>>
  /** The fee terms of a chain (by Axelar name) for a gateway transfer of an asset (by denom). */
  readonly transferFeeInfo: (chain: string, denom: string) => Promise<FeeInfo>
  /** The version of axelar-core that the node runs, as the node writes it. */
  readonly coreVersion: () => Promise<string>
}

export type LcdDeps = {
  /** Base URLs of nodes that answer alike. */
  readonly urls: string | readonly string[]
  readonly now: () => Instant
  readonly log: Log
}

/** Creates a client of an Axelar REST node. Source: axelar-core `/axelar/nexus/v1beta1/fee`, Cosmos SDK `node_info`. */
export const createLcd = ({ urls, now, log }: LcdDeps): Lcd => {
  const servers = createJsonServers(urls)
  const share = createSharedReads<string, unknown>({ now, maxAgeMs: SHARED_MS, limit: MAX_SHARED })
  const read = async <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    maxBytes = MAX_BYTES,
  ): Promise<z.output<Schema>> => {
    const isUsable = (answer: unknown): boolean => schema.safeParse(answer).success
    const request = { path, timeoutMs: TIMEOUT_MS, maxBytes, isUsable }
    const parsed = schema.safeParse(await share(path, () => servers.ask(request)))
    if (parsed.success) return parsed.data
    log('warn', 'axelar_format_unknown', { path, issue: parsed.error.issues[0] })
    throw new AxelarError('MALFORMED', `Axelar answered ${path} in an unknown shape`, {
      cause: parsed.error,
    })
  }
  return {
    read: (path, schema) => read(path, schema),
    transferFeeInfo: async (chain, denom) => {
      const path = `/axelar/nexus/v1beta1/fee?${new URLSearchParams({ chain, asset: denom })}`
      const { fee_rate, min_fee, max_fee } = (await read(path, FeeAnswer)).fee_info
      return { rate: parseUnitsFloor(fee_rate, 18) ?? 0n, minFee: BigInt(min_fee), maxFee: BigInt(max_fee) }
    },
    coreVersion: async () => {
      const path = '/cosmos/base/tendermint/v1beta1/node_info'
      return (await read(path, NodeInfo, MAX_NODE_INFO_BYTES)).application_version.version
    },
  }
}
