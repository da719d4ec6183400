import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attestedSettlerAbi } from '@openrfq/contracts'
import { type AttestedOrder, attestedIdOf, fillDigestOf } from '@openrfq/sandbox/test/attested-order.ts'
import fc from 'fast-check'
import {
  type Abi,
  bytesToHex,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  getAbiItem,
  getAddress,
  type Hex,
  hexToBytes,
  keccak256,
  pad,
  stringToHex,
  zeroAddress,
} from 'viem'
import { encodeBase58 } from '../../chains/solana/base58.ts'
import { strKeyText } from '../../chains/stellar/str-key.ts'
import { baseUnits, MAX_BASE_UNITS } from '../../core/amount.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import { encodeAddress } from './address-codec.ts'
import { fillDigest } from './attestation.ts'
import { decodeAttestedOrder, encodeAttestedOrder, nameChains } from './attested-order.ts'
import { fillCall, openCall, orderIdOf, refundCall, releaseCall } from './settler-contract.ts'
import { readSettlerEvent } from './settler-events.ts'

const abi: Abi = attestedSettlerAbi

const FAMILIES = ['evm', 'solana', 'stellar'] as const
type Family = (typeof FAMILIES)[number]

const CHAINS = { evm: 'eip155:31337', solana: 'solana:sandbox', stellar: 'stellar:sandbox' } as const
const named = nameChains(Object.values(CHAINS))
const MUXED = 1n << 64n

const hex32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes))
const seconds = fc.integer({ min: 0, max: 0xffff_ffff })
const amount = fc.bigInt({ min: 1n, max: MAX_BASE_UNITS }).map(baseUnits)

/** An address text with its encoding in an order. */
type Written = { readonly text: string; readonly word: Hex; readonly tag: bigint }

const written = (family: Family, word: Hex, role: 'account' | 'token', tag = 0n): Written => {
  if (family === 'evm') {
    const address = getAddress(`0x${word.slice(26)}`)
    return { text: address, word: pad(`0x${word.slice(26)}`), tag: 0n }
  }
  const bytes = hexToBytes(word)
  if (family === 'solana') return { text: encodeBase58(bytes), word, tag: 0n }
  const id = Buffer.alloc(8)
  if (tag === 0n || tag > MUXED)
    return { text: strKeyText(role === 'token' || tag > 0n ? 'C' : 'G', bytes), word, tag }
  id.writeBigUInt64BE(tag - 1n)
  return { text: strKeyText('M', Buffer.concat([bytes, id])), word, tag }
}

const NATIVE: Hex = pad('0x')
const tags = fc.oneof(fc.constantFrom(0n, 1n, MUXED, MUXED + 1n), fc.bigInt({ min: 0n, max: MUXED }))
const families = fc.constantFrom<readonly [Family, Family]>(
  ...FAMILIES.flatMap((from) => FAMILIES.map((to): [Family, Family] => [from, to])),
)

const written32 = fc.record({
  salt: hex32,
  originSettler: hex32,
  depositor: hex32,
  inputToken: fc.oneof(hex32, fc.constant(NATIVE)),
  destinationSettler: hex32,
  outputToken: fc.oneof(hex32, fc.constant(NATIVE)),
  recipient: hex32,
  solver: hex32,
  filler: hex32,
  attester: hex32,
  tag: tags,
})
const numbers = fc.record({
  inputAmount: amount,
  outputAmount: amount,
  openDeadline: seconds,
  fillDeadline: seconds,
  refundAfter: seconds,
})

/** The same order in the service's form and as the contract's struct. */
type Both = { readonly order: IntentOrder; readonly struct: AttestedOrder }

