import { z } from 'zod'
import { PURGE_PAGE_SIZE } from './statements.ts'

/** What one step of a purge saw and did; PostgreSQL writes its counts as text. */
export const PurgePage = z.object({
  through: z.string().nullable(),
  oldest: z.coerce.number().nullable(),
  size: z.coerce.number(),
  dropped: z.int().min(0),
})
export type PurgePage = z.infer<typeof PurgePage>

/**
 * Walks the answers from the oldest on, page by page, and returns how many were dropped. Keys ascend with time, so the
 * walk ends at the first page with nothing old enough.
 */
export const purgeAll = async (
  before: number,
  step: (after: string) => Promise<PurgePage>,
): Promise<number> => {
  let dropped = 0
  let after = ''
  for (;;) {
    const page = await step(after)
    dropped += page.dropped
    if (page.size < PURGE_PAGE_SIZE || page.through === null || Number(page.oldest) >= before) return dropped
    after = page.through
  }
}
