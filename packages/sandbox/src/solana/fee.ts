import type { SignedTransaction } from './transaction.ts'

type Message = Pick<SignedTransaction, 'header' | 'staticAccounts' | 'instructions'>

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'

/** Programs whose instructions get a default budget of 3,000 units. Source: SIMD-0170 and the VM's charges. */
const BUILTINS: readonly string[] = [
  COMPUTE_BUDGET,
  '11111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
]

/** Programs that verify signatures; the first byte of an instruction is their number. */
const PRECOMPILES: readonly string[] = [
  'KeccakSecp256k11111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICROLAMPORTS_PER_LAMPORT = 1_000_000n
const MAX_UNITS = 1_400_000n
const BUILTIN_UNITS = 3_000n
const PROGRAM_UNITS = 200_000n
const SET_UNIT_LIMIT = 2
const SET_UNIT_PRICE = 3

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const budgetOf = ({ staticAccounts, instructions }: Message): { units: bigint; price: bigint } => {
  let limit: bigint | undefined
  let price = 0n
  let usual = 0n
  for (const { programIndex, bytes } of instructions) {
    const program = staticAccounts[programIndex] ?? ''
    usual += BUILTINS.includes(program) ? BUILTIN_UNITS : PROGRAM_UNITS
    if (program !== COMPUTE_BUDGET) continue
    if (bytes[0] === SET_UNIT_LIMIT && bytes.length >= 5) limit = BigInt(viewOf(bytes).getUint32(1, true))
    if (bytes[0] === SET_UNIT_PRICE && bytes.length >= 9) price = viewOf(bytes).getBigUint64(1, true)
  }
  const units = limit ?? usual
  return { units: units > MAX_UNITS ? MAX_UNITS : units, price }
}

/** A transaction's fee in lamports: 5,000 per signature plus compute units times unit price, rounded up. */
export const feeOf = (message: Message): bigint => {
  const carried = message.instructions
    .filter(({ programIndex }) => PRECOMPILES.includes(message.staticAccounts[programIndex] ?? ''))
    .reduce((sum, { bytes }) => sum + (bytes[0] ?? 0), 0)
  const { units, price } = budgetOf(message)
  const priority = (units * price + MICROLAMPORTS_PER_LAMPORT - 1n) / MICROLAMPORTS_PER_LAMPORT
  return BigInt(message.header.numSignerAccounts + carried) * LAMPORTS_PER_SIGNATURE + priority
}
