import type { EvmCall, EvmChain, EvmResult } from '../../chains/evm/evm-chain.ts'
import type { Instant } from '../../core/instant.ts'
import type { Exchange } from '../../core/network.ts'
import { createKeptWarm } from '../../lib/kept-warm.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { eachRead } from '../../protocols/axelar/each-read.ts'
import { foldedName } from '../../protocols/axelar/folded-name.ts'
import type { BridgeSide } from './routes.ts'

/** The router's reads of what its chain's factory told it. Source: router/ExpressRouter.sol. */
const READS = {
  gateway: '0x116191b6',
  gasService: '0x6a22d8cc',
  chainName: '0x1c93b03a',
  swapFactory: '0x7944f944',
  wrappedNative: '0xeb6d3a11',
} as const

/**
 * What a router should say, in any case of its hex digits: addresses, and Axelar's name of its chain. Those of the exchange are
 * undefined where nothing is swapped.
 */
type RouterFacts = Readonly<Record<keyof typeof READS, string | undefined>> & { readonly chainName: string }

const wordOf = (hex: string): string => hex.slice(2).toLowerCase().padStart(64, '0')

// CAST: the names of the table.
const NAMES = Object.keys(READS) as readonly (keyof typeof READS)[]

/** The reads of a router's facts, in the order in which `wrongFacts` takes their answers. */
export const routerReads = (router: string): readonly EvmCall[] =>
  NAMES.map((name) => ({ to: router, data: READS[name], mayRevert: true }))

/** The names of the facts that a router does not confirm. `chainName` is expected as Axelar spells it. */
export const wrongFacts = (expected: RouterFacts, answers: readonly EvmResult[]): readonly string[] =>
  NAMES.filter((name, index) => {
    const hex = name === 'chainName' ? foldedName(expected.chainName) : expected[name]
    return hex !== undefined && answers[index]?.slice(2).toLowerCase() !== wordOf(hex)
  })

const MAX_AGE_MS = 900_000
const REFRESH_MS = 600_000
/** How long after the last order for it a router is read again. */
const WANTED_MS = 300_000
const MOST_KEPT = 5_000
const TOGETHER = 16

/** Whether routers confirm the network file, as a quorum of endpoints tell: read when a route is asked for, and now and then after. */
export type RouterChecks<Side extends CheckedSide = BridgeSide> = Lifecycle & {
  /** Undefined if it cannot be read. */
  readonly read: (side: Side) => Promise<boolean | undefined>
  /** What was read at most 15 minutes ago. No network. */
  readonly of: (side: Side) => boolean | undefined
}

/** A side whose router is checked. */
type CheckedSide = Pick<BridgeSide, 'gateway' | 'gasService' | 'axelarName' | 'router'> & {
  readonly exchange: Pick<Exchange, 'factory' | 'wrappedNative'> | undefined
  readonly evm: Pick<EvmChain, 'callAgreed'>
}

const confirms = async ({
  evm,
  gateway,
  gasService,
  axelarName: chainName,
  exchange,
  router,
}: CheckedSide): Promise<boolean> => {
  const { factory: swapFactory, wrappedNative } = exchange ?? {}
  const expected = { gateway, gasService, chainName, swapFactory, wrappedNative }
  return wrongFacts(expected, await evm.callAgreed(routerReads(router), {})).length === 0
}

/** Reads each router of the sides that are asked for. */
export const createRouterChecks = <Side extends CheckedSide = BridgeSide>({
  now,
  log,
}: {
  readonly now: () => Instant
  readonly log: Log
}): RouterChecks<Side> => {
  const { get, peek, start, stop } = createKeptWarm<Side, boolean>({
    name: 'express_router_read',
    read: eachRead(confirms),
    maxAgeMs: MAX_AGE_MS,
    refreshMs: REFRESH_MS,
    wantedMs: WANTED_MS,
    limit: MOST_KEPT,
    together: TOGETHER,
    now,
    log,
  })
  return { read: get, of: peek, start, stop }
}
