import type { DepositAddress, RecordedQuote } from '@openrfq/sdk'
import { passphraseOf, stellarPaymentUri } from '@openrfq/sdk/stellar'
import { useMemo } from 'react'
import { CopyButton } from '../shared/copy-button.tsx'
import { Identifier } from '../shared/identifier.tsx'
import { muxedAccount } from '../shared/muxed-account.ts'
import { QrCode } from '../shared/qr-code.tsx'
import { accountUrl } from '../shared/text.ts'
import { useClock } from '../shared/use-clock.ts'
import { nodesOf } from '../wallets/nodes.ts'
import { useSandbox } from '../wallets/use-sandbox.ts'
import { named } from './sides.tsx'
import { Moment } from './stepper.tsx'
import type { TransferView } from './use-transfer-view.ts'

type Payable = {
  readonly deposit: DepositAddress
  readonly view: TransferView
  readonly quote: RecordedQuote
}

/** Where and what to pay, as long as the quote is valid by `now`, the service's time, with or without news of its end. */
export const Deposit = ({ now, ...payable }: Payable & { readonly now: () => number }) => {
  const isOver = useClock(true, now) >= Date.parse(payable.quote.quoteExpiresAt)
  // The same element in each second, so that the code is drawn once.
  const { deposit, view, quote } = payable
  const place = useMemo(() => <Place deposit={deposit} view={view} quote={quote} />, [deposit, view, quote])
  return isOver ? (
    <p className="notice" role="status">
      The time to pay is over. Do not pay this address any more; ask for a new quote.
    </p>
  ) : (
    place
  )
}

/** An address with a code to scan, a link that wallets open, and an account with a memo. */
const Place = ({ deposit, view, quote }: Payable) => {
  const amount = named(view, quote.input)
  const link = usePaymentLink(deposit, view, quote)
  return (
    <section className="card" aria-labelledby="pay">
      <h2 id="pay">Pay to this address</h2>
      <p className="quiet">
        Pay exactly this amount in one payment from {<Identifier id={quote.sender} what="the sender" />}{' '}
        before <Moment at={quote.quoteExpiresAt} />. The address belongs to this transfer alone.
      </p>
      <div className="deposit">
        <QrCode text={deposit.address} label="QR code of the deposit address" />
        <dl>
          <div>
            <dt className="label">Amount</dt>
            <dd>
              {amount.exact} {amount.symbol} <CopyButton text={amount.exact} what="the amount" />
            </dd>
          </div>
          <div>
            <dt className="label">Address on {amount.chain}</dt>
            <dd className="mono address">
              {deposit.address} <CopyButton text={deposit.address} what="the address" />
            </dd>
          </div>
        </dl>
      </div>
      <div className="pay-elsewhere">
        {link === undefined ? null : (
          <a className="button plain" href={link}>
            Open in a Stellar wallet
          </a>
        )}
        <WithMemo
          address={deposit.address}
          href={accountUrl(amount.explorerUrl, amount.chainType, deposit.address)}
        />
      </div>
    </section>
  )
}

/** The link of SEP-7, as far as the asset and its network are known. */
const usePaymentLink = (
  payload: DepositAddress,
  { tokens }: TransferView,
  { input }: RecordedQuote,
): string | undefined => {
  const known = passphraseOf(input.chain)
  const sandbox = useSandbox(new URL('..', location.href).href, known === undefined)
  const passphrase = known ?? nodesOf(sandbox)(input.chain)?.passphrase
  const token = tokens.find(({ chainId, address }) => chainId === input.chain && address === input.token)
  if (passphrase === undefined || token === undefined) return undefined
  // Only the native asset is listed without a code and an issuer.
  return stellarPaymentUri({ payload, asset: token.stellar, passphrase })
}

/** The same address as an account and a memo, for wallets and exchanges that know no muxed addresses. */
const WithMemo = ({ address, href }: { readonly address: string; readonly href: string | undefined }) => {
  const muxed = muxedAccount(address)
  if (muxed === undefined) return null
  const { account, id } = muxed
  return (
    <details>
      <summary>My wallet does not know addresses that begin with M</summary>
      <p className="quiet">
        Pay to this account with this memo, of the type ID. The memo names your transfer: without it, the
        payment goes back to you, less the cost of its return.
      </p>
      <dl className="facts">
        <div>
          <dt>Account</dt>
          <dd>
            <Identifier id={account} what="the account" href={href} />
          </dd>
        </div>
        <div>
          <dt>Memo (ID)</dt>
          <dd className="mono">
            {id.toString()} <CopyButton text={id.toString()} what="the memo" />
          </dd>
        </div>
      </dl>
    </details>
  )
}
