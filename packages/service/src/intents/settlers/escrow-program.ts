import { SOLANA_NATIVE_TOKEN } from '../../chains/solana/address.ts'
import { associatedTokenOf } from '../../chains/solana/associated-token.ts'
import type { SolanaInstruction } from '../../chains/solana/instructions.ts'
import { programAddressOf } from '../../chains/solana/program-address.ts'
import { PROGRAMS, programOf, type SolanaMint } from '../../chains/solana/programs.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { memoize } from '../../lib/memoize.ts'
import { encodeAttestedOrder, WORD_OF } from './attested-order.ts'

/** An order whose origin settler is the escrow program, and the mint of its input; native SOL is the all-zero address. */
export type EscrowOrder = { readonly order: IntentOrder; readonly mint: SolanaMint }

type Key = SolanaInstruction['keys'][number]

const WORD_DIGITS = 64
const NAME_BYTES = 8
const MAX_U64 = (1n << 64n) - 1n
const SIGNATURE_DIGITS = 130
/** Recovery numbers of EVM signatures are 27 and 28, or 0 and 1. */
const EVM_RECOVERY = 27
const CACHED_ADDRESSES = 20_000

const signer = (pubkey: string): Key => ({ pubkey, isSigner: true, isWritable: true })
const writable = (pubkey: string): Key => ({ pubkey, isSigner: false, isWritable: true })
const readonly = (pubkey: string): Key => ({ pubkey, isSigner: false, isWritable: false })

const nameOf = (name: string): Buffer => Buffer.from(name.padEnd(NAME_BYTES, '\0'), 'latin1')

const u64 = (value: bigint): Buffer => {
  if (value > MAX_U64) throw new RangeError(`expected at most 64 bits: ${value}`)
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

const addressOf = memoize(CACHED_ADDRESSES, (key: string): string => {
  const [program = '', orderId = ''] = key.split(' ')
  return programAddressOf([Buffer.from('order'), Buffer.from(orderId.slice(2), 'hex')], program)
})

/** The account of an order at the escrow program. */
export const escrowAddressOf = (program: string, orderId: OrderId): string =>
  addressOf(`${program} ${orderId}`)

/** The terms as `open` receives them. Throws RangeError for an order that no program accepts. */
const openData = (order: IntentOrder): Buffer => {
  const { digits } = encodeAttestedOrder(order)
  const word = (position: number): Buffer =>
    Buffer.from(digits.slice(position * WORD_DIGITS, (position + 1) * WORD_DIGITS), 'hex')
  const low64 = (position: number): Buffer => u64(BigInt(`0x${word(position).toString('hex')}`))
  const seconds = (position: number): Buffer => word(position).subarray(-4).reverse()
  return Buffer.concat([
    nameOf('open'),
    word(WORD_OF.salt),
    word(WORD_OF.originChain),
    word(WORD_OF.destinationChain),
    word(WORD_OF.destinationSettler),
    word(WORD_OF.outputToken),
    word(WORD_OF.outputAmount),
    word(WORD_OF.recipient),
    word(WORD_OF.solver),
    word(WORD_OF.filler),
    low64(WORD_OF.recipientTag),
    low64(WORD_OF.inputAmount),
    seconds(WORD_OF.openDeadline),
    seconds(WORD_OF.fillDeadline),
    seconds(WORD_OF.refundAfter),
    word(WORD_OF.attester).subarray(-20),
  ])
}

/** The accounts through which an order's tokens move; none for SOL. */
const tokenKeys = ({ mint }: EscrowOrder, from: string, to: string): readonly Key[] => {
  if (mint.address === SOLANA_NATIVE_TOKEN) return []
  const program = programOf(mint)
  return [
    writable(associatedTokenOf(from, mint.address, program)),
    writable(associatedTokenOf(to, mint.address, program)),
    readonly(mint.address),
    readonly(program),
  ]
}

const instruction = (order: IntentOrder, keys: readonly Key[], data: Buffer): SolanaInstruction => ({
  programId: order.originSettler,
  keys: [...keys],
  data: data.toString('base64'),
})

const accountOf = ({ order }: EscrowOrder): string =>
  escrowAddressOf(order.originSettler, encodeAttestedOrder(order).orderId)

/**
 * `open`: the depositor escrows the input and pays the rent of the order's accounts. Throws RangeError for an order that the
 * program cannot hold, such as one for a Stellar contract. Source: contracts/solana.
 */
export const openInstruction = (escrow: EscrowOrder): SolanaInstruction => {
  const { order } = escrow
  const account = accountOf(escrow)
  const tokens = tokenKeys(escrow, order.depositor, account)
  const keys = [
    signer(order.depositor),
    signer(order.depositor),
    writable(account),
    readonly(PROGRAMS.system),
    ...tokens,
    ...(tokens.length === 0 ? [] : [readonly(PROGRAMS.associatedToken)]),
  ]
  return instruction(order, keys, openData(order))
}

/** An attester's signature, 65 bytes, and the 32 bytes that name the filling transaction; both `0x` hex. */
export type EscrowAttestation = { readonly transaction: string; readonly signature: string }

/**
 * `release`: pays the solver by the attester's signature; the solver's associated token account must be open. Throws
 * RangeError for a signature of another form.
 */
export const releaseInstruction = (
  escrow: EscrowOrder,
  { transaction, signature }: EscrowAttestation,
): SolanaInstruction => {
  const digits = signature.slice(2)
  if (digits.length !== SIGNATURE_DIGITS)
    throw new RangeError(`expected a signature of 65 bytes: ${signature}`)
  const bytes = Buffer.from(digits, 'hex')
  const { order } = escrow
  const account = accountOf(escrow)
  const keys = [writable(account), writable(order.solver), ...tokenKeys(escrow, account, order.solver)]
  const data = [
    nameOf('release'),
    Buffer.from(transaction.slice(2), 'hex'),
    bytes.subarray(0, 64),
    u64(BigInt((bytes[64] ?? 0) % EVM_RECOVERY)),
  ]
  return instruction(order, keys, Buffer.concat(data))
}

/** Who has an order refunded: anybody after `refundAfter`, or its solver before, who signs. */
export type RefundCaller = { readonly kind: 'anybody'; readonly caller: string } | { readonly kind: 'solver' }

/**
 * `refund`: pays the depositor. The caller signs for a token order, and advances the rent of the depositor's token account
 * where that is closed.
 */
export const refundInstruction = (escrow: EscrowOrder, by: RefundCaller): SolanaInstruction => {
  const { order } = escrow
  const account = accountOf(escrow)
  const tokens = tokenKeys(escrow, account, order.depositor)
  const caller = by.kind === 'solver' ? order.solver : by.caller
  const keys = [
    writable(account),
    writable(order.depositor),
    { ...readonly(order.solver), isSigner: by.kind === 'solver' },
    ...tokens,
    ...(tokens.length === 0
      ? []
      : [signer(caller), readonly(PROGRAMS.associatedToken), readonly(PROGRAMS.system)]),
  ]
  return instruction(order, keys, nameOf('refund'))
}

/** `close`: returns the rent of a released or refunded order to its payer, after the order's `openDeadline`. */
export const closeInstruction = (program: string, orderId: OrderId, payer: string): SolanaInstruction => ({
  programId: program,
  keys: [writable(escrowAddressOf(program, orderId)), writable(payer)],
  data: nameOf('close').toString('base64'),
})
