import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createVaultSurplus } from './vault-surplus.ts'

test('what a vault holds above its books at the start is no warning; what it grows by later is one', () => {
  const lines: string[] = []
  const surplus = createVaultSurplus({
    ...{ chainId: 'stellar:sandbox', tokens: ['token'], misses: 2 },
    log: (level, event, fields = {}) => lines.push(`${level} ${event} ${fields['balance']}`),
  })
  const compare = (balance: bigint): void => surplus.compared('token', balance, 10n)
  compare(110n)
  compare(110n)
  assert.deepEqual(lines, ['info vault_surplus_grew 110'])
  compare(120n)
  compare(120n)
  assert.deepEqual(lines.slice(1), ['warn vault_surplus_grew 120'])
  assert.deepEqual([...surplus.byToken()], [['token', 110n]])
})
