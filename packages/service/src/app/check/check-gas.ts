import { Quantity } from '../../chains/evm/rpc-answers.ts'
import { createRpcEndpoint, type RpcCall } from '../../chains/rpc/json-rpc.ts'
import { endpointsOf } from '../../chains/rpc/quorum.ts'
import type { NetworkChain } from '../../core/network.ts'
import { type Finding, fine, wrong } from './finding.ts'

const DEADLINE_MS = 10_000
const TRANSFER_GAS = 21_000n
/** A chain whose plain transfer uses more than so many times the gas of Ethereum's counts gas otherwise. */
const TIMES = 10n

const ACCOUNT = `0x${'e7'.repeat(20)}`
const TRANSFER: RpcCall = {
  method: 'eth_estimateGas',
  params: [{ from: ACCOUNT, to: ACCOUNT, value: '0x0' }],
}

/** The gas of a plain transfer as an endpoint estimates it; undefined if it does not. */
const transferGas = async (
  url: string,
  { rpcHeaders }: Pick<NetworkChain, 'rpcHeaders'>,
  nowMs: () => number,
): Promise<bigint | undefined> => {
  const endpoint = createRpcEndpoint(url, { maximumBatch: 1, rpcHeaders, now: nowMs })
  try {
    const [answer] = await endpoint.ask([TRANSFER], DEADLINE_MS)
    return answer?.ok === true ? Quantity.safeParse(answer.result).data : undefined
  } catch {
    return undefined
  } finally {
    endpoint.close()
  }
}

/**
 * Whether a chain counts gas as the file says, by the first endpoint that estimates a plain transfer; nothing if none does, and on
 * Arbitrum, which counts the transfer's data as gas, and where only calls of tokens cost other gas.
 */
export const checkGas = async (chain: NetworkChain, nowMs: () => number): Promise<readonly Finding[]> => {
  if (chain.chainType !== 'evm' || chain.l1Fee === 'arbitrum' || chain.tokenStandard !== undefined) return []
  const subject = `chain ${chain.chainId} gas`
  for (const url of endpointsOf(chain)) {
    const gas = await transferGas(url, chain, nowMs)
    if (gas === undefined) continue
    const isOther = gas > TIMES * TRANSFER_GAS
    if (isOther === (chain.gasScale !== undefined))
      return [fine(subject, `a plain transfer uses ${gas}, as the file has it`)]
    return [
      wrong(
        subject,
        isOther
          ? `a plain transfer uses ${gas}, so the chain does not count gas as Ethereum does: set gasScale, or fees.gas is far too low`
          : `a plain transfer uses ${gas}, as on Ethereum: remove gasScale, or fees.gas is far too high`,
      ),
    ]
  }
  return []
}
