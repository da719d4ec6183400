import { z } from 'zod'
import recorded from './recordings.json' with { type: 'json' }

/** A request to an operation and its answer, as they went over the wire; `name` is the error's code where there is one. */
const Recording = z.object({
  operationId: z.string(),
  name: z.string(),
  query: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  status: z.int(),
  answer: z.unknown(),
})
export type Recording = Readonly<z.infer<typeof Recording>>

/** What `npm run openapi:examples` has recorded from a sandbox. */
export const RECORDINGS: readonly Recording[] = z.array(Recording).parse(recorded)
