import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  concat,
  getContractAddress,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  size,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
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
} from '../settlers/world.ts'

/** Two chains with the factory under test. */
export type FactoryWorld = {
  readonly a: Bare
  readonly b: Bare
  /** The factory's creation code, without its owner. */
  readonly bytecode: Hex
}
type Bare = Omit<Side, 'settler'>
/** Creation code that returns one byte of code, and code that reverts with the word 7. */
const SMALL: Hex = '0x600160005260016000f3'
const REVERTING: Hex = '0x600760005260206000fd'

/** Creation code that calls its creator with data, and returns whether that succeeded as one byte of code. */
const callingBack = (data: Hex): Hex => {
  const length = numberToHex(size(data), { size: 2 }).slice(2)
  // codecopy(0, 30, length); call(gas, caller, 0, 0, length, 0, 0); mstore8(0, result); return(0, 1)
  const code = `0x61${length}601e6000396000600061${length}60006000335af160005360016000f3` as const
  return concat([code, data])
}

const deployCall = (side: Bare, code: Hex, salt: Hex, facts: Facts = factsOf(side), from = OWNER) => ({
  from,
  to: side.factory,
  data: side.encode('deploy', [code, salt, facts]),
})

/** What the factory does and refuses. */
export const FACTORY_CASES: readonly {
  readonly name: string
  readonly run: (world: FactoryWorld) => Promise<void>
}[] = [
  {
    name: 'one code and salt has one address on every chain, for all facts',
    run: async ({ a, b }) => {
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
    },
  },
  {
    name: 'a deployment names its contract, code and facts',
    run: async ({ a }) => {
      const salt = pad('0x02')
      const events = await a.run(deployCall(a, SMALL, salt))
      const deployed = await a.read(a.factory, 'addressOf', [keccak256(SMALL), salt])
      assert.deepEqual(events.find(({ eventName }) => eventName === 'Deployed')?.args, {
        deployed,
        codeHash: keccak256(SMALL),
        facts: factsOf(a),
      })
    },
  },
  {
    name: 'only the owner deploys, and once per code and salt',
    run: async ({ a }) => {
      const salt = pad('0x03')
      for (const from of [STRANGER, DEPOSITOR])
        assert.equal(await a.refusal(deployCall(a, SMALL, salt, factsOf(a), from)), 'NotOwner')
      await a.run(deployCall(a, SMALL, salt))
      assert.equal(await a.refusal(deployCall(a, SMALL, salt)), 'DeploymentFailed')
      assert.equal(await a.refusal(deployCall(a, SMALL, pad('0x04'))), undefined)
      assert.equal(await a.refusal(deployCall(a, concat([SMALL, '0x00']), salt)), undefined)
    },
  },
  {
    name: 'a constructor that reverts says why',
    run: async ({ a }) => {
      const data = deployCall(a, REVERTING, pad('0x05')).data
      const call = { from: OWNER, to: a.factory, data }
      await assert.rejects(a.rpc('eth_call', call, 'latest'), /0{63}7/)
    },
  },
  {
    name: 'facts are whole: contracts with code, a folded name of at most twenty bytes, and a window',
    run: async ({ a }) => {
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
          await a.refusal(
            deployCall(a, SMALL, zeroHash, { ...good, chainName: toHex(chainName, { size: 32 }) }),
          ),
          undefined,
        )
    },
  },
  {
    name: 'facts can be read only during a deployment, and nothing deploys itself',
    run: async ({ a }) => {
      const facts = { from: STRANGER, to: a.factory, data: a.encode('facts', []) }
      assert.equal(await a.refusal(facts), 'NoDeployment')
      await a.run(deployCall(a, SMALL, pad('0x06')))
      assert.equal(await a.refusal(facts), 'NoDeployment')
      const bare = { from: STRANGER, data: SETTLER_ARTIFACT.bytecode, gas: '0xf00000' }
      await assert.rejects(a.rpc('eth_call', bare, 'latest'))
    },
  },
  {
    name: 'a factory has an owner',
    run: async ({ a, bytecode }) => {
      const call = { from: STRANGER, data: factoryCode(zeroAddress, bytecode), gas: '0xf00000' }
      await assert.rejects(a.rpc('eth_call', call, 'latest'))
      assert.notEqual(factoryCode(OWNER), factoryCode(STRANGER), 'another owner’s factory stands elsewhere')
    },
  },
  {
    name: 'random code, salts and facts: deployed where both chains compute, told in the event, forgotten after',
    run: async ({ a, b }) => {
      const bytes = (size: number) =>
        fc.uint8Array({ minLength: size, maxLength: size }).map((value) => toHex(value))
      const letters = fc.string({ unit: fc.constantFrom(...'abcxyz019-._~!'), minLength: 1, maxLength: 20 })
      const deployment = fc.record({
        salt: bytes(32),
        tail: fc.uint8Array({ maxLength: 64 }).map((value) => toHex(value)),
        name: letters,
        proofWindow: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
      })
      await fc.assert(
        fc.asyncProperty(deployment, async ({ salt, tail, name, proofWindow }) => {
          const code = concat([SMALL, tail])
          const expected = getContractAddress({ opcode: 'CREATE2', from: a.factory, salt, bytecode: code })
          for (const side of [a, b]) {
            const facts = { ...factsOf(side), chainName: toHex(name, { size: 32 }), proofWindow }
            const events = await side.run(deployCall(side, code, salt, facts))
            assert.deepEqual(events.find(({ eventName }) => eventName === 'Deployed')?.args, {
              deployed: expected,
              codeHash: keccak256(code),
              facts,
            })
            assert.equal(await side.refusal(deployCall(side, code, salt, facts)), 'DeploymentFailed')
            const read = { from: STRANGER, to: side.factory, data: side.encode('facts', []) }
            assert.equal(await side.refusal(read), 'NoDeployment')
          }
        }),
        { numRuns: 40 },
      )
    },
  },
  {
    name: 'a constructor that calls the factory back deploys nothing by it',
    run: async ({ a }) => {
      const inner = deployCall(a, SMALL, pad('0x07')).data
      const [salt, code] = [pad('0x08'), callingBack(inner)]
      await a.run(deployCall(a, code, salt))
      const own = await a.read(a.factory, 'addressOf', [keccak256(code), salt])
      const wanted = await a.read(a.factory, 'addressOf', [keccak256(SMALL), pad('0x07')])
      assert.equal(await a.rpc('eth_getCode', wanted, 'latest'), '0x')
      // The constructor leaves whether its call succeeded as its one byte of code.
      assert.equal(await a.rpc('eth_getCode', own, 'latest'), '0x00')
    },
  },
]
