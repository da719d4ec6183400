import type { ChainId } from '@openrfq/sdk'
import type { Log } from '../../lib/log.ts'

/** What a vault holds above its books, by token. */
export type VaultSurplus = {
  /** In base units, as of the last comparison; zero before the first. */
  readonly byToken: () => ReadonlyMap<string, bigint>
  readonly compared: (token: string, balance: bigint, owed: bigint) => void
  /** Whether a growth may still be a payment that is being recorded, so that the next comparison is due soon. */
  readonly isUnsettled: () => boolean
}

type Deps = {
  readonly chainId: ChainId
  readonly tokens: readonly string[]
  /** How many comparisons in a row may fall between a payment and its record. */
  readonly misses: number
  readonly log: Log
}

type Growth = { readonly least: bigint; readonly count: number }

/**
 * Watches for deposits that were not read. Gifts and what the treasury sent look alike, so a surplus stops nothing: it is
 * logged once when it begins and whenever it has grown, as a warning except for what it was when the service started.
 */
export const createVaultSurplus = ({ chainId, tokens, misses, log }: Deps): VaultSurplus => {
  const latest = new Map<string, bigint>(tokens.map((token) => [token, 0n]))
  const logged = new Map<string, bigint>()
  const growing = new Map<string, Growth>()
  return {
    byToken: () => latest,
    isUnsettled: () => growing.size > 0,
    compared: (token, balance, owed) => {
      const surplus = balance > owed ? balance - owed : 0n
      latest.set(token, surplus)
      if (surplus <= (logged.get(token) ?? 0n)) {
        growing.delete(token)
        logged.set(token, surplus)
        return
      }
      const { least, count } = growing.get(token) ?? { least: surplus, count: 0 }
      const growth = { least: surplus < least ? surplus : least, count: count + 1 }
      growing.set(token, growth)
      if (growth.count < misses) return
      growing.delete(token)
      // What a vault held before the start is no growth: it keeps its reserve and what its treasury sent.
      const level = logged.has(token) ? 'warn' : 'info'
      logged.set(token, growth.least)
      log(level, 'vault_surplus_grew', { chainId, token, balance: `${balance}`, owed: `${owed}` })
    },
  }
}
