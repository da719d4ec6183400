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

/** The service runs from a clone, where the artifacts lie beside it; they are no dependency, which would bring compilers. */
const artifactOf = (path: string): URL =>
  new URL(`../../../../contracts/artifacts/${path}.json`, import.meta.url)

const FACTORY = artifactOf('factory/ContractFactory')
/** The artifacts of a family's contracts, by the network file's section that names their addresses. */
const CONTRACTS = {
  intent: artifactOf('settlers/IntentSettler'),
  attested: artifactOf('settlers/AttestedSettler'),
  express: artifactOf('router/ExpressRouter'),
} as const
export type ContractRole = keyof typeof CONTRACTS

const Artifact = z.object({ bytecode: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]+$/)]) })

const creationCode = (path: URL): Hex => Artifact.parse(JSON.parse(readFileSync(path, 'utf8'))).bytecode

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
  }
}
