import { type Address, address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit'
import { recipientBytes } from '../guard/address-words.ts'
import { checkAsset, checkAxelarChain } from '../guard/bridge.ts'
import type { GuardCode } from '../guard/guard-code.ts'
import type { Guarded } from '../guard/guards.ts'
import type { SolanaInstructions } from '../wire/action.ts'

type Instruction = SolanaInstructions['instructions'][number]
type Key = Instruction['keys'][number]
type Refuse = (guard: GuardCode, what: string) => never

// Source of all: axelar-amplifier-solana, programs/solana-axelar-its 1.1, `interchain_transfer`.

/** sha256("global:interchain_transfer"), the first 8 bytes. */
const NAME = 'd0c6f53c87e464dc'
const SYSTEM = '1'.repeat(32)
const ASSOCIATED = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const TOKEN_PROGRAMS: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]
/** Places of the accounts that no other account tells. */
const AT = { gateway: 4, gasService: 7, tokenProgram: 11, mint: 12 } as const

/**
 * Refuses an instruction of the token service that is anything but the quote's transfer: other accounts than those that program,
 * token and sender give, other arguments, a call on the destination chain, or more gas than the quote shows. Rejects with what
 * `refuse` throws.
 */
export const checkItsTransfer = async (
  guarded: Guarded,
  instruction: Instruction,
  refuse: Refuse,
): Promise<void> => {
  const transfer = readTransfer(instruction.data)
  if (transfer === undefined) refuse('unknown_call', 'is no interchain transfer')
  checkArguments(guarded, transfer, refuse)
  checkGas(guarded, transfer.gasValue, refuse)
  checkPrograms(guarded, instruction, refuse)
  checkKeys(guarded, instruction.keys, await expectedKeys(guarded, instruction, transfer.tokenId), refuse)
}

/** What the instruction says; `0x` hex, base units of the token, and lamports. */
type Transfer = {
  readonly tokenId: string
  readonly chain: string
  readonly recipient: string
  readonly amount: bigint
  readonly gasValue: bigint
  /** The remaining bytes: options of a call on the destination chain, which no quote has. */
  readonly rest: string
}

const NO_OPTIONS = '000000'

const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Reads the instruction in Borsh; undefined for another one, or one that is too short. */
const readTransfer = (base64: string): Transfer | undefined => {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    let at = 0
    const take = (length: number): Uint8Array => {
      if (at + length > bytes.length) throw new RangeError('the instruction is too short')
      at += length
      return bytes.subarray(at - length, at)
    }
    const viewOf = (length: number): DataView => {
      const { buffer, byteOffset } = take(length)
      return new DataView(buffer, byteOffset, length)
    }
    const counted = (): Uint8Array => take(viewOf(4).getUint32(0, true))
    const number = (): bigint => viewOf(8).getBigUint64(0, true)
    if (hexOf(take(8)) !== NAME) return undefined
    const tokenId = `0x${hexOf(take(32))}`
    const chain = new TextDecoder('utf-8', { fatal: true }).decode(counted())
    const recipient = `0x${hexOf(counted())}`
    return {
      tokenId,
      chain,
      recipient,
      amount: number(),
      gasValue: number(),
      rest: hexOf(bytes.subarray(at)),
    }
  } catch {
    return undefined
  }
}

const checkArguments = (guarded: Guarded, transfer: Transfer, refuse: Refuse): void => {
  const { quote, request } = guarded
  const { backend, input } = quote
  const { tokenId, chain, recipient, amount } = transfer
  if (backend.type !== 'its') refuse('unknown_call', `is no call of the backend ${backend.type}`)
  if (amount !== BigInt(input.amount)) refuse('call_input', `sends ${amount} base units of ${input.amount}`)
  if (recipient !== recipientBytes(request.toChain, request.recipient))
    refuse('call_recipient', `pays ${recipient}`)
  if (chain !== backend.tracking.destinationAxelarChain) refuse('call_chain', `ends on ${chain}`)
  if (tokenId !== backend.tracking.tokenId?.toLowerCase()) refuse('call_input', `sends the token ${tokenId}`)
  if (transfer.rest !== NO_OPTIONS) refuse('call_extra', 'makes a call on the destination chain')
  checkAxelarChain(guarded, chain, refuse)
  checkAsset(guarded, tokenId, refuse)
}

