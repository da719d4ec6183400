import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withNodes } from '../../../test/json-rpc-node.ts'
import { uintWord } from './abi-words.ts'
import { EVM_NATIVE_TOKEN } from './address.ts'

const TOKEN = `0x${'a'.repeat(40)}`
const OWNER = `0x${'b'.repeat(40)}`
const SPENDER = `0x${'c'.repeat(40)}`

test('an account holds what it has now and had eight blocks before', async () => {
  const amounts = new Map<unknown, bigint>()
  const answer = ({ method, params }: { method: string; params: unknown[] }): object | undefined => {
    const result = amounts.get(params[1])
    if (method === 'eth_getBalance') return { result: `0x${result?.toString(16)}` }
    if (method !== 'eth_call') return undefined
    return result === undefined
      ? { error: { code: -32_000, message: 'missing trie node' } }
      : { result: `0x${uintWord(result)}` }
  }
  await withNodes([{ answer }], async ({ chain }) => {
    for (const [now, before, held] of [
      [70n, 70n, 70n],
      [70n, 20n, 20n],
      [20n, 70n, 20n],
      [70n, undefined, 0n],
      [undefined, 70n, undefined],
    ] as const) {
      amounts.clear()
      if (now !== undefined) amounts.set('latest', now)
      if (before !== undefined) amounts.set('0x5c', before)
      assert.equal(await chain.heldBy(OWNER, TOKEN), held)
    }
    amounts.set('latest', 9n).set('0x5c', 8n)
    assert.equal(await chain.heldBy(OWNER, EVM_NATIVE_TOKEN), 8n)
  })
})

test('a balance and an allowance share one request', () =>
  withNodes([{}], async ({ chain }, first) => {
    let exchanges = 0
    first.exchange = (_response, requests) => {
      if (requests.some(({ method }) => method === 'eth_call')) exchanges += 1
      return false
    }
    await Promise.all([chain.heldBy(OWNER, TOKEN), chain.allowance(TOKEN, OWNER, SPENDER)])
    assert.equal(exchanges, 1)
  }))
