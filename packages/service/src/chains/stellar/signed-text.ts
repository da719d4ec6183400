/** A signed payment with the facts by which its end can be proven. */
export type SignedPayment = {
  /** Base64 XDR of the envelope. */
  readonly envelopeXdr: string
  /** The last close time of a ledger that may include it, seconds since the Unix epoch. */
  readonly maxTimeSeconds: number
  /** The close time of a ledger from before it was signed. */
  readonly signedAfterSeconds: number
}

const FORM = /^stellar:([0-9]{1,15}):([0-9]{1,15}):([A-Za-z0-9+/]+={0,2})$/

/** One text of a signed payment: `stellar:<signed after>:<valid until>:<envelope>`. */
export const writeSigned = ({ envelopeXdr, maxTimeSeconds, signedAfterSeconds }: SignedPayment): string =>
  `stellar:${signedAfterSeconds}:${maxTimeSeconds}:${envelopeXdr}`

/** What the text says; throws RangeError for any other text. */
export const parseSigned = (text: string): SignedPayment => {
  const [, after, until, envelopeXdr] = FORM.exec(text) ?? []
  if (after === undefined || until === undefined || envelopeXdr === undefined)
    throw new RangeError('expected a signed payment of Stellar')
  return { envelopeXdr, maxTimeSeconds: Number(until), signedAfterSeconds: Number(after) }
}