/** The lamports for the way are exactly what the quote shows. */
const checkGas = ({ quote, guards, lacks }: Guarded, gasValue: bigint, refuse: Refuse): void => {
  const { amount, paymentMethod } = quote.fees.user
  const shown = paymentMethod === 'tx_value' ? BigInt(amount) : 0n
  if (gasValue !== shown)
    refuse('call_value', `pays ${gasValue} lamports for the way, the quote shows ${shown}`)
  if (guards.maximumNativeFee === undefined) lacks('native_fee')
  else if (gasValue > guards.maximumNativeFee)
    refuse('native_fee', `pays ${gasValue} lamports for the way, more than ${guards.maximumNativeFee}`)
}

/** The programs that the token service calls: Axelar's, as far as the guards name them, and a token program. */
const checkPrograms = ({ quote, guards }: Guarded, { keys }: Instruction, refuse: Refuse): void => {
  const known = guards.bridge?.[quote.input.chain]
  for (const role of ['gateway', 'gasService'] as const) {
    const called = keys[AT[role]]?.pubkey
    if (known?.[role] !== undefined && called !== known[role])
      refuse('unknown_contract', `has ${called} called, expected ${known[role]}`)
  }
  const tokenProgram = keys[AT.tokenProgram]?.pubkey ?? ''
  if (!TOKEN_PROGRAMS.includes(tokenProgram))
    refuse('unknown_contract', `has ${tokenProgram} called, which is none of Solana's token programs`)
}

const text = (seed: string): Uint8Array => new TextEncoder().encode(seed)
const keyBytes = (of: string): Uint8Array => Uint8Array.from(getAddressEncoder().encode(address(of)))

const derived = async (program: string, ...seeds: readonly Uint8Array[]): Promise<Address> => {
  const [found] = await getProgramDerivedAddress({ programAddress: address(program), seeds: [...seeds] })
  return found
}

const bytesOfHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** The accounts of the quote's transfer, by the programs that the instruction names. */
const expectedKeys = async (
  { quote, request }: Guarded,
  { programId: its, keys }: Instruction,
  tokenId: string,
): Promise<readonly Key[]> => {
  const [gateway = SYSTEM, gasService = SYSTEM, tokenProgram = SYSTEM] = [
    AT.gateway,
    AT.gasService,
    AT.tokenProgram,
  ].map((at) => keys[at]?.pubkey)
  const { sender } = request
  const mint = quote.input.token
  const holding = (owner: string): Promise<Address> =>
    derived(ASSOCIATED, keyBytes(owner), keyBytes(tokenProgram), keyBytes(mint))
  const events = (program: string): Promise<Address> => derived(program, text('__event_authority'))
  const root = await derived(its, text('interchain-token-service'))
  const manager = await derived(its, text('token-manager'), keyBytes(root), bytesOfHex(tokenId))
  const read = (pubkey: string): Key => ({ pubkey, isSigner: false, isWritable: false })
  const write = (pubkey: string): Key => ({ pubkey, isSigner: false, isWritable: true })
  return [
    { pubkey: sender, isSigner: true, isWritable: true },
    { pubkey: sender, isSigner: true, isWritable: false },
    read(await derived(gateway, text('gateway'))),
    read(await events(gateway)),
    read(gateway),
    read(await derived(its, text('gtw-call-contract'))),
    write(await derived(gasService, text('gas-service'))),
    read(gasService),
    read(await events(gasService)),
    read(root),
    write(manager),
    read(tokenProgram),
    write(mint),
    write(await holding(sender)),
    write(await holding(manager)),
    read(SYSTEM),
    read(await events(its)),
    read(its),
  ]
}

const checkKeys = (
  { request, quote }: Guarded,
  keys: readonly Key[],
  expected: readonly Key[],
  refuse: Refuse,
): void => {
  const signers = keys.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey)
  if (keys[0]?.pubkey !== request.sender || signers.some((signer) => signer !== request.sender))
    refuse('call_sender', `is signed by ${signers.join(', ')}, expected ${request.sender} alone`)
  if (keys[AT.mint]?.pubkey !== quote.input.token)
    refuse('call_input', `sends ${keys[AT.mint]?.pubkey}, expected ${quote.input.token}`)
  if (keys.length !== expected.length)
    refuse('call_extra', `names ${keys.length} accounts, expected ${expected.length}`)
  for (const [at, key] of expected.entries()) {
    const found = keys[at]
    if (found?.pubkey !== key.pubkey)
      refuse('unknown_contract', `names account ${found?.pubkey}, expected ${key.pubkey}`)
    if (found.isSigner !== key.isSigner || found.isWritable !== key.isWritable)
      refuse('call_extra', `lets ${key.pubkey} be ${found.isWritable ? 'written' : 'read'} otherwise`)
  }
}
