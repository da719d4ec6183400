import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { OrderType } from '@openrfq/sdk'
import { isSignedBy } from '../../chains/evm/message-signature.ts'
import { baseUnits } from '../../core/amount.ts'
import { type Ladder, priceOn } from './ladder.ts'
import {
  CLOSE_CODES,
  encodeServiceMessage,
  encodeSolverMessage,
  PROTOCOL_LIMITS,
  ServiceMessage,
  SolverMessage,
} from './protocol.ts'
import { loginText, quotesText } from './signed-text.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../../../../docs/solver-protocol.md'), 'utf8')

const blocks = (language: string): readonly string[] =>
  [...PAGE.matchAll(/^```(.*)\n([\s\S]*?)\n```$/gm)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  )

const examples = blocks('json').map((text): unknown => JSON.parse(text))
const fromSolver = examples.flatMap((example) => SolverMessage.safeParse(example).data ?? [])
const fromService = examples.flatMap((example) => ServiceMessage.safeParse(example).data ?? [])

const exampleOf = <Type extends (SolverMessage | ServiceMessage)['type']>(
  type: Type,
): Extract<SolverMessage | ServiceMessage, { type: Type }> => {
  const found = [...fromSolver, ...fromService].find((message) => message.type === type)
  // CAST: found by this very type.
  return (found ?? assert.fail(`no example of ${type}`)) as Extract<
    SolverMessage | ServiceMessage,
    { type: Type }
  >
}

test('the document shows every message, and each example survives decoding and encoding', () => {
  const types = [...SolverMessage.options, ...ServiceMessage.options].map(({ shape }) => shape.type.value)
  assert.deepEqual([...fromSolver, ...fromService].map(({ type }) => type).toSorted(), types.toSorted())
  assert.equal(examples.length, types.length)
  const written = [...fromSolver.map(encodeSolverMessage), ...fromService.map(encodeServiceMessage)]
  for (const example of examples)
    assert.ok(
      written.some((text) => sorted(JSON.parse(text)) === sorted(example)),
      JSON.stringify(example),
    )
})

/** Serialises JSON with sorted members. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

test("the documented signed texts equal the service's, and their signatures are valid", () => {
  const challenge = exampleOf('challenge')
  const login = exampleOf('login')
  const quotes = exampleOf('quotes')
  assert.deepEqual(blocks('text login'), [loginText({ ...challenge, address: login.address })])
  assert.deepEqual(blocks('text quotes'), [quotesText(challenge, quotes)])
  assert.ok(isSignedBy(loginText({ ...challenge, address: login.address }), login.signature, login.address))
  assert.ok(isSignedBy(quotesText(challenge, quotes), quotes.signature, login.address))
})

test('the documented worked example equals the prices of its ladder', () => {
  const [pair] = exampleOf('quotes').pairs
  const [first, ...more] = pair?.ladder ?? []
  assert.ok(first)
  const ladder: Ladder = [first, ...more]
  const rows = [...PAGE.matchAll(/^\| (EXACT_\w+) (\d+) \| (\d*) ?\| (\d*) ?\| (\d*) ?\|/gm)]
  assert.equal(rows.length, 6)
  for (const [, type, amount = '', ...expected] of rows) {
    // CAST: the pattern lets only the two through.
    const price = priceOn(ladder, type as OrderType, baseUnits(BigInt(amount)))
    const shown = price === undefined ? ['', '', ''] : [price.input, price.output, price.fee].map(String)
    assert.deepEqual(shown, expected, `${type} ${amount}`)
  }
})

test('the documented limits, close codes and reasons equal those of the code', () => {
  const tableOf = (pattern: RegExp): Record<string, number> =>
    Object.fromEntries([...PAGE.matchAll(pattern)].map(([, name = '', value]) => [name, Number(value)]))
  assert.deepEqual(tableOf(/^\| `(\w+)` \| (\d+) \|$/gm), PROTOCOL_LIMITS)
  const codes = [...PAGE.matchAll(/^\| (\d{4}) \| `(\w+)` \|/gm)].map(([, code, name = '']) => [
    name,
    Number(code),
  ])
  assert.deepEqual(Object.fromEntries(codes), CLOSE_CODES)
  assert.deepEqual(exampleOf('welcome').limits, PROTOCOL_LIMITS)
  for (const option of ServiceMessage.options) {
    const reasons = 'reason' in option.shape ? option.shape.reason.options : []
    for (const reason of reasons) assert.ok(PAGE.includes(`| \`${reason}\` |`), reason)
  }
})
