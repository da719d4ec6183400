import type { RecordedQuote } from '@openrfq/sdk'
import type { Backend } from '../backends/backend.ts'
import { toIso } from '../core/instant.ts'
import { isQuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { StatusAnswer, StatusQuery } from '../core/status.ts'
import type { Closed } from '../core/written.ts'
import type { Store } from '../store/store.ts'

/** A stored quote and where its transfer is now; clients parse it as the SDK's `TransferAnswer`. */
export type TransferAnswer = { readonly quote: RecordedAnswer | null; readonly status: StatusAnswer }

type RecordedAnswer = Omit<Closed<RecordedQuote>, 'backend'> & {
  readonly backend: { readonly type: string; readonly name: string }
}

export type GetTransferDeps = {
  readonly store: Pick<Store, 'findQuote'>
  readonly backends: ReadonlyMap<string, Pick<Backend, 'recall'>>
  readonly getStatus: (query: StatusQuery, client: string) => Promise<StatusAnswer>
}

/** The quote of a status look-up with the status. `client` and errors as for the status. */
export const getTransfer = async (
  { store, backends, getStatus }: GetTransferDeps,
  query: StatusQuery,
  client: string,
): Promise<TransferAnswer> => {
  const status = await getStatus(query, client)
  const quote = isQuoteId(query.quoteId) ? await store.findQuote(query.quoteId) : undefined
  return { quote: quote === undefined ? null : recordedQuote(quote, backends.get(quote.backend)), status }
}

const usdOf = (usd: string | undefined) => (usd === undefined ? {} : { amountUsdApprox: usd })

/** A stored quote as clients read it. */
export const recordedQuote = (
  quote: QuoteRecord,
  backend: Pick<Backend, 'recall'> | undefined,
): RecordedAnswer => {
  const recalled = backend?.recall?.(quote)
  return {
    quoteId: quote.quoteId,
    backend: { type: quote.backend, name: quote.backendName },
    createdAt: toIso(quote.createdAt),
    quoteExpiresAt: toIso(quote.quoteExpiresAt),
    ...(quote.fulfillmentDeadline === undefined
      ? {}
      : { fulfillmentDeadline: toIso(quote.fulfillmentDeadline) }),
    estimatedTimeSeconds: quote.estimatedTimeSeconds,
    orderType: quote.orderType,
    sender: quote.sender,
    recipient: quote.recipient,
    input: {
      chain: quote.fromChain,
      token: quote.fromToken,
      amount: quote.input.toString(),
      ...usdOf(quote.inputUsd),
    },
    output: {
      chain: quote.toChain,
      token: quote.toToken,
      amount: quote.output.toString(),
      minimumAmount: quote.minimumOutput.toString(),
      ...usdOf(quote.outputUsd),
    },
    refund: recalled?.refund ?? null,
    deposit: recalled?.deposit ?? null,
  }
}
