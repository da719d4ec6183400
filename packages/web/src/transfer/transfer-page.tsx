import { transferSteps, transferSummary } from '@openrfq/react'
import { type Client, isTerminal, type RecordedQuote, type Status, type StatusQuery } from '@openrfq/sdk'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { Brand } from '../shared/brand.tsx'
import { SearchBox } from '../shared/search-box.tsx'
import { aboutText, durationText } from '../shared/text.ts'
import { useClock } from '../shared/use-clock.ts'
import { Facts, NameTransaction, Refund } from './cards.tsx'
import { Deposit } from './deposit.tsx'
import { Recoveries, useRecoveries } from './recovery.tsx'
import { named, Sides } from './sides.tsx'
import { Stepper } from './stepper.tsx'
import { type TransferView, useTransferView } from './use-transfer-view.ts'

/** The page of one transfer. */
export const TransferPage = ({ client, query }: { readonly client: Client; readonly query: StatusQuery }) => {
  const { view, refusal, isOffline } = useTransferView(client, query)
  return (
    <>
      <header className="bar">
        <Brand home="../" />
        <SearchBox client={client} base="../" />
      </header>
      <main className="page">
        {isOffline ? (
          <p className="notice" role="status">
            The service cannot be reached. This page goes on by itself when it answers again; your transfer
            does not need it.
          </p>
        ) : null}
        {view === undefined ? (
          <Empty title={refusal === undefined ? 'Loading…' : 'This cannot be shown'} text={refusal} />
        ) : view.quote === null ? (
          <Unknown status={view.status} />
        ) : (
          <Known client={client} query={query} view={view} quote={view.quote} now={client.now} />
        )}
      </main>
    </>
  )
}

const Empty = ({ title, text }: { readonly title: string; readonly text?: string | undefined }) => (
  <div className="card empty" role="status">
    <h1>{title}</h1>
    {text === undefined ? null : <p className="quiet">{text}</p>}
  </div>
)

const Unknown = ({ status }: { readonly status: Status }) => (
  <div className="card empty">
    <h1>We do not know this transfer</h1>
    <p className="quiet">{transferSummary(status, { source: '', destination: '' }).text}</p>
    <p className="mono">{status.quoteId}</p>
  </div>
)

const TABS = ['Overview', 'Raw data'] as const
/** Without a space, which would make two ids of it where others refer to it. */
const tabId = (name: (typeof TABS)[number]): string => `tab-${name.replace(' ', '-')}`

type KnownTransfer = {
  readonly client: Client
  readonly query: StatusQuery
  readonly view: TransferView
  readonly quote: RecordedQuote
  /** The service's time. */
  readonly now: () => number
}

const Known = ({ client, query, view, quote, now }: KnownTransfer) => {
  const [tab, setTab] = useState<(typeof TABS)[number]>('Overview')
  const move = ({ key }: KeyboardEvent): void => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
    const next = tab === 'Overview' ? 'Raw data' : 'Overview'
    setTab(next)
    document.getElementById(tabId(next))?.focus()
  }
  return (
    <>
      <Head view={view} quote={quote} now={now} />
      <div className="tabs" role="tablist" aria-label="What to show" onKeyDown={move}>
        {TABS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={tabId(name)}
            aria-selected={tab === name}
            aria-controls="panel"
            tabIndex={tab === name ? 0 : -1}
            onClick={() => setTab(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={tabId(tab)}>
        {tab === 'Overview' ? (
          <Overview client={client} query={query} view={view} quote={quote} now={now} />
        ) : (
          <Raw view={view} quote={quote} />
        )}
      </div>
    </>
  )
}

const Head = ({ view, quote, now }: Pick<KnownTransfer, 'view' | 'quote' | 'now'>) => {
  const input = named(view, quote.input)
  const output = named(view, view.status.output ?? quote.output)
  const summary = transferSummary(view.status, { source: input.chain, destination: output.chain })
  const title = `${summary.word}: ${input.shown} ${input.symbol} to ${output.shown} ${output.symbol} · OpenRFQ`
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <div className="head">
      <div>
        <span className={`pill ${summary.tone}`}>{summary.word}</span>
      </div>
      <h1>
        <span>
          {input.shown} {input.symbol}
        </span>
        <span className="arrow" aria-hidden="true">
          →
        </span>
        <span className="hidden">to</span>
        <span>
          {output.shown} {output.symbol}
        </span>
      </h1>
      <p className="says" aria-live="polite">
        {summary.text}
      </p>
      {view.status.details.stale === true && !isTerminal(view.status.state) ? (
        <p className="notice">
          A chain cannot be read at the moment, so this may be a little old. Nothing is lost.
        </p>
      ) : null}
      <Clock quote={quote} status={view.status} clock={now} />
    </div>
  )
}

const Clock = ({
  quote,
  status,
  clock,
}: {
  readonly quote: RecordedQuote
  readonly status: Status
  readonly clock: () => number
}) => {
  const now = useClock(status.state === 'PENDING' || status.state === 'AWAITING_DEPOSIT', clock)
  const { source, destination, state, details } = status
  if (state === 'AWAITING_DEPOSIT' && details.expired !== true) {
    const left = (Date.parse(quote.quoteExpiresAt) - now) / 1000
    return left <= 0 ? null : <p className="quiet">The quote is valid for another {durationText(left)}.</p>
  }
  if (source === null) return null
  const startedAt = Date.parse(source.timestamp)
  if (state === 'DONE' && destination !== null && details.deliveryReverted !== true) {
    const took = (Date.parse(destination.timestamp) - startedAt) / 1000
    return <p className="quiet">It took {aboutText(Math.max(1, took))}.</p>
  }
  if (state !== 'PENDING') return null
  const passed = Math.max(0, (now - startedAt) / 1000)
  const expected = Math.max(1, quote.estimatedTimeSeconds)
  return (
    <div className="clock">
      <progress
        max={expected}
        value={Math.min(passed, expected)}
        aria-label="Time passed against the estimate"
      />
      <span>
        {durationText(passed)} of about {durationText(expected)}
      </span>
    </div>
  )
}

const Overview = ({ client, query, view, quote, now }: KnownTransfer) => {
  const { status } = view
  const ends = { source: named(view, quote.input).chain, destination: named(view, quote.output).chain }
  const isAwaiting = status.state === 'AWAITING_DEPOSIT'
  const offer = useRecoveries(client, query, status)
  return (
    <div className="columns">
      <div className="stack">
        {isAwaiting && status.details.expired !== true && quote.deposit !== null ? (
          <Deposit deposit={quote.deposit} view={view} quote={quote} now={now} />
        ) : null}
        <Sides view={view} quote={quote} />
        <Stepper steps={transferSteps(quote, status, ends)} />
      </div>
      <div className="stack">
        <Recoveries client={client} query={query} view={view} quote={quote} offer={offer} />
        <Refund view={view} quote={quote} recoveries={offer.recoveries} />
        <Facts quote={quote} status={status} />
        {isAwaiting && 'needs' in status.details ? <NameTransaction quote={quote} /> : null}
      </div>
    </div>
  )
}

const Raw = ({ view, quote }: { readonly view: TransferView; readonly quote: RecordedQuote }) => (
  <section className="card raw" aria-label="The service's answers">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls by keyboard too */}
    <pre tabIndex={0}>{JSON.stringify({ quote, status: view.status }, null, 2)}</pre>
  </section>
)
