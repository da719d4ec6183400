/** A signed payment with what is needed to prove its end. */
export type SignedPayment = {
  /** Base64 XDR of the envelope. */
  readonly envelopeXdr: string
  /** The latest close time of a ledger that may include it, in seconds since the Unix epoch. */
  readonly maxTimeSeconds: number
  /** The close time of a ledger before it was signed. */
  readonly signedAfterSeconds: number
}

const FORM = /^stellar:([0-9]{1,15}):([0-9]{1,15}):([A-Za-z0-9+/]+={0,2})$/

/** Encodes a signed payment as `stellar:<signed after>:<valid until>:<envelope>`. */
export const writeSigned = ({ envelopeXdr, maxTimeSeconds, signedAfterSeconds }: SignedPayment): string =>
  `stellar:${signedAfterSeconds}:${maxTimeSeconds}:${envelopeXdr}`

/** Decodes the text; throws RangeError for other text. */
export const parseSigned = (text: string): SignedPayment => {
  const [, after, until, envelopeXdr] = FORM.exec(text) ?? []
  if (after === undefined || until === undefined || envelopeXdr === undefined)
    throw new RangeError('expected a signed payment of Stellar')
  return { envelopeXdr, maxTimeSeconds: Number(until), signedAfterSeconds: Number(after) }
}
