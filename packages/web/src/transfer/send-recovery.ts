import { evmChainNumberOf, type Recovery } from '@openrfq/sdk'
import type { Payer } from '../console/payers.ts'
import type { Sandbox } from '../console/sandbox.ts'

/** Viem's clients of a payer on an EVM chain; the library is loaded when it is first used. */
const clientsOf = async (payer: Payer, chain: string, sandbox: Sandbox | undefined) => {
  if (payer.kind === 'sandbox') {
    const rpcUrl = sandbox?.chains.find(({ chainId }) => chainId === chain)?.rpcUrl
    if (rpcUrl === undefined) throw new Error('the sandbox has no such chain')
    const { connectEvm } = await import('@openrfq/sdk/evm')
    return connectEvm(payer.privateKey, rpcUrl)
  }
  if (payer.kind !== 'injected') throw new Error('an address alone cannot sign')
  const { createPublicClient, createWalletClient, custom, getAddress, toHex } = await import('viem')
  const chainNumber = evmChainNumberOf(chain)
  if (chainNumber === undefined) throw new Error(`${chain} is no chain of this wallet`)
  const { provider, address } = payer
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: toHex(chainNumber) }] })
  const transport = custom(provider)
  return {
    walletClient: createWalletClient({
      account: { address: getAddress(address), type: 'json-rpc' },
      transport,
    }),
    publicClient: createPublicClient({ transport, pollingInterval: 1_000 }),
  }
}

/**
 * Simulates, signs and sends the actions of a recovery on an EVM chain, each in a block before the next. Rejects when one would
 * revert, is declined or reverts.
 */
export const sendRecovery = async (
  { chain, actions }: Recovery,
  payer: Payer,
  sandbox: Sandbox | undefined,
): Promise<void> => {
  const { walletClient, publicClient } = await clientsOf(payer, chain, sandbox)
  const { getAddress, isHex } = await import('viem')
  for (const { payload } of actions) {
    if (payload.type !== 'evm_transaction' || !isHex(payload.data))
      throw new Error('this page cannot sign it')
    const { data } = payload
    const call = {
      account: walletClient.account,
      to: getAddress(payload.to),
      data,
      value: BigInt(payload.value),
    }
    await publicClient.call(call)
    const hash = await walletClient.sendTransaction({ ...call, chain: null })
    const { status } = await publicClient.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error('the transaction failed on chain')
  }
}
