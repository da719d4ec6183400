import { startAnvil } from 'openrfq/test/private-anvil.ts'
import { type Abi, type Hex, keccak256, numberToHex, zeroAddress, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Chain, openChain } from './chain-calls.ts'
import { type Artifact, createDeploy, DEPLOYER, type Deploy, ownArtifact } from './contract-deployer.ts'
import { chainWord } from './intent-order.ts'

/** A chain with a factory, the attested settler and a token that anybody mints. Gas is free. */
export type AttestedWorld = Chain & {
  readonly factory: Hex
  readonly settler: Hex
  readonly token: Hex
  readonly deploy: Deploy<keyof typeof ARTIFACTS>
}

/** Minimum time between fill deadline and refund, in seconds. */
export const WINDOW = 600

/** Test accounts by role; the chain impersonates them. */
export const DEPOSITOR: Hex = '0x1000000000000000000000000000000000000001'
export const FILLER: Hex = '0x4000000000000000000000000000000000000004'
export const STRANGER: Hex = '0x5000000000000000000000000000000000000005'

/** Attests fills. */
export const ATTESTER = privateKeyToAccount(`0x${'22'.repeat(32)}`)

const CHAIN_NUMBER = 31_337
const WEALTH = 10n ** 30n

const ARTIFACTS = {
  factory: ownArtifact('factory/ContractFactory'),
  settler: ownArtifact('settlers/AttestedSettler'),
  token: ownArtifact('test/HostileToken'),
  puppet: ownArtifact('test/Puppet'),
} as const

/** The settler's artifact. */
export const ATTESTED_ARTIFACT: Artifact = ARTIFACTS.settler

const MERGED_ABI: Abi = Object.values(ARTIFACTS)
  .flatMap(({ abi }) => abi)
  .filter(({ type }) => type === 'function' || type === 'event' || type === 'error')

/** The world before its settler is deployed. */
type BareWorld = Omit<AttestedWorld, 'settler'>

/** Starts a chain with a factory and a token. The caller stops it. */
export const startAttestedChain = async (): Promise<BareWorld & { readonly stop: () => Promise<void> }> => {
  const options = ['--gas-price', '0', '--block-base-fee-per-gas', '0', '--auto-impersonate']
  const anvil = await startAnvil(CHAIN_NUMBER, ...options)
  try {
    const chain = openChain(CHAIN_NUMBER, anvil, MERGED_ABI)
    const deploy = createDeploy(chain, ARTIFACTS)
    const [factory, token] = [await deploy('factory', [DEPLOYER]), await deploy('token')]
    return { ...chain, deploy, factory, token, stop: anvil.stop }
  } catch (cause) {
    await anvil.stop()
    throw cause
  }
}

/** Gives an account native value and tokens, and the settler an allowance for the tokens. */
export const fund = async (
  world: Pick<AttestedWorld, 'rpc' | 'run' | 'encode' | 'settler'>,
  account: Hex,
  token: Hex,
): Promise<void> => {
  await world.rpc('anvil_setBalance', account, numberToHex(WEALTH))
  await world.run({ from: account, to: token, data: world.encode('mint', [account, WEALTH]) })
  await world.run({ from: account, to: token, data: world.encode('approve', [world.settler, WEALTH]) })
}

/** Has the factory deploy a settler of this code, and funds depositor, filler and stranger for it. */
export const withSettler = async <Bare extends BareWorld>(
  bare: Bare,
  code: Hex = ATTESTED_ARTIFACT.bytecode,
  salt: Hex = zeroHash,
): Promise<Bare & { readonly settler: Hex }> => {
  const { factory, token } = bare
  const facts = {
    gateway: factory,
    gasService: factory,
    chainName: chainWord('sandbox-a'),
    proofWindow: WINDOW,
    swapFactory: zeroAddress,
    wrappedNative: zeroAddress,
  }
  await bare.run({ from: DEPLOYER, to: factory, data: bare.encode('deploy', [code, salt, facts]) })
  // CAST: the factory answers an address.
  const settler = (await bare.read(factory, 'addressOf', [keccak256(code), salt])) as Hex
  const world = { ...bare, settler }
  for (const account of [DEPOSITOR, FILLER, STRANGER]) await fund(world, account, token)
  return world
}

/** Starts a chain with the settler. The caller stops it. */
export const startAttestedWorld = async () => {
  const bare = await startAttestedChain()
  try {
    return await withSettler(bare)
  } catch (cause) {
    await bare.stop()
    throw cause
  }
}
