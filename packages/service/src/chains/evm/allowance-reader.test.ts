import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../test/eventually.ts'
import { type Node, withNodes } from '../../../test/json-rpc-node.ts'
import { uintWord } from './abi-words.ts'

const TOKEN = `0x${'a'.repeat(40)}`
const OWNER = `0x${'b'.repeat(40)}`
const SPENDER = `0x${'c'.repeat(40)}`

const allowanceCalls = (node: Node): number => node.asked.filter(({ method }) => method === 'eth_call').length

test('concurrent reads of one allowance under one head share a request', () =>
  withNodes([{}], async ({ chain }, first) => {
    const all = await Promise.all(Array.from({ length: 64 }, () => chain.allowance(TOKEN, OWNER, SPENDER)))
    assert.deepEqual(new Set(all), new Set([100n]))
    assert.equal(await chain.allowance(TOKEN, OWNER, SPENDER), 100n)
    assert.equal(allowanceCalls(first), 1)
    first.blockNumber = 101
    await until(() => chain.head()?.number === 101n)
    assert.equal(await chain.allowance(TOKEN, OWNER, SPENDER), 101n)
    assert.equal(allowanceCalls(first), 2)
  }))

test('many allowances share round trips', () =>
  withNodes([{}], async ({ chain }, first) => {
    let exchanges = 0
    first.exchange = (_response, requests) => {
      if (requests.some(({ method }) => method === 'eth_call')) exchanges += 1
      return false
    }
    const owners = Array.from({ length: 200 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`)
    const all = await Promise.all(owners.map((owner) => chain.allowance(TOKEN, owner, SPENDER)))
    assert.deepEqual(new Set(all), new Set([100n]))
    assert.equal(exchanges, 4)
  }))

test('a late allowance is undefined, and cached once it arrives', () =>
  withNodes(
    [{}],
    async ({ chain }, first) => {
      let isHeld = true
      first.exchange = (response, requests) => {
        if (!requests.some(({ method }) => method === 'eth_call')) return false
        const answer = { jsonrpc: '2.0', id: requests[0]?.id, result: `0x${uintWord(8n)}` }
        void until(() => !isHeld).then(() => response.end(JSON.stringify(answer)))
        return true
      }
      assert.equal(await chain.allowance(TOKEN, OWNER, SPENDER), undefined)
      isHeld = false
      let amount: bigint | undefined
      while (amount === undefined) {
        await sleep(10)
        amount = await chain.allowance(TOKEN, OWNER, SPENDER)
      }
      assert.equal(amount, 8n)
      assert.equal(allowanceCalls(first), 1)
    },
    { allowanceMs: 50 },
  ))
