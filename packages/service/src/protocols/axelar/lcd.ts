import { z } from 'zod'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { createSharedReads } from '../../lib/shared-reads.ts'
import { AxelarError } from './axelar-error.ts'
import { createJsonServers } from './json-servers.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024
/** A node names every module that it was built from besides its version. */
const MAX_NODE_INFO_BYTES = 1024 * 1024
const SHARED_MS = 700
const MAX_SHARED = 1_000

const NodeInfo = z.object({ application_version: z.object({ version: z.string().max(50) }) })

/** Axelar's REST node. Every call has a deadline and rejects with AxelarError without a usable answer. */
export type Lcd = {
  /** What the node answers to a path, by a schema; a node has ten seconds, or `timeoutMs`. Equal reads of the last moments share one answer. */
  readonly read: <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    timeoutMs?: number,
  ) => Promise<z.output<Schema>>
  /** The version of axelar-core that the node runs, as the node writes it. */
  readonly coreVersion: () => Promise<string>
}

export type LcdDeps = {
  /** Base URLs of nodes that answer alike. */
  readonly urls: string | readonly string[]
  readonly now: () => Instant
  readonly log: Log
}

/** Creates a client of an Axelar REST node. Source: Cosmos SDK `node_info`. */
export const createLcd = ({ urls, now, log }: LcdDeps): Lcd => {
  const servers = createJsonServers(urls)
  const share = createSharedReads<string, unknown>({ now, maxAgeMs: SHARED_MS, limit: MAX_SHARED })
  const read = async <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    timeoutMs = TIMEOUT_MS,
    maxBytes = MAX_BYTES,
  ): Promise<z.output<Schema>> => {
    const isUsable = (answer: unknown): boolean => schema.safeParse(answer).success
    const request = { path, timeoutMs, maxBytes, isUsable }
    const parsed = schema.safeParse(await share(path, () => servers.ask(request)))
    if (parsed.success) return parsed.data
    log('warn', 'axelar_format_unknown', { path, issue: parsed.error.issues[0] })
    throw new AxelarError('MALFORMED', `Axelar answered ${path} in an unknown shape`, {
      cause: parsed.error,
    })
  }
  return {
    read,
    coreVersion: async () => {
      const path = '/cosmos/base/tendermint/v1beta1/node_info'
      return (await read(path, NodeInfo, TIMEOUT_MS, MAX_NODE_INFO_BYTES)).application_version.version
    },
  }
}
