import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type AxelarContracts, deployAxelar } from '@openrfq/sandbox/test/axelar-contracts.ts'
import { type Chain, openChain } from '@openrfq/sandbox/test/chain-calls.ts'
import { createDeploy, type Deploy, loadArtifact } from '@openrfq/sandbox/test/contract-deployer.ts'
import { CONST_ADDRESS_DEPLOYER } from 'openrfq/src/app/deploy/contract-family.ts'
import { planFamily, readDeployNetwork } from 'openrfq/src/app/deploy/deploy.ts'
import type { Network } from 'openrfq/src/core/network.ts'
import { systemClock } from 'openrfq/src/lib/clock.ts'
import { startAnvil } from 'openrfq/test/private-anvil.ts'
import { type Hex, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { WORLD_ABI, WORLD_ARTIFACTS } from '../settlers/world.ts'

/** The key of the factory's owner. */
export const KEY: Hex = `0x${'44'.repeat(32)}`
export const OWNER = privateKeyToAccount(KEY).address

const require = createRequire(import.meta.url)

/** A chain as an operator finds it: with Axelar's contracts and ConstAddressDeployer, without any of ours. */
export type Place = Chain &
  AxelarContracts & { readonly axelarName: string; readonly deploy: Deploy<keyof typeof WORLD_ARTIFACTS> }

const openPlace = async (number: number, axelarName: string) => {
  const anvil = await startAnvil(
    number,
    ...['--auto-impersonate', '--gas-price', '0', '--block-base-fee-per-gas', '0'],
  )
  const chain = openChain(number, anvil, WORLD_ABI)
  const path = '@axelar-network/axelar-gmp-sdk-solidity/artifacts/contracts/deploy'
  const create2 = loadArtifact(require.resolve(`${path}/ConstAddressDeployer.sol/ConstAddressDeployer.json`))
  const deploy = createDeploy(chain, { ...WORLD_ARTIFACTS, create2 })
  await chain.rpc('anvil_setBalance', OWNER, numberToHex(10n ** 20n))
  const code = await chain.rpc('eth_getCode', await deploy('create2'), 'latest')
  await chain.rpc('anvil_setCode', CONST_ADDRESS_DEPLOYER, code)
  const place: Place = { ...chain, ...(await deployAxelar(chain, deploy)), axelarName, deploy }
  return { place, stop: anvil.stop }
}

/** Starts a chain for each name, numbered from 31337. The caller stops them. */
export const openPlaces = async (
  names: readonly string[],
): Promise<{ readonly places: readonly Place[]; readonly stop: () => Promise<void> }> => {
  const opened = await Promise.all(names.map((name, index) => openPlace(31_337 + index, name)))
  return {
    places: opened.map(({ place }) => place),
    stop: async () => {
      await Promise.all(opened.map(({ stop }) => stop()))
    },
  }
}

/** Alters the Axelar entry of a chain in a network file. */
export type ChangeAxelar = (axelar: Record<string, unknown>, index: number) => Record<string, unknown>

/** Writes a network file of some chains into a folder, and reads it as `rfq deploy` does. */
export const networkIn = (
  folder: string,
  places: readonly Place[],
  change: ChangeAxelar = (axelar) => axelar,
  urlsOf: (place: Place) => readonly string[] = ({ rpcUrl }) => [rpcUrl],
): Network => {
  const chains = places.map((place, index) => {
    const { number, axelarName: name, gateway, gasService } = place
    return {
      chainId: `eip155:${number}`,
      chainLabel: name,
      chainType: 'evm',
      nativeToken: { symbol: 'ETH', decimals: 18 },
      rpcUrls: urlsOf(place),
      trustSingleEndpoint: true,
      finality: 'finalized',
      axelar: change({ name, gateway, gasService, finalitySeconds: 960, executeGasLimit: 300_000 }, index),
    }
  })
  const path = join(folder, 'network.json')
  writeFileSync(path, JSON.stringify({ chains, tokens: [] }))
  return readDeployNetwork({ RFQ_CONFIG: path })
}

/** Plans a family's deployment on the named chains of a network, or on all, by the machine's clock. */
export const planIn = (network: Network, owner: Hex, salt: string, wanted: readonly string[] = []) =>
  planFamily(network, new Set(wanted), owner, salt, systemClock)
