import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6, type Socket } from 'node:net'

/**
 * The rate-limit key of an address: IPv4 whole (also when mapped into IPv6), IPv6 as its /64 network, because one
 * subscriber owns all of it. Undefined for text that is no address.
 */
export const clientKey = (address: string): string | undefined => {
  if (isIPv4(address)) return address
  const plain = address.split('%')[0] ?? address
  if (!isIPv6(plain)) return undefined
  const groups = expand(plain.toLowerCase())
  const mapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff'
  if (!mapped) return `${groups.slice(0, 4).join(':')}::/64`
  const bytes = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
  return bytes.join('.')
}

/**
 * The address the nearest proxy wrote into `x-forwarded-for`: the last one, since a client can forge all others; some
 * proxies add a port. Undefined when there is none.
 */
export const forwardedKey = (header: string | readonly string[] | undefined): string | undefined => {
  const text = Array.isArray(header) ? header.at(-1) : header
  const last = typeof text === 'string' ? text.split(',').at(-1)?.trim() : undefined
  return last === undefined ? undefined : clientKey(last.replace(ADDRESS_WITH_PORT, '$1$2'))
}

const ADDRESS_WITH_PORT = /^(?:\[([^\]]*)\]|([0-9.]+))(?::[0-9]{1,5})?$/

/** Identifies clients, for limits. */
export type ClientKeys = {
  /** The client of a request. */
  readonly ofRequest: (request: IncomingMessage) => string
  /** The client of a connection; undefined behind a proxy, whose connections belong to many. */
  readonly ofSocket: (socket: Socket) => string | undefined
}

/**
 * Creates client keys, computed once per connection; behind a trusted proxy the client is the one that
 * `x-forwarded-for` names.
 */
export const createClientKeys = (trustProxy: boolean): ClientKeys => {
  const known = new WeakMap<Socket, string>()
  const socketKey = (socket: Socket): string => {
    const key = known.get(socket) ?? clientKey(socket.remoteAddress ?? '') ?? 'unknown'
    known.set(socket, key)
    return key
  }
  return {
    ofRequest: ({ socket, headers }) =>
      (trustProxy ? forwardedKey(headers['x-forwarded-for']) : undefined) ?? socketKey(socket),
    ofSocket: trustProxy ? () => undefined : socketKey,
  }
}

/** The eight groups of a valid IPv6 address in lower-case hexadecimal without leading zeros. */
const expand = (address: string): readonly string[] => {
  const [head = '', tail] = dottedToGroups(address).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  const zeros = Array.from({ length: Math.max(0, missing) }, () => '0')
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16).toString(16))
}

/** `::ffff:1.2.3.4` as `::ffff:102:304`. */
const dottedToGroups = (address: string): string => {
  const cut = address.lastIndexOf(':') + 1
  const dotted = address.slice(cut)
  if (!isIPv4(dotted)) return address
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
  return `${address.slice(0, cut)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}
