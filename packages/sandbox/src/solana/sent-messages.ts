import { encodeBase58 } from 'openrfq/base58'
import { encodeAbiParameters, parseAbiParameters } from 'viem'
import type { Hex, SentCall } from '../deployment-types.ts'
import type { LandedTransaction } from './block.ts'
import type { SimulatedSolana } from './simulated-solana.ts'
import { GAS_SERVICE, GATEWAY } from './token-service.ts'

const EVENT_TAG = 'e445a52e51cb9a1d'
const CALL_CONTRACT_EVENT = 'd3d3507e9662b5c6'
const GAS_PAID_EVENT = 'bfa116ab2920d4f8'
const HEADER_BYTES = 16
const KEY_BYTES = 32
const SEND_TO_HUB = 0
const TRANSFER = 0
const WRAPPED = parseAbiParameters('uint256, string, bytes')
const TRANSFER_PARAMETERS = parseAbiParameters('uint256, bytes32, bytes, bytes, uint256, bytes')

/** Reads Borsh from front to end. */
const reader = (bytes: Buffer, start = 0) => {
  let at = start
  const take = (length: number): Buffer => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const bytesOf = (): Buffer => take(take(4).readUInt32LE())
  return {
    u8: (): number => take(1).readUInt8(),
    u64: (): bigint => take(8).readBigUInt64LE(),
    key: (): Buffer => take(KEY_BYTES),
    bytes: bytesOf,
    text: (): string => bytesOf().toString('utf8'),
  }
}

const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`

/** What the hub's translator makes of a transfer from Solana; empty for another message. */
const translated = (payload: Buffer): Hex => {
  const borsh = reader(payload)
  if (borsh.u8() !== SEND_TO_HUB) return '0x'
  const destination = borsh.text()
  if (borsh.u8() !== TRANSFER) return '0x'
  const values = [hex(borsh.key()), hex(borsh.bytes()), hex(borsh.bytes()), borsh.u64()] as const
  const inner = encodeAbiParameters(TRANSFER_PARAMETERS, [0n, ...values, '0x'])
  return encodeAbiParameters(WRAPPED, [3n, destination, inner])
}

type Told = { readonly place: string; readonly bytes: Buffer }

/** The events of one kind in a transaction, with their places as message ids count them: from 1. */
const eventsOf = (
  { accounts, execution }: LandedTransaction,
  program: string,
  kind: string,
): readonly Told[] =>
  execution.inner.flatMap((calls, group) =>
    calls.flatMap(({ programIndex, bytes }, position) =>
      accounts.addresses[programIndex] === program &&
      Buffer.from(bytes.subarray(0, HEADER_BYTES)).toString('hex') === EVENT_TAG + kind
        ? [{ place: `${group + 1}.${position + 1}`, bytes: Buffer.from(bytes) }]
        : [],
    ),
  )

const paymentOf = ({ bytes }: Told) => {
  const borsh = reader(bytes, HEADER_BYTES)
  const payer = encodeBase58(borsh.key())
  borsh.text()
  borsh.text()
  return { payer, payloadHash: hex(borsh.key()), amount: borsh.u64() }
}

const callOf = (landed: LandedTransaction, { place, bytes }: Told): SentCall => {
  const { transaction, block, accounts } = landed
  const borsh = reader(bytes, HEADER_BYTES)
  const sender = encodeBase58(borsh.key())
  const payloadHash = hex(borsh.key())
  const [destination, destinationAddress] = [borsh.text(), borsh.text()]
  const payment = eventsOf(landed, GAS_SERVICE, GAS_PAID_EVENT)
    .map(paymentOf)
    .find((one) => one.payloadHash === payloadHash)
  return {
    messageId: `${transaction.signature}-${place}`,
    txHash: transaction.signature,
    slot: block.slot,
    timestampSeconds: block.timeSeconds,
    ...{ sender, payloadHash, destination, destinationAddress },
    payer: accounts.addresses[0] ?? '',
    payload: translated(borsh.bytes()),
    gas: payment?.amount ?? 0n,
  }
}

/** The messages that final transactions sent through the gateway. */
export const sentMessages = ({ history, blocks }: SimulatedSolana): readonly SentCall[] =>
  history
    .ofAddress(GATEWAY)
    .filter(({ execution, block }) => execution.error === null && blocks.commitmentOf(block) === 'finalized')
    .flatMap((landed) => eventsOf(landed, GATEWAY, CALL_CONTRACT_EVENT).map((told) => callOf(landed, told)))
