import assert from 'node:assert/strict'
import {
  AXELAR_ABI,
  AXELAR_ARTIFACTS,
  type AxelarContracts,
  deployAxelar,
} from '@openrfq/sandbox/test/axelar-contracts.ts'
import { type Chain, openChain } from '@openrfq/sandbox/test/chain-calls.ts'
import {
  type Artifact,
  createDeploy,
  type Deploy,
  ownArtifact,
} from '@openrfq/sandbox/test/contract-deployer.ts'
import { chainWord } from '@openrfq/sandbox/test/intent-order.ts'
import { type PrivateAnvil, startAnvil } from 'openrfq/test/private-anvil.ts'
import {
  type Abi,
  encodeDeployData,
  getContractAddress,
  type Hex,
  keccak256,
  numberToHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** A chain with Axelar's contracts, the factory, the settler under test, and tokens that anybody mints. */
export type Side = Chain &
  AxelarContracts & {
    readonly axelarName: string
    readonly factory: Hex
    readonly settler: Hex
    readonly token: Hex
    readonly permitToken: Hex
    readonly deploy: Deploy<keyof typeof WORLD_ARTIFACTS>
  }

/** Two chains with the settler at one address, and how far their clocks are. */
export type World = { readonly a: Side; readonly b: Side; readonly settler: Hex }

/** Minimum time between fill deadline and refund on both chains, in seconds. */
export const WINDOW = 600

const KEY: Hex = `0x${'11'.repeat(32)}`
/** A depositor that signs. */
export const SIGNER = privateKeyToAccount(KEY)
/** Test accounts by role; the chains impersonate them. */
export const DEPOSITOR: Hex = '0x1000000000000000000000000000000000000001'
export const RECIPIENT: Hex = '0x2000000000000000000000000000000000000002'
export const SOLVER: Hex = '0x3000000000000000000000000000000000000003'
export const FILLER: Hex = '0x4000000000000000000000000000000000000004'
export const STRANGER: Hex = '0x5000000000000000000000000000000000000005'
export const PAYEE: Hex = '0x7000000000000000000000000000000000000007'
export const INTEGRATOR: Hex = '0x8000000000000000000000000000000000000008'
/** Deploys the factory as its first transaction on every chain. */
const FOUNDER: Hex = '0xf000000000000000000000000000000000000001'
/** Owns the factory. */
export const OWNER: Hex = '0xf000000000000000000000000000000000000002'

/** Where Permit2 stands on every chain. */
export const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** Artifacts of all contracts of a world. */
export const WORLD_ARTIFACTS = {
  ...AXELAR_ARTIFACTS,
  factory: ownArtifact('factory/ContractFactory'),
  settler: ownArtifact('settlers/IntentSettler'),
  token: ownArtifact('test/HostileToken'),
  permitToken: ownArtifact('test/PermitToken'),
  permit2: ownArtifact('test/SignatureTransfers'),
  puppet: ownArtifact('test/Puppet'),
  wallet: ownArtifact('test/Wallet'),
} as const

/** The settler's artifact. */
export const SETTLER_ARTIFACT: Artifact = WORLD_ARTIFACTS.settler

/** Entries of all contracts of a world, for calls, events and errors. */
export const WORLD_ABI: Abi = [
  ...WORLD_ARTIFACTS.factory.abi,
  ...WORLD_ARTIFACTS.settler.abi,
  ...WORLD_ARTIFACTS.token.abi,
  ...WORLD_ARTIFACTS.permitToken.abi,
  ...WORLD_ARTIFACTS.permit2.abi,
  ...WORLD_ARTIFACTS.puppet.abi,
  ...WORLD_ARTIFACTS.wallet.abi.filter((item) => item.type === 'error'),
  ...AXELAR_ABI,
].filter(({ type }) => type === 'function' || type === 'event' || type === 'error')

/** The factory's creation code for this owner. */
export const factoryCode = (owner: Hex, bytecode: Hex = WORLD_ARTIFACTS.factory.bytecode): Hex =>
  encodeDeployData({ abi: WORLD_ARTIFACTS.factory.abi, bytecode, args: [owner] })

/** Deploys creation code by an account. Returns the address; throws when the constructor reverts. */
export const create = async (chain: Chain, from: Hex, data: Hex): Promise<Hex> => {
  // CAST: anvil answers hex.
  const nonce = (await chain.rpc('eth_getTransactionCount', from, 'latest')) as Hex
  const request = { from, data, gas: numberToHex(15_000_000), gasPrice: '0x0' }
  // CAST: anvil's receipt.
  const receipt = (await chain.rpc('eth_sendTransactionSync', request)) as { readonly status: Hex }
  assert.equal(receipt.status, '0x1')
  return getContractAddress({ from, nonce: BigInt(nonce) })
}

/** What the factory tells contracts of a chain. */
export type Facts = AxelarContracts & {
  readonly chainName: Hex
  readonly proofWindow: number
  readonly swapFactory: Hex
  readonly wrappedNative: Hex
}

/** The facts of a chain as the factory takes them. */
export const factsOf = (side: AxelarContracts & Pick<Side, 'axelarName'>): Facts => ({
  gateway: side.gateway,
  gasService: side.gasService,
  chainName: chainWord(side.axelarName),
  proofWindow: WINDOW,
  swapFactory: zeroAddress,
  wrappedNative: zeroAddress,
})

/** Has the factory deploy code with a chain's facts. Returns its address; throws when the deployment reverts. */
export const deployBy = async (
  side: Omit<Side, 'settler'>,
  code: Hex,
  salt: Hex,
  facts: Facts = factsOf(side),
): Promise<Hex> => {
  await side.run({ from: OWNER, to: side.factory, data: side.encode('deploy', [code, salt, facts]) })
  // CAST: the factory answers an address.
  return (await side.read(side.factory, 'addressOf', [keccak256(code), salt])) as Hex
}

const openSide = async (
  number: number,
  axelarName: string,
  anvil: PrivateAnvil,
): Promise<Omit<Side, 'settler'>> => {
  const chain = openChain(number, anvil, WORLD_ABI)
  const factory = await create(chain, FOUNDER, factoryCode(OWNER))
  const deploy = createDeploy(chain, WORLD_ARTIFACTS)
  const axelar = await deployAxelar(chain, deploy)
  const [token, permitToken] = [await deploy('token'), await deploy('permitToken')]
  const code = await chain.rpc('eth_getCode', await deploy('permit2'), 'latest')
  await chain.rpc('anvil_setCode', PERMIT2, code)
  return { ...chain, ...axelar, axelarName, deploy, factory, token, permitToken }
}

/** Puts a settler of this code beside the others of a world, and funds the accounts for it. */
export const withSettler = async (
  sides: readonly [Omit<Side, 'settler'>, Omit<Side, 'settler'>],
  code: Hex,
  salt: Hex = zeroHash,
): Promise<World> => {
  const [a, b] = await Promise.all(
    sides.map(async (bare): Promise<Side> => {
      const side = { ...bare, settler: await deployBy(bare, code, salt) }
      for (const account of [DEPOSITOR, FILLER, STRANGER, SIGNER.address]) await fund(side, account)
      return side
    }),
  )
  assert.ok(a && b)
  assert.equal(a.settler, b.settler)
  return { a, b, settler: a.settler }
}

/** Starts two chains with all contracts but a settler. The caller stops them. */
export const startSides = async (): Promise<{
  readonly sides: readonly [Omit<Side, 'settler'>, Omit<Side, 'settler'>]
  readonly stop: () => Promise<void>
}> => {
  const options = ['--gas-price', '0', '--block-base-fee-per-gas', '0', '--auto-impersonate']
  const anvils = await Promise.all([startAnvil(31_337, ...options), startAnvil(31_338, ...options)])
  const stop = async (): Promise<void> => {
    await Promise.all(anvils.map((anvil) => anvil.stop()))
  }
  try {
    const sides = await Promise.all([
      openSide(31_337, 'Sandbox-A', anvils[0]),
      openSide(31_338, 'sandbox-b', anvils[1]),
    ])
    return { sides, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}

/** What every funded account has of every token. */
export const WEALTH = 10n ** 18n

/** Gives an account native value and both tokens, with allowances for the settler. */
export const fund = async (side: Side, account: Hex): Promise<void> => {
  await side.rpc('anvil_setBalance', account, numberToHex(WEALTH))
  for (const token of [side.token, side.permitToken]) {
    await side.run({ from: account, to: token, data: side.encode('mint', [account, WEALTH]) })
    await side.run({ from: account, to: token, data: side.encode('approve', [side.settler, WEALTH]) })
  }
}
