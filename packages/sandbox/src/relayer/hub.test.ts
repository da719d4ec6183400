import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from 'viem'
import type { Hex, SandboxChain } from '../deployment-types.ts'
import { decideHub, decimalsOnDeployment, scaledAmount, type TokenFacts } from './hub.ts'

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

test('rejects an amount that scales to zero or that the destination cannot represent', () => {
  assert.equal(scaledAmount(10n ** 12n - 1n, 18, 6, 64), undefined)
  assert.equal(scaledAmount(10n ** 12n, 18, 6, 64), 1n)
  assert.equal(scaledAmount(2n ** 64n - 1n, 6, 6, 64), 2n ** 64n - 1n)
  assert.equal(scaledAmount(2n ** 64n, 6, 6, 64), undefined)
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

test('rejects unknown chains, types and tokens, transfers to the source itself and malformed messages', async () => {
  const payloads: readonly (readonly [Hex, RegExp])[] = [
    [toHub('atlantis', transferOf(1n)), /atlantis is not registered/],
    [toHub('wide', transferOf(1n)), /to itself/],
    [toHub('narrow', '0x'), /unknown message type none/],
    [toHub('narrow', transferOf(10n ** 18n), 4n), /unknown hub message type 4/],
    [toHub('narrow', `0x${'00'.repeat(32)}`), /malformed transfer/],
    ['0x', /unknown hub message type none/],
  ]
  for (const [payload, reason] of payloads) {
    const decision = await decide(WIDE, payload)
    assert.equal(decision.outcome, 'rejected')
    assert.match(decision.reason, reason)
  }
  const unknown = await decideHub(WIDE, toHub('narrow', transferOf(1n)), [WIDE, NARROW], (chain) =>
    chain === NARROW ? Promise.resolve(undefined) : readToken(chain),
  )
  assert.equal(unknown.outcome, 'rejected')
})

test('decides on any bytes without throwing', async () => {
  const bytes = fc.uint8Array({ maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(bytes, async (noise) => {
      const hex: Hex = `0x${Buffer.from(noise).toString('hex')}`
      assert.equal((await decide(WIDE, toHub('narrow', hex))).outcome, 'rejected')
      assert.notEqual((await decide(WIDE, hex)).outcome, 'forward')
    }),
  )
})
