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

/** A key that sends transactions to one chain, one after another; both methods throw when one reverts. */
export type Account = {
  readonly address: Hex
  readonly deploy: (artifact: Artifact, parameters: readonly unknown[]) => Promise<Hex>
  readonly send: (to: Hex, calldata: Hex, value?: bigint) => Promise<TransactionReceipt>
}

/** Never estimated: the gateway swallows a command that runs out of gas, and the estimator finds that cheapest. */
const GAS = 8_000_000n
const MAX_FEE_PER_GAS = 100_000_000_000n

/** An anvil chain as viem wants it; `rpcUrl` is anvil's own. */
export const viemChain = (chainNumber: number, rpcUrl: string) =>
  defineChain({
    id: chainNumber,
    name: `Sandbox ${chainNumber}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })

/** The creation code of a contract with its encoded constructor arguments behind it. */
export const creationCode = (artifact: Artifact, parameters: readonly unknown[]): Hex =>
  parameters.length === 0
    ? artifact.bytecode
    : // CAST: the ABI comes from a file, so viem cannot know the constructor's types; it checks the values at run time.
      encodeDeployData({ abi: artifact.abi as Abi, bytecode: artifact.bytecode, args: parameters })

/** An account of a chain that nobody else uses at the same time; nonces are counted here from the given one. */
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
        throw new Error('a deployment made no contract')
      return getAddress(contractAddress)
    },
  }
}
