import { addressAt, stringAt, uintAt } from '../../chains/evm/abi-words.ts'
import { balanceOfData, DECIMALS_DATA, TOTAL_SUPPLY_DATA } from '../../chains/evm/erc20.ts'
import type { EvmCall, EvmChain, EvmResult } from '../../chains/evm/evm-chain.ts'
import { readAll } from '../../chains/evm/read-all.ts'
import type { NetworkChain } from '../../core/network.ts'
import { together } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import {
  ITS_READS,
  isTrustedChainData,
  TOKEN_MANAGER_TYPES,
  trustedAddressData,
} from '../../protocols/axelar/its-contract.ts'
import { tokenManagerAddress } from '../../protocols/axelar/token-manager-address.ts'
import { flowRoom } from './limits.ts'
import {
  type ItsReceiver,
  type ItsSide,
  isReceiver,
  type SolanaReceiver,
  type StellarReceiver,
} from './routes.ts'
import { createSolanaStates } from './solana-states.ts'
import {
  type ItsStates,
  isMinted,
  keepStates,
  type Limits,
  type Manager,
  type StatesDeps,
  type StatesOf,
  type Trust,
} from './state.ts'
import { createStellarStates } from './stellar-states.ts'

/** What `trustedAddress` returns for a chain that is reached through the hub. */
const THROUGH_HUB = 'hub'

/**
 * The known managers of one chain, and the refused token ids: an endpoint says that their manager moves another token, or that their
 * token has other decimals. The service reads those again, ever more seldom, because one endpoint may be wrong.
 */
type Reader = {
  readonly managers: Map<string, Manager>
  readonly refused: Set<string>
  readonly log: Log
}

const parseManager = (side: ItsSide, address: string, answer: string): Manager | undefined => {
  const type = TOKEN_MANAGER_TYPES[Number(uintAt(answer, 0) ?? -1n)]
  const token = addressAt(answer, 1)
  return type !== undefined && token === side.erc20.toLowerCase() ? { address, type } : undefined
}

const MANAGER_READS = 2
const LIMIT_READS = 5

/** Which token a manager moves, and the token's decimals: read once. */
const managerCalls = (side: ItsSide): readonly EvmCall[] => [
  {
    to: tokenManagerAddress(side.its, side.tokenId),
    data: ITS_READS.implementationTypeAndTokenAddress,
    mayRevert: true,
  },
  { to: side.erc20, data: DECIMALS_DATA },
]

const limitCalls = (side: ItsSide): readonly EvmCall[] => {
  const manager = tokenManagerAddress(side.its, side.tokenId)
  return [
    { to: manager, data: ITS_READS.flowLimit },
    { to: manager, data: ITS_READS.flowInAmount },
    { to: manager, data: ITS_READS.flowOutAmount },
    { to: side.erc20, data: balanceOfData(manager) },
    { to: side.erc20, data: TOTAL_SUPPLY_DATA },
  ]
}

/** Learns the manager of a side from the answers to `managerCalls`. */
const learnManager = (reader: Reader, side: ItsSide, [kind, decimalsAnswer]: readonly EvmResult[]): void => {
  const decimals = uintAt(decimalsAnswer ?? '0x', 0)
  // Without code there is no manager yet.
  if (kind === undefined || kind === '0x' || decimals === undefined) return
  const address = tokenManagerAddress(side.its, side.tokenId)
  const manager = parseManager(side, address, kind)
  if (manager !== undefined && decimals === BigInt(side.token.decimals)) {
    reader.managers.set(side.tokenId, manager)
    reader.refused.delete(side.tokenId)
    return
  }
  if (reader.refused.has(side.tokenId)) return
  reader.refused.add(side.tokenId)
  const place = { chain: side.chain.chainId, token: side.token.address }
  if (manager === undefined) reader.log('error', 'token_manager_mismatch', { ...place, manager: address })
  else reader.log('error', 'token_decimals_mismatch', { ...place, decimals: String(decimals) })
}

type Room = Omit<Limits, 'manager'>

/** The most that the Hedera Token Service can have of a token. */
const MOST_HTS_SUPPLY = 2n ** 63n - 1n

/** What the token service can still mint; null for no limit. */
const mintable = ({ chain }: ItsSide, supply: bigint | undefined): bigint | null => {
  if (chain.tokenStandard !== 'hts') return null
  return supply === undefined || supply > MOST_HTS_SUPPLY ? 0n : MOST_HTS_SUPPLY - supply
}

const roomOf = (
  side: ItsSide,
  manager: Manager,
  answers: readonly (string | undefined)[],
): Room | undefined => {
  const [limit, flowIn, flowOut, balance, supply] = answers.map((answer) => uintAt(answer ?? '0x', 0))
  if (limit === undefined || flowIn === undefined || flowOut === undefined || balance === undefined)
    return undefined
  const receivable = flowRoom(limit, flowIn, flowOut)
  const sendable = flowRoom(limit, flowOut, flowIn)
  const lower = (one: bigint | null, other: bigint | null): bigint | null =>
    one === null || (other !== null && other < one) ? other : one
  return {
    // No account holds more than the supply.
    maxSend: supply === undefined || (sendable !== null && sendable < supply) ? sendable : supply,
    maxReceive: lower(receivable, isMinted(manager.type) ? mintable(side, supply) : balance),
    hasFlowLimit: limit > 0n,
    // A trial of the giving itself says that.
    canGive: true,
  }
}

