import type { ChainFacts, DeployChain, Hex } from './chain-facts.ts'
import {
  CONST_ADDRESS_DEPLOYER,
  type ContractFamily,
  type ContractRole,
  type DeployCall,
} from './contract-family.ts'
import type { DeployNode } from './deploy-node.ts'

/** One transaction that is left to send on a chain. */
export type DeployStep = DeployCall & { readonly what: 'factory' | ContractRole; readonly address: Hex }

/** What is left to do on a chain, and what speaks against it. A chain with problems gets no transaction. */
export type ChainPlan = {
  readonly chain: DeployChain
  readonly done: readonly ('factory' | ContractRole)[]
  readonly steps: readonly DeployStep[]
  readonly problems: readonly string[]
}

const NONE = /^0x0{40}$/

const sameText = (one: unknown, other: unknown): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase()

/** How a deployed contract's facts differ from the network file's. */
const differences = (
  role: ContractRole,
  found: Partial<ChainFacts>,
  expected: ChainFacts,
): readonly string[] => {
  // CAST: the names of the facts.
  const names = Object.keys(expected) as readonly (keyof ChainFacts)[]
  return names
    .filter((name) => found[name] !== undefined && !sameText(found[name], expected[name]))
    .map((name) => `${role}: its ${name} is ${found[name]}, and the network file's ${expected[name]}`)
}

const problemsOf = async (chain: DeployChain, node: DeployNode): Promise<readonly string[]> => {
  const number = await node.chainNumber()
  if (number !== chain.chainNumber) return [`the endpoint is of chain ${number}`]
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
    if (!NONE.test(address) && !(await node.hasCode(address))) problems.push(`${name} ${address} has no code`)
  if ((await node.isNamed()) === false)
    problems.push(`axelar.name "${chain.axelarName}" is not the name that ITS on this chain knows`)
  return problems
}

/**
 * Compares a family of contracts with a chain: what stands, what is left to send in order, and what is wrong. Throws when
 * the endpoint does not answer.
 */
export const planDeployment = async (
  chain: DeployChain,
  node: DeployNode,
  family: ContractFamily,
): Promise<ChainPlan> => {
  const problems = [...(await problemsOf(chain, node))]
  if (problems.length > 0) return { chain, done: [], steps: [], problems }
  const done: ('factory' | ContractRole)[] = []
  const steps: DeployStep[] = []
  if (await node.hasCode(family.factory)) done.push('factory')
  else steps.push({ what: 'factory', address: family.factory, ...family.factoryCall })
  for (const { role, address } of family.contracts) {
    if (!(await node.hasCode(address))) {
      steps.push({ what: role, address, ...family.contractCall(role, chain.facts) })
      continue
    }
    done.push(role)
    problems.push(...differences(role, await node.factsOf(address), chain.facts))
  }
  return { chain, done, steps: problems.length > 0 ? [] : steps, problems }
}
