import {
  encodeAbiParameters,
  keccak256,
  parseAbiParameters,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem'
import { type Hex, HUB, type SandboxChain } from '../deployment-types.ts'
import { GATEWAY_ABI, ITS_ABI, TOKEN_ABI } from '../relayer/abi.ts'
import { decideHub, type TokenFacts } from '../relayer/hub.ts'
import { type ConnectedSite, executeCommands, executeMessage } from './gateway-commands.ts'

const CALL_PARAMETERS = parseAbiParameters('string, string, address, bytes32, bytes32, uint256')
const ID_PARAMETERS = parseAbiParameters('bytes32, uint256')

const siteOf = (sites: readonly ConnectedSite[], chain: SandboxChain): ConnectedSite => {
  const site = sites.find((candidate) => candidate.chain === chain)
  if (site === undefined) throw new Error(`no site of chain ${chain.axelarName}`)
  return site
}

const readToken = async (site: ConnectedSite, tokenId: Hex): Promise<TokenFacts> => {
  const { client, chain } = site
  const address = await client.readContract({
    address: chain.its,
    abi: ITS_ABI,
    functionName: 'registeredTokenAddress',
    args: [tokenId],
  })
  const [name, symbol, decimals] = await Promise.all([
    client.readContract({ address, abi: TOKEN_ABI, functionName: 'name' }),
    client.readContract({ address, abi: TOKEN_ABI, functionName: 'symbol' }),
    client.readContract({ address, abi: TOKEN_ABI, functionName: 'decimals' }),
  ])
  return { name, symbol, decimals }
}

/**
 * Carries a transaction's ITS message through the hub to its destination, immediately and without gas payment. Throws
 * when the transaction has no message, or when the hub or the destination rejects it.
 */
export const carryThroughHub = async (
  source: ConnectedSite,
  sites: readonly ConnectedSite[],
  receipt: TransactionReceipt,
): Promise<void> => {
  const [call] = parseEventLogs({ abi: GATEWAY_ABI, eventName: 'ContractCall', logs: receipt.logs })
  if (call === undefined) throw new Error(`no gateway message in transaction ${receipt.transactionHash}`)
  const chains = sites.map((site) => site.chain)
  const decision = await decideHub(source.chain, call.args.payload, chains, (chain, tokenId) =>
    readToken(siteOf(sites, chain), tokenId),
  )
  if (decision.outcome !== 'forward')
    throw new Error(`the hub does not forward ${receipt.transactionHash}: ${JSON.stringify(decision)}`)
  const destination = siteOf(sites, decision.destination)
  const eventIndex = BigInt(receipt.logs.findIndex((log) => log.logIndex === call.logIndex))
  const id = keccak256(encodeAbiParameters(ID_PARAMETERS, [receipt.transactionHash, eventIndex]))
  const { its } = destination.chain
  const params = encodeAbiParameters(CALL_PARAMETERS, [
    HUB.chain,
    HUB.address,
    its,
    keccak256(decision.payload),
    receipt.transactionHash,
    eventIndex,
  ])
  await executeCommands(destination, [{ id, name: 'approveContractCall', params }])
  const message = { id, source: HUB.chain, sourceAddress: HUB.address, payload: decision.payload }
  await executeMessage(destination, its, message)
}
