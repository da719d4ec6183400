import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from 'viem'
import type { Hex, SandboxChain } from '../deployment-types.ts'
import { decideHub, decimalsOnDeployment, refusalByState, scaledAmount, type TokenFacts } from './hub.ts'
import { createHubState, type HubTrouble } from './hub-state.ts'

const chainOf = (axelarName: string, maxUintBits: number, maxDecimals: number): SandboxChain => ({
  chainId: 'eip155:1',
  chainLabel: axelarName,
  axelarName,
  rpcUrl: '',
  gateway: '0x',
  gasService: '0x',
  its: '0x',
  itsFactory: '0x',
  factory: '0x',
  maxUintBits,
  maxDecimalsWhenTruncating: maxDecimals,
})
const WIDE = chainOf('wide', 256, 255)
const NARROW = chainOf('narrow', 64, 6)
const ITS = '0x1111111111111111111111111111111111111111'
const TOKEN_ID: Hex = `0x${'11'.repeat(32)}`
const WRAPPED = parseAbiParameters('uint256, string, bytes')
const TRANSFER = parseAbiParameters('uint256, bytes32, bytes, bytes, uint256, bytes')
const DEPLOYMENT = parseAbiParameters('uint256, bytes32, string, string, uint8, bytes')

const toHub = (destination: string, inner: Hex, kind = 3n): Hex =>
  encodeAbiParameters(WRAPPED, [kind, destination, inner])
const transferOf = (amount: bigint): Hex =>
  encodeAbiParameters(TRANSFER, [0n, TOKEN_ID, '0xaa', '0xbb', amount, '0x'])

const readToken = (chain: SandboxChain): Promise<TokenFacts> =>
  Promise.resolve({ name: 'Token', symbol: 'TKN', decimals: chain === WIDE ? 18 : 6 })
const decide = (source: SandboxChain, payload: Hex) => decideHub(source, payload, [WIDE, NARROW], readToken)

test('scales amounts down and never delivers more than was sent', () => {
  const decimals = fc.integer({ min: 0, max: 30 })
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), decimals, decimals, (amount, from, to) => {
      const arrived = scaledAmount(amount, from, to, 256)
      if (arrived === undefined) return
      const sentAtBoth = amount * 10n ** BigInt(to)
      const arrivedAtBoth = arrived * 10n ** BigInt(from)
      assert.ok(arrivedAtBoth <= sentAtBoth)
      assert.ok(sentAtBoth - arrivedAtBoth < 10n ** BigInt(Math.max(from, to)))
      assert.ok(arrived > 0n && arrived < 2n ** 256n)
    }),
  )
})

test('refuses an amount that scales to zero or to more than the destination can represent', () => {
  assert.equal(scaledAmount(10n ** 12n - 1n, 18, 6, 64), undefined)
  assert.equal(scaledAmount(10n ** 12n, 18, 6, 64), 1n)
  assert.equal(scaledAmount(2n ** 64n - 1n, 6, 6, 64), 2n ** 64n - 1n)
  assert.equal(scaledAmount(2n ** 64n * 10n, 7, 6, 64), undefined)
  assert.equal(scaledAmount(2n ** 64n, 6, 6, 64), 2n ** 64n)
})

test("truncates a deployment's decimals only for chains with fewer decimals", () => {
  assert.equal(decimalsOnDeployment(18, WIDE, NARROW), 6)
  assert.equal(decimalsOnDeployment(5, WIDE, NARROW), 5)
  assert.equal(decimalsOnDeployment(18, NARROW, WIDE), 18)
  assert.equal(decimalsOnDeployment(18, WIDE, WIDE), 18)
})

test('forwards a transfer with its scaled amount and its true source', async () => {
  const decision = await decide(WIDE, toHub('narrow', transferOf(3_500_000_000_000n)))
  assert.equal(decision.outcome, 'forward')
  const [kind, source, inner] = decodeAbiParameters(WRAPPED, decision.payload)
  assert.deepEqual([kind, source], [4n, 'wide'])
  assert.deepEqual(decodeAbiParameters(TRANSFER, inner), [0n, TOKEN_ID, '0xaa', '0xbb', 3n, '0x'])
  assert.equal(decision.transfer?.amountReceived, 3n)
})

test("forwards a deployment with the destination's decimals", async () => {
  const inner = encodeAbiParameters(DEPLOYMENT, [1n, TOKEN_ID, 'Token', 'TKN', 18, '0x'])
  const decision = await decide(WIDE, toHub('narrow', inner))
  assert.equal(decision.outcome, 'forward')
  const [, , forwarded] = decodeAbiParameters(WRAPPED, decision.payload)
  assert.equal(decodeAbiParameters(DEPLOYMENT, forwarded)[4], 6)
})

