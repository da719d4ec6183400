import { BlockList, isIP } from 'node:net'

/**
 * Addresses of IPv4 that are not on the public internet. Source: IANA's registry of special-purpose addresses; multicast and
 * the reserved class E.
 */
const NOT_PUBLIC_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Within the global unicast addresses of IPv6: special purposes, and those that carry an address of IPv4. */
const NOT_PUBLIC_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

const notPublicV4 = new BlockList()
for (const [net, prefix] of NOT_PUBLIC_V4) notPublicV4.addSubnet(net, prefix, 'ipv4')

const unicastV6 = new BlockList()
unicastV6.addSubnet('2000::', 3, 'ipv6')
const notPublicV6 = new BlockList()
for (const [net, prefix] of NOT_PUBLIC_V6) notPublicV6.addSubnet(net, prefix, 'ipv6')

/**
 * Whether an IP address, without brackets, is one of the public internet: none of this machine, of a private or local
 * network, or of a special purpose. False for any other text.
 */
export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !notPublicV4.check(address, 'ipv4')
    case 6:
      return unicastV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6')
    default:
      return false
  }
}
