import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { doubtful } from '../app/check/finding.ts'
import { createTerminal, type Tone } from './terminal.ts'

const recordingTerminal = () => {
  let written = ''
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 200,
    getColorDepth: () => 4,
    hasColors: () => true,
  })
  stream.on('data', (chunk: Buffer) => {
    written += chunk.toString('utf8')
  })
  // CAST: a stream with the members that the terminal uses.
  const output = stream as unknown as NodeJS.WriteStream
  return { terminal: createTerminal(output, output), written: () => written }
}

const EVIL = '\u001b[2J\u001b[Hno\u0007\u009b31m\r\u001b]0;title\u0007\u001b[8m\u202eend'
const CLEAN = '[2J[Hno31m]0;title[8mend'

test('no control of a printed text reaches the terminal', () => {
  const { terminal, written } = recordingTerminal()
  terminal.print(EVIL, 'two\nlines')
  terminal.note(EVIL)
  terminal.progress(EVIL)
  assert.equal(written(), `${CLEAN}\ntwo\nlines\n${CLEAN}\n${CLEAN}`)
})

test('the colours of every tone reach the terminal, and nothing within them', () => {
  const tones: readonly Tone[] = ['green', 'red', 'yellow', 'dim', 'bold', 'code']
  for (const tone of tones) {
    const { terminal, written } = recordingTerminal()
    const painted = terminal.paint(tone, EVIL)
    terminal.print(painted)
    assert.equal(written(), `${painted}\n`)
    assert.equal(painted.includes(CLEAN), true, tone)
    assert.equal(painted.startsWith('\u001b['), true, tone)
  }
})

test("an endpoint's message in a finding stays on its line", () => {
  const { says } = doubtful('chain', `no answer (\u001b[31m\n\n0 errors, 0 warnings\r)`)
  assert.equal(says, 'no answer ([31m 0 errors, 0 warnings)')
})
