import { uintWord } from '../src/chains/evm/abi-words.ts'
import { DECIMALS_DATA } from '../src/chains/evm/erc20.ts'
import { NetworkChain, NetworkToken } from '../src/core/network.ts'
import type { Request } from './json-rpc-node.ts'

/** Tests only: a chain with one token of six decimals, which a network file may give others. */
export const SIX_DECIMALS_CHAIN = NetworkChain.parse({
  chainId: 'eip155:5',
  chainLabel: 'Five',
  chainType: 'evm',
  nativeToken: { symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://127.0.0.1:1'],
  finality: 1,
})

/** The token's address. */
export const SIX_DECIMALS_TOKEN = `0x${'a1'.repeat(20)}`

/** The token as a network file describes it: with these decimals and the fields of a backend. */
export const tokenWithDecimals = (decimals: number, backendFields: object): NetworkToken =>
  NetworkToken.parse({
    ...{
      chainId: 'eip155:5',
      address: SIX_DECIMALS_TOKEN,
      symbol: 'USDC',
      name: 'USD Coin',
      decimals,
      verified: true,
    },
    ...backendFields,
  })

/** A node's answers to calls of contracts: six decimals from each; other calls get the ABI words of `wordsFor` their calldata. */
export const answerSixDecimals =
  (wordsFor: (calldata: unknown) => string) =>
  ({ method, params: [call] }: Request): object | undefined => {
    if (method !== 'eth_call') return undefined
    const { data } = Object(call)
    return { result: `0x${data === DECIMALS_DATA ? uintWord(6n) : wordsFor(data)}` }
  }
