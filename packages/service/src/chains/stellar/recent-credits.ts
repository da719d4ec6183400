import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import { createMovementReader } from './asset-movement.ts'
import { ACCOUNTS_OF_QUERY, readAssetEvents } from './event-pages.ts'
import { loadStellarSdk } from './sdk.ts'

/** The ledgers after `after`, up to `upTo`. */
type Ledgers = { readonly after: number; readonly upTo: number }

/**
 * What others paid to an account of a token, in base units, in some ledgers; undefined where a node does not tell it, or
 * tells of too many payments.
 */
type Credits = (account: string, token: string) => bigint | undefined

type ReadCredits = (ask: RpcAsk, accounts: readonly string[], ledgers: Ledgers) => Promise<Credits>

/**
 * Reads credits from asset events, six accounts to a read, so that too many payments to one account leave the others'
 * credits readable. Source: CAP-67.
 */
export const createCreditReader = (passphrase: string): ReadCredits => {
  let movementOf: ReturnType<typeof createMovementReader> | undefined
  return async (ask, accounts, { after, upTo }) => {
    const sdk = await loadStellarSdk()
    movementOf ??= createMovementReader(sdk, passphrase)
    const readMovement = movementOf
    const sums = new Map<string, Map<string, bigint>>()
    const read = async (asked: readonly string[]): Promise<void> => {
      const range = { after, first: after + 1 }
      const found = await readAssetEvents(sdk, ask, asked, range).catch((error) => {
        if (error instanceof RpcError && error.code === 'TOO_MUCH') return undefined
        throw error
      })
      if (found === undefined || found.upTo < upTo) return
      for (const account of asked) sums.set(account, new Map())
      for (const event of found.events) {
        const movement = readMovement(event)
        if (movement === undefined || movement.from === movement.to) continue
        const { to, token, amount } = movement
        const ofAccount = sums.get(to)
        ofAccount?.set(token, (ofAccount.get(token) ?? 0n) + amount)
      }
    }
    const starts = Array.from(
      { length: Math.ceil(accounts.length / ACCOUNTS_OF_QUERY) },
      (_, index) => index * ACCOUNTS_OF_QUERY,
    )
    await Promise.all(starts.map((start) => read(accounts.slice(start, start + ACCOUNTS_OF_QUERY))))
    return (account, token) => {
      const ofAccount = sums.get(account)
      return ofAccount && (ofAccount.get(token) ?? 0n)
    }
  }
}
