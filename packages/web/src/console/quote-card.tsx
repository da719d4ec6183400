import type { FeeEntry, Quote, SolverSummary } from '@openrfq/sdk'
import { Emblem, tokenLogo } from '../shared/emblem.tsx'
import { aboutText, amountTexts, durationText, MAX_NAME, safeText } from '../shared/text.ts'
import { usdText } from '../shared/usd-text.ts'
import { solverText } from './solver-text.ts'
import { findToken, type Lists } from './trade.ts'

const REASONS: Readonly<Record<string, string>> = {
  highest_output: 'Best output',
  lowest_input: 'Lowest price',
  best_value: 'Best after costs',
  fastest: 'Fastest',
  lowest_fee: 'Lowest fee',
}

/** What is paid on top of the amounts, and what is taken from them. */
const costText = (lists: Lists, { amount, amountUsdApprox, token }: FeeEntry): string => {
  const usd = usdText(amountUsdApprox)
  if (usd !== undefined) return usd
  const chain = lists.chains.find(({ chainId }) => chainId === token.chain)
  const decimals =
    'address' in token ? findToken(lists, token.chain, token.address)?.decimals : chain?.nativeToken.decimals
  return decimals === undefined ? '–' : `${amountTexts(amount, decimals).shown} ${safeText(token.symbol)}`
}

const WARN_SECONDS = 10

/** One quote to choose: what arrives, how soon, at what cost, and until when. */
export const QuoteCard = ({
  quote,
  lists,
  solvers,
  isChosen,
  choose,
  now,
  isInput,
}: {
  readonly quote: Quote
  readonly lists: Lists
  readonly solvers: readonly SolverSummary[] | undefined
  readonly isChosen: boolean
  readonly choose: () => void
  readonly now: number
  readonly isInput: boolean
}) => {
  const side = isInput ? quote.input : quote.output
  const token = findToken(lists, side.chain, side.token)
  const shown = token === undefined ? side.amount : amountTexts(side.amount, token.decimals).shown
  const least =
    token === undefined || isInput || quote.output.minimumAmount === quote.output.amount
      ? undefined
      : amountTexts(quote.output.minimumAmount, token.decimals).shown
  const left = Math.max(0, (Date.parse(quote.validity.quoteExpiresAt) - now) / 1000)
  const reason = REASONS[quote.selectionReason]
  const { backend, fees } = quote
  const warnings = backend.type === 'unknown' ? [] : (backend.metadata.warnings ?? [])
  const record = solverText(quote, solvers)
  const solver = backend.type === 'intent' ? backend.metadata.solver?.name : undefined
  return (
    <label className={`quote ${isChosen ? 'chosen' : ''}`}>
      <input type="radio" name="quote" className="hidden" checked={isChosen} onChange={choose} />
      <span className="quote-head">
        <span className="quote-amount">
          <Emblem
            of="token"
            name={token === undefined ? '' : safeText(token.symbol)}
            logo={tokenLogo(token)}
          />
          {shown} <span className="quiet">{token === undefined ? '' : safeText(token.symbol)}</span>
        </span>
        {reason === undefined ? null : <span className="badge">{reason}</span>}
      </span>
      <span className="quote-facts">
        <span>{usdText(side.amountUsdApprox) ?? ''}</span>
        <span>{least === undefined ? 'guaranteed' : `at least ${least}`}</span>
      </span>
      <span className="quote-grid">
        <span>
          <span className="label">Arrives in</span>
          {aboutText(quote.estimatedTimeSeconds)}
        </span>
        <span>
          <span className="label">Fee</span>
          {costText(lists, fees.user)}
        </span>
        <span>
          <span className="label">Gas</span>
          {costText(lists, fees.gas)}
        </span>
        <span>
          <span className="label">Valid for</span>
          <span className={left < WARN_SECONDS ? 'ending' : ''}>{durationText(left)}</span>
        </span>
      </span>
      <span className="quote-route quiet">
        {backend.name}
        {solver === undefined ? '' : ` · ${safeText(solver, MAX_NAME)}`}
      </span>
      {record === undefined ? null : <span className="quote-route quiet">{record}</span>}
      {warnings.map(({ code, message }) => (
        <span key={code} className="notice">
          {safeText(message, MAX_WARNING)}
        </span>
      ))}
    </label>
  )
}

const MAX_WARNING = 200
