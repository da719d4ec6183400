import { comparableAddress } from '../core/comparable-address.ts'
import type { LeftOut } from './left-out.ts'
import type { RegistryRow, RegistryToken } from './sources.ts'
import type { SyncedChain } from './sync-chains.ts'

/** An interchain token on a chain of the file. */
export type Row = {
  readonly token: RegistryToken
  readonly row: RegistryRow
  readonly chain: SyncedChain
  readonly address: string
  readonly isVerified: boolean
}

/** A row's name in what the file leaves out. */
export const rowName = ({ prettySymbol }: RegistryToken, { axelarChainId }: RegistryRow): string =>
  `${prettySymbol} on ${axelarChainId.toLowerCase()}`

const idOf = ({ token }: Row): string => token.tokenId.toLowerCase()

const doubleName = ({ token, row }: Row): string =>
  `${rowName(token, row)} (token id ${token.tokenId.slice(0, 10)}…)`

type Kept = { readonly kept: readonly Row[]; readonly leftOut: readonly LeftOut[] }

/** Of rows with one address the one of the highest rank; none if two token ids have it. */
const bestOf = (rows: readonly Row[], rankOf: (row: Row) => number): Kept => {
  const best = Math.max(...rows.map(rankOf))
  const first = rows.filter((row) => rankOf(row) === best)
  const isTied = new Set(first.map(idOf)).size > 1
  const kept = isTied ? [] : first.slice(0, 1)
  const reason = isTied
    ? 'its address has another token id too, and nothing proves which is right'
    : 'its address has another token id too'
  const worse = rows.filter((row) => !kept.includes(row))
  return { kept, leftOut: worse.map((row) => ({ entry: doubleName(row), reason })) }
}

/**
 * The rows with one token id for each address of a chain: a verified one first, then one that interfaces show, then the
 * one that has the most chains of the file. Where two token ids are equal in that, neither is kept.
 */
export const withoutDoubles = (rows: readonly Row[]): Kept => {
  const chainsOf = new Map(
    [...Map.groupBy(rows, idOf)].map(([id, sides]) => [id, new Set(sides.map(({ chain }) => chain)).size]),
  )
  const rankOf = (row: Row): number =>
    (row.isVerified ? 2_000_000 : 0) +
    (row.token.disableInUI === true ? 0 : 1_000_000) +
    (chainsOf.get(idOf(row)) ?? 0)
  const byAddress = Map.groupBy(
    rows,
    ({ chain, address }) => `${chain.entry.chainId} ${comparableAddress(address)}`,
  )
  const decided = [...byAddress.values()].map((same) => bestOf(same, rankOf))
  return { kept: decided.flatMap(({ kept }) => kept), leftOut: decided.flatMap(({ leftOut }) => leftOut) }
}
