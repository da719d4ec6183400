import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { concat, type Hex, keccak256, numberToHex, pad, stringToHex } from 'viem'
import { z } from 'zod'
import { ORDER_FIELDS } from '../../order-hashes.ts'
import { orderVectors } from '../../order-vectors.ts'
import { startSettlers } from './settler-world.ts'
import type { World } from './world.ts'

// CAST: the pattern is that of hex.
const HexText = z.string().regex(/^0x([0-9a-f]{2})*$/i) as unknown as z.ZodType<Hex>
const Vectors = z.strictObject({
  orderType: z.string(),
  orderTypeHash: HexText,
  orders: z.array(
    z.strictObject({
      name: z.string(),
      order: z.record(z.string(), z.union([z.string(), z.number()])),
      words: z.array(HexText).length(23),
      id: HexText,
      attesters: z.strictObject({ threshold: z.int(), members: z.array(HexText), word: HexText }).optional(),
      fill: z.strictObject({ repayTo: HexText, repayToKind: z.int(), filledAt: z.int(), digest: HexText }),
    }),
  ),
})

const text = readFileSync(join(import.meta.dirname, '../../vectors/orders.json'), 'utf8')
const { orderType, orderTypeHash, orders } = Vectors.parse(JSON.parse(text))

let world: World
let stop: () => Promise<void>
before(async () => {
  const started = await startSettlers()
  world = started.world
  stop = started.stop
})
after(() => stop())

test('the committed vectors are those that the script makes', () => {
  assert.equal(text, orderVectors())
})

test('an id is the hash of the type and the words; an attestation that of the domain and four words', () => {
  assert.equal(orderTypeHash, keccak256(stringToHex(orderType)))
  const hashOf = (value: string): Hex => keccak256(stringToHex(value))
  const domain = keccak256(
    concat([hashOf('EIP712Domain(string name,string version)'), hashOf('OpenRFQ'), hashOf('3')]),
  )
  const fillType = hashOf('Fill(bytes32 orderId,bytes32 repayTo,uint8 repayToKind,uint32 filledAt)')
  for (const { name, order, words, id, attesters, fill } of orders) {
    assert.equal(id, keccak256(concat([orderTypeHash, ...words])), name)
    const { repayTo, repayToKind, filledAt } = fill
    const numbers = [repayToKind, filledAt].map((value) => numberToHex(value, { size: 32 }))
    const struct = keccak256(concat([fillType, id, repayTo, ...numbers]))
    assert.equal(fill.digest, keccak256(concat(['0x1901', domain, struct])), name)
    if (attesters === undefined) continue
    const members = keccak256(concat(attesters.members.map((member) => pad(member))))
    assert.equal(attesters.word, `0x0${attesters.threshold}${members.slice(2, 64)}`, name)
    assert.equal(attesters.word, order['attesters'], name)
  }
})

test('every word of a vector is its field, in the order of the fields', () => {
  for (const { name, order, words } of orders) {
    assert.deepEqual(
      Object.keys(order),
      ORDER_FIELDS.map((field) => field.name),
    )
    const expected = ORDER_FIELDS.map(({ name: field, type }) => {
      const value = String(order[field])
      if (type === 'bytes32') return value.toLowerCase()
      return type === 'bytes5'
        ? pad(value as Hex, { dir: 'right' })
        : numberToHex(BigInt(value), { size: 32 })
    })
    assert.deepEqual(words, expected, name)
  }
})

test('the contract gives every vector its id, and every attestation its digest', async () => {
  const { a } = world
  for (const { name, words, order, id, fill } of orders) {
    const values = ORDER_FIELDS.map(({ name: field, type }) =>
      type.startsWith('bytes') || type === 'uint32' ? order[field] : BigInt(String(order[field])),
    )
    const args = Object.fromEntries(ORDER_FIELDS.map(({ name: field }, index) => [field, values[index]]))
    assert.equal(await a.read(a.settler, 'idOf', [args]), id, name)
    assert.ok(a.encode('idOf', [args]).endsWith(concat(words).slice(2)), name)
    const { repayTo, repayToKind, filledAt, digest } = fill
    assert.equal(await a.read(a.settler, 'fillDigestOf', [id, repayTo, repayToKind, filledAt]), digest, name)
  }
})
