import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokenIdsOf } from '../src/core/interchain-token.ts'
import { Network } from '../src/core/network.ts'
import { type AxelarApi, startAxelarApi } from './axelar-api.ts'
import { createContractCalls } from './public-rpc/contract-calls.ts'
import { limitsOf } from './public-rpc/provider-limits.ts'
import { createPublicChain, type PublicChain } from './public-rpc/public-chain.ts'
import { type PublicRpc, startPublicRpc } from './public-rpc/public-rpc.ts'

/** The real network file, or a larger one, over servers of this process. */
export type MainnetWorld = {
  readonly network: Network
  /** Its EVM chains, in the order of `rpc.endpoints`. */
  readonly chains: readonly PublicChain[]
  readonly rpc: PublicRpc
  readonly axelar: AxelarApi
  /** The environment of a service for this network. */
  readonly environment: Readonly<Record<string, string>>
  readonly stop: () => void
}

const MAINNET = join(import.meta.dirname, '../../../networks/mainnet.json')
/** Chains whose blocks are much slower or quicker than two seconds, in milliseconds. */
const BLOCK_MS: Readonly<Record<string, number>> = {
  'eip155:1': 12_000,
  'eip155:42161': 250,
  'eip155:143': 400,
}
/** A chain without Multicall3, as some are. */
const WITHOUT_MULTICALL = new Set(['eip155:13371'])

/** networks/mainnet.json. */
export const readMainnet = (): Network => Network.parse(JSON.parse(readFileSync(MAINNET, 'utf8')))

/** Starts two public endpoints for each EVM chain of a network, by default networks/mainnet.json, and Axelar's servers. */
export const startMainnetWorld = async (larger?: Network): Promise<MainnetWorld> => {
  const network = larger ?? readMainnet()
  const evm = network.chains.filter(({ chainType }) => chainType === 'evm')
  const chains = evm.map((chain) => {
    const tokens = network.tokens.filter(({ chainId }) => chainId === chain.chainId)
    const hasMulticall = !WITHOUT_MULTICALL.has(chain.chainId)
    return createPublicChain({
      chainNumber: Number(chain.chainId.split(':')[1]),
      blockMs: BLOCK_MS[chain.chainId] ?? 2_000,
      finalDepth: 64n,
      contracts: createContractCalls({ chain, tokens, hasMulticall }),
      now: Date.now,
    })
  })
  const [rpc, axelar] = await Promise.all([startPublicRpc(chains, limitsOf), startAxelarApi()])
  for (const { chainId, decimals, ...token } of network.tokens) {
    const chain = network.chains.find((one) => one.chainId === chainId)
    const name = chain?.axelar?.name ?? chain?.tokenReceiver?.name
    for (const tokenId of tokenIdsOf(token))
      axelar.hubDecimals.set(`${name} ${tokenId.toLowerCase()}`, decimals)
  }
  axelar.activeChains = evm.flatMap((chain) => chain.axelar?.name ?? [])
  const folder = mkdtempSync(join(tmpdir(), 'rfq-mainnet-'))
  const overlay = join(folder, 'overlay.json')
  const file = larger === undefined ? MAINNET : join(folder, 'network.json')
  if (larger !== undefined) writeFileSync(file, JSON.stringify(larger))
  writeFileSync(
    overlay,
    JSON.stringify({
      chains: network.chains.map(({ chainId, chainType }) => {
        const place = evm.findIndex((chain) => chain.chainId === chainId)
        if (chainType !== 'evm') return { chainId, omit: true }
        return { chainId, rpcUrls: rpc.endpoints[place]?.map(({ url }) => url) }
      }),
      axelar: { scanUrl: axelar.url, lcdUrl: axelar.url },
    }),
  )
  return {
    network,
    chains,
    rpc,
    axelar,
    environment: {
      ...{ RFQ_CONFIG: file, RFQ_OVERLAY: overlay, DATA_DIR: join(folder, 'data') },
      ...{ RATE_LIMIT: 'off', PORT: '0' },
    },
    stop: () => {
      rpc.stop()
      axelar.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
