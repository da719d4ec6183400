import assert from 'node:assert/strict'
import {
  createWalletClient,
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  type Hex,
  keccak256,
  parseAbi,
  toHex,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createBackends } from '../src/backends/create-backends.ts'
import { its } from '../src/backends/its/index.ts'
import { createCatalog } from '../src/chains/catalog.ts'
import type { Chain } from '../src/core/chain.ts'
import { Network, type NetworkToken } from '../src/core/network.ts'
import type { AssetPair } from '../src/core/order.ts'
import { type BackendWorld, user } from './backend-world.ts'
import { until } from './follow-backend.ts'
import { chainClients } from './wallet.ts'

const FACTORY = parseAbi([
  'function linkedTokenId(address deployer, bytes32 salt) view returns (bytes32)',
  'function registerCustomToken(bytes32 salt, address tokenAddress, uint8 tokenManagerType, address operator) payable returns (bytes32)',
  'function linkToken(bytes32 salt, string destinationChain, bytes destinationTokenAddress, uint8 tokenManagerType, bytes linkParams, uint256 gasValue) payable returns (bytes32)',
])
const SERVICE = parseAbi(['function tokenManagerAddress(bytes32 tokenId) view returns (address)'])
const RELAY_WEI = 10n ** 17n

/** Types of token managers. Source: ITokenManagerType. */
export const MANAGERS = { lockUnlock: 2, mintBurn: 4 } as const

/** The account that registers ids. */
const owner = user(5)

const hexOf = (text: string): Hex => `0x${text.slice(2)}`

/** Sends a call by the account that registers ids. */
export const sendByOwner = async (
  world: BackendWorld,
  { chainId, to, data }: { readonly chainId: string; readonly to: string; readonly data: Hex },
  value = 0n,
): Promise<void> => {
  const { chain, transport, reader } = chainClients(world.sandbox, chainId)
  const wallet = createWalletClient({ account: privateKeyToAccount(owner.privateKey), chain, transport })
  const hash = await wallet.sendTransaction({ to: hexOf(to), data, value })
  assert.equal((await reader.waitForTransactionReceipt({ hash })).status, 'success')
}

/** A contract on a chain, and how its token manager moves it. */
type LinkedSide = { readonly chain: Chain; readonly contract: string; readonly manager: number }

/** Registers a contract by an id of its own and links another chain's with it. Returns the id and the other chain's manager. */
export const linkAgain = async (
  world: BackendWorld,
  name: string,
  { from, to }: { readonly from: LinkedSide; readonly to: LinkedSide },
): Promise<{ readonly tokenId: Hex; readonly manager: Hex }> => {
  const [here, there] = [from, to].map(({ chain }) => world.catalog.chain(chain.chainId)?.axelar)
  assert.ok(here?.itsFactory !== undefined && there?.its !== undefined)
  const factory = { chainId: from.chain.chainId, to: here.itsFactory }
  const salt = keccak256(toHex(name))
  const register = [salt, hexOf(from.contract), from.manager, zeroAddress] as const
  await sendByOwner(world, {
    ...factory,
    data: encodeFunctionData({ abi: FACTORY, functionName: 'registerCustomToken', args: register }),
  })
  const remote = encodePacked(['address'], [hexOf(to.contract)])
  const link = [salt, there.name, remote, to.manager, '0x', RELAY_WEI] as const
  await sendByOwner(
    world,
    { ...factory, data: encodeFunctionData({ abi: FACTORY, functionName: 'linkToken', args: link }) },
    RELAY_WEI,
  )
  const tokenId = await chainClients(world.sandbox, from.chain.chainId).reader.readContract({
    address: hexOf(here.itsFactory),
    abi: FACTORY,
    functionName: 'linkedTokenId',
    args: [owner.address, salt],
  })
  const { reader } = chainClients(world.sandbox, to.chain.chainId)
  const manager = await reader.readContract({
    address: hexOf(there.its),
    abi: SERVICE,
    functionName: 'tokenManagerAddress',
    args: [tokenId],
  })
  await until(
    () => reader.getCode({ address: manager }),
    (code) => code !== undefined,
  )
  return { tokenId, manager }
}

/** Pays a token manager what it can unlock. */
export const fund = (
  world: BackendWorld,
  { chain, token }: AssetPair['to'],
  manager: Hex,
  amount: bigint,
): Promise<void> =>
  sendByOwner(world, {
    chainId: chain.chainId,
    to: token.address,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [manager, amount] }),
  })

/** `its` over the same chains with another network file; `stop` stops it alone. */
export const withTokens = async (
  world: BackendWorld,
  change: (token: NetworkToken) => object,
): Promise<BackendWorld> => {
  const { network } = world.deps
  const catalog = createCatalog(Network.parse({ ...network, tokens: network.tokens.map(change) }))
  const backends = createBackends([its], { ...world.deps, catalog })
  for (const backend of backends) await backend.start()
  const stop = async (): Promise<void> => {
    for (const backend of backends) backend.stop()
  }
  return { ...world, catalog, backends, stop }
}

/** The asset of another world's catalogue. */
export const assetIn = (
  { catalog }: BackendWorld,
  { chain, token }: AssetPair['from'],
): AssetPair['from'] => {
  const found = catalog.token(chain.chainId, token.address)
  assert.ok(found)
  return { chain, token: found }
}
