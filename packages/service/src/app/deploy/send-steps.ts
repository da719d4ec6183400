import { setTimeout as sleep } from 'node:timers/promises'
import { createWalletClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { formatEther, keccak256 } from 'viem/utils'
import { rpcErrorCode } from '../../chains/rpc/rpc-error.ts'
import { ConfigError } from '../../core/config-error.ts'
import type { DeployChain, Hex } from './chain-facts.ts'
import type { DeployNode } from './deploy-node.ts'
import { type ChainPlan, type DeployStep, faultOf } from './plan-deployment.ts'

const AGREEMENT_TRIES = 180
const AGREEMENT_POLL_MS = 1000

/** A transaction that was sent and included. */
export type SentStep = { readonly step: DeployStep; readonly hash: Hex }

type Sender = { readonly node: DeployNode; readonly privateKey: Hex; readonly maximumCost: bigint }

/**
 * Sends a chain's steps by a key, one after the other, tells each, and waits until a quorum of endpoints have included it and
 * show the code. Throws ConfigError for a transaction that would not deploy to the address that is expected, or could cost
 * more than `maximumCost`, in wei, by what an endpoint says of gas, of fees and of what a rollup charges beside gas: it is not sent. Throws when one reverts or is not
 * included in three minutes. What was sent before stands, and the next run goes on after it.
 */
export const sendSteps = async (
  { chain, steps }: ChainPlan,
  { node, privateKey, maximumCost }: Sender,
  tell: (sent: SentStep) => void,
): Promise<void> => {
  const account = privateKeyToAccount(privateKey)
  const wallet = createWalletClient({ account, transport: node.transport })
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
        rpcUrls: { default: { http: [] } },
      },
    })
    const beside = node.besideGas(step, request.gas)
    if (beside === undefined)
      throw new ConfigError(`${chain.chainId}: its endpoints do not tell what it charges beside gas`)
    const cost = request.gas * (request.maxFeePerGas ?? request.gasPrice ?? 0n) + beside
    if (cost > maximumCost)
      throw new ConfigError(
        `${chain.chainId}: ${step.what} could cost ${formatEther(cost)}, more than ${formatEther(maximumCost)}: raise --max-cost`,
      )
    const hash = await send(node, chain, await wallet.signTransaction(request))
    const { succeeded } = await untilAgreed(chain, hash, () => node.agreedReceipt(hash))
    if (!succeeded) throw new Error(`${chain.chainId}: deploying ${step.what} reverted in ${hash}`)
    await untilAgreed(chain, hash, async () =>
      (await node.codeOf(step.address)) === '0x' ? undefined : step,
    )
    tell({ step, hash })
  }
}

const send = async (node: DeployNode, { chainId }: DeployChain, raw: Hex): Promise<Hex> => {
  const sent = await node.sendRawTransaction(raw)
  if (sent !== 'taken') throw new Error(`${chainId}: the endpoints refuse a transaction: ${sent.refused}`)
  return keccak256(raw)
}

/** Endpoints differ for a moment about what is new. */
const UNSETTLED: ReadonlySet<unknown> = new Set(['NODE_BEHIND', 'NO_AGREEMENT', 'CHAIN_CHANGED'])

const untilAgreed = async <Value>(
  { chainId }: DeployChain,
  hash: Hex,
  read: () => Promise<Value | undefined>,
): Promise<Value> => {
  for (let tries = 0; tries < AGREEMENT_TRIES; tries++) {
    const value = await read().catch((error: unknown) => {
      if (UNSETTLED.has(rpcErrorCode(error))) return undefined
      throw error
    })
    if (value !== undefined) return value
    await sleep(AGREEMENT_POLL_MS)
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
