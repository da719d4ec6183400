import { baseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import { type InventoryEntry, PROTOCOL_LIMITS } from '../solver-api/protocol.ts'
import type { SolverAsset } from './assets.ts'
import type { Inventory } from './inventory.ts'
import type { ServiceLink } from './service-link.ts'

type NoticeDeps = {
  readonly assets: readonly SolverAsset[]
  readonly inventory: Pick<Inventory, 'holding'>
  readonly link: Pick<ServiceLink, 'send'>
  readonly now: () => Instant
}

/** An unchanged inventory is sent again after this time, because it then refers to a newer block. */
const RENEW_MS = 3_000

const entriesOf = (assets: readonly SolverAsset[], { inventory }: NoticeDeps): readonly InventoryEntry[] =>
  assets.flatMap((asset) => {
    const holding = inventory.holding(asset)
    if (holding === undefined) return []
    const { spendable, blockNumber } = holding
    const block = Number(blockNumber)
    return [{ chain: asset.chainId, token: asset.address, available: baseUnits(spendable), block }]
  })

const split = (entries: readonly InventoryEntry[]): readonly InventoryEntry[][] =>
  Array.from({ length: Math.ceil(entries.length / PROTOCOL_LIMITS.maxAssetsPerMessage) }, (_, index) =>
    entries.slice(
      index * PROTOCOL_LIMITS.maxAssetsPerMessage,
      (index + 1) * PROTOCOL_LIMITS.maxAssetsPerMessage,
    ),
  )

/**
 * Sends the account's balances to the service, without subtracting orders that are still to be filled: the service does
 * that. Source: docs/solver-protocol.md "Inventory".
 */
export const createInventoryNotice = (deps: NoticeDeps) => {
  const onPaymentChains = deps.assets.filter(({ isOnPaymentChain }) => isOnPaymentChain)
  const others = deps.assets.filter(({ isOnPaymentChain }) => !isOnPaymentChain)
  let published = ''
  let toldAt: Instant = 0
  return {
    /** Sends what has changed since the last time, and what is due for renewal. */
    publish: (): void => {
      // A service without payment chains rejects the second part and accepts the first.
      const parts = [others, onPaymentChains].map((assets) => entriesOf(assets, deps))
      const entries = parts.flat()
      const text = entries.map(({ chain, token, available }) => `${chain} ${token} ${available}`).join()
      if (entries.length === 0 || (text === published && deps.now() - toldAt < RENEW_MS)) return
      for (const assets of parts.flatMap(split)) if (!deps.link.send({ type: 'inventory', assets })) return
      published = text
      toldAt = deps.now()
    },
    /** Called when the service has lost all state. */
    reset: (): void => {
      published = ''
    },
  }
}
