import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './public-address.ts'

const PUBLIC = ['1.1.1.1', '8.8.8.8', '172.15.255.255', '172.32.0.0', '100.63.255.255', '223.255.255.255']
const PUBLIC_V6 = ['2606:4700:4700::1111', '2a00:1450::1', '2400:cb00::1']
/** Each an address by which a stranger's name could reach this machine, its network or its cloud's metadata. */
const NOT_PUBLIC = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
]
const NOT_PUBLIC_V6 = [
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
]

test('addresses of the public internet are public', () => {
  for (const address of [...PUBLIC, ...PUBLIC_V6]) assert.equal(isPublicAddress(address), true, address)
})

test('addresses of this machine, of private and local networks and of special purposes are not', () => {
  for (const address of [...NOT_PUBLIC, ...NOT_PUBLIC_V6])
    assert.equal(isPublicAddress(address), false, address)
})

test('no other spelling of an address is public', () => {
  for (const text of [
    '',
    'localhost',
    '0x7f000001',
    '127.1',
    '2130706433',
    '017700000001',
    '[::1]',
    '1.1.1.1 ',
  ])
    assert.equal(isPublicAddress(text), false, text)
})
