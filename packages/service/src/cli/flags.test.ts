import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFlags } from './flags.ts'

const SPECS = [
  { name: 'from-chain', value: 'chain', help: '' },
  { name: 'amount', value: 'amount', help: '' },
  { name: 'json', help: '' },
] as const

test('reads values after a space or an equals sign, and switches', () => {
  const flags = parseFlags(SPECS, ['--from-chain', 'eip155:1', '--amount=-5', '--json'])
  assert.equal(flags.text('from-chain'), 'eip155:1')
  assert.equal(flags.required('amount'), '-5')
  assert.deepEqual([flags.has('json'), flags.has('amount')], [true, true])
})

test('a flag that was not given is undefined', () => {
  const flags = parseFlags(SPECS, [])
  assert.deepEqual([flags.text('amount'), flags.has('json')], [undefined, false])
  assert.throws(() => flags.required('amount'), { name: 'UsageError', message: '--amount is missing' })
})

const REFUSED: readonly (readonly [readonly string[], RegExp])[] = [
  [['--form-chain', 'x'], /unknown flag --form-chain; did you mean --from-chain\?/],
  [['--sender', 'x'], /unknown flag --sender; known are --from-chain --amount --json/],
  [['-j'], /unknown flag -j/],
  [['--amount'], /--amount needs a value: --amount <amount>/],
  [['--amount', '--json'], /--amount needs a value/],
  [['--amount='], /--amount needs a value/],
  [['--json=yes'], /--json takes no value, got "yes"/],
  [['--amount', '1', '--amount', '2'], /--amount is given twice/],
  [['stray'], /unexpected word "stray"/],
  [['--', 'x'], /unexpected "--"/],
  [['--__proto__', 'x'], /unknown flag/],
]

for (const [words, message] of REFUSED)
  test(`rejects ${words.join(' ')}`, () => {
    assert.throws(() => parseFlags(SPECS, words), { name: 'UsageError', message })
  })
