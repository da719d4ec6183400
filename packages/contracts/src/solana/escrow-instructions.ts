import {
  type AccountMeta,
  AccountRole,
  type Address,
  getAddressEncoder,
  getUtf8Encoder,
  type Instruction,
} from '@solana/kit'
import { type EscrowToken, findAssociatedAddress, findEscrowAddress, hexBytes } from './escrow-address.ts'
import type { EscrowOrder, Hex } from './escrow-order.ts'
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from './programs.ts'

/** An order on one deployment of the program. `tokenProgram` owns the order's mint; undefined for SOL. */
export type EscrowPlace = {
  readonly program: Address
  readonly orderId: Hex
  readonly order: EscrowOrder
  readonly tokenProgram?: Address | undefined
}

/** An attester's signature (65 bytes, as EVM wallets make it) of the transaction (32 bytes) that filled an order. */
export type FillAttestation = { readonly transaction: Hex; readonly signature: Hex }

const MAX_U64 = (1n << 64n) - 1n
const MAX_U256 = (1n << 256n) - 1n
const EVM_RECOVERY = 27

const signer = (address: Address): AccountMeta => ({ address, role: AccountRole.WRITABLE_SIGNER })
const writable = (address: Address): AccountMeta => ({ address, role: AccountRole.WRITABLE })
const readonly = (address: Address): AccountMeta => ({ address, role: AccountRole.READONLY })

const tag = (name: string): Uint8Array => Uint8Array.from(getUtf8Encoder().encode(name.padEnd(8, '\0')))

const integer = (value: bigint, maximum: bigint): bigint => {
  if (value < 0n || value > maximum) throw new RangeError(`expected 0 to ${maximum}, not ${value}`)
  return value
}

const u64 = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, integer(value, MAX_U64), true)
  return bytes
}

const u32 = (value: number): Uint8Array => u64(integer(BigInt(value), 0xffff_ffffn)).subarray(0, 4)

const word = (value: bigint): Uint8Array =>
  hexBytes(`0x${integer(value, MAX_U256).toString(16).padStart(64, '0')}`, 32)

const join = (...parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]))

const openData = (order: EscrowOrder): Uint8Array =>
  join(
    tag('open'),
    hexBytes(order.salt, 32),
    hexBytes(order.originChain, 32),
    hexBytes(order.destinationChain, 32),
    hexBytes(order.destinationSettler, 32),
    hexBytes(order.outputToken, 32),
    word(order.outputAmount),
    hexBytes(order.recipient, 32),
    Uint8Array.from(getAddressEncoder().encode(order.solver)),
    hexBytes(order.filler, 32),
    u64(order.recipientTag),
    u64(order.inputAmount),
    u32(order.openDeadline),
    u32(order.fillDeadline),
    u32(order.refundAfter),
    hexBytes(order.attester, 20),
  )

const releaseData = ({ transaction, signature }: FillAttestation): Uint8Array => {
  const bytes = hexBytes(signature, 65)
  const recovery = BigInt((bytes[64] ?? 0) % EVM_RECOVERY)
  return join(tag('release'), hexBytes(transaction, 32), bytes.subarray(0, 64), u64(recovery))
}

/** The order's token; undefined for SOL. Throws RangeError when a token's program is missing. */
const tokenOf = ({ order, tokenProgram }: EscrowPlace): EscrowToken | undefined => {
  if (order.inputToken === SYSTEM_PROGRAM) return undefined
  if (tokenProgram === undefined) throw new RangeError(`expected the token program of ${order.inputToken}`)
  return { mint: order.inputToken, program: tokenProgram }
}

/** The accounts through which an order's tokens move, in the order of the instructions. */
const tokenAccounts = async (
  token: EscrowToken,
  from: Address,
  to: Address,
): Promise<readonly AccountMeta[]> => [
  writable(await findAssociatedAddress(from, token)),
  writable(await findAssociatedAddress(to, token)),
  readonly(token.mint),
  readonly(token.program),
]

/**
 * Opens an order: the depositor pays the amount, the payer the rent. Both sign; they may be the same. Throws RangeError for
 * values that do not fit their fields.
 */
export const openEscrow = async (place: EscrowPlace, payer: Address): Promise<Instruction> => {
  const { program, order, orderId } = place
  const account = await findEscrowAddress(program, orderId)
  const token = tokenOf(place)
  const accounts = [signer(order.depositor), signer(payer), writable(account), readonly(SYSTEM_PROGRAM)]
  if (token !== undefined)
    accounts.push(
      ...(await tokenAccounts(token, order.depositor, account)),
      readonly(ASSOCIATED_TOKEN_PROGRAM),
    )
  return { programAddress: program, accounts, data: openData(order) }
}

/**
 * Pays the order's solver by its attester's signature; needs no signature but that of the transaction's fee payer. The
 * solver's associated token account must be open. Throws RangeError for values of another form.
 */
export const releaseEscrow = async (
  place: EscrowPlace,
  attestation: FillAttestation,
): Promise<Instruction> => {
  const { program, order, orderId } = place
  const account = await findEscrowAddress(program, orderId)
  const token = tokenOf(place)
  const accounts = [writable(account), writable(order.solver)]
  if (token !== undefined) accounts.push(...(await tokenAccounts(token, account, order.solver)))
  return { programAddress: program, accounts, data: releaseData(attestation) }
}

/**
 * Refunds an order after `refundAfter`, or earlier when the solver signs (`decline`). The caller signs; it advances the rent
 * of the depositor's associated token account where that is closed, and gets it back in the same instruction.
 */
export const refundEscrow = async (
  place: EscrowPlace,
  caller: Address,
  by: 'anybody' | 'decline' = 'anybody',
): Promise<Instruction> => {
  const { program, order, orderId } = place
  const account = await findEscrowAddress(program, orderId)
  const token = tokenOf(place)
  const role = by === 'decline' ? AccountRole.READONLY_SIGNER : AccountRole.READONLY
  const accounts = [writable(account), writable(order.depositor), { address: order.solver, role }]
  if (token !== undefined)
    accounts.push(
      ...(await tokenAccounts(token, account, order.depositor)),
      signer(caller),
      readonly(ASSOCIATED_TOKEN_PROGRAM),
      readonly(SYSTEM_PROGRAM),
    )
  return { programAddress: program, accounts, data: tag('refund') }
}

/** Returns the rent of a released or refunded order to its payer, after the order's `openDeadline`. */
export const closeEscrow = async (program: Address, orderId: Hex, payer: Address): Promise<Instruction> => ({
  programAddress: program,
  accounts: [writable(await findEscrowAddress(program, orderId)), writable(payer)],
  data: tag('close'),
})
