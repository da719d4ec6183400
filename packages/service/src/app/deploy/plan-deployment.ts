import { keccak256, stringToHex } from 'viem/utils'
import type { DeployChain, Hex } from './chain-facts.ts'
import {
  CONST_ADDRESS_DEPLOYER,
  type ContractFamily,
  type DeployCall,
  type FamilyMember,
} from './contract-family.ts'
import type { DeployNode, Told } from './deploy-node.ts'

/** One transaction that is left to send on a chain. */
export type DeployStep = DeployCall & { readonly what: FamilyMember; readonly address: Hex }

/** What is left to do on a chain, and what speaks against it. A chain with problems gets no transaction. */
export type ChainPlan = {
  readonly chain: DeployChain
  readonly done: readonly FamilyMember[]
  readonly steps: readonly DeployStep[]
  readonly problems: readonly string[]
  /** Whether the owner is a contract on this chain. An account that delegates by EIP-7702 is none. */
  readonly isOwnerContract: boolean
}

/** What each contract must say. One that does not answer is as wrong as one that answers otherwise. */
const TOLD = {
  factory: ['owner'],
  intent: ['gateway', 'gasService', 'chainName', 'proofWindow'],
  attested: ['chain', 'proofWindow'],
  express: ['gateway', 'gasService', 'chainName', 'swapFactory', 'wrappedNative'],
} as const satisfies Record<FamilyMember, readonly (keyof Told)[]>

const NONE = /^0x0{40}$/
const DELEGATION = /^0xef0100/i

const sameText = (one: unknown, other: unknown): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase()

/** How the code at a contract's address, or what it says, differs from what the network file wants. */
const differences = async (
  { chain, node, family }: Place,
  member: FamilyMember,
  address: Hex,
  code: Hex,
): Promise<readonly string[]> => {
  if (!family.isCodeOf(member, code)) return [`${member}: the code at ${address} is another contract's`]
  const expected: Told = {
    ...chain.facts,
    chain: keccak256(stringToHex(chain.chainId)),
    owner: family.owner,
  }
  const told = await Promise.all(
    TOLD[member].map(async (name) => [name, await node.tell(address, name)] as const),
  )
  return told.flatMap(([name, found]) => {
    if (found === undefined) return [`${member}: it does not tell its ${name}`]
    return sameText(found, expected[name])
      ? []
      : [`${member}: its ${name} is ${found}, and the network file's ${expected[name]}`]
  })
}

const problemsOf = async ({ chain, node }: Place): Promise<readonly string[]> => {
  const { gateway, gasService, swapFactory, wrappedNative } = chain.facts
  const needed: readonly (readonly [name: string, address: Hex])[] = [
    ["Axelar's ConstAddressDeployer", CONST_ADDRESS_DEPLOYER],
    ['axelar.gateway', gateway],
    ['axelar.gasService', gasService],
    ['exchange.factory', swapFactory],
    ['exchange.wrappedNative', wrappedNative],
  ]
  const problems: string[] = []
  for (const [name, address] of needed)
    if (!NONE.test(address) && (await node.codeOf(address)) === '0x')
      problems.push(`${name} ${address} has no code`)
  if ((await node.isNamed()) === false)
    problems.push(`axelar.name "${chain.axelarName}" is not the name that ITS on this chain knows`)
  return problems
}

/**
 * Why a step would not deploy to its address; undefined when it would. A chain that computes CREATE2 addresses otherwise can
 * hold none of the family's contracts: on other chains they trust the address that it does not give.
 */
export const faultOf = async (
  node: Pick<DeployNode, 'tryDeploy'>,
  owner: Hex,
  { what, address, to, data }: DeployStep,
): Promise<string | undefined> => {
  const tried = await node.tryDeploy(owner, { to, data })
  if ('fault' in tried) return `${what} would not be deployed: ${tried.fault}`
  return sameText(tried.address, address)
    ? undefined
    : `${what} would stand at ${tried.address} and not at ${address}: this chain computes addresses of CREATE2 otherwise`
}

type Place = { readonly chain: DeployChain; readonly node: DeployNode; readonly family: ContractFamily }

/** What can be tried before anything is sent: the factory, or what it deploys where it stands. */
const faultsOf = async (
  { node, family }: Place,
  steps: readonly DeployStep[],
): Promise<readonly string[]> => {
  const tried = steps[0]?.what === 'factory' ? steps.slice(0, 1) : steps
  const faults = await Promise.all(tried.map((step) => faultOf(node, family.owner, step)))
  return faults.flatMap((fault) => fault ?? [])
}

/**
 * Compares a family of contracts with a chain: what stands, what is left to send in order, and what is wrong. Throws RpcError
 * when too few endpoints say the same.
 */
export const planDeployment = async (
  chain: DeployChain,
  node: DeployNode,
  family: ContractFamily,
): Promise<ChainPlan> => {
  const place = { chain, node, family }
  const problems = [...(await problemsOf(place))]
  const plan = { chain, done: [], steps: [], problems, isOwnerContract: false }
  if (problems.length > 0) return plan
  const done: FamilyMember[] = []
  const steps: DeployStep[] = []
  const members: readonly DeployStep[] = [
    { what: 'factory', address: family.factory, ...family.factoryCall },
    ...family.contracts.map(({ role, address }) => ({
      what: role,
      address,
      ...family.contractCall(role, chain.facts),
    })),
  ]
  for (const step of members) {
    const code = await node.codeOf(step.address)
    if (code === '0x') steps.push(step)
    else {
      const found = await differences(place, step.what, step.address, code)
      if (found.length === 0) done.push(step.what)
      problems.push(...found)
    }
  }
  if (problems.length === 0) problems.push(...(await faultsOf(place, steps)))
  const ownerCode = await node.codeOf(family.owner)
  return {
    ...plan,
    done,
    steps: problems.length > 0 ? [] : steps,
    isOwnerContract: ownerCode !== '0x' && !DELEGATION.test(ownerCode),
  }
}
