import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChainId } from '@openrfq/sdk'
import { uintWord } from '../../chains/evm/abi-words.ts'
import { NetworkChain } from '../../core/network.ts'
import { AxelarError } from './axelar-error.ts'
import { createCarriage } from './carriage.ts'
import { createAxelarCore } from './core.ts'
import type { Lcd } from './lcd.ts'

const GATEWAY = `0x${'1'.repeat(40)}`
const [ONE, TWO, FAR] = ['eip155:1', 'eip155:2', 'eip155:3']

const chainOf = (chainId: string, name: string, connectionType: 'consensus' | 'amplifier') =>
  NetworkChain.parse({
    ...{ chainId, chainLabel: name, chainType: 'evm', rpcUrls: ['http://localhost'], finality: 1 },
    nativeToken: { symbol: 'ETH', decimals: 18 },
    axelar: {
      ...{ name, connectionType, gateway: GATEWAY, gasService: GATEWAY },
      ...{ finalitySeconds: 1, executeGasLimit: 1 },
    },
  })
const CHAINS = [
  chainOf(ONE, 'One', 'consensus'),
  chainOf(TWO, 'two', 'consensus'),
  chainOf(FAR, 'far', 'amplifier'),
]

/** A node of Axelar, gateways and a clock that a test changes. */
const scene = () => {
  const state = {
    active: ['one', 'Two'],
    confirmed: true,
    isDown: false,
    frozen: 0,
    enabled: true,
    paused: new Set<string>(),
    silent: new Set<string>(),
    time: 0,
    asked: [] as string[],
  }
  const lcd: Pick<Lcd, 'read'> = {
    read: async (path, schema) => {
      state.asked.push(path)
      if (state.isDown) throw new AxelarError('NO_ANSWER', 'down')
      if (path.startsWith('/axelar/evm/v1beta1/chains')) return schema.parse({ chains: state.active })
      if (path.includes('/smart/')) {
        const asked = Buffer.from(decodeURIComponent(path.split('/smart/')[1] ?? ''), 'base64').toString(
          'utf8',
        )
        return schema.parse({
          data: asked.includes('is_enabled') ? state.enabled : { frozen_status: state.frozen },
        })
      }
      if (path.includes('symbol=NOPE')) throw new AxelarError('REFUSED', 'not found')
      return schema.parse({ confirmed: state.confirmed })
    },
  }
  const evmChains = new Map(
    CHAINS.map(({ chainId }) => [
      chainId,
      {
        callAgreed: async () => {
          if (state.silent.has(chainId)) throw new Error('no quorum')
          return [state.paused.has(chainId) ? `0x${uintWord(1n)}` : undefined]
        },
      },
    ]),
  )
  const carriage = createCarriage({
    ...{ chains: CHAINS, evmChains, lcd, now: () => state.time, log: () => undefined },
    routerAddress: 'axelar1router',
  })
  const later = (): void => {
    state.time += 61_000
  }
  return { state, carriage, later }
}
type State = ReturnType<typeof scene>['state']

const CASES: Readonly<Record<string, readonly [(state: State) => void, readonly (boolean | undefined)[]]>> = {
  'an active chain with an open gateway is carried': [() => undefined, [true, true, true]],
  'a deactivated chain is not carried': [(state) => void state.active.splice(0, 1), [false, true, true]],
  'a paused gateway is not carried, on an amplifier chain either': [
    (state) => void state.paused.add(TWO).add(FAR),
    [true, false, false],
  ],
  'without an answer of core nothing is known of a consensus chain': [
    (state) => void Object.assign(state, { isDown: true }),
    [undefined, undefined, undefined],
  ],
  'an amplifier chain that the router has frozen is not carried': [
    (state) => void Object.assign(state, { frozen: 2 }),
    [true, true, false],
  ],
  'no amplifier chain is carried while the router is disabled': [
    (state) => void Object.assign(state, { enabled: false }),
    [true, true, false],
  ],
  'a node that has no chain at all is not believed': [
    (state) => void state.active.splice(0),
    [undefined, undefined, true],
  ],
  'a gateway that no quorum gives is unknown': [
    (state) => void state.silent.add(ONE),
    [undefined, true, true],
  ],
}
for (const [what, [change, expected]] of Object.entries(CASES))
  test(what, async () => {
    const { state, carriage } = scene()
    change(state)
    const read: (boolean | undefined)[] = []
    for (const chainId of [ONE, TWO, FAR]) read.push(await carriage.read(chainId))
    assert.deepEqual(read, expected)
    assert.deepEqual(
      [ONE, TWO, FAR].map((chainId) => carriage.of(chainId)),
      expected,
    )
  })

test('a chain without Axelar is never carried', async () => {
  const { carriage } = scene()
  assert.equal(await carriage.read('eip155:9'), undefined)
  assert.equal(await carriage.readToken('eip155:9', 'USDC'), false)
})

test('a gateway token is carried where core has confirmed it, and never on an amplifier chain', async () => {
  const { state, carriage, later } = scene()
  const tell = (chainId: ChainId, symbol = 'USDC') => carriage.readToken(chainId, symbol)
  assert.deepEqual([await tell(ONE), await tell(FAR), await tell(ONE, 'NOPE')], [true, false, false])
  assert.equal(carriage.ofToken(ONE, 'USDC'), true)
  state.confirmed = false
  assert.equal(await tell(ONE), true, 'a minute of trust')
  later()
  assert.equal(carriage.ofToken(ONE, 'USDC'), undefined)
  assert.equal(await tell(ONE), false)
})

test('what was read is trusted for a minute, and one call tells all chains', async () => {
  const { state, carriage, later } = scene()
  assert.deepEqual([await carriage.read(ONE), await carriage.read(TWO)], [true, true])
  state.active = ['three']
  assert.equal(carriage.of(ONE), true)
  later()
  assert.equal(carriage.of(ONE), undefined)
  assert.deepEqual([await carriage.read(ONE), await carriage.read(TWO)], [false, false])
  assert.equal(state.asked.length, 2)
})

test("core's word on an event is read, and an event that it does not know is none", async () => {
  let answer: unknown = { event: { status: 'STATUS_FAILED', chain: 'one' } }
  const core = createAxelarCore({
    read: async (path, schema) => {
      assert.equal(path, '/axelar/evm/v1beta1/event/One/0xab-3')
      if (answer instanceof Error) throw answer
      return schema.parse(answer)
    },
  })
  assert.equal(await core.eventStatus('One', '0xab-3'), 'failed')
  answer = new AxelarError('REFUSED', 'no event with ID')
  assert.equal(await core.eventStatus('One', '0xab-3'), undefined)
  answer = new AxelarError('NO_ANSWER', 'down')
  await assert.rejects(core.eventStatus('One', '0xab-3'))
})
