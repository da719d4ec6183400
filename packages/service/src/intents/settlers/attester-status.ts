import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'

/**
 * How far an attester reads its chains: the answer to `GET /v1/status`. `head` is the newest block that it knows, null while it
 * knows none; `isCurrent`: it could judge a fill on the chain, or an order opened there, now. Source:
 * docs/running-an-attester.md.
 */
export const AttesterStatus = z.object({
  attester: z.string(),
  chains: z
    .array(
      z.object({
        chainId: ChainId,
        isCurrent: z.boolean(),
        head: z.object({ number: z.int().min(0), timestampSeconds: z.int().min(0) }).nullable(),
      }),
    )
    .max(1_000),
})
export type AttesterStatus = z.infer<typeof AttesterStatus>
