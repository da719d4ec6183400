import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type IntentWorld, sharedIntents } from '../../../test/intent-world.ts'
import type { NetworkChain } from '../../core/network.ts'
import { createSettlerChecks } from './settler-checks.ts'

let world: IntentWorld
before(async () => {
  world = await sharedIntents.start()
})
after(sharedIntents.stop)

const STRANGER = '0x000000000000000000000000000000000000dEaD'

type Changed = { readonly chain: NetworkChain; readonly refundDelaySeconds?: number }
type Change = (chain: NetworkChain) => Changed

/** Whether the settler of the first chain confirms a network file that says something else of that chain. */
const checked = async (change: Change) => {
  const { catalog, deps } = world
  const [first, ...others] = catalog.chains
  assert.ok(first !== undefined && deps.network.intent !== undefined)
  const { chain, refundDelaySeconds = deps.network.intent.refundDelaySeconds } = change(first)
  const logged: string[] = []
  const checks = createSettlerChecks({
    chains: [chain, ...others],
    evmChains: deps.evmChains,
    refundDelaySeconds,
    now: Date.now,
    log: (_level, event) => logged.push(event),
  })
  await checks.start()
  const answers = [
    await checks.confirms('intent', first.chainId),
    checks.lastConfirmed('intent', first.chainId),
  ]
  await checks.stop()
  return { answers, logged }
}

const withAxelar =
  (change: Partial<NonNullable<NetworkChain['axelar']>>): Change =>
  (chain) => {
    assert.ok(chain.axelar)
    return { chain: { ...chain, axelar: { ...chain.axelar, ...change } } }
  }

const CHANGES: readonly (readonly [what: string, change: Change])[] = [
  ['another gateway', withAxelar({ gateway: STRANGER })],
  ['another gas service', withAxelar({ gasService: STRANGER })],
  ['another name', withAxelar({ name: 'elsewhere' })],
  ['a longer proof window', (chain) => ({ chain, refundDelaySeconds: 1 })],
  ['no settler', (chain) => ({ chain: { ...chain, intent: { ...chain.intent, settler: STRANGER } } })],
]

test('a settler that is what the network file says confirms it', async () => {
  assert.deepEqual(await checked((chain) => ({ chain })), { answers: [true, true], logged: [] })
})

for (const [what, change] of CHANGES)
  test(`a settler with ${what} does not confirm the network file, and that is logged once`, async () => {
    assert.deepEqual(await checked(change), { answers: [false, false], logged: ['settler_differs'] })
  })
