import { encodeAbiParameters, encodeFunctionData, keccak256, parseAbi, parseAbiParameters, toHex } from 'viem'
import { type Hex, HUB } from '../deployment-types.ts'
import { SIGNER_SET } from '../keys.ts'
import { encodeOperators } from '../relayer/sign.ts'
import { creationCode } from './account.ts'
import type { Artifacts } from './artifacts.ts'
import { CHAIN_PLANS } from './plan.ts'
import type { Site } from './site.ts'

/** Addresses of Axelar's contracts on a chain. */
export type AxelarContracts = {
  readonly gateway: Hex
  readonly gasService: Hex
  readonly its: Hex
  readonly itsFactory: Hex
}

const OWNABLE_ABI = parseAbi(['function transferOwnership(address newOwner)'])
const PROXY_ABI = parseAbi(['function init(address implementation, address owner, bytes parameters)'])
const CREATE3_ABI = parseAbi([
  'function deploy(bytes bytecode, bytes32 salt) payable returns (address)',
  'function deployedAddress(bytes bytecode, address sender, bytes32 salt) view returns (address)',
])

const ITS_SALT = keccak256(toHex('sandbox interchain token service'))
const FACTORY_SALT = keccak256(toHex('sandbox interchain token factory'))

const deployGateway = async (site: Site, artifacts: Artifacts): Promise<Hex> => {
  const { deployer, governor } = site
  const tokenDeployer = await deployer.deploy(artifacts.tokenDeployer, [])
  const auth = await deployer.deploy(artifacts.auth, [[encodeOperators(SIGNER_SET)]])
  const implementation = await deployer.deploy(artifacts.gateway, [auth, tokenDeployer])
  const setup = encodeAbiParameters(parseAbiParameters('address, address, bytes'), [
    governor.address,
    governor.address,
    '0x',
  ])
  const gateway = await deployer.deploy(artifacts.gatewayProxy, [implementation, setup])
  await deployer.send(
    auth,
    encodeFunctionData({ abi: OWNABLE_ABI, functionName: 'transferOwnership', args: [gateway] }),
  )
  return gateway
}

const deployGasService = async (site: Site, artifacts: Artifacts): Promise<Hex> => {
  const implementation = await site.deployer.deploy(artifacts.gasService, [site.governor.address])
  const proxy = await site.deployer.deploy(artifacts.gasServiceProxy, [])
  const owner = site.deployer.address
  await site.deployer.send(
    proxy,
    encodeFunctionData({ abi: PROXY_ABI, functionName: 'init', args: [implementation, owner, '0x'] }),
  )
  return proxy
}

type ItsPlace = Pick<AxelarContracts, 'its' | 'itsFactory'>

const deployItsImplementation = async (
  site: Site,
  artifacts: Artifacts,
  core: Pick<AxelarContracts, 'gateway' | 'gasService'>,
  place: ItsPlace,
): Promise<Hex> => {
  const { deployer, plan } = site
  const tokenManagerDeployer = await deployer.deploy(artifacts.tokenManagerDeployer, [])
  const token = await deployer.deploy(artifacts.interchainToken, [place.its])
  const tokenDeployer = await deployer.deploy(artifacts.interchainTokenDeployer, [token])
  const tokenManager = await deployer.deploy(artifacts.tokenManager, [place.its])
  const tokenHandler = await deployer.deploy(artifacts.tokenHandler, [])
  return deployer.deploy(artifacts.its, [
    tokenManagerDeployer,
    tokenDeployer,
    core.gateway,
    core.gasService,
    place.itsFactory,
    plan.axelarName,
    HUB.address,
    tokenManager,
    tokenHandler,
  ])
}

const deployProxies = async (
  site: Site,
  artifacts: Artifacts,
  core: Pick<AxelarContracts, 'gateway' | 'gasService'>,
): Promise<ItsPlace> => {
  const { client, deployer, plan } = site
  const create3 = await site.twinDeployer.deploy(artifacts.create3Deployer, [])
  const placeOf = (salt: Hex): Promise<Hex> =>
    client.readContract({
      address: create3,
      abi: CREATE3_ABI,
      functionName: 'deployedAddress',
      args: ['0x', deployer.address, salt],
    })
  const deployProxy = async (implementation: Hex, setup: Hex, salt: Hex): Promise<void> => {
    const code = creationCode(artifacts.itsProxy, [implementation, deployer.address, setup])
    await deployer.send(
      create3,
      encodeFunctionData({ abi: CREATE3_ABI, functionName: 'deploy', args: [code, salt] }),
    )
  }
  const place = { its: await placeOf(ITS_SALT), itsFactory: await placeOf(FACTORY_SALT) }
  const trusted = CHAIN_PLANS.map(({ axelarName }) => axelarName).filter((name) => name !== plan.axelarName)
  const setup = encodeAbiParameters(parseAbiParameters('address, string, string[]'), [
    deployer.address,
    plan.axelarName,
    trusted,
  ])
  await deployProxy(await deployItsImplementation(site, artifacts, core, place), setup, ITS_SALT)
  await deployProxy(await deployer.deploy(artifacts.itsFactory, [place.its]), '0x', FACTORY_SALT)
  return place
}

/**
 * Deploys gateway 6.4.0, gas service and ITS 2.2.0 with its factory on an empty chain. ITS messages to the other chains
 * go through the hub.
 */
export const deployAxelar = async (site: Site, artifacts: Artifacts): Promise<AxelarContracts> => {
  const gateway = await deployGateway(site, artifacts)
  const gasService = await deployGasService(site, artifacts)
  return { gateway, gasService, ...(await deployProxies(site, artifacts, { gateway, gasService })) }
}
