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

/** Of rows that exclude each other the one of the highest rank; none if several of that rank differ. */
const bestOf = (
  rows: readonly Row[],
  {
    rankOf,
    differIn,
    why,
  }: { readonly rankOf: (row: Row) => number; readonly differIn: (row: Row) => string; readonly why: string },
): Kept => {
  const best = Math.max(...rows.map(rankOf))
  const first = rows.filter((row) => rankOf(row) === best)
  const isTied = new Set(first.map(differIn)).size > 1
  const kept = isTied ? [] : first.slice(0, 1)
  const reason = isTied ? `${why}, and nothing proves which is right` : why
  const worse = rows.filter((row) => !kept.includes(row))
  return { kept, leftOut: worse.map((row) => ({ entry: doubleName(row), reason })) }
}

const addressOf = ({ address }: Row): string => comparableAddress(address)

const inAll = (decided: readonly Kept[]): Kept => ({
  kept: decided.flatMap(({ kept }) => kept),
  leftOut: decided.flatMap(({ leftOut }) => leftOut),
})

/** The rows with one address for each token id of a chain: the verified one, else none. */
const withoutSecondAddresses = (rows: readonly Row[]): Kept =>
  inAll(
    [...Map.groupBy(rows, (row) => `${row.chain.entry.chainId} ${idOf(row)}`).values()].map((same) =>
      bestOf(same, {
        rankOf: ({ isVerified }) => Number(isVerified),
        differIn: addressOf,
        why: 'its token id has another address on the chain too',
      }),
    ),
  )

/**
 * The rows with one address for each token id of a chain, and one token id for each address: a verified one first, then one that interfaces show, then the
 * one that has the most chains of the file. Where two token ids are equal in that, neither is kept.
 */
export const withoutDoubles = (all: readonly Row[]): Kept => {
  const { kept: rows, leftOut } = withoutSecondAddresses(all)
  const chainsOf = new Map(
    [...Map.groupBy(rows, idOf)].map(([id, sides]) => [id, new Set(sides.map(({ chain }) => chain)).size]),
  )
  const rankOf = (row: Row): number =>
    (row.isVerified ? 2_000_000 : 0) +
    (row.token.disableInUI === true ? 0 : 1_000_000) +
    (chainsOf.get(idOf(row)) ?? 0)
  const byAddress = Map.groupBy(rows, (row) => `${row.chain.entry.chainId} ${addressOf(row)}`)
  const rank = { rankOf, differIn: idOf, why: 'its address has another token id too' }
  const decided = inAll([...byAddress.values()].map((same) => bestOf(same, rank)))
  return { kept: decided.kept, leftOut: [...leftOut, ...decided.leftOut] }
}
