import { z } from 'zod'
import recorded from './recordings.json' with { type: 'json' }

/** A request to an operation and its answer as transferred; `name` is the error's code for an error. */
const Recording = z.object({
  operationId: z.string(),
  name: z.string(),
  query: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  status: z.int(),
  answer: z.unknown(),
})
export type Recording = Readonly<z.infer<typeof Recording>>

/** The recordings of `npm run openapi:examples` from a sandbox. */
export const RECORDINGS: readonly Recording[] = z.array(Recording).parse(recorded)
