import { fallback, http, parseAbi, type Transport } from 'viem'
import { decodeFunctionResult, encodeFunctionData, keccak256, stringToHex } from 'viem/utils'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import { weiBesideGas } from '../../chains/evm/l1-fee.ts'
import { endpointsOf } from '../../chains/rpc/quorum.ts'
import { isHexBytes } from '../../core/hex.ts'
import type { NetworkChain } from '../../core/network.ts'
import type { Clock } from '../../lib/clock.ts'
import { openEvmChain } from '../open-evm-chain.ts'
import type { ChainFacts, DeployChain, Hex } from './chain-facts.ts'
import type { DeployCall } from './contract-family.ts'

/** What a contract of a family says when it is asked: facts of its chain, its chain's CAIP-2 hash, and who owns it. */
export type Told = ChainFacts & { readonly chain: Hex; readonly owner: Hex }

/** A chain as a deployment reads it: a quorum of its endpoints must say the same. Each read throws RpcError when they do not. */
export type DeployNode = Pick<EvmChain, 'sendRawTransaction' | 'agreedReceipt'> & {
  /** For what a transaction needs beside its call: nonce, gas and fees, as the first endpoint that answers tells them. */
  readonly transport: Transport
  /** The wei that a rollup charges for a call with so much gas beside it; undefined if it does not tell. */
  readonly besideGas: (call: DeployCall, gas: bigint) => bigint | undefined
  /** The code at an address; `0x` for none. */
  readonly codeOf: (address: Hex) => Promise<Hex>
  /** Whether ITS knows its chain by Axelar's case-exact name; undefined for a chain without ITS. */
  readonly isNamed: () => Promise<boolean | undefined>
  /** What a contract says; undefined when it does not answer. */
  readonly tell: (contract: Hex, what: keyof Told) => Promise<Told[keyof Told] | undefined>
  /** The address that a call by an account would deploy to, or why it would deploy nothing. */
  readonly tryDeploy: (
    from: Hex,
    call: DeployCall,
  ) => Promise<{ readonly address: Hex } | { readonly fault: string }>
}

const TOLD_ABI = parseAbi([
  'function gateway() view returns (address)',
  'function gasService() view returns (address)',
  'function chainName() view returns (bytes32)',
  'function proofWindow() view returns (uint32)',
  'function swapFactory() view returns (address)',
  'function wrappedNative() view returns (address)',
  'function chain() view returns (bytes32)',
  'function owner() view returns (address)',
  'function chainNameHash() view returns (bytes32)',
])
const TIMEOUT_MS = 20_000
const ADDRESS_WORD = /^0x0{24}([0-9a-f]{40})$/

const transportOf = (entry: NetworkChain): Transport =>
  fallback(
    endpointsOf(entry).map((url) =>
      http(url, {
        timeout: TIMEOUT_MS,
        retryCount: 2,
        fetchOptions: { headers: entry.rpcHeaders?.[url] ?? {} },
      }),
    ),
  )

const hexOf = (text: string): Hex => {
  if (!isHexBytes(text)) throw new RangeError(`${text.slice(0, 20)} is no hex`)
  return text
}

/** A result in the function's form; undefined for one of another form, as of code that is no contract of ours. */
const decoded = (functionName: keyof Told | 'chainNameHash', data: string): Told[keyof Told] | undefined => {
  try {
    return decodeFunctionResult({ abi: TOLD_ABI, functionName, data: hexOf(data) })
  } catch {
    return undefined
  }
}

/** Does work with a chain's endpoints, and closes the connections afterwards. */
export const withDeployNode = async <Value>(
  { axelarName, its }: Pick<DeployChain, 'axelarName' | 'its'>,
  entry: NetworkChain,
  clock: Clock,
  work: (node: DeployNode) => Promise<Value>,
): Promise<Value> => {
  const evm = openEvmChain(entry, clock)
  const call = async (to: Hex, data: Hex, from?: Hex): Promise<string | undefined> => {
    const [result] = await evm.callAgreed([{ to, data, ...(from === undefined ? {} : { from }) }], {})
    return result
  }
  const ask = async (to: Hex, functionName: keyof Told | 'chainNameHash') => {
    const result = await call(to, encodeFunctionData({ abi: TOLD_ABI, functionName }))
    return result === undefined ? undefined : decoded(functionName, result)
  }
  // Receipts are read under a head.
  await evm.start()
  try {
    return await work({
      sendRawTransaction: evm.sendRawTransaction,
      agreedReceipt: evm.agreedReceipt,
      transport: transportOf(entry),
      besideGas: ({ data }, gas) => {
        // An estimate of gas has what Arbitrum charges.
        if (entry.l1Fee === undefined || entry.l1Fee === 'arbitrum') return 0n
        const cost = evm.head()?.l1Cost
        return cost && weiBesideGas(cost, data, gas)
      },
      codeOf: async (address) => hexOf(await evm.codeAgreed(address)),
      isNamed: async () =>
        its === undefined
          ? undefined
          : (await ask(its, 'chainNameHash')) === keccak256(stringToHex(axelarName)),
      tell: ask,
      tryDeploy: async (from, { to, data }) => {
        const answer = await call(to, data, from)
        if (answer === undefined) return { fault: 'the call reverts' }
        const [, address] = ADDRESS_WORD.exec(answer) ?? []
        return address === undefined ? { fault: 'the call answers no address' } : { address: `0x${address}` }
      },
    })
  } finally {
    await evm.stop()
  }
}
