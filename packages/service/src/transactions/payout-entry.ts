import { z } from 'zod'
import type { Payout, SignedPayout } from '../chains/payment-chain.ts'
import type { OutboxEntry } from '../store/store.ts'

/** A payment and its signed bytes: what a payout entry stores as its transaction. */
export type PayoutEntry = { readonly payout: Payout; readonly signed: SignedPayout }

const Text = z.string().min(1)
const Body = z.tuple([
  Text,
  Text,
  z
    .string()
    .regex(/^[1-9][0-9]{0,77}$/)
    .transform(BigInt),
  z.string(),
  z.int().min(0).nullable(),
  Text,
])

/** Encodes an entry's transaction: the payment, so that it can be signed again, and the signed bytes. */
export const writePayout = ({ payout, signed }: PayoutEntry): string =>
  JSON.stringify([
    payout.recipient,
    payout.token,
    payout.amount.toString(),
    payout.memo,
    payout.notAfterSeconds ?? null,
    signed.rawTransaction,
  ])

/** Decodes what `writePayout` wrote. Throws ZodError or SyntaxError for anything else. */
export const readPayout = ({
  txHash,
  rawTransaction: text,
}: Pick<OutboxEntry, 'txHash' | 'rawTransaction'>): PayoutEntry => {
  const [recipient, token, amount, memo, notAfterSeconds, rawTransaction] = Body.parse(JSON.parse(text))
  return {
    payout: { recipient, token, amount, memo, notAfterSeconds: notAfterSeconds ?? undefined },
    signed: { txHash, rawTransaction },
  }
}
