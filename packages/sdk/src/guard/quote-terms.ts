import { type Guarded, isSameAddress, unsafe } from './guards.ts'

const BPS = 10_000
/** Parts of a basis point that a tolerance is computed in. */
const PARTS = 1_000
const DEFAULT_LOSS_BPS = 1_500
/** The service's default, for requests that name no tolerance. */
const DEFAULT_SLIPPAGE_BPS = 100
const USD = /^[0-9]{1,30}(\.[0-9]{1,30})?$/

/**
 * Refuses a quote whose assets, amounts or loss are not as requested; does not read its actions. Throws ExecutionError
 * `unsafe`.
 */
export const checkTerms = (guarded: Guarded): void => {
  checkAssets(guarded)
  checkAmounts(guarded)
  checkLoss(guarded)
}

const checkAssets = ({ quote: { quoteId, input, output, actions }, request }: Guarded): void => {
  const differs =
    input.chain !== request.fromChain ||
    output.chain !== request.toChain ||
    !isSameAddress(input.token, request.fromToken) ||
    !isSameAddress(output.token, request.toToken)
  if (differs) {
    const message = `quote ${quoteId} is from ${input.token} on ${input.chain} to ${output.token} on ${output.chain}, not as requested`
    throw unsafe('other_assets', message)
  }
  const foreign = actions.find(({ chain }) => chain !== request.fromChain)
  if (foreign === undefined) return
  const message = `action "${foreign.id}" runs on ${foreign.chain}, the input is on ${request.fromChain}`
  throw unsafe('other_assets', message, foreign.id)
}

const checkAmounts = (guarded: Guarded): void => {
  const { quote, request, guards } = guarded
  const { quoteId } = quote
  const [input, output] = [BigInt(quote.input.amount), BigInt(quote.output.amount)]
  const minimum = BigInt(quote.output.minimumAmount)
  const isExactInput = request.orderType === 'EXACT_INPUT'
  const mostInput = isExactInput ? request.amount : guards.maximumInput
  if (mostInput === undefined)
    throw unsafe('input_amount', `quote ${quoteId} takes ${input}; name guards.maximumInput`)
  if (input > mostInput || input > (guards.maximumInput ?? input))
    throw unsafe('input_amount', `quote ${quoteId} takes ${input} base units, expected at most ${mostInput}`)
  const leastOutput = isExactInput ? 0n : request.amount
  if (minimum > output || output < leastOutput || output === 0n) {
    const message = `quote ${quoteId} gives ${output} base units and at least ${minimum}, expected ${leastOutput}`
    throw unsafe('output_amount', message)
  }
  if (isExactInput && guards.minimumOutput === undefined) guarded.lacks('minimum_output')
  const tolerated = afterSlippage(output, request.slippageTolerance)
  const asked = guards.minimumOutput ?? 0n
  const least = asked > tolerated ? asked : tolerated
  if (minimum < least) {
    const message = `quote ${quoteId} guarantees ${minimum} base units, expected at least ${least}`
    throw unsafe('output_amount', message)
  }
}

/** The amount less the tolerance of the request, by default the interface's, rounded down by one base unit more. */
const afterSlippage = (amount: bigint, tolerance = DEFAULT_SLIPPAGE_BPS): bigint => {
  const bps = Math.min(BPS, Math.max(0, tolerance))
  const kept = BigInt(Math.floor((BPS - bps) * PARTS))
  const least = (amount * kept) / BigInt(BPS * PARTS)
  return least > 0n ? least - 1n : 0n
}

const checkLoss = ({ quote, guards }: Guarded): void => {
  const { input, output, fees, quoteId } = quote
  const limitBps = guards.maximumLossBps ?? DEFAULT_LOSS_BPS
  const isOnTop = fees.user.paymentMethod === 'tx_value' && fees.user.quoteTreatment === 'outside_quote'
  const onTop = isOnTop && fees.user.amount !== '0' ? usdOf(fees.user.amountUsdApprox, quoteId) : 0
  const paid = usdOf(input.amountUsdApprox, quoteId)
  const received = usdOf(output.amountUsdApprox, quoteId)
  if (paid === undefined || received === undefined || onTop === undefined || paid === 0) {
    if (guards.maximumLossBps === undefined) return
    throw unsafe('loss_unknown', `quote ${quoteId} does not say what its amounts are worth`)
  }
  const guaranteed = (received * Number(output.minimumAmount)) / Number(output.amount)
  const lossBps = ((paid + onTop - guaranteed) * BPS) / paid
  if (lossBps <= limitBps) return
  const message = `quote ${quoteId} loses $${(paid + onTop - guaranteed).toFixed(2)}`
  throw unsafe('loss', message)
}

const usdOf = (text: string | undefined, quoteId: string): number | undefined => {
  if (text === undefined) return undefined
  if (USD.test(text)) return Number(text)
  throw unsafe('loss_unknown', `quote ${quoteId} has a USD value that is no number`)
}
