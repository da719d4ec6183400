import { erc20Abi, getAddress, zeroAddress } from 'viem'
import { valueScaleOf } from '../wire/value-scale.ts'
import { connectReader } from './connect-evm.ts'

/**
 * Owner and token of a balance; the zero address is the chain's native asset.
 * @example
 * const query: EvmBalanceQuery = {
 *   rpcUrl: 'http://127.0.0.1:8545',
 *   token: '0x0000000000000000000000000000000000000000',
 *   owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 * }
 */
export type EvmBalanceQuery = { readonly rpcUrl: string; readonly token: string; readonly owner: string }

/**
 * Reads the balance at the latest block in base units. Throws viem's errors when the RPC does not answer.
 * @example
 * const receivedBy = (owner: string, { output }: Quote) =>
 *   readEvmBalance({ rpcUrl: 'http://127.0.0.1:8545', token: output.token, owner })
 */
export const readEvmBalance = async ({ rpcUrl, token, owner }: EvmBalanceQuery): Promise<bigint> => {
  const reader = connectReader(rpcUrl)
  const address = getAddress(owner)
  if (token === zeroAddress) {
    const [value, chain] = await Promise.all([reader.getBalance({ address }), reader.getChainId()])
    return value / valueScaleOf(`eip155:${chain}`)
  }
  return reader.readContract({
    abi: erc20Abi,
    address: getAddress(token),
    functionName: 'balanceOf',
    args: [address],
  })
}
