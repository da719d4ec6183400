import { evmChainNumberOf } from '@openrfq/sdk'
import { BaseError, createPublicClient, ExecutionRevertedError, http, type PublicClient } from 'viem'
import type { Hex, SandboxChain } from '../deployment-types.ts'
import { ITS_ABI, TOKEN_ABI } from './abi.ts'
import type { TokenFacts } from './hub.ts'

/** Reads of one chain, each within its transport's deadline. */
export type ChainReader = {
  readonly chain: SandboxChain
  readonly client: PublicClient
  /** The EVM chain id. */
  readonly number: bigint
}

const DEADLINE_MS = 5_000
const ATTEMPTS = 2
const RETRY_DELAY_MS = 100

/** Creates the chain's reader without reading anything. */
export const createChainReader = (chain: SandboxChain): ChainReader => ({
  chain,
  client: createPublicClient({
    cacheTime: 0,
    transport: http(chain.rpcUrl, { timeout: DEADLINE_MS, retryCount: ATTEMPTS, retryDelay: RETRY_DELAY_MS }),
  }),
  number: evmChainNumberOf(chain.chainId),
})

/** The revert reason of a call, or undefined when the error is about reaching the chain. */
export const revertReason = (error: unknown): string | undefined => {
  if (!(error instanceof BaseError)) return undefined
  const reverted = error.walk((cause) => cause instanceof ExecutionRevertedError)
  return reverted instanceof BaseError ? reverted.shortMessage : undefined
}

const readToken = async ({ client }: ChainReader, address: Hex): Promise<TokenFacts> => {
  const token = { address, abi: TOKEN_ABI } as const
  const [name, symbol, decimals] = await Promise.all([
    client.readContract({ ...token, functionName: 'name' }),
    client.readContract({ ...token, functionName: 'symbol' }),
    client.readContract({ ...token, functionName: 'decimals' }),
  ])
  return { name, symbol, decimals }
}

/** The interchain token with the id, or undefined when the chain has none. */
export const readInterchainToken = async (
  reader: ChainReader,
  tokenId: Hex,
): Promise<TokenFacts | undefined> => {
  const { client, chain } = reader
  const its = { address: chain.its, abi: ITS_ABI } as const
  const manager = await client.readContract({ ...its, functionName: 'tokenManagerAddress', args: [tokenId] })
  if ((await client.getCode({ address: manager })) === undefined) return undefined
  const address = await client.readContract({
    ...its,
    functionName: 'registeredTokenAddress',
    args: [tokenId],
  })
  return readToken(reader, address)
}

/** The decimals of a token by its contract. */
export const readDecimals = ({ client }: ChainReader, address: Hex): Promise<number> =>
  client.readContract({ address, abi: TOKEN_ABI, functionName: 'decimals' })

/** The supply of a token by its contract, in base units. */
export const readSupply = ({ client }: ChainReader, address: Hex): Promise<bigint> =>
  client.readContract({ address, abi: TOKEN_ABI, functionName: 'totalSupply' })
