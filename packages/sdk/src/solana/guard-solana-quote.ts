import { actionsOf } from '../execute/checked-quote.ts'
import { addressWord } from '../guard/address-words.ts'
import type { GuardCode } from '../guard/guard-code.ts'
import { checkContract, type Guarded, unsafe } from '../guard/guards.ts'
import { checkSameTarget } from '../guard/no-worse-quote.ts'
import { checkOrder } from '../guard/order-terms.ts'
import type { SolanaInstructions } from '../wire/action.ts'
import type { Quote } from '../wire/quote.ts'
import { checkItsTransfer } from './guard-solana-its.ts'

type Instruction = SolanaInstructions['instructions'][number]
type Refuse = (guard: GuardCode, what: string) => never

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
const NATIVE = '1'.repeat(32)
const SET_UNIT_LIMIT = 2
const SET_UNIT_PRICE = 3
/** The most lamports that a transaction may pay for its place in a block: 0.01 SOL. */
const MOST_FEE = 10_000_000n
const MOST_UNITS = 1_400_000n
const MICRO = 1_000_000n

/** Bytes of `open`, and where its fields begin. Source: contracts/solana/README.md. */
const OPEN_BYTES = 344
const AT = {
  originChain: 40,
  destinationChain: 72,
  outputToken: 136,
  outputAmount: 168,
  recipient: 200,
  recipientTag: 296,
  inputAmount: 304,
  openDeadline: 312,
  fillDeadline: 316,
  refundAfter: 320,
  attester: 324,
} as const
const NAME = 'open'.padEnd(8, '\0')
/** Accounts of `open` for SOL and for a token, and the place of the mint among them. */
const SOL_KEYS = 4
const TOKEN_KEYS = 9
const MINT_KEY = 6

/**
 * Refuses a quote whose instructions are anything but a bounded fee and one deposit into a known escrow program, or one transfer
 * by the known token service, as the quote says and for the request. A program acts with the signer's authority, so the guards
 * have to name it. Rejects with ExecutionError `unsafe`.
 */
export const guardSolanaQuote = async (guarded: Guarded): Promise<void> => {
  const [action, ...others] = actionsOf(guarded.quote, 'solana_instructions')
  if (action === undefined || others.length > 0)
    throw unsafe('action_order', `quote ${guarded.quote.quoteId} is not one transaction`)
  const refuse: Refuse = (guard, what) => {
    throw unsafe(guard, `action "${action.id}" ${what}`, action.id)
  }
  const { instructions } = action.payload
  checkSameTarget(guarded, paidBy)
  checkFee(
    guarded,
    instructions.filter(({ programId }) => programId === COMPUTE_BUDGET),
    refuse,
  )
  const [opening, ...more] = instructions.filter(({ programId }) => programId !== COMPUTE_BUDGET)
  if (opening === undefined || more.length > 0) refuse('action_order', 'is not one deposit')
  const { chain, id: actionId } = action
  const role = guarded.quote.backend.type === 'its' ? 'its' : undefined
  const isNamed = checkContract(guarded, { chain, contract: opening.programId, actionId }, role)
  if (!isNamed)
    refuse('unknown_contract', `calls ${opening.programId}; name the ${role ?? 'escrow'} program of ${chain}`)
  if (role === 'its') {
    if (action.payload.addressLookupTableAddresses.length > 0) refuse('call_extra', 'names lookup tables')
    await checkItsTransfer(guarded, opening, refuse)
    return
  }
  checkOpening(guarded, opening, { actionId, refuse })
}

const paidBy = (quote: Quote) => ({
  target: actionsOf(quote, 'solana_instructions')[0]?.payload.instructions.at(-1)?.programId,
  // The guards compare the fee that a quote shows with the one that its instruction pays.
  fee: quote.backend.type === 'its' ? BigInt(quote.fees.user.amount) : 0n,
})

