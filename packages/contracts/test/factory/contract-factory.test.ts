import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { concat, getContractAddress, type Hex, keccak256, pad, toHex, zeroAddress, zeroHash } from 'viem'
import {
  DEPOSITOR,
  deployBy,
  type Facts,
  factoryCode,
  factsOf,
  OWNER,
  SETTLER_ARTIFACT,
  type Side,
  STRANGER,
  startSides,
} from '../settlers/world.ts'

type Bare = Omit<Side, 'settler'>
/** Creation code that returns one byte of code, and code that reverts with the word 7. */
const SMALL: Hex = '0x600160005260016000f3'
const REVERTING: Hex = '0x600760005260206000fd'

let a: Bare
let b: Bare
let stop: () => Promise<void>
before(async () => {
  const started = await startSides()
  ;[a, b] = started.sides
  stop = started.stop
})
after(() => stop())

const deployCall = (side: Bare, code: Hex, salt: Hex, facts: Facts = factsOf(side), from = OWNER) => ({
  from,
  to: side.factory,
  data: side.encode('deploy', [code, salt, facts]),
})

test('one code and salt stands at one address of every chain, whatever the facts', async () => {
  const salt = pad('0x01')
  const [one, two] = [
    await deployBy(a, SETTLER_ARTIFACT.bytecode, salt),
    await deployBy(b, SETTLER_ARTIFACT.bytecode, salt, { ...factsOf(b), proofWindow: 7 }),
  ]
  assert.equal(one, two)
  const hash = keccak256(SETTLER_ARTIFACT.bytecode)
  const expected = getContractAddress({ opcode: 'CREATE2', from: a.factory, salt, bytecodeHash: hash })
  assert.equal(one, expected)
  for (const [side, name, seconds] of [
    [a, 'sandbox-a', 600],
    [b, 'sandbox-b', 7],
  ] as const) {
    assert.equal(await side.read(one, 'chainName', []), toHex(name, { size: 32 }))
    assert.equal(await side.read(one, 'proofWindow', []), seconds)
    assert.equal(await side.read(one, 'gateway', []), side.gateway)
    assert.equal(await side.read(one, 'gasService', []), side.gasService)
  }
})

test('a deployment names its contract, code and facts', async () => {
  const salt = pad('0x02')
  const events = await a.run(deployCall(a, SMALL, salt))
  const deployed = await a.read(a.factory, 'addressOf', [keccak256(SMALL), salt])
  assert.deepEqual(events.find(({ eventName }) => eventName === 'Deployed')?.args, {
    deployed,
    codeHash: keccak256(SMALL),
    facts: factsOf(a),
  })
})

test('only the owner deploys, and once per code and salt', async () => {
  const salt = pad('0x03')
  for (const from of [STRANGER, DEPOSITOR])
    assert.equal(await a.refusal(deployCall(a, SMALL, salt, factsOf(a), from)), 'NotOwner')
  await a.run(deployCall(a, SMALL, salt))
  assert.equal(await a.refusal(deployCall(a, SMALL, salt)), 'DeploymentFailed')
  assert.equal(await a.refusal(deployCall(a, SMALL, pad('0x04'))), undefined)
  assert.equal(await a.refusal(deployCall(a, concat([SMALL, '0x00']), salt)), undefined)
})

test('a constructor that reverts says why', async () => {
  const data = deployCall(a, REVERTING, pad('0x05')).data
  const call = { from: OWNER, to: a.factory, data }
  await assert.rejects(a.rpc('eth_call', call, 'latest'), /0{63}7/)
})

test('facts are whole: contracts with code, a folded name of at most twenty bytes, and a window', async () => {
  const good = factsOf(a)
  for (const part of [
    { gateway: STRANGER },
    { gasService: STRANGER },
    { swapFactory: STRANGER },
    { wrappedNative: STRANGER },
    { proofWindow: 0 },
    { chainName: zeroHash },
    { chainName: toHex('Sandbox-A', { size: 32 }) },
    { chainName: toHex('a-name-of-21-letters-', { size: 32 }) },
    { chainName: toHex('with space', { size: 32 }) },
    { chainName: toHex('gap\u0000gap', { size: 32 }) },
    { chainName: toHex('caf\u00e9', { size: 32 }) },
    { chainName: pad('0x61') },
  ])
    assert.equal(await a.refusal(deployCall(a, SMALL, zeroHash, { ...good, ...part })), 'InvalidFacts')
  for (const chainName of ['a', 'xrpl-evm', 'a-name-of-20-letters'])
    assert.equal(
      await a.refusal(deployCall(a, SMALL, zeroHash, { ...good, chainName: toHex(chainName, { size: 32 }) })),
      undefined,
    )
})

test('nobody reads facts but in a deployment, and nothing deploys itself', async () => {
  const facts = { from: STRANGER, to: a.factory, data: a.encode('facts', []) }
  assert.equal(await a.refusal(facts), 'NoDeployment')
  await a.run(deployCall(a, SMALL, pad('0x06')))
  assert.equal(await a.refusal(facts), 'NoDeployment')
  const bare = { from: STRANGER, data: SETTLER_ARTIFACT.bytecode, gas: '0xf00000' }
  await assert.rejects(a.rpc('eth_call', bare, 'latest'))
})

test('a factory has an owner', async () => {
  const call = { from: STRANGER, data: factoryCode(zeroAddress), gas: '0xf00000' }
  await assert.rejects(a.rpc('eth_call', call, 'latest'))
  assert.notEqual(factoryCode(OWNER), factoryCode(STRANGER), 'another owner’s factory stands elsewhere')
})
