import type { RecordedQuote, Recovery, Status } from '@openrfq/sdk'
import { useState } from 'react'
import { Identifier } from '../shared/identifier.tsx'
import { aboutText, accountUrl, transactionUrl } from '../shared/text.ts'
import { worthWhenQuoted } from '../shared/usd-text.ts'
import { refundText } from './refund-text.ts'
import { named } from './sides.tsx'
import { Moment } from './stepper.tsx'
import type { TransferView } from './use-transfer-view.ts'

/** What happens to the money when it cannot be delivered. */
export const Refund = ({
  view,
  quote,
  recoveries,
}: {
  readonly view: TransferView
  readonly quote: RecordedQuote
  readonly recoveries: readonly Recovery[]
}) => {
  const { refund } = quote
  const { status } = view
  const isOver = status.state === 'DONE' && status.details.deliveryReverted !== true
  if (isOver || status.state === 'FAILED' || refund === null) return null
  if (status.refund !== null)
    return <Refunded view={view} quote={quote} status={status} refund={status.refund} />
  return (
    <section className="card" aria-labelledby="refund">
      <h2 id="refund">{status.state.startsWith('REFUND') ? 'Your refund' : 'If it cannot be delivered'}</h2>
      <p className="quiet">{refundText(status, refund, recoveries)}</p>
      {refund.automatic ? <Terms view={view} refund={refund} /> : null}
    </section>
  )
}

type AutomaticRefund = Extract<NonNullable<RecordedQuote['refund']>, { automatic: true }>

const Terms = ({ view, refund }: { readonly view: TransferView; readonly refund: AutomaticRefund }) => {
  const { address, cost, chain, token } = refund
  const back = named(view, { chain, token, amount: cost })
  return (
    <dl className="facts">
      <div>
        <dt>Goes back to</dt>
        <dd>
          <Identifier
            id={address}
            what="the refund address"
            href={accountUrl(back.explorerUrl, back.chainType, address)}
          />
        </dd>
      </div>
      <div>
        <dt>In</dt>
        <dd>
          {back.symbol} on {back.chain}
        </dd>
      </div>
      <div>
        <dt>Costs you</dt>
        <dd>{cost === '0' ? 'nothing' : back.shown}</dd>
      </div>
    </dl>
  )
}

const Refunded = ({
  view,
  quote,
  status,
  refund,
}: {
  readonly view: TransferView
  readonly quote: RecordedQuote
  readonly status: Status
  readonly refund: NonNullable<Status['refund']>
}) => {
  const back = named(view, refund)
  const worth = refund.token === quote.input.token ? worthWhenQuoted(quote.input, refund.amount) : undefined
  return (
    <section className="card" aria-labelledby="refund">
      <h2 id="refund">Refund</h2>
      <dl className="facts">
        <div>
          <dt>Paid back</dt>
          <dd title={back.exact}>
            {back.shown} {back.symbol} on {back.chain}
            {worth === undefined ? null : <span className="quiet"> ({worth})</span>}
          </dd>
        </div>
        <div>
          <dt>Transaction</dt>
          <dd>
            <Identifier
              id={refund.txHash}
              what="the refund's hash"
              href={transactionUrl(back.explorerUrl, refund.txHash)}
            />
          </dd>
        </div>
        <div>
          <dt>State</dt>
          <dd>{status.state === 'REFUNDED' ? 'final' : 'not final yet'}</dd>
        </div>
      </dl>
    </section>
  )
}

/** Identifiers and times, for support. */
export const Facts = ({ quote, status }: { readonly quote: RecordedQuote; readonly status: Status }) => (
  <section className="card" aria-labelledby="facts">
    <h2 id="facts">Details</h2>
    <dl className="facts">
      <div>
        <dt>Quote</dt>
        <dd>
          <Identifier id={quote.quoteId} what="the quote's id" />
        </dd>
      </div>
      <div>
        <dt>Route</dt>
        <dd>{quote.backend.name}</dd>
      </div>
      <div>
        <dt>Quoted at</dt>
        <dd>
          <Moment at={quote.createdAt} />
        </dd>
      </div>
      {quote.fulfillmentDeadline === undefined ? null : (
        <div>
          <dt>To be delivered by</dt>
          <dd>
            <Moment at={quote.fulfillmentDeadline} />
          </dd>
        </div>
      )}
      <div>
        <dt>Estimated when quoted</dt>
        <dd>about {aboutText(quote.estimatedTimeSeconds)}</dd>
      </div>
      {status.source?.messageId == null ? null : (
        <div>
          <dt>Message</dt>
          <dd>
            <Identifier id={status.source.messageId} what="the message id" />
          </dd>
        </div>
      )}
    </dl>
  </section>
)

const HASH = /^[!-~]{1,256}$/

/** Asks for the transaction of a transfer that the quote alone does not find. */
export const NameTransaction = ({ quote }: { readonly quote: RecordedQuote }) => {
  const [text, setText] = useState('')
  const submit = (): void => {
    const url = new URL(location.href)
    url.searchParams.set('messageId', text.trim())
    url.searchParams.set('sourceChain', quote.input.chain)
    location.assign(url)
  }
  return (
    <section className="card" aria-labelledby="name">
      <h2 id="name">Already paid, and nothing is shown?</h2>
      <p className="quiet">
        A payment that was sent as quoted is found by itself. Otherwise give its transaction's hash.
      </p>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (HASH.test(text.trim())) submit()
        }}
      >
        <input
          className="field mono"
          aria-label="Hash of the transaction"
          placeholder="0x…"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" className="button plain" disabled={!HASH.test(text.trim())}>
          Find
        </button>
      </form>
    </section>
  )
}
