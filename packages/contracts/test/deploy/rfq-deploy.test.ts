import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { CONST_ADDRESS_DEPLOYER } from 'openrfq/src/app/deploy/contract-family.ts'
import { isComplete } from 'openrfq/src/app/deploy/deploy.ts'
import { safeBatch } from 'openrfq/src/app/deploy/send-steps.ts'
import { type Hex, numberToHex } from 'viem'
import { type ChangeAxelar, KEY, networkIn, OWNER, openPlaces, type Place, planIn } from './places.ts'

const SALT = 'a family'
const COST = 10n ** 18n

let places: readonly Place[]
let folder: string
let stop: () => Promise<void>
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rfq-deploy-'))
  const opened = await openPlaces(['Ethereum', 'binance', 'arbitrum', 'Polygon'])
  places = opened.places
  stop = async () => {
    await opened.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
after(() => stop())

const networkOf = (count: number, change?: ChangeAxelar) => networkIn(folder, places.slice(0, count), change)

const planOf = (network: ReturnType<typeof networkOf>) => planIn(network, OWNER, SALT)

test('one command deploys everything to three fresh chains, and repeats without effect', async () => {
  const network = networkOf(3)
  const first = await planOf(network)
  for (const { steps, done, problems, chain } of first.plans) {
    assert.deepEqual(
      steps.map(({ what }) => what),
      ['factory', 'intent', 'attested', 'express'],
    )
    assert.deepEqual([done, problems], [[], []])
    assert.equal(chain.facts.proofWindow, 2700)
  }
  const sent: string[] = []
  await first.send(KEY, COST, (chainId, { step }) => sent.push(`${chainId} ${step.what}`))
  assert.equal(sent.length, 12)
  const again = await planOf(network)
  assert.ok(again.plans.every(isComplete))
  for (const { done } of again.plans) assert.deepEqual(done, ['factory', 'intent', 'attested', 'express'])
  await again.send(KEY, COST, () => assert.fail('nothing is left to send'))
  for (const { rpc } of places.slice(0, 3))
    for (const { address } of again.family.contracts)
      assert.notEqual(await rpc('eth_getCode', address, 'latest'), '0x')
})

test('the addresses of finished chains are written into the overlay once, beside what stands there', async () => {
  const overlay = join(folder, 'overlay.json')
  writeFileSync(
    overlay,
    JSON.stringify({ note: 'mine', chains: [{ chainId: 'eip155:31337', express: { returnGasCap: '7' } }] }),
  )
  const plan = await planOf(networkOf(3))
  assert.equal(await plan.writeTo(overlay), true)
  assert.equal(await plan.writeTo(overlay), false)
  const { note, chains } = JSON.parse(readFileSync(overlay, 'utf8'))
  const address = Object.fromEntries(
    plan.family.contracts.map((contract) => [contract.role, contract.address]),
  )
  assert.equal(note, 'mine')
  assert.equal(chains.length, 3)
  assert.deepEqual(chains[0], {
    chainId: 'eip155:31337',
    express: { returnGasCap: '7', router: address['express'] },
    intent: { settler: address['intent'] },
    attested: { finalitySeconds: 960, settler: address['attested'] },
  })
  const unfinished = await planIn(networkOf(4), OWNER, SALT, ['eip155:31340'])
  assert.equal(await unfinished.writeTo(join(folder, 'none.json')), false)
})

test('a fourth chain is added without touching the others', async () => {
  const before = await Promise.all(places.slice(0, 3).map(({ rpc }) => rpc('eth_blockNumber')))
  const plan = await planOf(networkOf(4))
  assert.deepEqual(
    plan.plans.map(({ steps }) => steps.length),
    [0, 0, 0, 4],
  )
  await plan.send(KEY, COST, () => undefined)
  assert.ok((await planOf(networkOf(4))).plans.every(isComplete))
  const later = await Promise.all(places.slice(0, 3).map(({ rpc }) => rpc('eth_blockNumber')))
  assert.deepEqual(later, before)
})

test('a wrong gateway, name or window of a deployed chain is found', async () => {
  const wrong = networkOf(4, (axelar, index) => {
    if (index === 0) return { ...axelar, gateway: axelar['gasService'], gasService: axelar['gateway'] }
    if (index === 1) return { ...axelar, name: 'fantom' }
    return index === 2 ? { ...axelar, finalitySeconds: 9000 } : axelar
  })
  const { plans } = await planOf(wrong)
  for (const [index, facts] of [
    [0, ['gateway', 'gasService']],
    [1, ['chainName']],
    [2, ['proofWindow']],
    [3, []],
  ] as const) {
    const { problems = [], steps } = plans[index] ?? {}
    assert.deepEqual(steps, [])
    assert.equal(problems.length > 0, facts.length > 0)
    for (const fact of facts)
      assert.ok(
        problems.some((problem) => problem.includes(`its ${fact} is`)),
        fact,
      )
  }
})

test('a chain that lacks what a deployment needs gets no transaction', async () => {
  const nobody = '0x00000000000000000000000000000000000000aa'
  const lacking = networkOf(2, (axelar, index) => (index === 0 ? { ...axelar, gateway: nobody } : axelar))
  const { plans } = await planIn(lacking, OWNER, 'another family')
  assert.deepEqual(plans[0]?.steps, [])
  assert.match(String(plans[0]?.problems), /axelar.gateway .* has no code/)
  assert.equal(plans[1]?.steps.length, 4)
})

test('another owner’s or salt’s family stands elsewhere, and only the owner’s key sends', async () => {
  const network = networkOf(1)
  const plan = await planIn(network, '0x00000000000000000000000000000000000000bb', SALT)
  const other = await planIn(network, OWNER, 'another salt')
  const own = await planOf(network)
  const factories = new Set([plan, other, own].map(({ family }) => family.factory))
  assert.equal(factories.size, 3)
  await assert.rejects(
    plan.send(KEY, COST, () => undefined),
    /owner alone can deploy/,
  )
  await assert.rejects(planIn(network, OWNER, SALT, ['eip155:1']), /no EVM chain eip155:1/)
})

test('an endpoint that asks a fortune for gas gets no transaction', async () => {
  const [place] = places
  assert.ok(place)
  const before = await place.rpc('eth_blockNumber')
  await place.rpc('anvil_setNextBlockBaseFeePerGas', numberToHex(10n ** 13n))
  const plan = await planIn(networkOf(1), OWNER, 'a dear family')
  await assert.rejects(
    plan.send(KEY, COST, () => assert.fail('it was sent')),
    /factory could cost .* more than 1: raise --max-cost/,
  )
  assert.equal(await place.rpc('eth_blockNumber'), before)
  await place.rpc('anvil_setNextBlockBaseFeePerGas', '0x0')
})

test('what a rollup charges beside gas counts, and one that does not tell it gets no transaction', async () => {
  const [place] = places
  assert.ok(place)
  const before = await place.rpc('eth_blockNumber')
  const { chains, ...rest } = networkOf(1)
  const rollup = { ...rest, chains: chains.map((chain) => ({ ...chain, l1Fee: 'op-stack' as const })) }
  const send = async () => {
    const plan = await planIn(rollup, OWNER, 'a family on a rollup')
    await plan.send(KEY, COST, () => assert.fail('it was sent'))
  }
  await assert.rejects(send, /eip155:31337: .* do not tell what it charges beside gas/)
  // An oracle that answers 10^18 to everything.
  await place.rpc('anvil_setCode', `0x42${'0'.repeat(37)}f`, '0x670de0b6b3a764000060005260206000f3')
  await assert.rejects(send, /factory could cost .* more than 1: raise --max-cost/)
  assert.equal(await place.rpc('eth_blockNumber'), before)
})

test('a chain that counts gas otherwise gets no contracts, which its file could not name', async () => {
  const { chains, ...rest } = networkOf(2)
  const network = {
    ...rest,
    chains: chains.map((chain, index) => (index === 0 ? { ...chain, gasScale: 444 } : chain)),
  }
  const { plans } = await planIn(network, OWNER, 'another family')
  assert.deepEqual(
    plans.map(({ chain }) => chain.chainId),
    ['eip155:31338'],
  )
  await assert.rejects(planIn(network, OWNER, SALT, ['eip155:31337']), /gasScale/)
})

test('a Safe gets the same calls unsigned', async () => {
  const safe: Hex = '0x00000000000000000000000000000000000000cc'
  const { plans, family } = await planIn(networkOf(1), safe, SALT)
  const [plan] = plans
  assert.ok(plan)
  const batch = safeBatch(plan, safe)
  assert.equal(batch.chainId, '31337')
  assert.deepEqual(
    batch.transactions.map(({ to }) => to),
    [CONST_ADDRESS_DEPLOYER, family.factory, family.factory, family.factory],
  )
  assert.equal(batch.meta.createdFromSafeAddress, safe)
})