const orders: fc.Arbitrary<Both> = fc
  .tuple(families, written32, numbers)
  .map(([[from, to], words, { inputAmount, outputAmount, ...times }]) => {
    const origin = (word: Hex, role: 'account' | 'token' = 'account') => written(from, word, role)
    const end = (word: Hex, role: 'account' | 'token' = 'account', tag = 0n) => written(to, word, role, tag)
    const parties = {
      originSettler: origin(words.originSettler),
      depositor: origin(words.depositor),
      inputToken: origin(words.inputToken, 'token'),
      destinationSettler: end(words.destinationSettler),
      outputToken: end(words.outputToken, 'token'),
      recipient: end(words.recipient, 'account', words.tag),
      solver: origin(words.solver),
      filler: end(words.filler),
    }
    const attester = getAddress(`0x${words.attester.slice(26)}`)
    const shared = { salt: words.salt, ...times }
    const pick = <Value>(of: (written: Written) => Value) =>
      // CAST: the same fields, each with the part that is taken of it.
      Object.fromEntries(Object.entries(parties).map(([name, value]) => [name, of(value)])) as Record<
        keyof typeof parties,
        Value
      >
    return {
      order: {
        ...shared,
        ...pick(({ text }) => text),
        originChain: CHAINS[from],
        destinationChain: CHAINS[to],
        inputAmount,
        outputAmount,
        attester,
      },
      struct: {
        ...shared,
        ...pick(({ word }) => word),
        recipientTag: parties.recipient.tag,
        originChain: keccak256(stringToHex(CHAINS[from])),
        destinationChain: keccak256(stringToHex(CHAINS[to])),
        inputAmount,
        outputAmount,
        attester,
        exclusiveUntil: times.fillDeadline,
        integrator: NATIVE,
        integratorFee: 0n,
      },
    }
  })

const calldata = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args })

const openedLog = (orderId: Hex, struct: AttestedOrder) => {
  const item = getAbiItem({ abi, name: 'Open' })
  assert.ok(item?.type === 'event')
  const plain = item.inputs.filter(({ indexed }) => indexed !== true)
  return {
    // CAST: no argument is an array, so no topic is null or a list.
    topics: encodeEventTopics({ abi, eventName: 'Open', args: { orderId } }) as readonly string[],
    data: encodeAbiParameters(plain, [struct]),
  }
}

test("an attested order's id is its EIP-712 hash for any chain families", () => {
  fc.assert(
    fc.property(orders, ({ order, struct }) => {
      assert.equal(orderIdOf(order), attestedIdOf(struct))
      assert.equal(encodeAttestedOrder({ ...order }).orderId, attestedIdOf(struct))
    }),
  )
})

test('calls about an attested order equal their ABI encoding and carry its native value', () => {
  fc.assert(
    fc.property(orders, hex32, hex32, ({ order, struct }, transaction, half) => {
      const signature: Hex = `0x${half.slice(2)}${half.slice(2)}1b`
      const native = (token: string, moved: bigint) => (token === zeroAddress ? moved : 0n)
      assert.deepEqual(openCall(order), {
        data: calldata('open', [struct]),
        value: native(order.inputToken, order.inputAmount),
      })
      assert.deepEqual(fillCall(order), {
        data: calldata('fill', [struct, NATIVE]),
        value: native(order.outputToken, order.outputAmount),
      })
      if (order.originChain !== CHAINS.evm) return
      // CAST: an EIP-55 address.
      const [solver, depositor] = [order.solver as Hex, order.depositor as Hex]
      assert.deepEqual(releaseCall(order, transaction, signature), {
        data: calldata('release', [struct, transaction, signature, solver]),
        value: 0n,
      })
      assert.deepEqual(refundCall(order), { data: calldata('refund', [struct, depositor]), value: 0n })
    }),
  )
})

test('decodes an attested order completely from its event, between known chains', () => {
  fc.assert(
    fc.property(orders, ({ order, struct }) => {
      const orderId = orderIdOf(order)
      const log = openedLog(attestedIdOf(struct), struct)
      assert.deepEqual(readSettlerEvent(log, named), { kind: 'open', orderId, order })
      assert.equal(readSettlerEvent(log), undefined)
      const fewer = nameChains([CHAINS.evm, CHAINS.solana, CHAINS.stellar].slice(1))
      const isKnown = order.originChain !== CHAINS.evm && order.destinationChain !== CHAINS.evm
      assert.equal(readSettlerEvent(log, fewer) !== undefined, isKnown)
    }),
  )
})

test("does not decode an opened order whose id differs from its event's", () => {
  fc.assert(
    fc.property(orders, fc.nat(21 * 32 - 1), fc.integer({ min: 1, max: 255 }), (both, position, change) => {
      const { topics, data } = openedLog(attestedIdOf(both.struct), both.struct)
      const bytes = hexToBytes(data)
      bytes[position] = (bytes[position] ?? 0) ^ change
      assert.equal(readSettlerEvent({ topics, data: bytesToHex(bytes) }, named), undefined)
      assert.equal(readSettlerEvent({ topics, data: data.slice(0, 2 + position * 2) }, named), undefined)
    }),
  )
})

