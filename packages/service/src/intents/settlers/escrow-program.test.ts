import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type EscrowOrder as ClientOrder,
  closeEscrow,
  type EscrowPlace,
  fillTypedData,
  findEscrowAddress,
  openEscrow,
  refundEscrow,
  releaseEscrow,
} from '@openrfq/contracts/solana'
import { ESCROW_PROGRAM } from '@openrfq/sandbox/test/escrow-programs.ts'
import { fundTokens } from '@openrfq/sandbox/test/escrow-tokens.ts'
import {
  createEscrowWorld,
  DEPOSITOR,
  PROGRAM,
  SOLVER,
  START,
  STRANGER,
} from '@openrfq/sandbox/test/escrow-world.ts'
import { address } from '@solana/kit'
import fc from 'fast-check'
import { bytesToHex, type Hex, hashTypedData, hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ATTESTER_KEY, ESCROW_KINDS, escrowOrderOf } from '../../../test/escrow-orders.ts'
import { plain, toKit } from '../../../test/kit-instruction.ts'
import { encodeBase58 } from '../../chains/solana/base58.ts'
import { computeBudget } from '../../chains/solana/instructions.ts'
import { programOf } from '../../chains/solana/programs.ts'
import { muxedAddress } from '../../chains/stellar/muxed-account.ts'
import { strKeyText } from '../../chains/stellar/str-key.ts'
import { baseUnits } from '../../core/amount.ts'
import type { OrderId } from '../../core/intent-order.ts'
import { encodeAddress } from './address-codec.ts'
import { escrowFillDigest } from './attestation.ts'
import { encodeAttestedOrder } from './attested-order.ts'
import {
  closeInstruction,
  type EscrowOrder,
  escrowAddressOf,
  openInstruction,
  refundInstruction,
  releaseInstruction,
} from './escrow-program.ts'

const FILL: Hex = `0x${'f1'.repeat(32)}`
const MAX_TRANSACTION_BYTES = 1_232

const wordAt = (digits: string, position: number): Hex =>
  `0x${digits.slice(position * 64, position * 64 + 64)}`

/** The order as the program's own client takes it. */
const placeOf = ({ order, mint }: EscrowOrder): EscrowPlace => {
  const { digits, orderId } = encodeAttestedOrder(order)
  const [salt, originChain, , , , , destinationChain, destinationSettler, outputToken, , recipient] =
    Array.from({ length: 18 }, (_, position) => wordAt(digits, position))
  const client: ClientOrder = {
    salt: salt ?? '0x',
    originChain: originChain ?? '0x',
    depositor: address(order.depositor),
    inputToken: address(order.inputToken),
    inputAmount: order.inputAmount,
    destinationChain: destinationChain ?? '0x',
    destinationSettler: destinationSettler ?? '0x',
    outputToken: outputToken ?? '0x',
    outputAmount: order.outputAmount,
    recipient: recipient ?? '0x',
    recipientTag: encodeAddress(order.destinationChain, 'recipient', order.recipient).tag,
    solver: address(order.solver),
    filler: wordAt(digits, 13),
    openDeadline: order.openDeadline,
    fillDeadline: order.fillDeadline,
    refundAfter: order.refundAfter,
    attester: `0x${(order.attester ?? '').slice(2)}`,
  }
  return {
    program: address(order.originSettler),
    orderId: `0x${orderId.slice(2)}`,
    order: client,
    ...(mint.address === order.inputToken && mint.splProgram !== undefined
      ? { tokenProgram: address(programOf(mint)) }
      : {}),
  }
}

const attest = async ({ order }: EscrowOrder) => ({
  transaction: FILL,
  signature: await privateKeyToAccount(ATTESTER_KEY).sign({
    hash: escrowFillDigest(order, encodeAttestedOrder(order).orderId, FILL),
  }),
})

const idOf = ({ order }: EscrowOrder): OrderId => encodeAttestedOrder(order).orderId

const world = async () => {
  const opened = createEscrowWorld(ESCROW_PROGRAM)
  await fundTokens(opened)
  return opened
}

const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes))

