import { readFileSync } from 'node:fs'
import {
  concat,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  parseAbi,
  stringToHex,
} from 'viem/utils'
import { z } from 'zod'
import type { ChainFacts, Hex } from './chain-facts.ts'

/** Axelar's ConstAddressDeployer, at one address of every EVM chain that Axelar reaches. */
export const CONST_ADDRESS_DEPLOYER: Hex = '0x98B2920D53612483F91F12Ed7754E51b4A77919e'

const DEPLOYER_ABI = parseAbi(['function deploy(bytes bytecode, bytes32 salt) payable returns (address)'])
const FACTORY_ABI = parseAbi([
  'constructor(address owner)',
  'struct ChainFacts { address gateway; address gasService; bytes32 chainName; uint32 proofWindow; address swapFactory; address wrappedNative; }',
  'function deploy(bytes code, bytes32 salt, ChainFacts facts) returns (address)',
])

const FACTORY = 'factory/ContractFactory'
/**
 * The artifacts of a family's contracts, by the network file's section that names their addresses. The service runs from a
 * clone, where they lie beside it; they are no dependency, which would bring compilers.
 */
const CONTRACTS = {
  intent: 'settlers/IntentSettler',
  attested: 'settlers/AttestedSettler',
  express: 'router/ExpressRouter',
} as const
type ContractRole = keyof typeof CONTRACTS

/** A contract of a family. */
export type FamilyMember = 'factory' | ContractRole

const Code = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]+$/)])
const Artifact = z.object({ bytecode: Code })
const Runtime = z.object({
  code: Code,
  /** Where immutable values stand, in bytes: the first and how many. */
  immutables: z.array(z.tuple([z.int(), z.int()])),
})
type Runtime = z.infer<typeof Runtime>

const readArtifact = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../contracts/artifacts/${name}.json`, import.meta.url), 'utf8'))

const creationCode = (name: string): Hex => Artifact.parse(readArtifact(name)).bytecode

/** A call that a deployment makes. */
export type DeployCall = { readonly to: Hex; readonly data: Hex }

/** One owner's contracts under one salt: their addresses, equal on every chain, and the calls that deploy them. */
export type ContractFamily = {
  readonly owner: Hex
  readonly factory: Hex
  readonly contracts: readonly {
    readonly role: ContractRole
    readonly address: Hex
    readonly codeHash: Hex
  }[]
  readonly factoryCall: DeployCall
  readonly contractCall: (role: ContractRole, facts: ChainFacts) => DeployCall
  /** Whether deployed code is the member's; immutable values are not compared. */
  readonly isCodeOf: (member: FamilyMember, code: Hex) => boolean
}

/** Code with zeros where its immutable values stand, in lower case. */
const withoutImmutables = (code: string, { immutables }: Runtime): string =>
  immutables.reduce((text, [start, length]) => {
    const [from, to] = [2 + 2 * start, 2 + 2 * (start + length)]
    return text.slice(0, from) + '0'.repeat(text.slice(from, to).length) + text.slice(to)
  }, code.toLowerCase())

const codeComparison = (): ContractFamily['isCodeOf'] => {
  const runtimes = z.record(z.string(), Runtime).parse(readArtifact('verification/runtime-code'))
  return (member, code) => {
    const runtime = runtimes[member === 'factory' ? FACTORY : CONTRACTS[member]]
    return runtime !== undefined && withoutImmutables(code, runtime) === runtime.code
  }
}

const addressOf = (from: Hex, salt: Hex, bytecode: Hex): Hex =>
  getContractAddress({ opcode: 'CREATE2', from, salt, bytecode })

/** Computes a family. `saltText` tells families of one owner apart. */
export const contractFamily = (owner: Hex, saltText: string): ContractFamily => {
  const salt = keccak256(stringToHex(saltText))
  const factoryCode = encodeDeployData({
    abi: FACTORY_ABI,
    bytecode: creationCode(FACTORY),
    args: [owner],
  })
  const mixed = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [owner, salt]))
  const factory = addressOf(CONST_ADDRESS_DEPLOYER, mixed, factoryCode)
  // CAST: the roles of the table.
  const roles = Object.keys(CONTRACTS) as readonly ContractRole[]
  const codes = new Map(roles.map((role) => [role, creationCode(CONTRACTS[role])]))
  return {
    owner,
    factory,
    contracts: [...codes].map(([role, code]) => ({
      role,
      address: addressOf(factory, salt, code),
      codeHash: keccak256(code),
    })),
    factoryCall: {
      to: CONST_ADDRESS_DEPLOYER,
      data: encodeFunctionData({ abi: DEPLOYER_ABI, functionName: 'deploy', args: [factoryCode, salt] }),
    },
    contractCall: (role, facts) => ({
      to: factory,
      data: encodeFunctionData({
        abi: FACTORY_ABI,
        functionName: 'deploy',
        args: [codes.get(role) ?? concat([]), salt, facts],
      }),
    }),
    isCodeOf: codeComparison(),
  }
}
