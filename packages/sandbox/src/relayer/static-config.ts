import { evmChainNumberOf } from '@openrfq/sdk'
import type { GatewayAsset, SandboxChain } from '../deployment-types.ts'

/** A chain of the sandbox as Axelar's static configuration describes it. */
type DescribedChain = Pick<
  SandboxChain,
  'axelarName' | 'chainId' | 'chainLabel' | 'rpcUrl' | 'gateway' | 'gasService' | 'its' | 'itsFactory'
>

const contractsOf = ({ gateway, gasService, its, itsFactory }: DescribedChain) => ({
  AxelarGateway: { address: gateway },
  AxelarGasService: { address: gasService },
  InterchainTokenService: { address: its },
  InterchainTokenFactory: { address: itsFactory },
})

const chainEntry = (chain: DescribedChain) => [
  chain.axelarName.toLowerCase(),
  {
    id: chain.axelarName.toLowerCase(),
    displayName: chain.chainLabel,
    chainType: 'evm',
    externalChainId: Number(evmChainNumberOf(chain.chainId)),
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    config: { contracts: contractsOf(chain), rpc: [chain.rpcUrl], approxFinalityHeight: 1 },
  },
]

const assetEntry = ({ denom, decimals, symbols }: GatewayAsset) => [
  denom,
  {
    id: denom,
    prettySymbol: Object.values(symbols)[0],
    decimals,
    type: 'gateway',
    chains: Object.fromEntries(
      Object.entries(symbols).map(([chain, symbol]) => [chain.toLowerCase(), { symbol }]),
    ),
  },
]

/** Axelar's static configuration of the sandbox's chains and gateway assets. Source: axelarjs-sdk 0.17, `importS3Config`. */
export const staticConfig = (chains: readonly DescribedChain[], assets: readonly GatewayAsset[]) => ({
  version: '1.x',
  environment: 'testnet',
  chains: Object.fromEntries(chains.map(chainEntry)),
  assets: Object.fromEntries(assets.map(assetEntry)),
})

/** The older list of assets by denom. Source: axelarjs-sdk 0.17, `loadAssets`. */
export const staticAssets = (assets: readonly GatewayAsset[]) =>
  Object.fromEntries(
    assets.map(({ denom, decimals, symbols }) => [
      denom,
      {
        id: denom,
        common_key: { testnet: denom },
        native_chain: Object.keys(symbols)[0]?.toLowerCase(),
        fully_supported: true,
        decimals,
        wrapped_erc20: '',
        chain_aliases: Object.fromEntries(
          Object.entries(symbols).map(([chain, assetSymbol]) => [
            chain.toLowerCase(),
            { assetSymbol, assetName: assetSymbol, fullDenomPath: denom },
          ]),
        ),
      },
    ]),
  )