test("the instructions equal those of the program's client", async () => {
  const kinds = fc.constantFrom(...ESCROW_KINDS)
  const seconds = fc.integer({ min: 0, max: 0xffff_ffff })
  const terms = fc.record({
    salt: hashes,
    inputAmount: fc.bigInt(1n, (1n << 64n) - 1n).map(baseUnits),
    openDeadline: seconds,
    fillDeadline: seconds,
    refundAfter: seconds,
  })
  await fc.assert(
    fc.asyncProperty(kinds, terms, hashes, async (kind, part, transaction) => {
      const escrow = escrowOrderOf(kind, part)
      const place = placeOf(escrow)
      const orderId = idOf(escrow)
      const attestation = { transaction, signature: (await attest(escrow)).signature }
      assert.equal(escrowAddressOf(PROGRAM, orderId), await findEscrowAddress(PROGRAM, place.orderId))
      const pairs = [
        [openInstruction(escrow), await openEscrow(place, DEPOSITOR)],
        [releaseInstruction(escrow, attestation), await releaseEscrow(place, attestation)],
        [
          refundInstruction(escrow, { kind: 'anybody', caller: STRANGER }),
          await refundEscrow(place, STRANGER),
        ],
        [refundInstruction(escrow, { kind: 'solver' }), await refundEscrow(place, SOLVER, 'decline')],
        [closeInstruction(PROGRAM, orderId, DEPOSITOR), await closeEscrow(PROGRAM, place.orderId, DEPOSITOR)],
      ] as const
      for (const [own, client] of pairs) assert.deepEqual(plain(toKit(own)), plain(client))
    }),
    { numRuns: 40 },
  )
})

test('the digest of an attestation is that of the typed data', () =>
  fc.assert(
    fc.property(hashes, hashes, hashes, (orderId, transaction, payee) => {
      const order = { ...escrowOrderOf('SOL').order, solver: encodeBase58(hexToBytes(payee)) }
      const typed = hashTypedData(fillTypedData(orderId, payee, transaction))
      assert.equal(escrowFillDigest(order, orderId, transaction), typed)
    }),
  ))

for (const kind of ESCROW_KINDS) {
  test(`the program opens a quoted order of ${kind} and releases it by an attestation`, async () => {
    const { send, read } = await world()
    const escrow = escrowOrderOf(kind)
    const opened = send([...computeBudget(60_000, 10_000n), openInstruction(escrow)].map(toKit), DEPOSITOR)
    assert.equal(opened.error, undefined)
    assert.ok(opened.size <= MAX_TRANSACTION_BYTES, `${opened.size} bytes`)
    const release = toKit(releaseInstruction(escrow, await attest(escrow)))
    assert.equal(send([release], SOLVER).error, undefined)
    assert.equal(read(address(escrowAddressOf(PROGRAM, idOf(escrow))))?.bytes[0], 2)
    assert.equal(send([release], SOLVER).error, 'OrderNotOpen')
  })

  test(`the program refunds a quoted order of ${kind} when its solver declines, and to anybody's call when due`, async () => {
    for (const by of ['solver', 'anybody'] as const) {
      const { send, read, setTime } = await world()
      const escrow = escrowOrderOf(kind)
      assert.equal(send([toKit(openInstruction(escrow))], DEPOSITOR).error, undefined)
      const refund =
        by === 'solver'
          ? refundInstruction(escrow, { kind: 'solver' })
          : refundInstruction(escrow, { kind: 'anybody', caller: STRANGER })
      if (by === 'anybody') {
        assert.equal(send([toKit(refund)], STRANGER).error, 'RefundTooEarly')
        setTime(START + 3_601)
      }
      assert.equal(send([toKit(refund)], by === 'solver' ? SOLVER : STRANGER).error, undefined)
      setTime(START + 3_602)
      const account = address(escrowAddressOf(PROGRAM, idOf(escrow)))
      assert.equal(read(account)?.bytes[0], 3)
      assert.equal(send([toKit(closeInstruction(PROGRAM, idOf(escrow), DEPOSITOR))]).error, undefined)
      assert.equal(read(account), undefined)
    }
  })
}

test('an order for a recipient whose tag needs more than 64 bits is no order of the program', () => {
  const account = strKeyText('G', new Uint8Array(32).fill(3))
  const contract = strKeyText('C', new Uint8Array(32).fill(4))
  const stellar = {
    destinationChain: 'stellar:sandbox',
    destinationSettler: account,
    outputToken: contract,
    filler: account,
  }
  for (const recipient of [muxedAddress(account, (1n << 64n) - 1n), contract]) {
    const escrow = escrowOrderOf('SOL', { ...stellar, recipient })
    assert.throws(() => openInstruction(escrow), RangeError)
  }
  openInstruction(escrowOrderOf('SOL', { ...stellar, recipient: muxedAddress(account, 7n) }))
})

test('an amount above 64 bits is no order of the program', () => {
  const escrow = escrowOrderOf('SPL', { inputAmount: baseUnits(1n << 64n) })
  assert.throws(() => openInstruction(escrow), RangeError)
})

test('each term of an order changes the account of the order', () => {
  const first = escrowOrderOf('SPL')
  const keys = [{ solver: STRANGER }, { depositor: STRANGER }, { refundAfter: START + 3_601 }]
  const accounts = [first, ...keys.map((part) => escrowOrderOf('SPL', part))].map((escrow) =>
    escrowAddressOf(PROGRAM, idOf(escrow)),
  )
  assert.equal(new Set(accounts).size, 4)
})
