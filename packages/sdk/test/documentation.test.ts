import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  ActionRequired,
  ErrorCode,
  IntentStage,
  OpeningMethod,
  OpeningReason,
  OpeningState,
  ReasonCode,
  RecipientReason,
  RecoveryKind,
  RelayStage,
  WarningCode,
} from '../src/index.ts'

const ROOT = join(import.meta.dirname, '../../..')
const GUIDE = readFileSync(join(ROOT, 'docs/executing-quotes.md'), 'utf8')
const README = readFileSync(join(ROOT, 'packages/sdk/README.md'), 'utf8')

test('the guide explains every code and stage that wallets may branch on', () => {
  const stages = [IntentStage, RelayStage]
  const openings = [OpeningMethod, OpeningState, OpeningReason]
  const lists = [
    ReasonCode,
    RecipientReason,
    WarningCode,
    ActionRequired,
    RecoveryKind,
    ...stages,
    ...openings,
  ]
  const named = lists.flatMap<string>(({ options }) => options)
  assert.ok(named.length > 70)
  assert.deepEqual(
    named.filter((name) => !GUIDE.includes(`\`${name}\``)),
    [],
  )
})

test("the package's README explains every error code", () => {
  const source = readFileSync(join(ROOT, 'packages/sdk/src/execute/execution-error.ts'), 'utf8')
  const codes = [...source.matchAll(/^ {2}\| '(\w+)'$/gm)].map(([, code = '']) => code)
  assert.equal(codes.length, 10)
  for (const code of [...codes, 'unreachable', 'timeout', 'malformed'])
    assert.ok(README.includes(`\`${code}\``), code)
  assert.ok(ErrorCode.options.some((code) => README.includes(`\`${code}\``)))
})
