import { addressBytes } from '@openrfq/sandbox/src/solana/address-bytes.ts'
import { type AttestedOrder, attestedIdOf } from '@openrfq/sandbox/test/attested-order.ts'
import { type EscrowToken, TOKENS, type TokenKind } from '@openrfq/sandbox/test/escrow-tokens.ts'
import {
  DEPOSITOR,
  type EscrowWorld,
  PROGRAM,
  SOLVER,
  SPONSOR,
  START,
  STRANGER,
} from '@openrfq/sandbox/test/escrow-world.ts'
import { type Address, address } from '@solana/kit'
import { bytesToHex, type Hex, hashTypedData, keccak256, toHex, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { findAssociatedAddress, findEscrowAddress } from '../src/solana/escrow-address.ts'
import type { EscrowPlace, FillAttestation } from '../src/solana/escrow-instructions.ts'
import { closeEscrow, openEscrow, refundEscrow, releaseEscrow } from '../src/solana/escrow-instructions.ts'
import type { EscrowOrder } from '../src/solana/escrow-order.ts'
import { fillTypedData } from '../src/solana/fill-typed-data.ts'

/** What an order deposits: SOL, or a token. */
export type Kind = 'SOL' | TokenKind
export const KINDS: readonly Kind[] = ['SOL', 'SPL', 'Token-2022', 'wrapped SOL']

/** Base units that orders deposit. */
export const AMOUNT = 250_000n

const keyOf = (number: number) => privateKeyToAccount(`0x${number.toString(16).padStart(64, '0')}`)
export const ATTESTER = keyOf(0xa77e)
export const IMPOSTOR = keyOf(0xbad)

/** The transaction that filled an order. */
export const FILL: Hex = keccak256('0xf111')

const SYSTEM_PROGRAM = address('11111111111111111111111111111111')

const hexOf = (key: Address): Hex => bytesToHex(addressBytes(key))

/** An order of this kind; equal parts give an equal order. */
export const orderOf = (kind: Kind, part: Partial<EscrowOrder> = {}): EscrowOrder => ({
  salt: toHex(1, { size: 32 }),
  originChain: keccak256(toHex('solana:sandbox')),
  depositor: DEPOSITOR,
  inputToken: kind === 'SOL' ? SYSTEM_PROGRAM : TOKENS[kind].mint,
  inputAmount: AMOUNT,
  destinationChain: keccak256(toHex('eip155:31337')),
  destinationSettler: toHex(2, { size: 32 }),
  outputToken: toHex(3, { size: 32 }),
  outputAmount: 10n ** 24n,
  recipient: toHex(4, { size: 32 }),
  recipientTag: 0n,
  solver: SOLVER,
  filler: toHex(5, { size: 32 }),
  openDeadline: START + 60,
  fillDeadline: START + 600,
  refundAfter: START + 3_600,
  attester: ATTESTER.address,
  ...part,
})

/** The terms of an order that the program does not take, because they are the same in all. */
const FIXED = { integrator: zeroHash, integratorFee: 0n } as const
type OtherTerms = Partial<Pick<AttestedOrder, 'exclusiveUntil' | 'integrator' | 'integratorFee'>>

/** The order's id by viem's EIP-712. */
export const orderIdOf = (order: EscrowOrder, program: Address = PROGRAM, others: OtherTerms = {}): Hex =>
  attestedIdOf({
    ...order,
    ...FIXED,
    exclusiveUntil: order.fillDeadline,
    originSettler: hexOf(program),
    depositor: hexOf(order.depositor),
    inputToken: hexOf(order.inputToken),
    solver: hexOf(order.solver),
    ...others,
  })

/** An order with its place, its accounts, and the instructions of honest parties. */
export type Escrow = {
  readonly kind: Kind
  readonly place: EscrowPlace
  readonly orderId: Hex
  readonly account: Address
  readonly token: EscrowToken | undefined
  /** The vault of a token order; of a SOL order the order's account. */
  readonly vault: Address
  readonly open: Awaited<ReturnType<typeof openEscrow>>
  readonly release: Awaited<ReturnType<typeof releaseEscrow>>
  readonly refund: Awaited<ReturnType<typeof refundEscrow>>
  readonly decline: Awaited<ReturnType<typeof refundEscrow>>
  readonly close: Awaited<ReturnType<typeof closeEscrow>>
}

/** What an attester signs so that an account is repaid for the fill. */
export const fillHash = (orderId: Hex, repayTo: Address = SOLVER): Hex =>
  hashTypedData(fillTypedData(orderId, hexOf(repayTo), FILL))

/** An attestation by the attester, or another key, of a digest. */
export const signFill = async (
  orderId: Hex,
  by = ATTESTER,
  hash: Hex = fillHash(orderId),
): Promise<FillAttestation> => ({ transaction: FILL, signature: await by.sign({ hash }) })

/** An order and its instructions; the sponsor pays the rent. Nothing is sent. */
export const escrowOf = async (
  kind: Kind,
  part: Partial<EscrowOrder> = {},
  program: Address = PROGRAM,
): Promise<Escrow> => {
  const token = kind === 'SOL' ? undefined : TOKENS[kind]
  const order = orderOf(kind, part)
  const orderId = orderIdOf(order, program)
  const place = { program, order, orderId, tokenProgram: token?.program }
  const account = await findEscrowAddress(program, orderId)
  return {
    kind,
    place,
    orderId,
    account,
    token,
    vault: token === undefined ? account : await findAssociatedAddress(account, token),
    open: await openEscrow(place, SPONSOR),
    release: await releaseEscrow(place, await signFill(orderId, ATTESTER, fillHash(orderId, order.solver))),
    refund: await refundEscrow(place, STRANGER),
    decline: await refundEscrow(place, STRANGER, 'decline'),
    close: await closeEscrow(program, orderId, SPONSOR),
  }
}

/** What an owner has of an order's token, in base units: its lamports, or the amount in its associated account. */
export const holdingOf = async (world: EscrowWorld, { token }: Escrow, owner: Address): Promise<bigint> => {
  if (token === undefined) return world.lamportsOf(owner)
  return amountAt(world, await findAssociatedAddress(owner, token))
}

/** The amount in a token account; 0 where there is none. */
export const amountAt = (world: EscrowWorld, account: Address): bigint => {
  const found = world.read(account)
  return found === undefined || found.bytes.length < 165 ? 0n : Buffer.from(found.bytes).readBigUInt64LE(64)
}
