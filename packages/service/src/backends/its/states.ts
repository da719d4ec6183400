import { addressAt, stringAt, uintAt } from '../../chains/evm/abi-words.ts'
import { balanceOfData, DECIMALS_DATA, TOTAL_SUPPLY_DATA } from '../../chains/evm/erc20.ts'
import type { EvmCall, EvmChain } from '../../chains/evm/evm-chain.ts'
import { readAll } from '../../chains/evm/read-all.ts'
import type { Instant } from '../../core/instant.ts'
import { type Lifecycle, together } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import {
  deployedTokenManagerData,
  ITS_READS,
  isTrustedChainData,
  TOKEN_MANAGER_TYPES,
  type TokenManagerType,
  trustedAddressData,
} from '../../protocols/axelar/its-contract.ts'
import { flowRoom } from './limits.ts'
import { counterparts, type ItsSide } from './routes.ts'

const PERIOD_MS = 2_000
const RETRY_MS = 1_000
const MAX_AGE_MS = 30_000
/** What `trustedAddress` returns for a chain that is reached through the hub. */
const THROUGH_HUB = 'hub'

/** The token manager of one side; immutable once deployed. */
type Manager = { readonly address: string; readonly type: TokenManagerType }

/** The current on-chain state of one side; base units, null for no limit. */
export type ItsState = {
  readonly manager: Manager
  readonly paused: boolean
  /** Axelar names of the chains that this one sends to through the hub. */
  readonly trusted: ReadonlySet<string>
  readonly maxSend: bigint | null
  readonly maxReceive: bigint | null
}

/** The states of all sides, refreshed in the background. */
export type ItsStates = Lifecycle & {
  /** The state read at most 30 s ago, or undefined. No network. */
  readonly of: (side: ItsSide) => ItsState | undefined
}

/**
 * The known managers of one chain; a token id whose manager moves another token, or a token with other decimals,
 * is rejected permanently.
 */
type Reader = {
  readonly managers: Map<string, Manager>
  readonly refused: Set<string>
  readonly log: Log
}

const managerCalls = (side: ItsSide): EvmCall => ({
  to: side.its,
  data: deployedTokenManagerData(side.tokenId),
})

const parseManager = (side: ItsSide, address: string, answer: string): Manager | undefined => {
  const type = TOKEN_MANAGER_TYPES[Number(uintAt(answer, 0) ?? -1n)]
  const token = addressAt(answer, 1)
  return type !== undefined && token === side.token.address.toLowerCase() ? { address, type } : undefined
}

/** Reads the managers of the sides that have none yet. */
const readManagers = async (reader: Reader, evm: EvmChain, sides: readonly ItsSide[]): Promise<void> => {
  const unknown = sides.filter(({ tokenId }) => !reader.managers.has(tokenId) && !reader.refused.has(tokenId))
  const answers = await readAll(evm, unknown.map(managerCalls))
  const found = unknown.flatMap((side, index) => {
    const address = addressAt(answers[index] ?? '0x', 0)
    return address === undefined ? [] : [{ side, address }]
  })
  const kinds = await readAll(
    evm,
    found.flatMap(({ side, address }) => [
      { to: address, data: ITS_READS.implementationTypeAndTokenAddress },
      { to: side.token.address, data: DECIMALS_DATA },
    ]),
  )
  for (const [index, { side, address }] of found.entries()) {
    const kind = kinds[index * 2]
    const decimals = uintAt(kinds[index * 2 + 1] ?? '0x', 0)
    if (kind === undefined || decimals === undefined) continue
    const manager = parseManager(side, address, kind)
    const isAsConfigured = decimals === BigInt(side.token.decimals)
    if (manager !== undefined && isAsConfigured) {
      reader.managers.set(side.tokenId, manager)
      continue
    }
    reader.refused.add(side.tokenId)
    const place = { chain: side.chain.chainId, token: side.token.address }
    if (manager === undefined) reader.log('error', 'token_manager_mismatch', { ...place, manager: address })
    else reader.log('error', 'token_decimals_mismatch', { ...place, decimals: String(decimals) })
  }
}

