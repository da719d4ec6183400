import type { ChainId } from '@openrfq/sdk'
import { type LogoImage, logoImage } from '../core/logo-image.ts'
import { type HttpClient, HttpFault } from '../lib/http-client.ts'
import type { Log } from '../lib/log.ts'
import { createMutex, type Mutex } from '../lib/mutex.ts'
import { createSharedReads } from '../lib/shared-reads.ts'
import type { Listing } from './listing.ts'

/** The checked logo of a chain, or of a token by its listed address; undefined without one. */
export type GetLogo = (chainId: ChainId, token?: string) => Promise<LogoImage | undefined>

export type LogosDeps = {
  readonly listing: Pick<Listing, 'chains' | 'tokens'>
  /** Connects to public addresses alone. */
  readonly http: Pick<HttpClient, 'read'>
  /** Milliseconds that never go back. */
  readonly steady: () => number
  readonly log: Log
}

const DEADLINE_MS = 10_000
const MAX_BYTES = 256 * 1024
/** How long a logo is kept, and how long one that cannot be had is not asked for again. */
const MAX_AGE_MS = 6 * 3_600_000
/** At most 64 MB; of those that Axelar's networks name, nine of ten are below 128 kB. */
const MAX_KEPT = 256
const READS_AT_ONCE = 4

/**
 * Reads logos when they are first asked for: only those that the network file names, a few at once, each once in six hours
 * however often it is asked for.
 */
export const createLogos = ({ listing, http, steady, log }: LogosDeps): GetLogo => {
  const urls = new Map<string, string>()
  for (const { chainId, logoUrl } of listing.chains) if (logoUrl !== undefined) urls.set(chainId, logoUrl)
  for (const { chainId, address, logoUrl } of listing.tokens)
    if (logoUrl !== undefined) urls.set(`${chainId}/${address}`, logoUrl)
  const share = createSharedReads<string, LogoImage | undefined>({
    now: steady,
    maxAgeMs: MAX_AGE_MS,
    limit: MAX_KEPT,
  })
  const lanes: readonly Mutex[] = Array.from({ length: READS_AT_ONCE }, createMutex)
  let next = 0
  const inLane: Mutex = (work) => {
    next = (next + 1) % lanes.length
    return (lanes[next] ?? createMutex())(work)
  }

  const readLogo = async (url: URL): Promise<LogoImage | undefined> => {
    const { status, bytes } = await http.read({ url, deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES })
    const image = status === 200 ? logoImage(bytes) : undefined
    if (image === undefined)
      log('warn', 'logo_refused', { url: url.href, reason: status === 200 ? 'unsafe' : `HTTP ${status}` })
    return image
  }
  const tryRead = async (url: URL): Promise<LogoImage | undefined> => {
    try {
      return await readLogo(url)
    } catch (error) {
      if (!(error instanceof HttpFault)) throw error
      log('warn', 'logo_refused', { url: url.href, reason: error.message })
      return undefined
    }
  }
  return async (chainId, token) => {
    const text = urls.get(token === undefined ? chainId : `${chainId}/${token}`)
    const url = text === undefined ? null : URL.parse(text)
    if (url?.protocol !== 'https:') return undefined
    return share(url.href, () => inLane(() => tryRead(url)))
  }
}
