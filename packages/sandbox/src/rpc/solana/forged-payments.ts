import { createHash } from 'node:crypto'
import { decodeBase58, encodeBase58 } from 'openrfq/base58'
import { itemsOf, membersOf } from '../rpc-message.ts'

/** Makes up copies of an account's transactions. */
export type PaymentForger = {
  /** Made-up entries of a history beside the real one. */
  readonly copiesOf: (entry: unknown) => readonly object[]
  /** The real signature behind a made-up one. */
  readonly originalOf: (signature: unknown) => string | undefined
  /** The made-up transaction. */
  readonly forge: (transaction: unknown, signature: string) => unknown
}

const MOST_KNOWN = 10_000
/** `Transfer` and `TransferChecked` of the token programs: one byte, then the amount. */
const TOKEN_TRANSFERS: ReadonlySet<number> = new Set([3, 12])
const AMOUNT_AT = 1
const AMOUNT_BYTES = 8
const MULTIPLE = 2n

const signatureOf = (original: string, copy: number): string => {
  const hash = createHash('sha512').update(`${original} ${copy}`).digest()
  return encodeBase58(hash)
}

/** Tells every transaction again under other signatures. */
export const createRepeater = (copies: number, change: (transaction: unknown) => unknown): PaymentForger => {
  const originals = new Map<string, string>()
  return {
    copiesOf: (entry) => {
      const { signature, err } = membersOf(entry)
      if (typeof signature !== 'string' || err !== null) return []
      return Array.from({ length: copies }, (_, copy) => {
        const forged = signatureOf(signature, copy)
        if (originals.size < MOST_KNOWN) originals.set(forged, signature)
        return { ...membersOf(entry), signature: forged }
      })
    },
    originalOf: (signature) => originals.get(String(signature)),
    forge: (transaction, signature) => {
      if (transaction === null) return null
      const changed = membersOf(change(transaction))
      const inner = membersOf(changed['transaction'])
      const [, ...others] = itemsOf(inner['signatures'])
      return { ...changed, transaction: { ...inner, signatures: [signature, ...others] } }
    },
  }
}

/** The instruction with twice the amount if it moves tokens, or without meaning if it is a memo. */
const changeInstruction = (instruction: unknown): unknown => {
  const { data, accounts } = membersOf(instruction)
  const bytes = Buffer.from(decodeBase58(String(data)) ?? [])
  if (TOKEN_TRANSFERS.has(bytes[0] ?? 0) && bytes.length >= AMOUNT_AT + AMOUNT_BYTES && bytes.length <= 10) {
    bytes.writeBigUInt64LE(bytes.readBigUInt64LE(AMOUNT_AT) * MULTIPLE, AMOUNT_AT)
    return { ...membersOf(instruction), data: encodeBase58(bytes) }
  }
  // Memos name accounts at most as signers, and are text.
  const isMemo = itemsOf(accounts).length <= 1 && bytes.length > 20
  return isMemo ? { ...membersOf(instruction), data: encodeBase58(Buffer.from('a present')) } : instruction
}

/** Balances after a transaction that moved twice as much. */
const changeBalances = (before: readonly unknown[], after: readonly unknown[]): readonly unknown[] =>
  after.map((balance) => {
    const { accountIndex, uiTokenAmount } = membersOf(balance)
    const earlier = before.find((one) => membersOf(one)['accountIndex'] === accountIndex)
    const was = BigInt(String(membersOf(membersOf(earlier)['uiTokenAmount'])['amount'] ?? 0))
    const is = BigInt(String(membersOf(uiTokenAmount)['amount'] ?? 0))
    const changed = was + (is - was) * MULTIPLE
    return {
      ...membersOf(balance),
      uiTokenAmount: { ...membersOf(uiTokenAmount), amount: (changed < 0n ? 0n : changed).toString() },
    }
  })

/** The transaction with twice the tokens and another memo: money that belongs to no order. */
export const inflate = (transaction: unknown): unknown => {
  const known = membersOf(transaction)
  const inner = membersOf(known['transaction'])
  const message = membersOf(inner['message'])
  const meta = membersOf(known['meta'])
  const [before, after] = [itemsOf(meta['preTokenBalances']), itemsOf(meta['postTokenBalances'])]
  return {
    ...known,
    meta: { ...meta, postTokenBalances: changeBalances(before, after) },
    transaction: {
      ...inner,
      message: { ...message, instructions: itemsOf(message['instructions']).map(changeInstruction) },
    },
  }
}
