import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientKey, forwardedKey } from './client-key.ts'

test('an IPv4 client is its address, also when mapped into IPv6; an IPv6 client is its /64', () => {
  for (const [address, key] of [
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0:0:ffff::2', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['nonsense', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(clientKey(address), key, address)
  }
})

test('behind a proxy the last forwarded address counts, because clients can forge the others', () => {
  for (const [header, key] of [
    ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['203.0.113.7:', undefined],
    ['203.0.113.7:x', undefined],
    ['[203.0.113.7', undefined],
    ['unknown', undefined],
    [undefined, undefined],
  ] as const) {
    assert.equal(forwardedKey(header), key)
  }
})