const bytesOf = (base64: string): readonly number[] | undefined => {
  try {
    return [...atob(base64)].map((char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** The number in bytes, lowest first. */
const littleEndian = (bytes: readonly number[]): bigint =>
  bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)

const checkFee = ({ guards }: Guarded, budget: readonly Instruction[], refuse: Refuse): void => {
  let [units, price] = [MOST_UNITS, 0n]
  for (const { data, keys } of budget) {
    if (keys.length > 0) refuse('call_extra', 'names accounts to the compute budget')
    const [kind, ...value] = bytesOf(data) ?? []
    if (kind === SET_UNIT_LIMIT) units = littleEndian(value)
    else if (kind === SET_UNIT_PRICE) price = littleEndian(value)
    else refuse('unknown_call', 'asks the compute budget for something else than units and their price')
  }
  const fee = (units * price) / MICRO
  const most = guards.maximumNativeFee ?? MOST_FEE
  if (fee > most) refuse('priority_fee', `pays ${fee} lamports for its place in a block, more than ${most}`)
}

/** Programs of `open` by their places, any of the names at each; and the accounts that it writes. */
const PROGRAMS: Readonly<Record<number, readonly string[]>> = {
  3: [NATIVE],
  7: ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'],
  8: ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'],
}
const WRITTEN: readonly number[] = [0, 1, 2, 4, 5]

const checkAccounts = (keys: Instruction['keys'], refuse: Refuse): void => {
  for (const [at, { pubkey, isWritable }] of keys.entries()) {
    if (PROGRAMS[at]?.includes(pubkey) === false)
      refuse('unknown_contract', `has ${pubkey} called, which is none of Solana's programs for it`)
    if (isWritable && !WRITTEN.includes(at)) refuse('call_extra', `lets ${pubkey} be written`)
  }
}

const checkOpening = (
  guarded: Guarded,
  { programId, keys, data }: Instruction,
  { actionId, refuse }: { readonly actionId: string; readonly refuse: Refuse },
): void => {
  const { quote, request } = guarded
  const bytes = bytesOf(data) ?? []
  const name = String.fromCharCode(...bytes.slice(0, NAME.length))
  if (name !== NAME || bytes.length !== OPEN_BYTES) refuse('unknown_call', 'does not open an order')
  const isNative = quote.input.token === NATIVE
  if (keys.length !== (isNative ? SOL_KEYS : TOKEN_KEYS))
    refuse('call_input', `does not deposit ${quote.input.token}`)
  if (!isNative && keys[MINT_KEY]?.pubkey !== quote.input.token)
    refuse('call_input', `deposits ${keys[MINT_KEY]?.pubkey}, expected ${quote.input.token}`)
  const signers = keys.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey)
  if (keys[0]?.pubkey !== request.sender || signers.some((signer) => signer !== request.sender))
    refuse('call_sender', `is signed by ${signers.join(', ')}, expected ${request.sender} alone`)
  checkAccounts(keys, refuse)
  const hex = (start: number, length: number): string =>
    bytes
      .slice(start, start + length)
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
  const number = (start: number, length: number): string =>
    littleEndian(bytes.slice(start, start + length))
      .toString(16)
      .padStart(64, '0')
  const terms = {
    depositor: addressWord(quote.input.chain, request.sender)?.digits ?? '',
    originChain: hex(AT.originChain, 32),
    inputToken: addressWord(quote.input.chain, quote.input.token, 'token')?.digits ?? '',
    inputAmount: number(AT.inputAmount, 8),
    destinationChain: hex(AT.destinationChain, 32),
    outputToken: hex(AT.outputToken, 32),
    outputAmount: hex(AT.outputAmount, 32),
    recipient: hex(AT.recipient, 32),
    recipientTag: number(AT.recipientTag, 8),
    openDeadline: number(AT.openDeadline, 4),
    fillDeadline: number(AT.fillDeadline, 4),
    refundAfter: number(AT.refundAfter, 4),
    attester: hex(AT.attester, 20),
  }
  checkOrder(guarded, actionId, terms, { settler: programId, names: 'hash' })
}
