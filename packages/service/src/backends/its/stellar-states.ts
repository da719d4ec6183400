import type { ContractChain } from '../../chains/payment-chain.ts'
import { RpcError } from '../../chains/rpc/rpc-error.ts'
import { contractIdOf } from '../../chains/stellar/asset-contract.ts'
import { readScVal } from '../../chains/stellar/sc-val.ts'
import { decodeStrKey } from '../../chains/stellar/str-key.ts'
import {
  chainArgument,
  isAddressResult,
  managerTypeResult,
  tokenIdArgument,
} from '../../protocols/axelar/its-stellar.ts'
import { flowRoom } from './limits.ts'
import type { StellarReceiver } from './routes.ts'
import {
  isMinted,
  keepStates,
  type Limits,
  type Manager,
  type StatesDeps,
  type StatesOf,
  type Trust,
} from './state.ts'

const amountOf = (result: string | undefined): bigint | undefined => {
  const value = readScVal(result ?? '')
  return typeof value === 'bigint' ? value : undefined
}

/** How much a side may receive now, in base units; null for no limit. Here a limit of zero lets nothing through. */
const receivableOf = (limit: string, flowIn: bigint, flowOut: bigint): bigint | null | undefined => {
  const value = readScVal(limit)
  if (value === null) return null
  if (typeof value !== 'bigint') return undefined
  return value === 0n ? 0n : flowRoom(value, flowIn, flowOut)
}

/**
 * Whether the token is the contract of a classic asset, whose holders need trustlines, though the network file names no
 * issuer. Such a contract calls itself by code and issuer. Source: CAP-46-6.
 */
export const isUnnamedAsset = (
  { chain, token }: Pick<StellarReceiver, 'chain' | 'token'>,
  name: string | undefined,
): boolean => {
  const told = readScVal(name ?? '')
  if (token.stellar !== undefined || typeof told !== 'string') return false
  const [code = '', issuer = ''] = told.split(':')
  if (decodeStrKey(issuer)?.kind !== 'G') return false
  return contractIdOf({ code, issuer }, chain.passphrase ?? '') === token.address
}

/** A contract's answer; undefined if it has no such function or fails. Rejects if the chain cannot be read. */
export const contractAnswer = async (
  contracts: ContractChain,
  contract: string,
  name: string,
  ...values: readonly string[]
): Promise<string | undefined> => {
  try {
    return (await contracts.callAll([{ contract, name, arguments: values }]))[0]
  } catch (error) {
    const cause = error instanceof RpcError ? error.cause : undefined
    if (cause instanceof RpcError && cause.code === 'MALFORMED') return undefined
    throw error
  }
}

/**
 * Whether a token lets its manager mint: the manager is the administrator of a classic asset's contract, and a minter of other tokens. Source:
 * axelar-amplifier-stellar, token_handler.
 */
export const canMint = async (
  { contracts, token }: Pick<StellarReceiver, 'contracts' | 'token'>,
  { address, type }: Manager,
): Promise<boolean> => {
  const admin = type === 'MINT_BURN' ? await contractAnswer(contracts, token.address, 'admin') : undefined
  if (admin !== undefined) return admin === address
  return readScVal((await contractAnswer(contracts, token.address, 'is_minter', address)) ?? '') === true
}

/** The limits of one side, and its manager; undefined if the token is another one or an answer cannot be used. */
const readLimitsOf = async (side: StellarReceiver): Promise<Limits | undefined> => {
  const { contracts, its, token } = side
  const id = tokenIdArgument(side.tokenId)
  const call = (contract: string, name: string, ...values: readonly string[]) => ({
    contract,
    name,
    arguments: values,
  })
  const [registered = '', kind = '', manager = '', decimals = '', limit = '', flowIn, flowOut, name] =
    await contracts.callAll([
      call(its, 'registered_token_address', id),
      call(its, 'token_manager_type', id),
      call(its, 'deployed_token_manager', id),
      call(token.address, 'decimals'),
      call(its, 'flow_limit', id),
      call(its, 'flow_in_amount', id),
      call(its, 'flow_out_amount', id),
      call(token.address, 'name'),
    ])
  const type = managerTypeResult(kind)
  const isToken =
    isAddressResult(registered, token.address) === true && readScVal(decimals) === token.decimals
  const [given, taken] = [amountOf(flowIn), amountOf(flowOut)]
  if (isUnnamedAsset(side, name)) return undefined
  if (type === undefined || !isToken || given === undefined || taken === undefined) return undefined
  const receivable = receivableOf(limit, given, taken)
  if (receivable === undefined) return undefined
  const found: Manager = { address: manager, type }
  if (isMinted(type))
    return {
      ...{ manager: found, maxSend: 0n, maxReceive: receivable, hasFlowLimit: false },
      canGive: await canMint(side, found),
    }
  const [balance] = await contracts.callAll([call(token.address, 'balance', manager)])
  const held = amountOf(balance)
  if (held === undefined) return undefined
  const maxReceive = receivable === null || held < receivable ? held : receivable
  return { manager: found, maxSend: 0n, maxReceive, hasFlowLimit: false, canGive: true }
}

/** The limits of sides; a contract that fails leaves the other sides readable. Rejects if none can be read. */
const readEach = async (sides: readonly StellarReceiver[]): Promise<readonly (Limits | undefined)[]> => {
  const read = await Promise.allSettled(sides.map(readLimitsOf))
  const [first] = read
  if (first?.status === 'rejected' && read.every(({ status }) => status === 'rejected')) throw first.reason
  return read.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
}

const readTrustOf = async (
  { contracts, its }: StellarReceiver,
  names: readonly string[],
): Promise<readonly Trust[]> => {
  const [paused = '', ...trusted] = await contracts.callAll([
    { contract: its, name: 'paused', arguments: [] },
    ...names.map((name) => ({ contract: its, name: 'is_trusted_chain', arguments: [chainArgument(name)] })),
  ])
  return names.map((_name, position) => ({
    paused: readScVal(paused) !== false,
    isTrusted: readScVal(trusted[position] ?? '') === true,
  }))
}

/** The states of the sides of one Stellar chain. Source: axelar-amplifier-stellar, InterchainTokenService 1.4. */
export const createStellarStates = (deps: StatesDeps, first: StellarReceiver): StatesOf<StellarReceiver> =>
  keepStates<StellarReceiver>(deps, {
    chainId: first.chain.chainId,
    readLimits: readEach,
    readTrust: (names) => readTrustOf(first, names),
    managerType: () => undefined,
  })
