import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'

/** A DNS server on a free port of 127.0.0.1; `server` is what a resolver is given. */
export type DnsServer = { readonly server: string; readonly stop: () => void }

const HEADER_BYTES = 12
const TYPE_A = 1
const TYPE_AAAA = 28
const A_POINTER_TO_THE_NAME = 0xc0_0c

const nameOf = (query: Buffer): { readonly name: string; readonly end: number } => {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size))
    at += size + 1
  }
  return { name: labels.join('.'), end: at + 1 }
}

const bytesOf = (address: string): Buffer => {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const words = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16))
  const [first, last] = [words(head), words(tail)]
  const all = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]))
}

const recordOf = (type: number, address: string): Buffer => {
  const bytes = bytesOf(address)
  const record = Buffer.alloc(12)
  record.writeUInt16BE(A_POINTER_TO_THE_NAME, 0)
  record.writeUInt16BE(type, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([record, bytes])
}

/** Starts a server that answers the addresses of a name, of either family, each time it is asked; the caller stops it. */
export const startDnsServer = async (
  addressesOf: (name: string) => readonly string[],
): Promise<DnsServer> => {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, end } = nameOf(query)
    const type = query.readUInt16BE(end)
    const family = type === TYPE_A ? 4 : 6
    const known = type === TYPE_A || type === TYPE_AAAA ? addressesOf(name) : []
    const records = known.filter((one) => isIP(one) === family).map((one) => recordOf(type, one))
    const answer = Buffer.from(query.subarray(0, end + 4))
    // A recursive answer without error.
    answer.writeUInt16BE(0x81_80, 2)
    answer.writeUInt16BE(records.length, 6)
    answer.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([answer, ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { server: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() }
}
