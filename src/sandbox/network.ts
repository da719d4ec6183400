import type { z } from 'zod'
import type { Network } from '../core/network.ts'
import type { World } from './world.ts'
import { HUB } from './world-types.ts'

/** Blocks on top of a block after which the sandbox counts it as final. */
const FINALITY_BLOCKS = 2

const FINALITY_SECONDS = 2
/** What the relayer asks to be paid for on every chain. */
const EXECUTE_GAS_LIMIT = 700_000

/** The sandbox as an operator would configure it: `rpcUrlOf` gives each chain's address, `relayerUrl` plays Axelar. */
export const describeNetwork = (
  world: World,
  rpcUrlOf: (chainId: string) => string,
  relayerUrl: string,
): z.input<typeof Network> => ({
  chains: world.chains.map((chain) => ({
    chainId: chain.chainId,
    chainLabel: chain.chainLabel,
    chainType: 'evm',
    nativeToken: { symbol: 'ETH', decimals: 18 },
    rpcUrls: [rpcUrlOf(chain.chainId)],
    finality: FINALITY_BLOCKS,
    axelar: {
      name: chain.axelarName,
      gateway: chain.gateway,
      gasService: chain.gasService,
      its: chain.its,
      finalitySeconds: FINALITY_SECONDS,
      executeGasLimit: EXECUTE_GAS_LIMIT,
      maxUintBits: chain.maxUintBits,
      maxDecimalsWhenTruncating: chain.maxDecimalsWhenTruncating,
    },
  })),
  tokens: world.tokens,
  axelar: { scanUrl: relayerUrl, lcdUrl: relayerUrl, hubChain: HUB.chain, hubAddress: HUB.address },
})
