import { z } from 'zod'

/** The answer of `GET /healthz`. */
export const Health = z.object({ status: z.literal('ok') })
export type Health = z.infer<typeof Health>

/** The answer of `GET /readyz`; `missing` is empty when ready. */
export const Readiness = z.object({
  status: z.enum(['ready', 'not_ready', 'draining']),
  missing: z.array(z.string()),
  degraded: z.array(z.string()),
  since: z.record(z.string(), z.string()),
})
export type Readiness = z.infer<typeof Readiness>
