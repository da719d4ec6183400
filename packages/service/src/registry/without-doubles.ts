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
  /** The ERC-20 as which the chain offers its native asset, where that is the token. */
  readonly contract: string | undefined
  readonly decimals: number
  readonly isVerified: boolean
}

/** A row's name in what the file leaves out. */
export const rowName = ({ prettySymbol }: RegistryToken, { axelarChainId }: RegistryRow): string =>
  `${prettySymbol} on ${axelarChainId.toLowerCase()}`

const idOf = ({ token }: Row): string => token.tokenId.toLowerCase()

const doubleName = ({ token, row }: Row): string =>
  `${rowName(token, row)} (token id ${token.tokenId.slice(0, 10)}…)`

type Kept = { readonly kept: readonly Row[]; readonly leftOut: readonly LeftOut[] }

/** The token ids of one address that a file holds. */
const MOST_IDS = 8

/** Why a row is left out among the rows of its address, the highest rank first; undefined if it is kept. */
type Judge = (row: Row, same: readonly Row[]) => string | undefined

/** The chain and address of a row. */
export const placeOf = ({ chain, address }: Row): string =>
  `${chain.entry.chainId} ${comparableAddress(address)}`

/** Whether two ids have two addresses in common, so that both would move the same tokens between the same chains. */
const createRivalry = (rows: readonly Row[]) => {
  const placesOf = new Map(
    [...Map.groupBy(rows, idOf)].map(([id, sides]) => [id, new Set(sides.map(placeOf))] as const),
  )
  return (one: Row, other: Row): boolean => {
    const [places, others] = [placesOf.get(idOf(one)), placesOf.get(idOf(other))]
    if (idOf(one) === idOf(other) || places === undefined || others === undefined) return false
    return places.intersection(others).size > 1
  }
}

const createJudge = (rows: readonly Row[], rankOf: (row: Row) => number): Judge => {
  const areRivals = createRivalry(rows)
  return (row, same) => {
    if (row.decimals !== same[0]?.decimals) return 'its address has another token id with other decimals'
    if (same.indexOf(row) >= MOST_IDS) return `its address has ${MOST_IDS} other token ids`
    const rivals = same.filter((other) => areRivals(row, other))
    if (rivals.some((other) => rankOf(other) > rankOf(row)))
      return 'another token id has two of its addresses, too'
    return rivals.some((other) => rankOf(other) === rankOf(row))
      ? 'another token id has two of its addresses, too, and nothing proves which is right'
      : undefined
  }
}

const inAll = (decided: readonly Kept[]): Kept => ({
  kept: decided.flatMap(({ kept }) => kept),
  leftOut: decided.flatMap(({ leftOut }) => leftOut),
})

/** Of rows of one token id on one chain the verified one; none if there are several addresses and none, or several, are verified. */
const ofOneAddress = (same: readonly Row[]): Kept => {
  const verified = same.filter(({ isVerified }) => isVerified)
  const first = verified.length > 0 ? verified : same
  const isTied = new Set(first.map(placeOf)).size > 1
  const kept = isTied ? [] : first.slice(0, 1)
  const reason = `its token id has another address on the chain too${isTied ? ', and nothing proves which is right' : ''}`
  const worse = same.filter((row) => !kept.includes(row))
  return { kept, leftOut: worse.map((row) => ({ entry: doubleName(row), reason })) }
}

/** The rows with one address for each token id of a chain. */
const withoutSecondAddresses = (rows: readonly Row[]): Kept =>
  inAll([...Map.groupBy(rows, (row) => `${row.chain.entry.chainId} ${idOf(row)}`).values()].map(ofOneAddress))

/**
 * The rows of a file, those of one address by rank: a verified one first, then one that interfaces show, then the one that has
 * the most chains of the file. An address may have several token ids. Of ids that have two addresses in common, which would
 * move the same tokens between the same chains, the one of the higher rank is kept, and neither where they are equal in that.
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
  const judge = createJudge(rows, rankOf)
  const judged = [...Map.groupBy(rows, placeOf).values()].flatMap((found) => {
    const same = found.toSorted((one, other) => rankOf(other) - rankOf(one))
    return same.map((row) => ({ row, reason: judge(row, same) }))
  })
  return {
    kept: judged.flatMap(({ row, reason }) => (reason === undefined ? [row] : [])),
    leftOut: [
      ...leftOut,
      ...judged.flatMap(({ row, reason }) =>
        reason === undefined ? [] : [{ entry: doubleName(row), reason }],
      ),
    ],
  }
}
