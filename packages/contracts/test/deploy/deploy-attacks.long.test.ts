import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ownArtifact } from '@openrfq/sandbox/test/contract-deployer.ts'
import { CONST_ADDRESS_DEPLOYER } from 'openrfq/src/app/deploy/contract-family.ts'
import { encodeDeployData, encodeFunctionData, getContractAddress, type Hex, keccak256, toHex } from 'viem'
import { factoryCode, STRANGER } from '../settlers/world.ts'
import { KEY, networkIn, OWNER, openPlaces, type Place, planIn } from './places.ts'

const SALT = 'a family'
const COST = 10n ** 18n
const DEPLOYER_ABI = ownArtifact('test/OtherDeployer').abi

let place: Place
let folder: string
let stop: () => Promise<void>
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rfq-deploy-'))
  const opened = await openPlaces(['Ethereum'])
  const [only] = opened.places
  assert.ok(only)
  place = only
  stop = async () => {
    await opened.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
after(() => stop())

const plan = () => planIn(networkIn(folder, [place]), OWNER, SALT)
const codeAt = async (address: Hex): Promise<Hex> => {
  // CAST: anvil answers hex.
  return (await place.rpc('eth_getCode', address, 'latest')) as Hex
}
const runtimeOf = async (name: string, args: readonly unknown[] = []): Promise<Hex> => {
  const data = encodeDeployData({ ...ownArtifact(name), args })
  // CAST: a call that creates a contract answers its code.
  return (await place.rpc('eth_call', { from: STRANGER, data, gas: '0xf00000' }, 'latest')) as Hex
}

/** The problems of the plan while other code stands at an address. The chain gets no transaction and no overlay. */
const problemsWith = async (address: Hex, code: Hex): Promise<string> => {
  const before = await codeAt(address)
  await place.rpc('anvil_setCode', address, code)
  const deployment = await plan()
  const overlay = join(folder, 'overlay.json')
  assert.equal(await deployment.writeTo(overlay), false)
  assert.equal(existsSync(overlay), false)
  await place.rpc('anvil_setCode', address, before)
  const [found] = deployment.plans
  assert.deepEqual(found?.steps, [])
  return found.problems.join('; ')
}

test('a chain that gives contracts other addresses than CREATE2 is found before anything is sent', async () => {
  const block = await place.rpc('eth_blockNumber')
  const other = await runtimeOf('test/OtherDeployer')
  assert.match(
    await problemsWith(CONST_ADDRESS_DEPLOYER, other),
    /^factory would stand at 0x.* and not at 0x.*: this chain computes addresses of CREATE2 otherwise$/,
  )
  assert.match(
    await problemsWith(CONST_ADDRESS_DEPLOYER, await runtimeOf('test/Puppet')),
    /^factory would not be deployed: /,
  )
  const planned = await plan()
  const before = await codeAt(CONST_ADDRESS_DEPLOYER)
  await place.rpc('anvil_setCode', CONST_ADDRESS_DEPLOYER, other)
  await assert.rejects(
    planned.send(KEY, COST, () => assert.fail('it was sent')),
    /CREATE2 otherwise/,
  )
  await place.rpc('anvil_setCode', CONST_ADDRESS_DEPLOYER, before)
  assert.equal(await place.rpc('eth_blockNumber'), block)
})

test('A8: only the owner can put a factory at its address, and a copied call gets another address', async (t) => {
  const { family } = await plan()
  const { factoryCall, factory } = family
  const events = await place.send({ from: STRANGER, ...factoryCall })
  assert.ok(events.events, 'the copied call succeeds')
  assert.equal(await codeAt(factory), '0x')
  for (const salt of [keccak256(toHex(SALT)), keccak256(toHex('another'))]) {
    const data = encodeFunctionData({
      abi: DEPLOYER_ABI,
      functionName: 'deploy',
      args: [factoryCode(STRANGER), salt],
    })
    await place.run({ from: STRANGER, to: CONST_ADDRESS_DEPLOYER, data })
  }
  // The first transactions of a stranger's key, as by CREATE, reach no address of the family either.
  for (let nonce = 0n; nonce < 100n; nonce++)
    assert.notEqual(getContractAddress({ from: STRANGER, nonce }), factory)
  assert.equal(await codeAt(factory), '0x')
  const deployment = await plan()
  assert.equal(deployment.plans[0]?.steps.length, 4)
  await deployment.send(KEY, COST, () => undefined)
  t.diagnostic('cost: gas of three deployments; gain: none, the owner deploys as before')
})

test('reports foreign code at the address of a contract, even if it answers like ours, and never writes it into the overlay', async () => {
  const { family, plans } = await plan()
  assert.deepEqual(plans[0]?.done, ['factory', 'intent', 'attested', 'express'])
  const addresses = [
    ['factory', family.factory] as const,
    ...family.contracts.map((one) => [one.role, one.address] as const),
  ]
  for (const [what, address] of addresses) {
    const own = await codeAt(address)
    const codes = {
      'reverts at every call': await runtimeOf('test/Puppet'),
      'answers nothing': '0x00',
      'answers every call with its own word': '0x60005460005260206000f3',
      'the same code and one byte more': `${own}00`,
      'one byte less': own.slice(0, -2),
      'an altered instruction': own.replace(/^0x60(..)/, '0x61$1'),
    } as const
    // CAST: hex as it is written above.
    for (const [name, code] of Object.entries(codes))
      assert.match(await problemsWith(address, code as Hex), new RegExp(`^${what}: the code at`), name)
  }
})

test('a factory of another owner, and a contract that knows another chain, are problems', async () => {
  const { family } = await plan()
  const other = await runtimeOf('factory/ContractFactory', [STRANGER])
  assert.match(
    await problemsWith(family.factory, other),
    /^factory: its owner is 0x5000.*, and the network file's 0x/,
  )
  const attested = family.contracts.find(({ role }) => role === 'attested')?.address
  assert.ok(attested)
  const own = await codeAt(attested)
  const chain = keccak256(toHex('eip155:31337')).slice(2)
  assert.ok(own.includes(chain))
  // CAST: hex with one word replaced.
  const moved = own.replaceAll(chain, keccak256(toHex('eip155:1')).slice(2)) as Hex
  assert.match(await problemsWith(attested, moved), /^attested: its chain is 0x/)
})
