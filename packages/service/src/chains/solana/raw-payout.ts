import { z } from 'zod'

const Decimal = z
  .string()
  .regex(/^[0-9]{1,20}$/)
  .transform(BigInt)

const RawPayout = z.object({
  /** The signed transaction in base64. */
  transaction: z.string().min(1),
  lastValidBlockHeight: Decimal,
  /** The newest known slot at signing. */
  signedAtSlot: Decimal,
})

/** A signed payment with what is needed to prove later that it can never land. */
export type RawPayout = z.infer<typeof RawPayout>

/** Encodes a signed payment for storage. */
export const encodeRawPayout = ({ transaction, lastValidBlockHeight, signedAtSlot }: RawPayout): string =>
  JSON.stringify({
    transaction,
    lastValidBlockHeight: lastValidBlockHeight.toString(),
    signedAtSlot: signedAtSlot.toString(),
  })

/** Decodes what `encodeRawPayout` wrote; throws ZodError or SyntaxError for other text. */
export const parseRawPayout = (text: string): RawPayout => RawPayout.parse(JSON.parse(text))
