import { erc20Abi, getAddress, zeroAddress } from 'viem'
import { connectReader } from './connect-evm.ts'

/** Whose holding of which token; the zero address is the chain's native asset. */
export type BalanceQuery = { readonly rpcUrl: string; readonly token: string; readonly owner: string }

/** The balance at the latest block in base units. Throws viem's errors when the RPC does not answer. */
export const readEvmBalance = async ({ rpcUrl, token, owner }: BalanceQuery): Promise<bigint> => {
  const reader = connectReader(rpcUrl)
  const address = getAddress(owner)
  if (token === zeroAddress) return reader.getBalance({ address })
  return reader.readContract({
    abi: erc20Abi,
    address: getAddress(token),
    functionName: 'balanceOf',
    args: [address],
  })
}
