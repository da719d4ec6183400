import { RpcError } from '../rpc/rpc-error.ts'
import { decodeBase58 } from './base58.ts'
import { PROGRAMS } from './programs.ts'
import type { RecordedTransaction } from './rpc-answers.ts'

/** An executed instruction, with accounts as indexes into the transaction. */
export type ExecutedInstruction = {
  readonly program: string
  readonly accounts: readonly number[]
  /** The instruction's data; empty for programs that were not asked for, whose instructions move nothing here. */
  readonly bytes: Buffer
  /** Whether the transaction's signers wrote it, and no program called it. */
  readonly isOwn: boolean
}

/** A token account before and after a transaction. */
export type AccountHolding = {
  readonly account: number
  readonly mint: string
  /** Undefined if the node does not report it. */
  readonly program: string | undefined
  /** The owner before and after the transaction; undefined if the account did not exist. */
  readonly ownerBefore: string | undefined
  readonly ownerAfter: string | undefined
  readonly before: bigint
  readonly after: bigint
}

/** A recorded transaction in parsed form. */
export type TransactionView = {
  readonly addresses: readonly string[]
  /** Top-level and inner instructions, in the order of execution. */
  readonly instructions: readonly ExecutedInstruction[]
  readonly holdings: ReadonlyMap<number, AccountHolding>
  /** The change of an account's lamports, excluding the fee. */
  readonly lamportsChange: (account: number) => bigint
  /** The text of the first memo, top-level ones before inner ones; undefined without one. */
  readonly memo: string | undefined
}

type RawInstruction = RecordedTransaction['transaction']['message']['instructions'][number]

const MEMO_PROGRAMS: readonly string[] = [PROGRAMS.memo, PROGRAMS.memoV1, PROGRAMS.memoV4]

/** The programs that move money, and those of memos. */
const PAYING_PROGRAMS: readonly string[] = [
  PROGRAMS.system,
  PROGRAMS.token,
  PROGRAMS.token2022,
  ...MEMO_PROGRAMS,
]

const executed = (
  raw: RawInstruction,
  addresses: readonly string[],
  wanted: readonly string[],
): Omit<ExecutedInstruction, 'isOwn'> => {
  const program = addresses[raw.programIdIndex]
  const isDecoded = program !== undefined && wanted.includes(program)
  const bytes = isDecoded ? decodeBase58(raw.data) : new Uint8Array()
  if (program === undefined || bytes === undefined) throw new RpcError('MALFORMED', 'malformed instruction')
  return { program, accounts: raw.accounts, bytes: Buffer.from(bytes) }
}

const holdingsOf = ({ meta }: RecordedTransaction): ReadonlyMap<number, AccountHolding> => {
  const before = new Map(meta.preTokenBalances.map((balance) => [balance.accountIndex, balance]))
  const after = new Map(meta.postTokenBalances.map((balance) => [balance.accountIndex, balance]))
  return new Map(
    [...before, ...after].map(([account, { mint, programId }]) => [
      account,
      {
        account,
        mint,
        program: programId ?? undefined,
        ownerBefore: before.get(account)?.owner ?? undefined,
        ownerAfter: after.get(account)?.owner ?? undefined,
        before: BigInt(before.get(account)?.uiTokenAmount.amount ?? 0),
        after: BigInt(after.get(account)?.uiTokenAmount.amount ?? 0),
      },
    ]),
  )
}

/** Parses a recorded transaction, with the data that the wanted programs got. Throws if its parts are inconsistent. */
export const viewOf = (
  recorded: RecordedTransaction,
  wanted: readonly string[] = PAYING_PROGRAMS,
): TransactionView => {
  const { message } = recorded.transaction
  const { meta } = recorded
  const addresses = [
    ...message.accountKeys,
    ...meta.loadedAddresses.writable,
    ...meta.loadedAddresses.readonly,
  ]
  if (meta.preBalances.length !== addresses.length || meta.postBalances.length !== addresses.length)
    throw new RpcError(
      'MALFORMED',
      `balances of ${meta.postBalances.length} accounts, expected ${addresses.length}`,
    )
  const own = message.instructions.map((raw) => ({ ...executed(raw, addresses, wanted), isOwn: true }))
  const instructions = own.flatMap((instruction, index) => [
    instruction,
    ...meta.innerInstructions
      .filter((group) => group.index === index)
      .flatMap((group) =>
        group.instructions.map((raw) => ({ ...executed(raw, addresses, wanted), isOwn: false })),
      ),
  ])
  const memo = [...own, ...instructions].find(({ program }) => MEMO_PROGRAMS.includes(program))
  return {
    addresses,
    instructions,
    holdings: holdingsOf(recorded),
    lamportsChange: (account) =>
      (meta.postBalances[account] ?? 0n) -
      (meta.preBalances[account] ?? 0n) +
      (account === 0 ? meta.fee : 0n),
    memo: memo?.bytes.toString('utf8'),
  }
}