test('does not decode words that are invalid on these chains, even with a matching hash', () => {
  const sample = (from: Family, to: Family): Both => {
    const isPair = ({ order }: Both) =>
      order.originChain === CHAINS[from] && order.destinationChain === CHAINS[to]
    const found = fc.sample(orders, 300).find(isPair)
    assert.ok(found !== undefined)
    return found
  }
  const { struct } = sample('evm', 'stellar')
  const strange: readonly Partial<AttestedOrder>[] = [
    { depositor: pad('0x01', { dir: 'right' }) },
    { recipientTag: MUXED + 2n },
    { originChain: keccak256(stringToHex('eip155:1')) },
    { exclusiveUntil: struct.fillDeadline === 0 ? 1 : struct.fillDeadline - 1 },
    { integrator: pad(struct.attester) },
    { integratorFee: 1n },
  ]
  for (const part of strange) {
    const other = { ...struct, ...part }
    const { data } = openedLog(attestedIdOf(other), other)
    assert.equal(decodeAttestedOrder(data, attestedIdOf(other), named), undefined)
  }
  const tagged = { ...sample('stellar', 'evm').struct, recipientTag: 1n }
  const { data } = openedLog(attestedIdOf(tagged), tagged)
  assert.equal(decodeAttestedOrder(data, attestedIdOf(tagged), named), undefined)
})

test('addresses of payment chains encode to the bytes of their standards', () => {
  const key = '3f0c34bf93ad0d9971d04ccc90f705511c838aad9734a4a2fb0d7a03fc7fe89a'
  const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  const vectors = [
    ['GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ', 0n],
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ', 1n],
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK', (1n << 63n) + 1n],
    ['CA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUWDA', MUXED + 1n],
  ] as const
  for (const [text, tag] of vectors) {
    const word = encodeAddress(CHAINS.stellar, 'recipient', text)
    assert.deepEqual([hexOf(word.bytes), word.tag], [key, tag])
  }
  const mint = encodeAddress(CHAINS.solana, 'token', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
  assert.equal(hexOf(mint.bytes), '06ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a9')
  assert.equal(hexOf(encodeAddress(CHAINS.solana, 'token', '1'.repeat(32)).bytes), '00'.repeat(32))
})

test('an order with an address of another family, kind or form has no id', () => {
  const [account, contract, muxed] = ['G', 'C', 'M'].map((kind) =>
    // CAST: one of the letters above.
    strKeyText(kind as 'G' | 'C' | 'M', new Uint8Array(kind === 'M' ? 40 : 32)),
  )
  const secret = strKeyText('S', new Uint8Array(32))
  const key = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
  const [plain] = fc.sample(orders, 300).filter(({ order }) => order.destinationChain === CHAINS.stellar)
  assert.ok(plain !== undefined && account !== undefined && contract !== undefined && muxed !== undefined)
  const { order } = plain
  const wrong: readonly Partial<IntentOrder>[] = [
    { recipient: secret },
    { recipient: key },
    { recipient: zeroAddress },
    { recipient: `${account.slice(0, -1)}A` },
    { filler: contract },
    { filler: muxed },
    { outputToken: account },
    { destinationSettler: contract },
    { originChain: 'cosmos:hub', originSettler: key },
    { salt: '0x12' },
    { attester: key },
    { refundAfter: 2 ** 32 },
  ]
  assert.doesNotThrow(() => orderIdOf({ ...order, recipient: muxed }))
  for (const part of wrong) assert.throws(() => orderIdOf({ ...order, ...part }), RangeError)
  assert.throws(() => encodeAddress(CHAINS.solana, 'account', '1'.repeat(33)), RangeError)
  assert.throws(() => encodeAddress(CHAINS.evm, 'account', `${zeroAddress}00`), RangeError)
})

test("the attester's digest is the EIP-712 hash under the domain of its settler", () => {
  fc.assert(
    fc.property(hex32, hex32, hex32, fc.integer({ min: 1 }), (orderId, transaction, word, number) => {
      const originSettler = getAddress(`0x${word.slice(26)}`)
      const solver = getAddress(`0x${orderId.slice(26)}`)
      const expected = fillDigestOf(number, originSettler, { orderId, repayTo: pad(solver), transaction })
      const order = { originChain: `eip155:${number}`, originSettler, solver }
      assert.equal(fillDigest(order, orderId, transaction), expected)
    }),
  )
  const orderId = pad('0x')
  const order = { originChain: 'solana:x', originSettler: zeroAddress, solver: zeroAddress }
  assert.throws(() => fillDigest(order, orderId, orderId), RangeError)
})
