import { encodeFunctionData, isHex, parseAbi } from 'viem'
import { createAccount } from './deploy/account.ts'
import { CHAIN_PLANS } from './deploy/plan.ts'
import type { Deployment } from './deployment.ts'
import type { BuiltChain, ReceivingChain } from './deployment-types.ts'
import { DEPLOYER } from './keys.ts'
import { postRpc } from './rpc-call.ts'
import type { SimulatedChain } from './simulated/simulated-chain.ts'

/** The hub keeps the decimals of tokens that it deploys there. */
const ANY_DECIMALS = 255

const ITS_ABI = parseAbi(['function setTrustedChain(string chainName)'])

/** The simulated chains that receive interchain tokens, each with its token registered. */
export const receivingChains = async (
  { tokens: deployed }: Deployment,
  chains: readonly BuiltChain[],
  simulatedChains: readonly SimulatedChain[],
): Promise<readonly ReceivingChain[]> => {
  const receivers: ReceivingChain[] = []
  const names = chains.map(({ axelarName }) => axelarName)
  for (const { chain, axelar, tokens } of simulatedChains) {
    const receiver = chain.tokenReceiver
    const token = tokens.find(({ symbol }) => symbol === axelar.symbol)
    const tokenId = deployed.find(({ symbol, its }) => symbol === token?.symbol && its !== undefined)?.its
      ?.tokenId
    if (receiver === undefined || token === undefined || !isHex(tokenId)) continue
    await axelar.register(tokenId, names)
    const { name, symbol, decimals } = token
    receivers.push({
      chainId: chain.chainId,
      axelarName: receiver.name,
      gateway: receiver.gateway,
      its: receiver.its,
      maxUintBits: receiver.maxUintBits,
      maxDecimalsWhenTruncating: ANY_DECIMALS,
      tokens: new Map([[tokenId.toLowerCase(), { name, symbol, decimals }]]),
      deliver: axelar.deliver,
      sent: axelar.sent,
    })
  }
  return receivers
}

/** Makes the token services of the EVM chains send to the receiving chains. */
export const trustReceivers = async (
  chains: readonly BuiltChain[],
  receivers: readonly ReceivingChain[],
): Promise<void> => {
  if (receivers.length === 0) return
  await Promise.all(
    chains.map(async ({ rpcUrl, its }, position) => {
      const nonce = Number(await postRpc(rpcUrl, 'eth_getTransactionCount', [DEPLOYER.address, 'latest']))
      const number = CHAIN_PLANS[position]?.chainNumber ?? 0
      const owner = createAccount(number, rpcUrl, DEPLOYER.privateKey, nonce)
      for (const { axelarName } of receivers)
        await owner.send(
          its,
          encodeFunctionData({ abi: ITS_ABI, functionName: 'setTrustedChain', args: [axelarName] }),
        )
    }),
  )
}
