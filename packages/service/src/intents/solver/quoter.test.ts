import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { baseUnits, MAX_BASE_UNITS } from '../../core/amount.ts'
import { encodeSolverMessage, PROTOCOL_LIMITS, type StandingQuote } from '../solver-api/protocol.ts'
import { messagesOf, splitQuotes } from './quoter.ts'

const amount = fc.oneof(fc.bigInt(1n, 10n ** 9n), fc.bigInt(1n, MAX_BASE_UNITS)).map(baseUnits)
const text = (characters: number) => 'f'.repeat(characters)
const anyQuote = fc
  .record({ ladder: fc.array(fc.record({ input: amount, output: amount, fee: amount }), { maxLength: 12 }) })
  .map(
    ({ ladder }): StandingQuote => ({
      fromChain: `solana:${'9'.repeat(32)}`,
      fromToken: text(64),
      toChain: `solana:${'8'.repeat(32)}`,
      toToken: text(64),
      ladder,
      validForMs: 60_000,
    }),
  )

test("splits quotes into messages within the protocol's limits, complete and in order", () => {
  fc.assert(
    fc.property(fc.array(anyQuote, { maxLength: 150 }), (quotes) => {
      const messages = splitQuotes(quotes)
      assert.deepEqual(messages.flat(), quotes)
      for (const pairs of messages) {
        assert.ok(pairs.length > 0 && pairs.length <= PROTOCOL_LIMITS.maxPairsPerMessage)
        const frame = JSON.stringify(
          { type: 'quotes', sequence: Number.MAX_SAFE_INTEGER, pairs, signature: `0x${text(130)}` },
          (_, value) => (typeof value === 'bigint' ? value.toString() : value),
        )
        assert.ok(frame.length <= PROTOCOL_LIMITS.maxFrameBytes, `${frame.length}`)
      }
    }),
    { numRuns: 200 },
  )
})

test('mixes no kinds in a message, leaves out no quote, and sends the longest-published first', () => {
  const kind = fc.constantFrom('intent' as const, 'attested' as const)
  fc.assert(
    fc.property(fc.array(fc.tuple(kind, anyQuote), { maxLength: 150 }), (told) => {
      const kinds = new Map(told.map(([settler, quote]) => [quote, settler]))
      const messages = messagesOf(told.map(([settler, quote]) => [{ settler }, quote]))
      assert.deepEqual(new Set(messages.flat()), new Set(kinds.keys()))
      for (const message of messages) assert.equal(new Set(message.map((one) => kinds.get(one))).size, 1)
      assert.equal(messages[0]?.[0], told[0]?.[1])
    }),
    { numRuns: 100 },
  )
})

test('a withdrawal is a pair without rungs', () => {
  const [message = []] = splitQuotes([
    {
      fromChain: 'eip155:1',
      fromToken: `0x${text(40)}`,
      toChain: 'eip155:2',
      toToken: `0x${text(40)}`,
      ladder: [],
      validForMs: 1_000,
    },
  ])
  const frame = encodeSolverMessage({
    type: 'quotes',
    sequence: 1,
    pairs: [...message],
    signature: `0x${text(130)}`,
  })
  assert.match(frame, /"ladder":\[\]/)
})
