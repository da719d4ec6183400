const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const
const LEAST = 0.005

/** A USD value for people, `$1,249.50`; less than a cent is said to be, and what has no price, or none that counts, says nothing. */
export const usdText = (usd: string | number | undefined): string | undefined => {
  const value = Number(usd)
  if (usd === undefined || !Number.isFinite(value) || value <= 0) return undefined
  return value < LEAST ? 'under $0.01' : `$${value.toLocaleString('en', CENTS)}`
}

type Quoted = { readonly amount: string; readonly amountUsdApprox?: string | undefined }

/** What an amount of a quoted asset was worth when it was quoted; the quoted amount itself unless another is given. */
export const worthWhenQuoted = (
  { amount, amountUsdApprox }: Quoted,
  moved: string = amount,
): string | undefined => {
  if (amountUsdApprox === undefined) return undefined
  const text = usdText(
    moved === amount ? amountUsdApprox : (Number(amountUsdApprox) * Number(moved)) / Number(amount),
  )
  return text === undefined ? undefined : `${text.startsWith('$') ? 'about ' : ''}${text} when quoted`
}
