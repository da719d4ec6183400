import {
  BaseError,
  createPublicClient,
  HttpRequestError,
  http,
  type PublicClient,
  parseAbi,
  TimeoutError,
} from 'viem'
import { keccak256, stringToHex } from 'viem/utils'
import type { ChainFacts, DeployChain, Hex } from './chain-facts.ts'
import type { DeployCall } from './contract-family.ts'

/** What a contract of a family says when it is asked: facts of its chain, its chain's CAIP-2 hash, and who owns it. */
export type Told = ChainFacts & { readonly chain: Hex; readonly owner: Hex }

/** What a deployment reads of a chain, from its first endpoint. */
export type DeployNode = {
  readonly client: PublicClient
  /** The code at an address; `0x` for none. */
  readonly codeOf: (address: Hex) => Promise<Hex>
  readonly chainNumber: () => Promise<number>
  /** Whether ITS knows its chain by Axelar's case-exact name; undefined for a chain without ITS. */
  readonly isNamed: () => Promise<boolean | undefined>
  /** What a contract says; undefined when it does not answer. */
  readonly tell: (contract: Hex, what: keyof Told) => Promise<Told[keyof Told] | undefined>
  /** The address that a call by an account would deploy to, or why it would deploy nothing. */
  readonly tryDeploy: (
    from: Hex,
    call: DeployCall,
  ) => Promise<{ readonly address: Hex } | { readonly fault: string }>
}

const TOLD_ABI = parseAbi([
  'function gateway() view returns (address)',
  'function gasService() view returns (address)',
  'function chainName() view returns (bytes32)',
  'function proofWindow() view returns (uint32)',
  'function swapFactory() view returns (address)',
  'function wrappedNative() view returns (address)',
  'function chain() view returns (bytes32)',
  'function owner() view returns (address)',
  'function chainNameHash() view returns (bytes32)',
])
const TIMEOUT_MS = 20_000
const ADDRESS_WORD = /^0x0{24}([0-9a-f]{40})$/

/** Rethrows what an endpoint did not answer; what is left is the contract's answer. */
const requireAnswer = (error: unknown): BaseError => {
  const isSilent = (cause: unknown): boolean =>
    cause instanceof HttpRequestError || cause instanceof TimeoutError
  if (error instanceof BaseError && error.walk(isSilent) === null) return error
  throw error
}

/** Connects to a chain's first endpoint. */
export const connectDeployNode = (chain: DeployChain): DeployNode => {
  const transport = http(chain.rpcUrl, { timeout: TIMEOUT_MS, retryCount: 2 })
  const client = createPublicClient({ transport })
  return {
    client,
    chainNumber: () => client.getChainId(),
    codeOf: async (address) => (await client.getCode({ address })) ?? '0x',
    isNamed: async () => {
      if (chain.its === undefined) return undefined
      const hash = await client.readContract({
        address: chain.its,
        abi: TOLD_ABI,
        functionName: 'chainNameHash',
      })
      return hash === keccak256(stringToHex(chain.axelarName))
    },
    tell: async (address, functionName) => {
      try {
        return await client.readContract({ address, abi: TOLD_ABI, functionName })
      } catch (error) {
        requireAnswer(error)
        return undefined
      }
    },
    tryDeploy: async (account, { to, data }) => {
      try {
        const { data: answer = '0x' } = await client.call({ account, to, data })
        const [, address] = ADDRESS_WORD.exec(answer) ?? []
        return address === undefined ? { fault: 'the call answers no address' } : { address: `0x${address}` }
      } catch (error) {
        return { fault: requireAnswer(error).shortMessage }
      }
    },
  }
}
