import { setTimeout as sleep } from 'node:timers/promises'
import { createWalletClient, http, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { formatEther } from 'viem/utils'
import { ConfigError } from '../../core/config-error.ts'
import type { DeployChain, Hex } from './chain-facts.ts'
import type { DeployNode } from './deploy-node.ts'
import { type ChainPlan, type DeployStep, faultOf } from './plan-deployment.ts'

const RECEIPT_TRIES = 180
const RECEIPT_POLL_MS = 1000

/** A transaction that was sent and included. */
export type SentStep = { readonly step: DeployStep; readonly hash: Hex }

/**
 * Sends a chain's steps by a key, one after the other, and waits for each to be included. Throws ConfigError for a
 * transaction that would not deploy to the address that is expected, or could cost more than `maximumCost`, in wei, by what
 * the endpoint says of gas and fees: it is not sent. Throws when one reverts or is not included in three minutes. What was sent before stands, and the next run goes on
 * after it.
 */
export const sendSteps = async (
  { chain, steps }: ChainPlan,
  node: DeployNode,
  privateKey: Hex,
  maximumCost: bigint,
): Promise<readonly SentStep[]> => {
  const account = privateKeyToAccount(privateKey)
  const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) })
  const sent: SentStep[] = []
  for (const step of steps) {
    const { to, data } = step
    const fault = await faultOf(node, account.address, step)
    if (fault !== undefined) throw new ConfigError(`${chain.chainId}: ${fault}`)
    const request = await wallet.prepareTransactionRequest({
      to,
      data,
      chain: {
        id: chain.chainNumber,
        name: chain.chainId,
        nativeCurrency: { name: 'native', symbol: 'NATIVE', decimals: 18 },
        rpcUrls: { default: { http: [chain.rpcUrl] } },
      },
    })
    const cost = request.gas * (request.maxFeePerGas ?? request.gasPrice ?? 0n)
    if (cost > maximumCost)
      throw new ConfigError(
        `${chain.chainId}: ${step.what} could cost ${formatEther(cost)}, more than ${formatEther(maximumCost)}: raise --max-cost`,
      )
    const hash = await wallet.sendTransaction(request)
    const receipt = await receiptOf(node.client, chain, hash)
    if (receipt.status !== 'success')
      throw new Error(`${chain.chainId}: deploying ${step.what} reverted in ${hash}`)
    sent.push({ step, hash })
  }
  return sent
}

/** Not viem's wait, which looks again at a new block alone and misses one that is mined while it asks for the transaction. */
const receiptOf = async (
  client: DeployNode['client'],
  { chainId }: DeployChain,
  hash: Hex,
): Promise<TransactionReceipt> => {
  for (let tries = 0; tries < RECEIPT_TRIES; tries++) {
    const receipt = await client.getTransactionReceipt({ hash }).catch((error) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined
      throw error
    })
    if (receipt !== undefined) return receipt
    await sleep(RECEIPT_POLL_MS)
  }
  throw new Error(`${chainId}: ${hash} is not included after three minutes; run the command again`)
}

/** Steps as a batch that the Safe's transaction builder imports: unsigned, to be confirmed by its owners. */
export const safeBatch = ({ chain, steps }: ChainPlan, owner: Hex) => ({
  version: '1.0',
  chainId: String(chain.chainNumber),
  meta: { name: `OpenRFQ contracts on ${chain.chainId}`, createdFromSafeAddress: owner },
  transactions: steps.map(({ to, data }) => ({ to, value: '0', data })),
})
