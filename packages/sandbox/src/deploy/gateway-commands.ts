import { encodeFunctionData } from 'viem'
import type { Hex, SandboxChain } from '../deployment-types.ts'
import { SIGNER_SET } from '../keys.ts'
import { EXECUTABLE_ABI, GATEWAY_ABI } from '../relayer/abi.ts'
import { type GatewayCommand, signGatewayBatch } from '../relayer/sign.ts'
import type { Site } from './site.ts'

/** A site with Axelar's contracts deployed. */
export type ConnectedSite = Site & { readonly chain: SandboxChain }

/** Executes signed commands on the gateway. Throws when a command failed, which the gateway itself does not report. */
export const executeCommands = async (
  site: ConnectedSite,
  commands: readonly GatewayCommand[],
): Promise<void> => {
  const { gateway } = site.chain
  const input = await signGatewayBatch(SIGNER_SET, BigInt(site.plan.chainNumber), commands)
  await site.deployer.send(
    gateway,
    encodeFunctionData({ abi: GATEWAY_ABI, functionName: 'execute', args: [input] }),
  )
  for (const { id, name } of commands) {
    const executed = await site.client.readContract({
      address: gateway,
      abi: GATEWAY_ABI,
      functionName: 'isCommandExecuted',
      args: [id],
    })
    if (!executed) throw new Error(`the gateway of ${site.plan.axelarName} refused command ${name} ${id}`)
  }
}

/** Delivers an approved message to its contract. */
export const executeMessage = async (
  site: ConnectedSite,
  contract: Hex,
  message: {
    readonly id: Hex
    readonly source: string
    readonly sourceAddress: string
    readonly payload: Hex
  },
): Promise<void> => {
  await site.deployer.send(
    contract,
    encodeFunctionData({
      abi: EXECUTABLE_ABI,
      functionName: 'execute',
      args: [message.id, message.source, message.sourceAddress, message.payload],
    }),
  )
}
