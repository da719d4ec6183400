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

/** Half a million answers. */
const MOST_PAGES = 500

/**
 * Purges old answers from the oldest on, at most 500 pages per call, and returns how many were dropped; the next call goes
 * on where the last one stopped. Keys ascend with time, so a round ends at the first page without an old enough answer.
 */
export const createPurge = (step: (before: number, after: string) => Promise<PurgePage>) => {
  let after = ''
  return async (before: number): Promise<number> => {
    let dropped = 0
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const page = await step(before, after)
      dropped += page.dropped
      if (page.size < PURGE_PAGE_SIZE || page.through === null || Number(page.oldest) >= before) {
        after = ''
        return dropped
      }
      after = page.through
    }
    return dropped
  }
}
