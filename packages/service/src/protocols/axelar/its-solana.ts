import { createHash } from 'node:crypto'
import { keccakHex } from '../../chains/evm/keccak.ts'
import { associatedTokenOf } from '../../chains/solana/associated-token.ts'
import { encodeBase58 } from '../../chains/solana/base58.ts'
import type { SolanaInstruction } from '../../chains/solana/instructions.ts'
import { solanaKeyBytes } from '../../chains/solana/key-bytes.ts'
import { programAddressOf } from '../../chains/solana/program-address.ts'
import { PROGRAMS, programOf, type SolanaMint } from '../../chains/solana/programs.ts'
import { TOKEN_MANAGER_TYPES, type TokenManagerType } from './its-contract.ts'

// Source of all: axelar-amplifier-solana, programs/solana-axelar-its 1.1.

const hexBytes = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')
const textBytes = (text: string): Buffer => Buffer.from(text, 'utf8')

/** The first 8 bytes with which Anchor marks a name: of an instruction, an account or an event. */
const anchorName = (name: string): Buffer => createHash('sha256').update(name).digest().subarray(0, 8)

const KEY_BYTES = 32
const LENGTH_BYTES = 4
const NAME_BYTES = 8
const SOME = 1
const NONE = Buffer.of(0)

/** A string or a vector of bytes in Borsh. */
const borshBytes = (bytes: Uint8Array): Buffer => {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** An unsigned integer of 64 bits in Borsh. Throws RangeError for one that has more. */
const borshU64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

/** Accounts of the token service: its own state, and the manager of one token. */
export type ItsPlaces = { readonly root: string; readonly manager: string }

/** Derives the accounts of a token, which takes some 100 microseconds. */
export const itsPlaces = (program: string, tokenId: string): ItsPlaces => {
  const root = programAddressOf([textBytes('interchain-token-service')], program)
  const seeds = [textBytes('token-manager'), solanaKeyBytes(root), hexBytes(tokenId)]
  return { root, manager: programAddressOf(seeds, program) }
}

/** The address with which a program signs its events. */
export const eventAuthorityOf = (program: string): string =>
  programAddressOf([textBytes('__event_authority')], program)

const ROOT = anchorName('account:InterchainTokenService')
const MANAGER = anchorName('account:TokenManager')

/** Reads Borsh from front to end; every read throws RangeError behind the end. */
const reader = (data: Buffer, start: number) => {
  let at = start
  const take = (length: number): Buffer => {
    if (at + length > data.length) throw new RangeError('the account is too short')
    at += length
    return data.subarray(at - length, at)
  }
  const u32 = (): number => take(LENGTH_BYTES).readUInt32LE()
  return {
    u32,
    u8: (): number => take(1).readUInt8(),
    u64: (): bigint => take(8).readBigUInt64LE(),
    key: (): Buffer => take(KEY_BYTES),
    text: (): string => take(u32()).toString('utf8'),
  }
}

const parsed = <Value>(data: Buffer, name: Buffer, read: () => Value): Value | undefined => {
  if (!data.subarray(0, NAME_BYTES).equals(name)) return undefined
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** What the token service says of itself and of other chains. */
type ItsRoot = {
  readonly hubAddress: string
  readonly isPaused: boolean
  readonly trusted: readonly string[]
}

/** Parses the token service's own state; undefined if the bytes are of another form. */
export const parseItsRoot = (data: Buffer): ItsRoot | undefined => {
  const { text, u8, u32 } = reader(data, NAME_BYTES)
  return parsed(data, ROOT, () => {
    const hubAddress = text()
    text()
    const isPaused = u8() !== 0
    return { hubAddress, isPaused, trusted: Array.from({ length: u32() }, text) }
  })
}

/** A token manager; the limit is null without one, the flows are those of the epoch. */
type SolanaManager = {
  readonly type: TokenManagerType
  readonly tokenId: string
  readonly mint: string
  readonly account: string
  readonly flow: {
    readonly limit: bigint | null
    readonly in: bigint
    readonly out: bigint
    readonly epoch: bigint
  }
}

/** Parses a token manager; undefined if the bytes are of another form. */
export const parseSolanaManager = (data: Buffer): SolanaManager | undefined => {
  const { u8, u64, key } = reader(data, NAME_BYTES)
  return parsed(data, MANAGER, () => {
    const type = TOKEN_MANAGER_TYPES[u8()]
    if (type === undefined) throw new RangeError('unknown type')
    return {
      type,
      tokenId: `0x${key().toString('hex')}`,
      mint: encodeBase58(key()),
      account: encodeBase58(key()),
      flow: { limit: u8() === SOME ? u64() : null, in: u64(), out: u64(), epoch: u64() },
    }
  })
}

/** A transfer that the token service completed; the sender as `0x` bytes, base units. */
export type SolanaTransfer = {
  /** The chain and the id of the message that the gateway gave to the token service. */
  readonly messageChain: string
  readonly messageId: string
  readonly sourceChain: string
  readonly tokenId: string
  readonly sender: string
  readonly recipient: string
  readonly account: string
  readonly amount: bigint
}

/**
 * The event with which the token service completes a transfer without call data, as hex behind the tag of events. It names the
 * message, which the gateway gives to the service once. Source: InterchainTransferReceived, and Message::command_id.
 */
export const receivedEvent = (transfer: SolanaTransfer): string =>
  Buffer.concat([
    anchorName('event:InterchainTransferReceived'),
    Buffer.from(keccakHex(textBytes(`${transfer.messageChain}-${transfer.messageId}`)), 'hex'),
    hexBytes(transfer.tokenId),
    borshBytes(textBytes(transfer.sourceChain)),
    borshBytes(hexBytes(transfer.sender)),
    solanaKeyBytes(transfer.recipient),
    solanaKeyBytes(transfer.account),
    borshU64(transfer.amount),
    NONE,
  ]).toString('hex')

/** The programs of Axelar on a chain, and accounts of theirs that every transfer names. */
export type SendingPlaces = {
  readonly gateway: string
  readonly gatewayRoot: string
  readonly gatewayEvents: string
  readonly signing: string
  readonly gasService: string
  readonly treasury: string
  readonly gasEvents: string
  readonly its: string
  readonly itsEvents: string
}

/** Derives the accounts that every transfer from a chain names, which takes half a millisecond. */
export const sendingPlaces = (gateway: string, gasService: string, its: string): SendingPlaces => ({
  ...{ gateway, gasService, its },
  gatewayRoot: programAddressOf([textBytes('gateway')], gateway),
  gatewayEvents: eventAuthorityOf(gateway),
  signing: programAddressOf([textBytes('gtw-call-contract')], its),
  treasury: programAddressOf([textBytes('gas-service')], gasService),
  gasEvents: eventAuthorityOf(gasService),
  itsEvents: eventAuthorityOf(its),
})

/** A transfer that a wallet sends: recipient as `0x` bytes, base units, lamports for gas. */
export type SentTransfer = {
  readonly tokenId: string
  readonly destinationChain: string
  readonly sender: string
  readonly recipient: string
  readonly amount: bigint
}

const INTERCHAIN_TRANSFER = anchorName('global:interchain_transfer')
const CALL_CONTRACT_EVENT = anchorName('event:CallContractEvent')

/** The first 8 bytes of the gateway's event of a sent message, as `0x` hex. */
export const CALL_CONTRACT_TOPIC = `0x${CALL_CONTRACT_EVENT.toString('hex')}`

type Key = SolanaInstruction['keys'][number]

const writable = (pubkey: string): Key => ({ pubkey, isSigner: false, isWritable: true })
const readonly = (pubkey: string): Key => ({ pubkey, isSigner: false, isWritable: false })

/** The data of `interchain_transfer`, without a call on the destination chain. Throws RangeError for amounts beyond 64 bits. */
export const transferData = ({
  tokenId,
  destinationChain,
  recipient,
  amount,
  gasValue,
}: Omit<SentTransfer, 'sender'> & { readonly gasValue: bigint }): Buffer =>
  Buffer.concat([
    INTERCHAIN_TRANSFER,
    hexBytes(tokenId),
    borshBytes(textBytes(destinationChain)),
    borshBytes(hexBytes(recipient)),
    borshU64(amount),
    borshU64(gasValue),
    ...[NONE, NONE, NONE],
  ])

/**
 * The instruction by which a wallet sends tokens of its associated account and pays for the relay. Throws RangeError for amounts
 * beyond 64 bits. Source: `interchain_transfer`.
 */
export const transferInstruction = (
  transfer: SentTransfer & { readonly gasValue: bigint; readonly mint: SolanaMint },
  places: SendingPlaces,
  { root, manager }: ItsPlaces,
): SolanaInstruction => {
  const { sender, mint } = transfer
  const program = programOf(mint)
  return {
    programId: places.its,
    keys: [
      { pubkey: sender, isSigner: true, isWritable: true },
      { pubkey: sender, isSigner: true, isWritable: false },
      ...[places.gatewayRoot, places.gatewayEvents, places.gateway, places.signing].map(readonly),
      writable(places.treasury),
      ...[places.gasService, places.gasEvents, root].map(readonly),
      writable(manager),
      readonly(program),
      ...[
        mint.address,
        associatedTokenOf(sender, mint.address, program),
        associatedTokenOf(manager, mint.address, program),
      ].map(writable),
      ...[PROGRAMS.system, places.itsEvents, places.its].map(readonly),
    ],
    data: transferData(transfer).toString('base64'),
  }
}

const ADD_GAS = anchorName('global:add_gas')

/** Gas for a message that lacks it, in lamports; Axelar returns what it does not use to the account that pays. */
type AddedGas = { readonly payer: string; readonly messageId: string; readonly amount: bigint }

/**
 * The instruction by which any account pays for the relay of a message. Throws RangeError for amounts beyond 64 bits. Source:
 * axelar-amplifier-solana, solana-axelar-gas-service 1.1 `add_gas`.
 */
export const addGasInstruction = (
  { payer, messageId, amount }: AddedGas,
  { gasService, treasury, gasEvents }: Pick<SendingPlaces, 'gasService' | 'treasury' | 'gasEvents'>,
): SolanaInstruction => ({
  programId: gasService,
  keys: [
    { pubkey: payer, isSigner: true, isWritable: true },
    writable(treasury),
    ...[PROGRAMS.system, gasEvents, gasService].map(readonly),
  ],
  data: Buffer.concat([
    ADD_GAS,
    borshBytes(textBytes(messageId)),
    borshU64(amount),
    solanaKeyBytes(payer),
  ]).toString('base64'),
})

const SEND_TO_HUB = 0
const TRANSFER = 0

/**
 * The event with which the gateway sends a transfer of the token service to the hub, as hex behind the tag of events. Source:
 * CallContractEvent, and HubMessage::SendToHub.
 */
export const sentEvent = (
  { tokenId, destinationChain, sender, recipient, amount }: SentTransfer,
  hub: { readonly chain: string; readonly address: string },
  its: string,
): string => {
  const payload = Buffer.concat([
    Buffer.of(SEND_TO_HUB),
    borshBytes(textBytes(destinationChain)),
    Buffer.of(TRANSFER),
    hexBytes(tokenId),
    borshBytes(solanaKeyBytes(sender)),
    borshBytes(hexBytes(recipient)),
    borshU64(amount),
    NONE,
  ])
  return Buffer.concat([
    CALL_CONTRACT_EVENT,
    solanaKeyBytes(its),
    Buffer.from(keccakHex(payload), 'hex'),
    borshBytes(textBytes(hub.chain)),
    borshBytes(textBytes(hub.address)),
    borshBytes(payload),
  ]).toString('hex')
}
