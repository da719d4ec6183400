import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'
import { absentParts } from './absent-parts.ts'
import { type FamiliesWorld, type FamilyChain, startFamiliesWorld } from './families-world.ts'

let world: FamiliesWorld

before(async () => {
  world = await startFamiliesWorld()
})
after(() => world.stop())

const bodyOf = (from: FamilyChain, to: FamilyChain) => ({
  fromChain: from.chainId,
  fromToken: world.tokenOf(from, /USDC/).address,
  toChain: to.chainId,
  toToken: world.tokenOf(to, /USDC/).address,
  amount: (10n * 10n ** BigInt(world.tokenOf(from, /USDC/).decimals)).toString(),
  orderType: 'EXACT_INPUT',
  sender: world.accountOf(from, 0).address,
  recipient: world.accountOf(to, 1).address,
})

/** Whether solvers' quotes are answered for a pair: 200 with an intent, or 200 without one. */
const isQuoted = async (from: FamilyChain, to: FamilyChain): Promise<boolean> => {
  const { status, body } = await fetchJson<{ quotes: { backend: { type: string } }[] }>(
    `${world.url}/v1/rfq/quote`,
    bodyOf(from, to),
  )
  assert.equal(status, 200, JSON.stringify(body))
  return body.quotes.some(({ backend }) => backend.type === 'intent')
}

const absent = (): Promise<readonly string[]> => absentParts(world)

test('while the attester is stopped, pairs that need it get an empty list and /readyz names its chains; later they are quoted again', async () => {
  const [evm, solana, stellar] = (['evm', 'solana', 'stellar'] as const).map(world.chainOf)
  const other = world.sandbox.chains.find(
    ({ chainType, chainId }) => chainType === 'evm' && chainId !== evm?.chainId,
  )
  assert.ok(evm && solana && stellar && other)
  const attested = [
    [evm, solana],
    [solana, evm],
    [evm, stellar],
    [stellar, solana],
  ] as const
  for (const [from, to] of attested) await eventually('quoted at first', () => isQuoted(from, to))
  assert.deepEqual(
    (await absent()).filter((name) => name.startsWith('attester')),
    [],
  )

  await world.control('/sandbox/attester', { paused: true })
  for (const [from, to] of attested)
    await eventually('not quoted without attester', async () => !(await isQuoted(from, to)))
  assert.ok(await isQuoted(evm, other), 'a pair without an attester stays quoted')
  const named = await absent()
  assert.ok(
    named.includes(`attester ${solana.chainId}`) && named.includes(`attester ${stellar.chainId}`),
    `${named}`,
  )
  const metrics = await (await fetch(`${world.url}/metrics`)).text()
  assert.match(metrics, /openrfq_attester_behind\{chain="solana:[^"]+"\} 1/)

  await world.control('/sandbox/attester', { paused: false })
  for (const [from, to] of attested) await eventually('quoted again', () => isQuoted(from, to))
  assert.deepEqual(
    (await absent()).filter((name) => name.startsWith('attester')),
    [],
  )
})
