import type { ChainId } from '@openrfq/sdk'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { Instant } from '../../core/instant.ts'
import type { NetworkChain } from '../../core/network.ts'
import { createConditions } from '../../lib/conditions.ts'
import { createKeptWarm } from '../../lib/kept-warm.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { eachRead } from '../../protocols/axelar/each-read.ts'
import type { SettlerKind } from './order-status.ts'
import { settlerFaults, settlerReads } from './settler-facts.ts'

type Deps = {
  readonly chains: readonly NetworkChain[]
  readonly evmChains: ReadonlyMap<ChainId, Pick<EvmChain, 'callAgreed'>>
  readonly refundDelaySeconds: number
  readonly now: () => Instant
  readonly log: Log
}

/** Whether settlers confirm the network file, as a quorum of endpoints tell: read when somebody asks, and now and then after. */
export type SettlerChecks = Lifecycle & {
  /** Whether the settler of a chain does; undefined if it cannot be read. */
  readonly confirms: (kind: SettlerKind, chainId: ChainId) => Promise<boolean | undefined>
  /** Whether it was last read to do so; undefined if no fresh answer is known, which is then read in the background. */
  readonly lastConfirmed: (kind: SettlerKind, chainId: ChainId) => boolean | undefined
}

const MAX_AGE_MS = 900_000
const REFRESH_MS = 600_000
/** How long after the last question about it a settler is read again. */
const WANTED_MS = 300_000
const TOGETHER = 16

type Settler = { readonly kind: SettlerKind; readonly chain: NetworkChain; readonly address: string }

const settlersOf = (chains: readonly NetworkChain[]): readonly Settler[] =>
  chains.flatMap((chain) => {
    const { intent, attested } = chain
    if (chain.chainType !== 'evm') return []
    return [
      ...(intent === undefined ? [] : [{ kind: 'intent', chain, address: intent.settler } as const]),
      ...(attested === undefined ? [] : [{ kind: 'attested', chain, address: attested.settler } as const]),
    ]
  })

const keyOf = (kind: SettlerKind, chainId: ChainId): string => `${kind} ${chainId}`

/**
 * Reads each settler that is asked about. A solver fills what it cannot be paid for if a settler was deployed with
 * another gateway or name: its fill succeeds, and its proof never arrives.
 */
export const createSettlerChecks = ({
  chains,
  evmChains,
  refundDelaySeconds,
  now,
  log,
}: Deps): SettlerChecks => {
  const settlers = new Map(
    settlersOf(chains).map((settler) => [keyOf(settler.kind, settler.chain.chainId), settler]),
  )
  const differing = createConditions<string>()
  const tell = (key: string, faults: readonly string[]): void => {
    const settler = settlers.get(key)
    const fields = { chainId: settler?.chain.chainId, settler: settler?.address }
    if (faults.length === 0) {
      if (differing.end(key)) log('info', 'settler_agrees', fields)
    } else if (differing.begin(key)) log('error', 'settler_differs', { ...fields, faults })
  }
  const confirms = async (key: string): Promise<boolean> => {
    const settler = settlers.get(key)
    const evm = settler && evmChains.get(settler.chain.chainId)
    if (settler === undefined || evm === undefined) return false
    const { kind, chain, address } = settler
    const answers = await evm.callAgreed(settlerReads(kind, address), {})
    const faults = settlerFaults(kind, chain, refundDelaySeconds, answers)
    tell(key, faults)
    return faults.length === 0
  }
  const { get, peek, start, stop } = createKeptWarm<string, boolean>({
    name: 'settler_read',
    read: eachRead(confirms),
    maxAgeMs: MAX_AGE_MS,
    refreshMs: REFRESH_MS,
    wantedMs: WANTED_MS,
    // The cache is sure to keep half of its limit.
    limit: 2 * Math.max(1, settlers.size),
    together: TOGETHER,
    now,
    log,
  })
  return {
    start,
    stop,
    confirms: async (kind, chainId) => {
      const key = keyOf(kind, chainId)
      return peek(key) ?? get(key)
    },
    lastConfirmed: (kind, chainId) => peek(keyOf(kind, chainId)),
  }
}
