import type { ChainAccount } from '../../chains/payment-chain.ts'
import { encodeBase58 } from '../../chains/solana/base58.ts'
import { programOf } from '../../chains/solana/programs.ts'
import { parseTokenAccount } from '../../chains/solana/token-account.ts'
import type { Instant } from '../../core/instant.ts'
import { parseItsRoot, parseSolanaManager } from '../../protocols/axelar/its-solana.ts'
import { flowRoom } from './limits.ts'
import type { SolanaReceiver } from './routes.ts'
import { isMinted, keepStates, type Limits, type StatesDeps, type StatesOf, type Trust } from './state.ts'

const EPOCH_MS = 6 * 3600 * 1000
/** Where a mint's account has its decimals. */
export const MINT_DECIMALS_AT = 44
/** Where a mint's account says whether there is a mint authority, and where that is. Source: SPL Token "Mint". */
const AUTHORITY_AT = 4
const AUTHORITY_BYTES = 32
const MAX_U64 = (1n << 64n) - 1n

type Found = { readonly account: ChainAccount }

type Flow = NonNullable<ReturnType<typeof parseSolanaManager>>['flow']

/** How much may still flow in one direction; here a limit of zero lets nothing through. Counts of an earlier epoch are void. */
const roomOf = ({ limit, epoch }: Flow, [along, against]: readonly [bigint, bigint], now: Instant) => {
  if (limit === null || limit === 0n) return limit
  const isCurrent = epoch === BigInt(Math.floor(now / EPOCH_MS))
  return isCurrent ? flowRoom(limit, along, against) : limit
}

const least = (one: bigint | null, other: bigint): bigint => (one !== null && one < other ? one : other)

/** Whether an account may mint the token of a mint's account. */
export const mints = (mint: Buffer, account: string): boolean =>
  mint.readUInt32LE() === 1 &&
  encodeBase58(mint.subarray(AUTHORITY_AT, AUTHORITY_AT + AUTHORITY_BYTES)) === account

/** The limits of one side from its manager, its mint and what the manager holds; undefined if the token is another one. */
const limitsOf = (
  { its, token, tokenId, places }: SolanaReceiver,
  [manager, mint, held]: readonly (Found | undefined)[],
  now: Instant,
): Limits | undefined => {
  const owned = manager?.account?.owner === its ? parseSolanaManager(manager.account.data) : undefined
  const kind = mint?.account
  const isMint = kind?.owner === programOf(token) && kind.data[MINT_DECIMALS_AT] === token.decimals
  if (owned === undefined || !isMint) return undefined
  const { type, flow } = owned
  if (owned.tokenId !== tokenId.toLowerCase() || owned.mint !== token.address) return undefined
  const receivable = roomOf(flow, [flow.in, flow.out], now)
  const sendable = roomOf(flow, [flow.out, flow.in], now)
  const found = {
    manager: { address: places.manager, type },
    maxSend: least(sendable, MAX_U64),
    maxReceive: receivable,
    hasFlowLimit: flow.limit !== null,
  }
  if (isMinted(type)) return { ...found, canGive: mints(kind.data, places.manager) }
  const holding = held?.account === null ? undefined : held?.account.data
  const locked = holding === undefined ? undefined : parseTokenAccount(holding)
  return {
    ...found,
    maxReceive: least(receivable, locked?.amount ?? 0n),
    canGive: locked?.isFrozen !== true,
  }
}

const ACCOUNTS_OF_SIDE = 3

const readLimits = async (
  sides: readonly SolanaReceiver[],
  now: () => Instant,
): Promise<readonly (Limits | undefined)[]> => {
  const [first] = sides
  if (first === undefined) return []
  const found = await first.programs.seenAccounts<Found>({
    addresses: sides.flatMap(({ places, token, held }) => [places.manager, token.address, held]),
    viewOf: (account) => ({ account }),
  })
  return sides.map((side, position) => {
    const start = position * ACCOUNTS_OF_SIDE
    return limitsOf(side, found.slice(start, start + ACCOUNTS_OF_SIDE), now())
  })
}

const readTrust = async (
  { programs, places, its }: SolanaReceiver,
  names: readonly string[],
): Promise<readonly Trust[]> => {
  const [found] = await programs.seenAccounts<Found>({
    addresses: [places.root],
    viewOf: (account) => ({ account }),
  })
  const root = found?.account?.owner === its ? parseItsRoot(found.account.data) : undefined
  return names.map((name) => ({
    paused: root?.isPaused !== false,
    isTrusted: root?.trusted.includes(name) === true,
  }))
}

/** The states of the sides of one Solana chain. Source: axelar-amplifier-solana, solana-axelar-its 1.1. */
export const createSolanaStates = (deps: StatesDeps, first: SolanaReceiver): StatesOf<SolanaReceiver> =>
  keepStates<SolanaReceiver>(deps, {
    chainId: first.chain.chainId,
    readLimits: (sides) => readLimits(sides, deps.now),
    readTrust: (names) => readTrust(first, names),
    managerType: () => undefined,
  })
