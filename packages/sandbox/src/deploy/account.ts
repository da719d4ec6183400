import {
  type Abi,
  createWalletClient,
  defineChain,
  encodeDeployData,
  getAddress,
  http,
  type TransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../deployment-types.ts'
import type { Artifact } from './artifacts.ts'

/** Sends transactions of one key to one chain, sequentially. Both methods throw when a transaction reverts. */
export type Account = {
  readonly address: Hex
  readonly deploy: (artifact: Artifact, parameters: readonly unknown[]) => Promise<Hex>
  readonly send: (to: Hex, calldata: Hex, value?: bigint) => Promise<TransactionReceipt>
}

/** A fixed gas limit: the gateway swallows a command that runs out of gas, so an estimate would come out too low. */
const GAS = 8_000_000n
const MAX_FEE_PER_GAS = 100_000_000_000n

/** viem's description of an anvil chain; `rpcUrl` is anvil's own. */
export const viemChain = (chainNumber: number, rpcUrl: string) =>
  defineChain({
    id: chainNumber,
    name: `Sandbox ${chainNumber}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })

/** A contract's creation code followed by its encoded constructor arguments. */
export const creationCode = (artifact: Artifact, parameters: readonly unknown[]): Hex =>
  parameters.length === 0
    ? artifact.bytecode
    : // CAST: the ABI comes from a file, so viem cannot know the constructor's types; it checks the values at run time.
      encodeDeployData({ abi: artifact.abi as Abi, bytecode: artifact.bytecode, args: parameters })

/** Creates an account that counts nonces from the given one; no other process may send with its key. */
export const createAccount = (
  chainNumber: number,
  rpcUrl: string,
  privateKey: Hex,
  firstNonce: number,
): Account => {
  const account = privateKeyToAccount(privateKey)
  const wallet = createWalletClient({
    account,
    chain: viemChain(chainNumber, rpcUrl),
    transport: http(rpcUrl, { retryCount: 0, timeout: 10_000 }),
  })
  let nonce = firstNonce
  const submit = async (request: { to?: Hex; data: Hex; value: bigint }): Promise<TransactionReceipt> => {
    const receipt = await wallet.sendTransactionSync({
      ...request,
      gas: GAS,
      maxFeePerGas: MAX_FEE_PER_GAS,
      maxPriorityFeePerGas: 0n,
      nonce: nonce++,
      type: 'eip1559',
    })
    if (receipt.status !== 'success')
      throw new Error(`transaction ${receipt.transactionHash} to ${request.to ?? 'a new contract'} reverted`)
    return receipt
  }
  return {
    address: account.address,
    send: (to, calldata, value = 0n) => submit({ to, data: calldata, value }),
    deploy: async (artifact, parameters) => {
      const { contractAddress } = await submit({ data: creationCode(artifact, parameters), value: 0n })
      if (contractAddress === null || contractAddress === undefined)
        throw new Error('a deployment created no contract')
      return getAddress(contractAddress)
    },
  }
}
