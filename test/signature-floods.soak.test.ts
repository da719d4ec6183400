import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { solanaKey } from '@openrfq/sandbox/src/solana/keys.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { openSoak } from 'openrfq/test/soak.ts'
import { openBooks } from './attack-books.ts'
import { type FamiliesWorld, startFamiliesWorld } from './families-world.ts'
import { createSignatureScene } from './signature-scene.ts'
import { openSolanaFlooder } from './solana-flooder.ts'

const { of } = openSoak()
const SIGNATURES = of(80_000)
const LAMPORTS = 1_000_000_000n

let world: FamiliesWorld
before(async () => {
  world = await startFamiliesWorld()
})
after(() => world?.stop())

test(`transfers to and from Solana end during and after ${SIGNATURES} transactions that name their accounts`, async (context: TestContext) => {
  const scene = createSignatureScene(world)
  const attacker = solanaKey('attacker')
  const { chain } = scene
  await world.fund(chain, world.tokenOf(chain, /^SOL$/), attacker.address, LAMPORTS)
  const flooder = await openSolanaFlooder(chain.rpcUrl, attacker, await scene.accounts())
  await eventually('the attacker is funded', async () => (await flooder.balance()) === LAMPORTS)
  const books = await openBooks(async () => ({
    attacker: await flooder.balance(),
    ...(await scene.holdings()),
  }))
  await scene.deliver(context, 'evm', 'solana')
  const startedAt = performance.now()
  let isOver = false
  const flood = flooder.flood(SIGNATURES).finally(() => {
    isOver = true
  })
  do {
    await scene.deliver(context, 'evm', 'solana')
    await scene.deliver(context, 'solana', 'evm')
    await scene.refund(context, 'solana', 'evm')
  } while (!isOver)
  await flood
  context.diagnostic(`${SIGNATURES} transactions in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  await scene.deliver(context, 'evm', 'solana')
  await scene.deliver(context, 'solana', 'evm')
  await scene.refund(context, 'solana', 'evm')
  await scene.refund(context, 'stellar', 'solana')
  const { attacker: change } = await books.print(context)
  assert.equal(change, -BigInt(SIGNATURES) * flooder.cost)
})
