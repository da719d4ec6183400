import { z } from 'zod'
import { AxelarError } from './axelar-error.ts'
import type { Lcd } from './lcd.ts'

/** The status of a gateway's event at axelar-core. A `failed` one is final until somebody sends RetryFailedEvent. */
export type CoreEventStatus = 'confirmed' | 'completed' | 'failed'

/** axelar-core, which carries messages of consensus chains. Every read has a deadline and rejects with AxelarError without a usable answer. */
export type AxelarCore = {
  /** The activated consensus chains, by their Axelar names in lower case; a node has ten seconds, or `timeoutMs`. */
  readonly activeChains: (timeoutMs?: number) => Promise<ReadonlySet<string>>
  /** Whether core has confirmed a gateway token by its symbol on a chain; false for one that it does not know. */
  readonly isTokenConfirmed: (chain: string, symbol: string) => Promise<boolean>
  /** The status of a gateway's event, by `<transaction>-<index in the receipt>`; undefined for one that core has not confirmed. */
  readonly eventStatus: (chain: string, eventId: string) => Promise<CoreEventStatus | undefined>
}

const MOST_CHAINS = 1_000
/** The status of a transfer waits for an event; a slow node must not hold back what the chains say. */
export const EVENT_TIMEOUT_MS = 700
const Chains = z.object({ chains: z.array(z.string().min(1).max(100)).min(1).max(MOST_CHAINS) })
const TokenInfo = z.object({ confirmed: z.boolean() })
const STATUSES = {
  STATUS_CONFIRMED: 'confirmed',
  STATUS_COMPLETED: 'completed',
  STATUS_FAILED: 'failed',
} as const satisfies Record<string, CoreEventStatus>
const Event = z.object({
  event: z.object({ status: z.enum(['STATUS_CONFIRMED', 'STATUS_COMPLETED', 'STATUS_FAILED']) }),
})

/** The answer, or undefined if every node that answers refuses the request: core does not know what it names. */
const unlessRefused = async <Value>(read: Promise<Value>): Promise<Value | undefined> => {
  try {
    return await read
  } catch (error) {
    if (error instanceof AxelarError && error.code === 'REFUSED') return undefined
    throw error
  }
}

/** Creates a client over a REST node. Source: axelar-core 1.5, x/evm and x/nexus queries. */
export const createAxelarCore = ({ read }: Pick<Lcd, 'read'>): AxelarCore => ({
  activeChains: async (timeoutMs) => {
    const { chains } = await read('/axelar/evm/v1beta1/chains?status=1', Chains, timeoutMs)
    return new Set(chains.map((chain) => chain.toLowerCase()))
  },
  isTokenConfirmed: async (chain, symbol) => {
    const path = `/axelar/evm/v1beta1/token_info/${encodeURIComponent(chain)}`
    const info = await unlessRefused(read(`${path}?${new URLSearchParams({ symbol })}`, TokenInfo))
    return info?.confirmed === true
  },
  eventStatus: async (chain, eventId) => {
    const path = `/axelar/evm/v1beta1/event/${encodeURIComponent(chain)}/${encodeURIComponent(eventId)}`
    const answer = await unlessRefused(read(path, Event, EVENT_TIMEOUT_MS))
    return answer === undefined ? undefined : STATUSES[answer.event.status]
  },
})
