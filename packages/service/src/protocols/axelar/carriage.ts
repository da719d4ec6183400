import type { ChainId } from '@openrfq/sdk'
import { uintAt } from '../../chains/evm/abi-words.ts'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { NetworkChain } from '../../core/network.ts'
import { createKeptWarm } from '../../lib/kept-warm.ts'
import { type Lifecycle, together } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { AxelarError } from './axelar-error.ts'
import { createAxelarCore } from './core.ts'
import { eachRead } from './each-read.ts'
import { readRouted } from './hub.ts'
import type { Lcd } from './lcd.ts'

/** Whether Axelar carries messages from and to EVM chains: read when a route is asked for, and kept fresh for ten minutes after. */
export type Carriage = Lifecycle & {
  /**
   * Whether Axelar has the chain switched on and a quorum of its endpoints do not call its gateway paused; undefined if either cannot
   * be read. Consensus chains are switched by axelar-core, amplifier chains by the router.
   */
  readonly read: (chainId: ChainId) => Promise<boolean | undefined>
  /** What was read at most a minute ago. No network. */
  readonly of: (chainId: ChainId) => boolean | undefined
  /** The same, and whether core has confirmed the gateway token of that symbol; false on an amplifier chain, which has none. */
  readonly readToken: (chainId: ChainId, symbol: string) => Promise<boolean | undefined>
  readonly ofToken: (chainId: ChainId, symbol: string) => boolean | undefined
}

type Deps = {
  readonly chains: readonly Pick<NetworkChain, 'chainId' | 'axelar'>[]
  readonly evmChains: ReadonlyMap<ChainId, Pick<EvmChain, 'callAgreed'>>
  readonly lcd: Pick<Lcd, 'read'>
  /** The router's address on Axelar; without it nothing is known of amplifier chains. */
  readonly routerAddress: string | undefined
  readonly now: () => number
  readonly log: Log
}

/** A change ends quotes within a minute. */
const MAX_AGE_MS = 60_000
const REFRESH_MS = 20_000
const WANTED_MS = 600_000
const MOST_KEPT = 5_000
const TOGETHER = 16
const TIMES = { maxAgeMs: MAX_AGE_MS, refreshMs: REFRESH_MS, wantedMs: WANTED_MS, limit: MOST_KEPT }

/** Calldata of `paused()`, which consensus gateways do not have. Source: axelar-gmp-sdk-solidity 6.2.0, AxelarAmplifierGateway. */
const PAUSED_DATA = '0x5c975abb'
/** The one key of the activated chains. */
const ALL = 'all'

/** Whether all of several facts hold: false as soon as one does not, undefined while one is unknown. */
export const allCarried = (facts: readonly (boolean | undefined)[]): boolean | undefined => {
  if (facts.includes(false)) return false
  return facts.includes(undefined) ? undefined : true
}

const tokenKey = (chainId: ChainId, symbol: string): string => `${chainId} ${symbol}`

type Site = {
  readonly axelar: NonNullable<NetworkChain['axelar']>
  readonly evm: Pick<EvmChain, 'callAgreed'>
}

/** The facts that decide, by chain or by chain and symbol. */
const createFacts = (
  { lcd, routerAddress, now, log }: Omit<Deps, 'chains' | 'evmChains'>,
  sites: ReadonlyMap<string, Site>,
) => {
  const core = createAxelarCore(lcd)
  const siteOf = (chainId: string) => {
    const site = sites.get(chainId)
    if (site === undefined) throw new AxelarError('REFUSED', `Axelar is not configured on ${chainId}`)
    return site
  }
  const timing = { ...TIMES, now, log, together: TOGETHER }
  const active = createKeptWarm<string, ReadonlySet<string>>({
    name: 'axelar_chains_read',
    ...timing,
    read: async () => [await core.activeChains()],
  })
  const open = createKeptWarm<string, boolean>({
    name: 'axelar_gateway_read',
    ...timing,
    read: eachRead(async (chainId) => {
      const { axelar, evm } = siteOf(chainId)
      const call = { to: axelar.gateway, data: PAUSED_DATA, mayRevert: true } as const
      const [paused] = await evm.callAgreed([call], {})
      return paused === undefined || uintAt(paused, 0) !== 1n
    }),
  })
  const routed = createKeptWarm<string, boolean>({
    name: 'axelar_router_read',
    ...timing,
    read: eachRead(async (chainId) => {
      if (routerAddress === undefined) throw new AxelarError('REFUSED', 'axelar.routerAddress is not set')
      return readRouted(lcd, routerAddress, siteOf(chainId).axelar.name)
    }),
  })
  const confirmed = createKeptWarm<string, boolean>({
    name: 'axelar_token_read',
    ...timing,
    read: eachRead(async (key) => {
      const end = key.indexOf(' ')
      return core.isTokenConfirmed(siteOf(key.slice(0, end)).axelar.name, key.slice(end + 1))
    }),
  })
  return { active, open, routed, confirmed }
}

/** Creates a keeper without reading anything; nothing is carried on a chain without Axelar. */
export const createCarriage = ({ chains, evmChains, ...deps }: Deps): Carriage => {
  const sites = new Map(
    chains.flatMap(({ chainId, axelar }) => {
      const evm = evmChains.get(chainId)
      return axelar === undefined || evm === undefined ? [] : [[chainId, { axelar, evm }] as const]
    }),
  )
  const { active, open, routed, confirmed } = createFacts(deps, sites)
  const isConsensus = (chainId: ChainId): boolean => sites.get(chainId)?.axelar.connectionType === 'consensus'
  const isActive = (chainId: ChainId, names: ReadonlySet<string> | undefined): boolean | undefined =>
    names?.has(sites.get(chainId)?.axelar.name.toLowerCase() ?? '')
  const read: Carriage['read'] = async (chainId) => {
    if (!isConsensus(chainId)) return allCarried(await Promise.all([routed.get(chainId), open.get(chainId)]))
    const [names, isOpen] = await Promise.all([active.get(ALL), open.get(chainId)])
    return allCarried([isActive(chainId, names), isOpen])
  }
  const of: Carriage['of'] = (chainId) => {
    const isOpen = open.peek(chainId)
    return allCarried([
      isConsensus(chainId) ? isActive(chainId, active.peek(ALL)) : routed.peek(chainId),
      isOpen,
    ])
  }
  return {
    read,
    of,
    readToken: async (chainId, symbol) =>
      isConsensus(chainId)
        ? allCarried(await Promise.all([read(chainId), confirmed.get(tokenKey(chainId, symbol))]))
        : false,
    ofToken: (chainId, symbol) =>
      isConsensus(chainId) ? allCarried([of(chainId), confirmed.peek(tokenKey(chainId, symbol))]) : false,
    ...together([active, open, routed, confirmed]),
  }
}
