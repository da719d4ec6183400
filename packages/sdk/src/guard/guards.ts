import type { QuoteParams } from '../client/create-client.ts'
import { ExecutionError } from '../execute/execution-error.ts'
import type { Quote } from '../wire/quote.ts'
import type { GuardCode } from './guard-code.ts'

/**
 * What a person accepts, beyond what was requested; the guards of `swap` refuse every other quote before anything is
 * signed. Amounts in base units.
 * @example
 * const guards: Guards = {
 *   contracts: { 'eip155:1': ['0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C'] },
 *   minimumOutput: 24_900_000n,
 *   maximumNativeFee: 10n ** 16n,
 * }
 */
export type Guards = {
  /**
   * The contracts, programs and deposit accounts (G…) that may be called and paid, by chain. A chain that is not named has
   * no such limit: then a dishonest service can take the input, and nothing beside it.
   */
  readonly contracts?: Readonly<Record<string, readonly string[]>> | undefined
  /** The least that must arrive. */
  readonly minimumOutput?: bigint | undefined
  /** The most that is paid, for EXACT_OUTPUT. */
  readonly maximumInput?: bigint | undefined
  /** The most native value that pays for the way on top of the input. */
  readonly maximumNativeFee?: bigint | undefined
  /**
   * The most that input and fees may be worth more than the guaranteed output, in basis points of the input's USD value; 1,500
   * by default. The USD values are the service's own. Where one is missing, the quote passes unless the limit was given.
   */
  readonly maximumLossBps?: number | undefined
}

/**
 * A quote with what it is held against; `now` is the service's time in milliseconds since 1970.
 * @example
 * const hold = (quote: Quote, request: QuoteParams): Guarded => ({ quote, request, guards: {}, now: Date.now() })
 */
export type Guarded = {
  readonly quote: Quote
  readonly request: QuoteParams
  readonly guards: Guards
  readonly now: number
}

const BPS = 10_000
const DEFAULT_LOSS_BPS = 1_500
const USD = /^[0-9]{1,30}(\.[0-9]{1,30})?$/

/** The error of a guard. */
export const unsafe = (guard: GuardCode, message: string, actionId?: string): ExecutionError =>
  new ExecutionError('unsafe', message, actionId === undefined ? { guard } : { guard, actionId })

/** Whether a text names the same address: EVM addresses in any case, others exactly. */
export const isSameAddress = (one: string, other: string): boolean =>
  one === other || (/^0x/i.test(one) && one.toLowerCase() === other.toLowerCase())

/** Refuses a contract that is not among those of its chain. Throws ExecutionError `unsafe`. */
export const checkContract = (
  { guards }: Guarded,
  chain: string,
  contract: string,
  actionId: string,
): void => {
  const known = guards.contracts?.[chain]
  if (known === undefined || known.some((address) => isSameAddress(address, contract))) return
  const message = `action "${actionId}" uses ${contract}, which is not among the known contracts of ${chain}`
  throw unsafe('unknown_contract', message, actionId)
}

/**
 * Refuses a quote whose assets, amounts or loss are not as requested, whatever its actions do. Throws ExecutionError
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

const checkAmounts = ({ quote, request, guards }: Guarded): void => {
  const { quoteId } = quote
  const [input, output] = [BigInt(quote.input.amount), BigInt(quote.output.amount)]
  const minimum = BigInt(quote.output.minimumAmount)
  const isExactInput = request.orderType === 'EXACT_INPUT'
  const mostInput = isExactInput ? request.amount : (guards.maximumInput ?? input)
  if (input > mostInput)
    throw unsafe('input_amount', `quote ${quoteId} takes ${input} base units, expected at most ${mostInput}`)
  const leastOutput = isExactInput ? 0n : request.amount
  if (minimum > output || output < leastOutput || output === 0n) {
    const message = `quote ${quoteId} gives ${output} base units and at least ${minimum}, expected ${leastOutput}`
    throw unsafe('output_amount', message)
  }
  if (guards.minimumOutput !== undefined && minimum < guards.minimumOutput) {
    const message = `quote ${quoteId} guarantees ${minimum} base units, expected at least ${guards.minimumOutput}`
    throw unsafe('output_amount', message)
  }
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
  const message = `quote ${quoteId} costs $${(paid + onTop).toFixed(2)} and guarantees $${guaranteed.toFixed(2)}, a loss of more than ${limitBps} bps`
  throw unsafe('loss', message)
}

const usdOf = (text: string | undefined, quoteId: string): number | undefined => {
  if (text === undefined) return undefined
  if (USD.test(text)) return Number(text)
  throw unsafe('loss_unknown', `quote ${quoteId} has a USD value that is no number`)
}

/** Refuses a later quote that pays more, or guarantees less, than the one that was accepted. Throws ExecutionError `unsafe`. */
export const checkNoWorse = (fresh: Quote, accepted: Quote): void => {
  const isWorse =
    BigInt(fresh.input.amount) > BigInt(accepted.input.amount) ||
    BigInt(fresh.output.minimumAmount) < BigInt(accepted.output.minimumAmount)
  if (!isWorse) return
  const message = `the accepted quote ${accepted.quoteId} has expired, and quote ${fresh.quoteId} is worse`
  throw unsafe('worse_quote', message)
}
