import { z } from 'zod'
import { digits } from '../../core/decimal-text.ts'

const Unsigned64 = digits(20).transform(BigInt)

const RawPayout = z.object({
  /** The signed transaction in base64. */
  transaction: z.string().min(1),
  lastValidBlockHeight: Unsigned64,
  /** The slot of the blockhash: no earlier block includes the payment. */
  signedAtSlot: Unsigned64,
  /** Undefined for a payment that an earlier release signed. */
  blockhash: z.string().min(1).optional(),
})

/** A signed payment with what is needed to prove later that it can never land. */
export type RawPayout = z.infer<typeof RawPayout>

/** Encodes a signed payment for storage. */
export const encodeRawPayout = ({
  transaction,
  lastValidBlockHeight,
  signedAtSlot,
  blockhash,
}: RawPayout): string =>
  JSON.stringify({
    transaction,
    blockhash,
    lastValidBlockHeight: lastValidBlockHeight.toString(),
    signedAtSlot: signedAtSlot.toString(),
  })

/** Decodes what `encodeRawPayout` wrote; throws ZodError or SyntaxError for other text. */
export const parseRawPayout = (text: string): RawPayout => RawPayout.parse(JSON.parse(text))
