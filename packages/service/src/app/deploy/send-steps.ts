import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from './chain-facts.ts'
import type { DeployNode } from './deploy-node.ts'
import type { ChainPlan, DeployStep } from './plan-deployment.ts'

const RECEIPT_TIMEOUT_MS = 180_000

/** A transaction that was sent and included. */
export type SentStep = { readonly step: DeployStep; readonly hash: Hex }

/**
 * Sends a chain's steps by a key, one after the other, and waits for each to be included. Throws when one reverts or is
 * not included in three minutes; what was sent before stands, and the next run goes on after it.
 */
export const sendSteps = async (
  { chain, steps }: ChainPlan,
  { client }: DeployNode,
  privateKey: Hex,
): Promise<readonly SentStep[]> => {
  const account = privateKeyToAccount(privateKey)
  const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) })
  const sent: SentStep[] = []
  for (const step of steps) {
    const { to, data } = step
    const hash = await wallet.sendTransaction({
      to,
      data,
      chain: {
        id: chain.chainNumber,
        name: chain.chainId,
        nativeCurrency: { name: 'native', symbol: 'NATIVE', decimals: 18 },
        rpcUrls: { default: { http: [chain.rpcUrl] } },
      },
    })
    const receipt = await client.waitForTransactionReceipt({ hash, timeout: RECEIPT_TIMEOUT_MS })
    if (receipt.status !== 'success')
      throw new Error(`${chain.chainId}: deploying ${step.what} reverted in ${hash}`)
    sent.push({ step, hash })
  }
  return sent
}

/** Steps as a batch that the Safe's transaction builder imports: unsigned, to be confirmed by its owners. */
export const safeBatch = ({ chain, steps }: ChainPlan, owner: Hex) => ({
  version: '1.0',
  chainId: String(chain.chainNumber),
  meta: { name: `OpenRFQ contracts on ${chain.chainId}`, createdFromSafeAddress: owner },
  transactions: steps.map(({ to, data }) => ({ to, value: '0', data })),
})