const readTrusted = async (
  evm: EvmChain,
  its: string,
  names: readonly string[],
): Promise<{ readonly paused: boolean; readonly trusted: ReadonlySet<string> }> => {
  const [paused, ...answers] = await readAll(evm, [
    { to: its, data: ITS_READS.paused },
    ...names.flatMap((name) => [
      { to: its, data: isTrustedChainData(name) },
      { to: its, data: trustedAddressData(name) },
    ]),
  ])
  const trusted = names.filter(
    (_, index) =>
      uintAt(answers[index * 2] ?? '0x', 0) === 1n ||
      stringAt(answers[index * 2 + 1] ?? '0x', 0) === THROUGH_HUB,
  )
  return { paused: uintAt(paused ?? '0x', 0) !== 0n, trusted: new Set(trusted) }
}

const READS_PER_TOKEN = 5

const limitCalls = (side: ItsSide, manager: Manager): readonly EvmCall[] => [
  { to: manager.address, data: ITS_READS.flowLimit },
  { to: manager.address, data: ITS_READS.flowInAmount },
  { to: manager.address, data: ITS_READS.flowOutAmount },
  { to: side.token.address, data: balanceOfData(manager.address) },
  { to: side.token.address, data: TOTAL_SUPPLY_DATA },
]

type Room = Pick<ItsState, 'maxSend' | 'maxReceive'>

const roomOf = (manager: Manager, answers: readonly (string | undefined)[]): Room | undefined => {
  const [limit, flowIn, flowOut, balance, supply] = answers.map((answer) => uintAt(answer ?? '0x', 0))
  if (limit === undefined || flowIn === undefined || flowOut === undefined || balance === undefined)
    return undefined
  const receivable = flowRoom(limit, flowIn, flowOut)
  const sendable = flowRoom(limit, flowOut, flowIn)
  const isLocked = manager.type === 'LOCK_UNLOCK' || manager.type === 'LOCK_UNLOCK_FEE'
  return {
    // Nobody holds more than there is.
    maxSend: supply === undefined || (sendable !== null && sendable < supply) ? sendable : supply,
    maxReceive: isLocked && (receivable === null || balance < receivable) ? balance : receivable,
  }
}

/** The states of the sides of one chain, by token key; a side without a readable manager is left out. */
const readChain = async (
  reader: Reader,
  sides: readonly ItsSide[],
  names: readonly string[],
): Promise<readonly (readonly [ItsSide, ItsState])[]> => {
  const [first] = sides
  if (first === undefined) return []
  await readManagers(reader, first.evm, sides)
  const managed = sides.flatMap((side) => {
    const manager = reader.managers.get(side.tokenId)
    return manager === undefined ? [] : [{ side, manager }]
  })
  const service = await readTrusted(first.evm, first.its, names)
  const answers = await readAll(
    first.evm,
    managed.flatMap(({ side, manager }) => limitCalls(side, manager)),
  )
  return managed.flatMap(({ side, manager }, index): readonly (readonly [ItsSide, ItsState])[] => {
    const own = answers.slice(index * READS_PER_TOKEN, (index + 1) * READS_PER_TOKEN)
    const room = roomOf(manager, own)
    return room === undefined ? [] : [[side, { manager, ...service, ...room }]]
  })
}

/** Refreshes the states of the given sides; one background loop per chain. */
export const createItsStates = (
  deps: { readonly now: () => Instant; readonly log: Log },
  sides: readonly ItsSide[],
): ItsStates => {
  const states = createTtlCache<ItsSide, ItsState>({ now: deps.now, maxAgeMs: MAX_AGE_MS })
  const byChain = Map.groupBy(sides, (side) => side.chain)
  const loops = [...byChain].map(([chain, own]) => {
    const reader: Reader = { managers: new Map(), refused: new Set(), log: deps.log }
    const names = [
      ...new Set(own.flatMap((side) => counterparts(side, sides).map((other) => other.axelarName))),
    ]
    return createPoller({
      name: 'its_limit_read',
      fields: { chainId: chain.chainId },
      periodMs: PERIOD_MS,
      retryMs: () => RETRY_MS,
      failureLevel: 'warn',
      run: async () => {
        for (const [side, state] of await readChain(reader, own, names)) states.set(side, state)
      },
      log: deps.log,
    })
  })
  return {
    of: states.get,
    ...together(loops),
  }
}
