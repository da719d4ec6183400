import type { ChainId } from '@openrfq/sdk'
import { isSameAddress } from '../core/comparable-address.ts'
import type { Instant } from '../core/instant.ts'
import type { HttpClient } from '../lib/http-client.ts'
import type { Lifecycle } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { createPoller } from '../lib/poller.ts'
import { AttesterStatus } from './settlers/attester-status.ts'

/**
 * Why an attester cannot judge fills or orders on a chain now. `no_answer`: it has not told its status for five seconds;
 * `other_key`: its address is not the network's attester; `not_read`: it does not read the chain to its head; `behind`: the
 * head it knows is half a minute older than ours.
 */
type AttesterFault = 'no_answer' | 'other_key' | 'not_read' | 'behind'

/** How far the attester reads the chains of attested orders, by its own word. */
export type AttesterWatch = Lifecycle & {
  /** Undefined while the attester reads the chain, and where no attester is watched. */
  readonly faultOf: (chainId: ChainId) => AttesterFault | undefined
  /** Every chain of attested orders with its fault. */
  readonly faults: () => readonly { readonly chainId: ChainId; readonly fault: AttesterFault | undefined }[]
}

type Deps = {
  /** The address of the network's attester, in any case. */
  readonly attester: string
  /** Its base URL. */
  readonly url: string
  readonly chainIds: readonly ChainId[]
  /** The head of a chain as this process knows it. */
  readonly headOf: (chainId: ChainId) => { readonly timestampSeconds: number } | undefined
  readonly client: Pick<HttpClient, 'send'>
  readonly now: () => Instant
  readonly log: Log
  /** Between two questions, while the attester reads every chain and while it does not. */
  readonly periods?: { readonly currentMs: number; readonly behindMs: number }
}

/** Quotes return soon after an attester that was behind. */
const PERIODS = { currentMs: 2_000, behindMs: 500 } as const
const DEADLINE_MS = 2_000
const MAX_ANSWER_BYTES = 262_144
/** Age at which an answer says nothing any more. */
const STALE_MS = 5_000
/** How long an attester that starts with the service may take to read a chain until the log says so. */
const START_MS = 30_000
/** Longer than two readers of a chain with different endpoints differ while both keep up. */
const MOST_BEHIND_SECONDS = 30

/** The watch of a network whose attester has no URL: nothing is known of it. */
export const UNWATCHED: AttesterWatch = {
  faultOf: () => undefined,
  faults: () => [],
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
}

type Answer = { readonly status: AttesterStatus; readonly readAt: Instant }

const faultIn = (
  { attester, headOf, now }: Deps,
  answer: Answer | undefined,
  chainId: ChainId,
): AttesterFault | undefined => {
  if (answer === undefined || now() - answer.readAt > STALE_MS) return 'no_answer'
  if (!isSameAddress(answer.status.attester, attester)) return 'other_key'
  const told = answer.status.chains.find((chain) => chain.chainId === chainId)
  if (told === undefined || !told.isCurrent || told.head === null) return 'not_read'
  const own = headOf(chainId)?.timestampSeconds ?? 0
  return own - told.head.timestampSeconds > MOST_BEHIND_SECONDS ? 'behind' : undefined
}

/**
 * Creates the watch of an attester. It asks every two seconds, and logs for each chain when the attester falls behind and
 * when it reads again. An attester that never answered counts as behind.
 */
export const createAttesterWatch = (deps: Deps): AttesterWatch => {
  const { url, chainIds, client, now, log, periods = PERIODS } = deps
  const target = new URL('v1/status', url.endsWith('/') ? url : `${url}/`)
  const logged = new Map<ChainId, AttesterFault>()
  const wasCurrent = new Set<ChainId>()
  let answer: Answer | undefined
  let whySilent: unknown
  let startedAt = Number.POSITIVE_INFINITY

  const faultOf = (chainId: ChainId): AttesterFault | undefined => faultIn(deps, answer, chainId)
  const tell = (chainId: ChainId): void => {
    const [fault, before] = [faultOf(chainId), logged.get(chainId)]
    // Both processes may start at the same time; /readyz names the chains meanwhile.
    if (fault === undefined) wasCurrent.add(chainId)
    if (fault === before || (!wasCurrent.has(chainId) && now() - startedAt < START_MS)) return
    if (fault === undefined) {
      logged.delete(chainId)
      log('info', 'attester_current', { chainId })
      return
    }
    logged.set(chainId, fault)
    log('warn', 'attester_behind', { chainId, fault, ...(fault === 'no_answer' ? { error: whySilent } : {}) })
  }
  const ask = async (): Promise<void> => {
    try {
      const { text } = await client.send({ url: target, deadlineMs: DEADLINE_MS, maxBytes: MAX_ANSWER_BYTES })
      answer = { status: AttesterStatus.parse(JSON.parse(text)), readAt: now() }
    } catch (error) {
      whySilent = error
    }
    chainIds.forEach(tell)
  }
  const isBehind = (): boolean => chainIds.some((chainId) => faultOf(chainId) !== undefined)
  const pauseMs = (): number => (isBehind() ? periods.behindMs : periods.currentMs)
  const poller = createPoller({
    name: 'attester_status',
    periodMs: pauseMs,
    run: ask,
  })
  return {
    faultOf,
    faults: () => chainIds.map((chainId) => ({ chainId, fault: faultOf(chainId) })),
    start: () => {
      startedAt = now()
      return poller.start()
    },
    stop: poller.stop,
  }
}
