import { BareHash } from 'openrfq/hex'
import { z } from 'zod'
import { RPC_CODES, RpcFault } from './rpc-fault.ts'

const MAX_KEYS = 200
const MAX_FILTERS = 5
const MAX_CONTRACTS = 5
const MAX_TOPIC_FILTERS = 5
const MAX_SEGMENTS = 5
const MAX_EVENTS = 10_000
const DEFAULT_EVENTS = 100
const MAX_PAGE = 200
const DEFAULT_PAGE = 50

const Ledger = z.int().min(0)
const pagination = (most: number, usual: number) =>
  z
    .object({
      cursor: z.string().min(1).optional(),
      limit: z
        .int()
        .min(1)
        .max(most)
        .nullish()
        .transform((limit) => limit ?? usual),
    })
    .prefault({})

/** Parameters of getLedgerEntries: keys in base64 XDR. */
export const LedgerEntriesParameters = z.object({ keys: z.array(z.string()).min(1).max(MAX_KEYS) })

/** Parameters of getTransaction: a hash in hex. */
export const TransactionParameters = z.object({ hash: BareHash })

/** Parameters of sendTransaction and simulateTransaction: an envelope in base64 XDR. */
export const EnvelopeParameters = z.object({ transaction: z.string().min(1) })

/** Parameters of getTransactions and getLedgers. */
export const PageParameters = z.object({
  startLedger: Ledger.optional(),
  pagination: pagination(MAX_PAGE, DEFAULT_PAGE),
})
export type PageParameters = z.infer<typeof PageParameters>

const EventFilter = z.object({
  type: z.string().optional(),
  contractIds: z.array(z.string()).max(MAX_CONTRACTS).nullish(),
  topics: z.array(z.array(z.string()).min(1).max(MAX_SEGMENTS)).max(MAX_TOPIC_FILTERS).nullish(),
})
export type EventFilter = z.infer<typeof EventFilter>

/** Parameters of getEvents. */
export const EventsParameters = z.object({
  startLedger: Ledger.optional(),
  endLedger: Ledger.optional(),
  filters: z
    .array(EventFilter)
    .max(MAX_FILTERS)
    .nullish()
    .transform((filters) => filters ?? []),
  pagination: pagination(MAX_EVENTS, DEFAULT_EVENTS),
})

/** Parses parameters by the schema. Throws RpcFault with the first problem. */
export const parseParameters = <Schema extends z.ZodType>(
  schema: Schema,
  parameters: unknown,
): z.output<Schema> => {
  const parsed = schema.safeParse(parameters ?? {})
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new RpcFault(
    RPC_CODES.invalidParameters,
    `invalid parameters: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'malformed'}`,
  )
}
