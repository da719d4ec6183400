import { isTransient, RfqError } from '@openrfq/sdk'
import { amountTexts, safeText } from '../shared/text.ts'
import type { Lists } from './trade.ts'

/** Why there are no quotes, in whole tokens and words. */
export const refusalText = (lists: Lists, error: unknown): string => {
  if (isTransient(error)) return 'The service cannot be reached at the moment. Trying again.'
  if (error instanceof RfqError && error.code === 'UNSUPPORTED_ROUTE')
    return 'No backend serves this pair. Choose another token or chain.'
  const text = rangeText(lists, error) ?? (error instanceof Error ? error.message : String(error))
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, '.')
}

/** The bounds of an amount that is out of range; undefined for any other error. */
const rangeText = (lists: Lists, error: unknown): string | undefined => {
  if (!(error instanceof RfqError) || error.code !== 'AMOUNT_OUT_OF_RANGE') return undefined
  const { minimum, maximum, token: address, chain } = error.details
  const token = lists.tokens.find(
    (one) => one.address === address && (chain === undefined || one.chainId === chain),
  )
  if (token === undefined || typeof minimum !== 'string' || typeof maximum !== 'string') return undefined
  const [least, most] = [minimum, maximum].map((units) => amountTexts(units, token.decimals).shown)
  return `this pair takes ${least} to ${most} ${safeText(token.symbol)} at the moment`
}
