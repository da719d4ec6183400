import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from 'viem'
import { addressWord, stringTail, uintWord } from '../../src/chains/evm/abi-words.ts'
import { movedContract, tokenIdsOf } from '../../src/core/interchain-token.ts'
import type { NetworkChain, NetworkToken } from '../../src/core/network.ts'
import { tokenManagerAddress } from '../../src/protocols/axelar/token-manager-address.ts'
import { MULTICALL3_CODE } from './multicall3-code.ts'

/** The contracts of one chain. */
export type ContractCalls = {
  /** The returned bytes as hex, `0x` where there is no contract, undefined for a revert. */
  readonly run: (to: string, data: string) => string | undefined
  readonly codeAt: (address: string) => string
}

/** One contract: what it returns for calldata, undefined for a revert. */
type Contract = (data: string) => string | undefined

/** Where Multicall3 is deployed on most chains. Source: mds1/multicall3. */
export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Types of token managers that hold or mint. Source: ITokenManagerType. */
const MINT_BURN = 4n
const LOCK_UNLOCK = 2n
/** Every so many tokens one is locked and not minted, as in the registry. */
const LOCKED_EVERY = 5
const SUPPLY = 10n ** 30n
/** No supply of the Hedera Token Service exceeds 63 bits. */
const HTS_SUPPLY = 10n ** 15n

const word = (value: bigint | number): string => `0x${uintWord(BigInt(value))}`
const text = (value: string): string => `0x${uintWord(32n)}${stringTail(value)}`

const bySelector =
  (answers: Readonly<Record<string, Contract>>): Contract =>
  (data) =>
    answers[data.slice(0, 10)]?.(data)

/**
 * `supply` of each of its tokens, which anybody may mint and move; `isAssociated` of the Hedera Token Service is true for every
 * caller.
 */
const erc20 = ({ decimals, symbol }: NetworkToken, isAllowed: boolean, supply: bigint): Contract =>
  bySelector({
    '0x4d8fdd6d': () => word(1n),
    '0x313ce567': () => word(decimals),
    '0x95d89b41': () => text(symbol),
    '0x70a08231': () => word(supply),
    '0x18160ddd': () => word(supply),
    '0xdd62ed3e': () => word(isAllowed ? SUPPLY : 0n),
    '0x23b872dd': () => word(1n),
    '0x40c10f19': () => '0x',
  })

const tokenManager = (token: NetworkToken, type: bigint): Contract =>
  bySelector({
    '0xd4ae3c42': () => `${word(type)}${addressWord(movedContract(token))}`,
    '0x8b38b35d': () => word(0n),
    '0x7dbab19b': () => word(0n),
    '0x2f3c7888': () => word(0n),
  })

const tokenService = (its: string, tokens: readonly NetworkToken[]): Contract => {
  const known = new Set(tokens.flatMap((token) => tokenIdsOf(token).map((id) => id.toLowerCase())))
  return bySelector({
    '0x7e10eb15': (data) => {
      const tokenId = `0x${data.slice(10, 74).toLowerCase()}`
      return known.has(tokenId) ? `0x${addressWord(tokenManagerAddress(its, tokenId))}` : undefined
    },
    // Version 2.1: there is no isTrustedChain, and chains are reached through the hub.
    '0x477aedc7': () => text('hub'),
    '0x5c975abb': () => word(0n),
  })
}

const gateway = (tokens: readonly NetworkToken[]): Contract => {
  const find = (data: string) => {
    const length = Number(BigInt(`0x${data.slice(74, 138)}`))
    const symbol = Buffer.from(data.slice(138, 138 + length * 2), 'hex').toString('utf8')
    return tokens.find((token) => token.gateway?.symbol === symbol)
  }
  return bySelector({
    '0x935b13f6': (data) => `0x${addressWord(find(data)?.address ?? `0x${'0'.repeat(40)}`)}`,
    '0x269eb65e': () => word(0n),
    '0xcec7b359': () => word(0n),
  })
}

const CALLS = parseAbiParameters('(address target, bool allowFailure, bytes callData)[] calls')
const RESULTS = parseAbiParameters('(bool success, bytes returnData)[] results')

/** Multicall3 as viem encodes it, which is not how the service does. */
const multicall = (run: ContractCalls['run']): Contract =>
  bySelector({
    '0x82ad56cb': (data) => {
      // CAST: a test asks with calldata of the service, which is hex.
      const [calls] = decodeAbiParameters(CALLS, `0x${data.slice(10)}` as `0x${string}`)
      const results = calls.map(({ target, callData, allowFailure }) => {
        const result = run(target, callData)
        if (result === undefined && !allowFailure) throw new Error('a call failed')
        // CAST: contracts return hex.
        return { success: result !== undefined, returnData: (result ?? '0x') as `0x${string}` }
      })
      return encodeAbiParameters(RESULTS, [results])
    },
    '0x4d2301cc': () => word(10n ** 18n),
  })

type Options = {
  readonly chain: NetworkChain
  readonly tokens: readonly NetworkToken[]
  readonly hasMulticall: boolean
}

/** The contracts that a network file names on a chain, with Multicall3 where it is deployed. */
export const createContractCalls = ({ chain, tokens, hasMulticall }: Options): ContractCalls => {
  const contracts = new Map<string, Contract>()
  const deploy = (address: string | undefined, contract: Contract): void => {
    if (address !== undefined) contracts.set(address.toLowerCase(), contract)
  }
  const { its, gateway: gatewayAddress, gasService, itsFactory } = chain.axelar ?? {}
  for (const [position, token] of tokens.entries()) {
    const isHts = chain.tokenStandard === 'hts'
    const isLocked = isHts || position % LOCKED_EVERY === 0
    deploy(movedContract(token), erc20(token, position % 2 === 0, isHts ? HTS_SUPPLY : SUPPLY))
    if (its === undefined) continue
    for (const tokenId of tokenIdsOf(token))
      deploy(
        tokenManagerAddress(its, tokenId),
        tokenManager(token, isLocked && token.its?.contract === undefined ? LOCK_UNLOCK : MINT_BURN),
      )
  }
  const run = (to: string, data: string): string | undefined => {
    const contract = contracts.get(to.toLowerCase())
    return contract === undefined ? '0x' : contract(data)
  }
  deploy(gasService, () => undefined)
  deploy(itsFactory, () => undefined)
  deploy(gatewayAddress, gateway(tokens))
  if (its !== undefined) deploy(its, tokenService(its, tokens))
  if (hasMulticall) deploy(MULTICALL3, multicall(run))
  const codeAt = (address: string): string => {
    if (!contracts.has(address.toLowerCase())) return '0x'
    return address.toLowerCase() === MULTICALL3.toLowerCase() ? MULTICALL3_CODE : '0x6080'
  }
  return { run, codeAt }
}
