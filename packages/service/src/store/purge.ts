import { z } from 'zod'
import { PURGE_PAGE_SIZE } from './statements.ts'

/** The counts of one purge step; PostgreSQL returns them as text. */
export const PurgePage = z.object({
  through: z.string().nullable(),
  oldest: z.coerce.number().nullable(),
  size: z.coerce.number(),
  dropped: z.int().min(0),
})
export type PurgePage = z.infer<typeof PurgePage>

/**
 * Purges answers page by page from the oldest, and returns how many were dropped. Keys ascend with time, so it stops at
 * the first page without an old enough answer.
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
