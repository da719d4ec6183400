import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pairsOf } from '../../../test/backend-world.ts'
import { type IntentWorld, sharedIntents } from '../../../test/intent-world.ts'
import type { NetworkChain } from '../../core/network.ts'
import { intentRoutes } from './routes.ts'
import { createSettlerChecks } from './settler-checks.ts'

let world: IntentWorld
before(async () => {
  world = await sharedIntents.start()
})
after(sharedIntents.stop)

const STRANGER = '0x000000000000000000000000000000000000dEaD'

type Changed = { readonly chain: NetworkChain; readonly refundDelaySeconds?: number }
type Change = (chain: NetworkChain) => Changed

/** The answer for a route of the world to or from its first chain when the network file says something else of that chain. */
const whyUnfit = async (change: Change, isSource: boolean) => {
  const { catalog, deps } = world
  const route = pairsOf(world, world.backend)
    .map(intentRoutes({ ...deps, attester: undefined }).between)
    .find((one) => one !== undefined && one[isSource ? 'from' : 'to'].chain === catalog.chains[0])
  const [first, ...others] = catalog.chains
  assert.ok(route !== undefined && first !== undefined && deps.network.intent !== undefined)
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
  const decline = await checks.whyUnfit(route)
  await checks.whyUnfit(route)
  await checks.stop()
  return { reason: decline?.declined === 'unpriced' ? decline.reason : decline, logged }
}

const withAxelar =
  (change: Partial<NonNullable<NetworkChain['axelar']>>): Change =>
  (chain) => {
    assert.ok(chain.axelar)
    return { chain: { ...chain, axelar: { ...chain.axelar, ...change } } }
  }

const CHANGES: readonly (readonly [what: string, change: Change])[] = [
  ['another gateway', withAxelar({ gateway: STRANGER })],
  ['another name', withAxelar({ name: 'elsewhere' })],
  ['a longer proof window', (chain) => ({ chain, refundDelaySeconds: 1 })],
  ['no settler', (chain) => ({ chain: { ...chain, intent: { ...chain.intent, settler: STRANGER } } })],
]

test('a route whose settlers confirm the network file is quoted', async () => {
  for (const isSource of [true, false])
    assert.deepEqual(await whyUnfit((chain) => ({ chain }), isSource), { reason: undefined, logged: [] })
})

for (const [what, change] of CHANGES)
  test(`a route from or to a settler with ${what} is not quoted, and that is logged once`, async () => {
    for (const isSource of [true, false]) {
      const { reason, logged } = await whyUnfit(change, isSource)
      assert.match(String(reason), /^the settler of eip155:\d+ does not confirm the network file$/)
      assert.deepEqual(logged, ['settler_differs'])
    }
  })
