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

/** Axelar's REST node. Every call has a deadline and rejects with AxelarError without a usable answer. */
export type Lcd = {
  /** The fee terms of a chain (by Axelar name) for a gateway transfer of an asset (by denom). */
  readonly transferFeeInfo: (chain: string, denom: string) => Promise<FeeInfo>
}

export type LcdDeps = {
  /** Base URLs of nodes that answer alike. */
  readonly urls: string | readonly string[]
  readonly now: () => Instant
  readonly log: Log
}

/** Creates a client of an Axelar REST node. Source: axelar-core `/axelar/nexus/v1beta1/fee`. */
export const createLcd = ({ urls, now, log }: LcdDeps): Lcd => {
  const servers = createJsonServers(urls)
  const share = createSharedReads<string, unknown>({ now, maxAgeMs: SHARED_MS, limit: MAX_SHARED })
  return {
    transferFeeInfo: async (chain, denom) => {
      const path = `/axelar/nexus/v1beta1/fee?${new URLSearchParams({ chain, asset: denom })}`
      const isUsable = (answer: unknown): boolean => FeeAnswer.safeParse(answer).success
      const request = { path, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, isUsable }
      const parsed = FeeAnswer.safeParse(await share(path, () => servers.ask(request)))
      if (!parsed.success) {
        log('warn', 'axelar_format_unknown', { path, issue: parsed.error.issues[0] })
        throw new AxelarError('MALFORMED', `Axelar answered ${path} in an unknown shape`, {
          cause: parsed.error,
        })
      }
      const { fee_rate, min_fee, max_fee } = parsed.data.fee_info
      return { rate: parseUnitsFloor(fee_rate, 18) ?? 0n, minFee: BigInt(min_fee), maxFee: BigInt(max_fee) }
    },
  }
}
