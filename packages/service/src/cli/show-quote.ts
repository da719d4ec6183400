import type { Quote } from '@openrfq/sdk'
import { amountText, type Catalogue, chainText, feeText } from './catalogue.ts'
import { selectionText } from './code-texts.ts'
import type { Context } from './command.ts'
import { pageUrl } from './page-url.ts'
import { fields } from './table.ts'

/** Formats one quote as an aligned block under a heading, with the page of its transfer. */
export const quoteLines = (
  quote: Quote,
  heading: string,
  catalogue: Catalogue,
  { terminal: { paint }, url }: Pick<Context, 'terminal' | 'url'>,
): readonly string[] => {
  const { input, output, fees } = quote
  const refund = refundTerms(quote)
  return [
    `${paint('bold', heading)} · ${quote.backend.type} · ${quote.backend.name} · ${selectionText(quote.selectionReason)}`,
    ...fields([
      ['  pay', `${amountText(catalogue, input)}${usdText(input)} on ${chainText(catalogue, input.chain)}`],
      [
        '  receive',
        `${amountText(catalogue, output)}${usdText(output)} on ${chainText(catalogue, output.chain)}`,
      ],
      ['  at least', amountText(catalogue, { ...output, amount: output.minimumAmount })],
      ['  route fee', feeText(catalogue, fees.user)],
      ['  gas', feeText(catalogue, fees.gas)],
      ...(fees.integrator === null
        ? []
        : [
            [
              '  integrator',
              `${feeText(catalogue, fees.integrator)}, ${fees.integrator.bps} bps to ${fees.integrator.recipient}`,
            ] as const,
          ]),
      ['  takes', `about ${durationText(quote.estimatedTimeSeconds)}`],
      ['  valid until', quote.validity.quoteExpiresAt],
      ...(refund === undefined ? [] : [['  refund', refund] as const]),
      ['  steps', quote.actions.map(({ id, label }) => `${id} (${label})`).join(', then ')],
      ['  quote id', quote.quoteId],
      ['  page', pageUrl(url, quote)],
    ]),
    ...[...unverifiedTokens(quote, catalogue), ...statedWarnings(quote)].map((warning) =>
      paint('yellow', `  warning: ${warning}`),
    ),
  ]
}

/** A warning for each unverified token. Source: interface "Token object", `verified`. */
export const unverifiedTokens = (quote: Quote, catalogue: Catalogue): readonly string[] =>
  [quote.input, quote.output].flatMap(({ chain, token }) => {
    const listed = catalogue.tokens.find(({ chainId, address }) => chainId === chain && address === token)
    return listed?.verified === true
      ? []
      : [`${listed?.symbol ?? 'token'} ${token} on ${chain} is not verified`]
  })

/** Formats seconds: `45 s`, `3 min`, `2 h`; rounded up. */
export const durationText = (seconds: number): string => {
  if (seconds < 120) return `${Math.ceil(seconds)} s`
  if (seconds < 7_200) return `${Math.ceil(seconds / 60)} min`
  return `${Math.ceil(seconds / 3_600)} h`
}

const usdText = ({ amountUsdApprox }: { readonly amountUsdApprox?: string | undefined }): string =>
  amountUsdApprox === undefined ? '' : `, about $${amountUsdApprox}`

/** The backend's refund terms; its metadata has no fixed shape. */
const refundTerms = (quote: Quote): string | undefined => textOf(quote.backend.metadata['refund'], 'terms')

/** The backend's warnings; those about unverified tokens come from the list, independent of the backend. */
const statedWarnings = (quote: Quote): readonly string[] => {
  const { warnings } = quote.backend.metadata
  if (!Array.isArray(warnings)) return []
  return warnings
    .filter((warning) => textOf(warning, 'code') !== 'unverified_token')
    .map((warning) => textOf(warning, 'message') ?? JSON.stringify(warning))
}

const textOf = (value: unknown, name: string): string | undefined => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof found === 'string' ? found : undefined
}