test('refuses unknown chains, types and tokens, and malformed messages', async () => {
  const payloads: readonly (readonly [Hex, RegExp, boolean])[] = [
    [toHub('atlantis', transferOf(1n)), /^chain not found atlantis$/, false],
    [toHub('Narrow', transferOf(1n)), /^chain not found Narrow$/, false],
    [toHub('narrow', '0x'), /^failed to decode payload$/, true],
    [toHub('narrow', transferOf(10n ** 18n), 4n), /^invalid message type$/, true],
    [toHub('narrow', `0x${'00'.repeat(32)}`), /^failed to decode payload$/, true],
    [toHub('narrow', transferOf(1n)), /^invalid transfer amount 1 from chain wide to chain narrow$/, true],
    ['0x', /^invalid message type$/, true],
  ]
  for (const [payload, reason, isFinal] of payloads) {
    const decision = await decide(WIDE, payload)
    assert.equal(decision.outcome, 'refused')
    assert.match(decision.reason, reason)
    assert.equal(decision.isFinal, isFinal)
  }
  const unknown = await decideHub(WIDE, toHub('narrow', transferOf(1n)), [WIDE, NARROW], (chain) =>
    chain === NARROW ? Promise.resolve(undefined) : readToken(chain),
  )
  assert.ok(unknown.outcome === 'refused' && !unknown.isFinal)
  assert.match(unknown.reason, /^token 0x(11)+ not deployed on chain narrow$/)
})

test('checks the switch, the source, freezes and the supply in the order of the hub', () => {
  const place = { chain: 'wide', tokenId: TOKEN_ID }
  const refusal = (troubles: readonly HubTrouble[], sender = ITS, its: string | undefined = ITS) => {
    const state = createHubState()
    state.register('wide', TOKEN_ID, { supply: 5n, decimals: 18 })
    for (const trouble of troubles)
      state.force(
        trouble,
        trouble === 'hub_disabled' ? {} : trouble === 'hub_frozen' ? { chain: 'narrow' } : place,
      )
    return refusalByState(state, { source: 'wide', its, sender, payload: toHub('narrow', transferOf(6n)) })
  }
  assert.equal(refusal(['hub_disabled', 'hub_frozen'], 'stranger'), 'execution is currently disabled')
  assert.equal(refusal(['hub_frozen'], 'stranger', ITS), 'unknown its address stranger')
  assert.equal(refusal(['hub_frozen'], ITS, ''), `unknown its address ${ITS}`)
  assert.equal(refusal(['hub_frozen', 'not_on_hub']), 'chain narrow is frozen')
  assert.match(refusal(['not_on_hub']) ?? '', /not deployed on chain wide$/)
  assert.match(refusal([]) ?? '', /^token supply invariant violated for token 0x(11)+ on chain wide$/)
})

test('counts what leaves and what arrives where the supply is tracked', () => {
  const state = createHubState()
  state.register('wide', TOKEN_ID, { supply: 'untracked', decimals: 18 })
  state.register('narrow', TOKEN_ID, { supply: 7n, decimals: 6 })
  const there = { tokenId: TOKEN_ID, source: 'wide', destination: 'narrow', amount: 3n * 10n ** 12n }
  state.move({ ...there, amountReceived: 3n })
  assert.equal(state.instanceOf('narrow', TOKEN_ID)?.supply, 10n)
  state.move({ tokenId: TOKEN_ID, source: 'narrow', destination: 'wide', amount: 4n, amountReceived: 4n })
  assert.equal(state.instanceOf('narrow', TOKEN_ID)?.supply, 6n)
  assert.equal(state.instanceOf('wide', TOKEN_ID)?.supply, 'untracked')
  assert.equal(state.instanceOf('Narrow', TOKEN_ID), undefined)
})

test('decides on any bytes without throwing', async () => {
  const bytes = fc.uint8Array({ maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(bytes, async (noise) => {
      const hex: Hex = `0x${Buffer.from(noise).toString('hex')}`
      assert.equal((await decide(WIDE, toHub('narrow', hex))).outcome, 'refused')
      assert.notEqual((await decide(WIDE, hex)).outcome, 'forward')
      assert.equal(
        refusalByState(createHubState(), { source: 'wide', its: ITS, sender: ITS, payload: hex }),
        undefined,
      )
    }),
  )
})
