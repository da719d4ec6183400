import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Hex } from 'viem'
import { create, factoryCode, OWNER, startSides, WORLD_ARTIFACTS } from '../settlers/world.ts'
import { findFailure, mutantsOf, testMutants } from '../solidity-mutants.ts'
import { FACTORY_CASES, type FactoryWorld } from './factory-cases.ts'

const WHOLE = '(facts_.swapFactory == address(0) || facts_.swapFactory.code.length > 0) &&'
const MUTANTS = mutantsOf('factory/ContractFactory.sol')([
  ['a factory without an owner', 'if (owner_ == address(0)) revert InvalidOwner();', ''],
  ['anybody deploys', 'if (msg.sender != owner) revert NotOwner(msg.sender);', ''],
  ['any facts', '_requireWhole(facts_);\n', '\n'],
  ['no facts for the constructor', '_facts = facts_;', ''],
  ['facts are told for ever', 'delete _facts;', ''],
  ['facts are told of no deployment', 'if (_facts.gateway == address(0)) revert NoDeployment();', ''],
  ['nothing deployed is no failure', 'if (deployed == address(0)) revert DeploymentFailed();', ''],
  ['the constructor’s reason is lost', 'if and(iszero(deployed), gt(returndatasize(), 0))', 'if 0'],
  ['an address that hangs on no salt', 'mload(creation), salt)', 'mload(creation), 0)'],
  [
    'an address by CREATE',
    'create2(0, add(creation, 32), mload(creation), salt)',
    'create(0, add(creation, 32), mload(creation))',
  ],
  [
    'code without its last byte',
    'create2(0, add(creation, 32), mload(creation), salt)',
    'create2(0, add(creation, 32), sub(mload(creation), 1), salt)',
  ],
  [
    'another hash in the event',
    'emit Deployed(deployed, keccak256(creation), facts_)',
    'emit Deployed(deployed, salt, facts_)',
  ],
  ['no event', 'emit Deployed(deployed, keccak256(creation), facts_);', ''],
  ['another prefix of addresses', 'hex"ff"', 'hex"fe"'],
  ['addresses of another salt', 'address(this), salt, codeHash', 'address(this), codeHash, salt'],
  ['a gateway without code', 'facts_.gateway.code.length > 0 &&\n', 'true &&\n'],
  ['a gas service without code', 'facts_.gasService.code.length > 0 &&', 'true &&'],
  ['a registry without code', WHOLE, 'true &&'],
  ['no chain without a registry', WHOLE, 'facts_.swapFactory.code.length > 0 &&'],
  [
    'a wrapped asset without code',
    '(facts_.wrappedNative == address(0) || facts_.wrappedNative.code.length > 0) &&',
    'true &&',
  ],
  ['no window', 'facts_.proofWindow != 0 &&', ''],
  ['any name', '_isChainName(facts_.chainName);', 'true;'],
  ['names with spaces', 'uint8(name[length]) > 0x20', 'uint8(name[length]) > 0x1f'],
  ['names with gaps', '&& isPadded;', ';'],
  ['names of any length', ' && length <= MAXIMUM_CHAIN_NAME_LENGTH', ''],
  [
    'names of nineteen letters at most',
    'length <= MAXIMUM_CHAIN_NAME_LENGTH',
    'length < MAXIMUM_CHAIN_NAME_LENGTH',
  ],
  ['names with capitals', 'return isFolded(name) && length', 'return name != 0 && length'],
])

let started: Awaited<ReturnType<typeof startSides>>
before(async () => {
  started = await startSides()
})
after(() => started.stop())

/** Puts a factory of this code beside the others; it stands at one address of both chains. */
const withFactory = async (bytecode: Hex): Promise<FactoryWorld> => {
  const founder: Hex = '0xf000000000000000000000000000000000000003'
  const [one, two] = started.sides
  const [a, b] = [
    { ...one, factory: await create(one, founder, factoryCode(OWNER, bytecode)) },
    { ...two, factory: await create(two, founder, factoryCode(OWNER, bytecode)) },
  ]
  assert.equal(a.factory, b.factory)
  return { a, b, bytecode }
}

const failureOf = (bytecode: Hex) => findFailure(started.sides, () => withFactory(bytecode), FACTORY_CASES)

testMutants({
  subject: 'factory',
  file: 'factory/ContractFactory.sol',
  contract: 'ContractFactory',
  mutants: MUTANTS,
  unchanged: WORLD_ARTIFACTS.factory.bytecode,
  failureOf,
})
