import type { ActionProgress, Client, Quote, QuoteParams } from '@openrfq/sdk'
import { useState } from 'react'
import { shortId } from '../shared/text.ts'
import type { FindNode, Payer } from '../wallets/payer.ts'
import { failureText } from './failure-text.ts'
import { sendQuote } from './send-quote.ts'

type Sending =
  | { readonly state: 'idle' }
  | { readonly state: 'sending'; readonly progress: readonly ActionProgress[] }
  | { readonly state: 'failed'; readonly message: string }

/** The button that signs and sends a quote, with what it does meanwhile. */
export const Send = ({
  quote,
  payer,
  findNode,
  client,
  request,
  inputDecimals,
  isOver,
  onSending,
}: {
  readonly quote: Quote
  readonly payer: Payer
  readonly findNode: FindNode
  readonly client: Client
  readonly request: QuoteParams
  readonly inputDecimals: number | undefined
  /** Whether the quote has expired; a new one is asked for then. */
  readonly isOver: boolean
  readonly onSending: (isSending: boolean) => void
}) => {
  const [sending, setSending] = useState<Sending>({ state: 'idle' })
  const pageUrl = `t/${encodeURIComponent(quote.quoteId)}`
  if (payer.kind === 'address')
    return isPaidPlainly(quote) ? (
      <a className="button wide" href={pageUrl}>
        Show how to pay
      </a>
    ) : (
      <p className="quiet">A wallet has to sign this quote. Connect one, or execute it over the API.</p>
    )
  const send = async (): Promise<void> => {
    const progress: ActionProgress[] = []
    setSending({ state: 'sending', progress })
    onSending(true)
    const onAction = (step: ActionProgress): void => {
      progress.push(step)
      setSending({ state: 'sending', progress: [...progress] })
    }
    try {
      const started = await sendQuote({
        client,
        request,
        quote,
        inputDecimals,
        signer: payer,
        findNode,
        onAction,
      })
      const { quoteId, messageId, sourceChain } = started
      // The service knows the transfer by its quote alone; naming the message spares it the search.
      const query = new URLSearchParams(messageId === undefined ? {} : { messageId, sourceChain })
      location.assign(`t/${encodeURIComponent(quoteId)}${query.size === 0 ? '' : `?${query}`}`)
    } catch (error) {
      onSending(false)
      setSending({ state: 'failed', message: failureText(error) })
    }
  }
  return (
    <div className="send">
      <button
        type="button"
        className="button wide"
        disabled={sending.state === 'sending' || isOver}
        onClick={() => void send()}
      >
        {sending.state === 'sending'
          ? 'Sending…'
          : isOver
            ? 'This quote has expired'
            : `Sign and send (${stepsText(quote)})`}
      </button>
      {isOver && sending.state !== 'sending' ? (
        <p className="notice" role="status">
          Asking for a new quote…
        </p>
      ) : null}
      <p className="quiet small-text">{checkText(payer.family)}</p>
      {isPaidPlainly(quote) && sending.state !== 'sending' && !isOver ? (
        <a className="button plain wide" href={pageUrl}>
          Show an address and a QR code to pay
        </a>
      ) : null}
      {sending.state === 'sending' ? (
        <ul className="log" aria-live="polite">
          {sending.progress.map(({ action, event, txHash }) => (
            <li key={`${action.id} ${event}`}>
              {action.label}: {event === 'sent' ? 'sent' : 'in a block'}{' '}
              <span className="mono quiet">{shortId(txHash)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {sending.state === 'failed' ? (
        <p className="notice" role="alert">
          {sending.message}
        </p>
      ) : null}
    </div>
  )
}

/** Whether any wallet can pay the quote, as a payment to an address. */
const isPaidPlainly = ({ actions }: Quote): boolean => actions.every(({ type }) => type === 'deposit_address')

/** What is checked before a wallet is asked: nodes of Stellar simulate no payments, and a batch goes to the wallet as a whole. */
const checkText = (family: string): string =>
  family === 'stellar'
    ? 'Your balance is checked before you are asked to sign.'
    : 'Each transaction is simulated before you are asked to sign it; those of a batch together, where your wallet passes that on.'

const stepsText = ({ actions }: Quote): string =>
  actions.length === 1 ? 'one transaction' : `${actions.length} transactions`
