import { addressAt, uintAt } from '../../chains/evm/abi-words.ts'
import { balanceOfData, DECIMALS_DATA } from '../../chains/evm/erc20.ts'
import type { EvmCall } from '../../chains/evm/evm-chain.ts'
import { readAll } from '../../chains/evm/read-all.ts'
import type { Instant } from '../../core/instant.ts'
import { createKeptWarm } from '../../lib/kept-warm.ts'
import { type Lifecycle, together } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import type { Carriage } from '../../protocols/axelar/carriage.ts'
import {
  OWNER_DATA,
  tokenAddressesData,
  tokenMintAmountData,
  tokenMintLimitData,
} from '../../protocols/axelar/gateway-contract.ts'
import { payoutRoom } from './limits.ts'
import type { BridgeSide } from './routes.ts'

const MAX_AGE_MS = 30_000
const REFRESH_MS = 12_000
/** How long after the last order for it an asset's state is kept fresh. */
const WANTED_MS = 300_000
const MOST_KEPT = 5_000
const SIDES_TOGETHER = 16
const READS_PER_TOKEN = 6

/** An asset in a chain's gateway. */
type GatewayAsset = Pick<BridgeSide, 'chain' | 'token' | 'evm' | 'symbol' | 'gateway'>

/** The current state of an asset in a chain's gateway. */
type GatewayState = {
  /**
   * Whether the gateway maps the configured symbol to the configured token, with the configured decimals, and Axelar carries the
   * token from and to the chain.
   */
  readonly isListed: boolean
  /** How much it can pay out now, in base units; null for no limit. */
  readonly room: bigint | null
}

/** The states of sides: read when a route is asked for, and kept fresh for minutes after. */
export type GatewayStates = Lifecycle & {
  /** The state read at most 30 s ago, read now if need be; undefined if it cannot be read. */
  readonly read: (side: GatewayAsset) => Promise<GatewayState | undefined>
  /** The state read at most 30 s ago. No network. */
  readonly of: (side: GatewayAsset) => GatewayState | undefined
}

/** Whether Axelar carries gateway tokens. */
type GatewayCarriage = Pick<Carriage, 'readToken' | 'ofToken'>

const readsOf = ({ gateway, token, symbol }: GatewayAsset): readonly EvmCall[] => [
  { to: gateway, data: tokenAddressesData(symbol) },
  { to: gateway, data: tokenMintLimitData(symbol) },
  { to: gateway, data: tokenMintAmountData(symbol) },
  { to: token.address, data: OWNER_DATA, mayRevert: true },
  { to: token.address, data: balanceOfData(gateway) },
  { to: token.address, data: DECIMALS_DATA },
]

/**
 * A token that the gateway does not own is external: the gateway pays it from its holdings. The contract does not
 * publish the kind itself.
 */
const parseState = (
  side: GatewayAsset,
  answers: readonly (string | undefined)[],
): GatewayState | undefined => {
  const [address, limitAnswer, mintedAnswer, ownerAnswer, balanceAnswer, decimalsAnswer] = answers.map(
    (answer) => answer ?? '0x',
  )
  const limit = uintAt(limitAnswer ?? '0x', 0)
  const minted = uintAt(mintedAnswer ?? '0x', 0)
  const balance = uintAt(balanceAnswer ?? '0x', 0)
  const decimals = uintAt(decimalsAnswer ?? '0x', 0)
  if (limit === undefined || minted === undefined || balance === undefined) return undefined
  const isMinted = addressAt(ownerAnswer ?? '0x', 0) === side.gateway.toLowerCase()
  return {
    isListed:
      addressAt(address ?? '0x', 0) === side.token.address.toLowerCase() &&
      decimals === BigInt(side.token.decimals),
    room: payoutRoom(limit, minted, isMinted ? null : balance),
  }
}

const readStates = async (sides: readonly GatewayAsset[]): Promise<readonly (GatewayState | undefined)[]> => {
  const [first] = sides
  if (first === undefined) return []
  const answers = await readAll(first.evm, sides.flatMap(readsOf))
  return sides.map((side, index) =>
    parseState(side, answers.slice(index * READS_PER_TOKEN, (index + 1) * READS_PER_TOKEN)),
  )
}

/** The state of a side that its gateway gives and Axelar carries; unknown while either is. */
const carried = (
  state: GatewayState | undefined,
  isCarried: boolean | undefined,
): GatewayState | undefined => {
  if (state === undefined || isCarried === undefined) return undefined
  return isCarried ? state : { ...state, isListed: false }
}

/** Reads the states of the given sides, those of one chain together. */
export const createGatewayStates = (
  {
    now,
    log,
    carriage,
  }: { readonly now: () => Instant; readonly log: Log; readonly carriage: GatewayCarriage },
  sides: readonly GatewayAsset[],
): GatewayStates => {
  const byChain = new Map(
    [...new Set(sides.map(({ chain }) => chain))].map((chain) => [
      chain,
      createKeptWarm<GatewayAsset, GatewayState>({
        name: 'gateway_limit_read',
        fields: { chainId: chain.chainId },
        read: readStates,
        maxAgeMs: MAX_AGE_MS,
        refreshMs: REFRESH_MS,
        wantedMs: WANTED_MS,
        limit: MOST_KEPT,
        together: SIDES_TOGETHER,
        now,
        log,
      }),
    ]),
  )
  return {
    read: async (side) => {
      const known = byChain.get(side.chain)?.get(side)
      return carried(await known, await carriage.readToken(side.chain.chainId, side.symbol))
    },
    of: (side) =>
      carried(byChain.get(side.chain)?.peek(side), carriage.ofToken(side.chain.chainId, side.symbol)),
    ...together([...byChain.values()]),
  }
}
