import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alternateOperators, operatorOf, operatorOfQuorum } from './operators.ts'

const urlsOf = (...hosts: readonly string[]): readonly string[] => hosts.map((host) => `https://${host}/rpc`)

test('an endpoint belongs to the domain that its host is registered under', () => {
  for (const [host, operator] of [
    ['kava-evm.publicnode.com', 'publicnode.com'],
    ['a.b.node.co.uk', 'node.co.uk'],
    ['ETH.Example.', 'eth.example'],
    ['10.0.0.1:8545', '10.0.0.1'],
    ['10.1.0.1', '10.1.0.1'],
    ['[::1]:8545', '[::1]'],
    ['localhost:8545', 'localhost'],
  ] as const)
    assert.equal(operatorOf(`https://${host}`), operator)
})

test('an operator of a quorum is named, of fewer not', () => {
  for (const [hosts, operator] of [
    [['a.one.com', 'b.one.com', 'two.com'], 'one.com'],
    [['a.one.com', 'two.com', 'three.com'], undefined],
    [['a.one.com', 'b.one.com', 'two.com', 'three.com'], undefined],
    [['a.one.com', 'b.one.com'], 'one.com'],
    [['a.one.com'], undefined],
    [['a.one.com', 'a.one.com'], undefined],
  ] as const)
    assert.equal(operatorOfQuorum({ rpcUrls: urlsOf(...hosts) }), operator)
})

test('endpoints are ordered so that operators alternate, the first one first', () => {
  assert.deepEqual(
    alternateOperators(urlsOf('a.one.com', 'b.one.com', 'two.com', 'c.one.com', 'd.two.com')),
    urlsOf('a.one.com', 'two.com', 'b.one.com', 'd.two.com', 'c.one.com'),
  )
})