/** Reads the limits of sides of one chain in one round trip. */
const readLimits = async (
  reader: Reader,
  sides: readonly ItsSide[],
): Promise<readonly (Limits | undefined)[]> => {
  const [first] = sides
  if (first === undefined) return []
  const unknown = sides.filter(({ tokenId }) => !reader.managers.has(tokenId))
  const answers = await readAll(first.evm, [...unknown.flatMap(managerCalls), ...sides.flatMap(limitCalls)])
  const partOf = (start: number, position: number, count: number) =>
    answers.slice(start + position * count, start + (position + 1) * count)
  for (const [position, side] of unknown.entries())
    if (!reader.managers.has(side.tokenId)) learnManager(reader, side, partOf(0, position, MANAGER_READS))
  const start = unknown.length * MANAGER_READS
  return sides.map((side, position) => {
    const manager = reader.managers.get(side.tokenId)
    const room = manager && roomOf(side, manager, partOf(start, position, LIMIT_READS))
    return manager === undefined || room === undefined ? undefined : { manager, ...room }
  })
}

/** Reads whether one chain's service is paused and which chains it sends to through the hub. */
const createTrustReader = (evm: EvmChain, its: string) => {
  /** Which of the two functions the service has, once one of them answered. */
  let dialect: 'isTrustedChain' | 'trustedAddress' | undefined
  const callOf = {
    isTrustedChain: (name: string): EvmCall => ({ to: its, data: isTrustedChainData(name), mayRevert: true }),
    trustedAddress: (name: string): EvmCall => ({ to: its, data: trustedAddressData(name), mayRevert: true }),
  }
  const trusts = {
    isTrustedChain: (answer: EvmResult) => uintAt(answer ?? '0x', 0) === 1n,
    trustedAddress: (answer: EvmResult) => stringAt(answer ?? '0x', 0) === THROUGH_HUB,
  }
  return async (names: readonly string[]): Promise<readonly Trust[]> => {
    const dialects = dialect === undefined ? (['isTrustedChain', 'trustedAddress'] as const) : [dialect]
    const [pausedAnswer, ...answers] = await readAll(evm, [
      { to: its, data: ITS_READS.paused },
      ...dialects.flatMap((one) => names.map(callOf[one])),
    ])
    const paused = uintAt(pausedAnswer ?? '0x', 0) !== 0n
    const answered = dialects.map((one, position) => ({
      one,
      results: answers.slice(position * names.length, (position + 1) * names.length),
    }))
    // An upgrade may replace the function: without any answer both are asked again.
    dialect = answered.find(({ results }) => results.some((result) => (result ?? '0x') !== '0x'))?.one
    return names.map((_name, position) => ({
      paused,
      isTrusted: answered.some(({ one, results }) => trusts[one](results[position])),
    }))
  }
}

/** The states of the sides of one EVM chain. */
const createChainStates = (deps: StatesDeps, { chain, evm, its }: ItsSide): StatesOf<ItsSide> => {
  const reader: Reader = { managers: new Map(), refused: new Set(), log: deps.log }
  return keepStates<ItsSide>(deps, {
    chainId: chain.chainId,
    readLimits: (sides) => readLimits(reader, sides),
    readTrust: createTrustReader(evm, its),
    managerType: ({ tokenId }) => reader.managers.get(tokenId)?.type,
  })
}

/** The states of the sides of one family, those of one chain together. */
const statesByChain = <Side extends { readonly chain: NetworkChain }>(
  sides: readonly Side[],
  create: (first: Side) => StatesOf<Side>,
): StatesOf<Side> => {
  const chains = new Map<NetworkChain, StatesOf<Side>>()
  for (const side of sides) if (!chains.has(side.chain)) chains.set(side.chain, create(side))
  return {
    read: async (side, otherName) => chains.get(side.chain)?.read(side, otherName),
    of: (side, otherName) => chains.get(side.chain)?.of(side, otherName),
    managerType: (side) => chains.get(side.chain)?.managerType(side),
    ...together([...chains.values()]),
  }
}

const isStellar = (side: ItsSide | ItsReceiver): side is StellarReceiver =>
  isReceiver(side) && side.family === 'stellar'
const isSolana = (side: ItsSide | ItsReceiver): side is SolanaReceiver =>
  isReceiver(side) && side.family === 'solana'

/** Reads the states of the given sides, those of one chain together. */
export const createItsStates = (deps: StatesDeps, sides: readonly (ItsSide | ItsReceiver)[]): ItsStates => {
  const evm = statesByChain(
    sides.filter((side): side is ItsSide => !isReceiver(side)),
    (first) => createChainStates(deps, first),
  )
  const stellar = statesByChain(sides.filter(isStellar), (first) => createStellarStates(deps, first))
  const solana = statesByChain(sides.filter(isSolana), (first) => createSolanaStates(deps, first))
  return {
    read: (side, otherName) => {
      if (isStellar(side)) return stellar.read(side, otherName)
      return isSolana(side) ? solana.read(side, otherName) : evm.read(side, otherName)
    },
    of: (side, otherName) => {
      if (isStellar(side)) return stellar.of(side, otherName)
      return isSolana(side) ? solana.of(side, otherName) : evm.of(side, otherName)
    },
    managerType: (side) => (isReceiver(side) ? undefined : evm.managerType(side)),
    ...together([evm, stellar, solana]),
  }
}
