import { addressAt, uintAt } from '../../chains/evm/abi-words.ts'
import { balanceOfData, DECIMALS_DATA } from '../../chains/evm/erc20.ts'
import type { EvmCall } from '../../chains/evm/evm-chain.ts'
import { readAll } from '../../chains/evm/read-all.ts'
import type { Instant } from '../../core/instant.ts'
import { type Lifecycle, together } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import {
  OWNER_DATA,
  tokenAddressesData,
  tokenMintAmountData,
  tokenMintLimitData,
} from '../../protocols/axelar/gateway-contract.ts'
import { payoutRoom } from './limits.ts'
import type { GatewaySide } from './routes.ts'

const PERIOD_MS = 2_000
const RETRY_MS = 1_000
const MAX_AGE_MS = 30_000
const READS_PER_TOKEN = 6

/** The current state of an asset in a chain's gateway. */
type GatewayState = {
  /** Whether the gateway maps the configured symbol to the configured token, with the configured decimals. */
  readonly isListed: boolean
  /** How much it can pay out now, in base units; null for no limit. */
  readonly room: bigint | null
}

/** The states of all sides, refreshed in the background. */
export type GatewayStates = Lifecycle & {
  /** The state read at most 30 s ago, or undefined. No network. */
  readonly of: (side: GatewaySide) => GatewayState | undefined
}

const readsOf = ({ gateway, token, symbol }: GatewaySide): readonly EvmCall[] => [
  { to: gateway, data: tokenAddressesData(symbol) },
  { to: gateway, data: tokenMintLimitData(symbol) },
  { to: gateway, data: tokenMintAmountData(symbol) },
  { to: token.address, data: OWNER_DATA },
  { to: token.address, data: balanceOfData(gateway) },
  { to: token.address, data: DECIMALS_DATA },
]

/**
 * A token that the gateway does not own is external: the gateway pays it from its holdings. The contract does not
 * publish the kind itself.
 */
const parseState = (
  side: GatewaySide,
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

/** Refreshes the states of the given sides; one background loop per chain. */
export const createGatewayStates = (
  deps: { readonly now: () => Instant; readonly log: Log },
  sides: readonly GatewaySide[],
): GatewayStates => {
  const states = createTtlCache<GatewaySide, GatewayState>({ now: deps.now, maxAgeMs: MAX_AGE_MS })
  const refresh = async (own: readonly GatewaySide[]): Promise<void> => {
    const [first] = own
    if (first === undefined) return
    const answers = await readAll(first.evm, own.flatMap(readsOf))
    for (const [index, side] of own.entries()) {
      const state = parseState(side, answers.slice(index * READS_PER_TOKEN, (index + 1) * READS_PER_TOKEN))
      if (state !== undefined) states.set(side, state)
    }
  }
  const loops = [...Map.groupBy(sides, (side) => side.chain)].map(([chain, own]) =>
    createPoller({
      name: 'gateway_limit_read',
      fields: { chainId: chain.chainId },
      periodMs: PERIOD_MS,
      retryMs: () => RETRY_MS,
      failureLevel: 'warn',
      run: () => refresh(own),
      log: deps.log,
    }),
  )
  return {
    of: states.get,
    ...together(loops),
  }
}
