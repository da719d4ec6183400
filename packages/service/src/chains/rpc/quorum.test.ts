import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canMoveMoney, endpointsOf, quorumOf } from './quorum.ts'

const ONE = 'https://rpc.example/a'

for (const other of [
  'https://RPC.example/a',
  'https://rpc.example:443/a',
  'https://rpc.example./a',
  'https://rpc.example/a#other',
  'https://rpc.example/a?',
  'https://rpc.example/b/../a',
  'https://name:word@rpc.example/a',
])
  test(`${other} is the endpoint ${ONE}, and does not count twice`, () => {
    const rpcUrls = [ONE, other, 'https://rpc.other.example/a']
    assert.deepEqual(endpointsOf({ rpcUrls }), [ONE, 'https://rpc.other.example/a'])
    assert.equal(quorumOf({ rpcUrls }), 2)
    assert.equal(canMoveMoney({ rpcUrls: [ONE, other] }), false)
  })

test('other paths, queries, ports and protocols are other endpoints', () => {
  const rpcUrls = [
    ONE,
    'https://rpc.example/b',
    'https://rpc.example/a?key=1',
    'https://rpc.example:444/a',
    'http://rpc.example/a',
  ]
  assert.deepEqual(endpointsOf({ rpcUrls }), rpcUrls)
})
