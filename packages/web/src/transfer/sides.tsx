import { type Chain, chainTypeOf, type RecordedQuote, type Status } from '@openrfq/sdk'
import { chainLogo, Emblem, tokenLogo } from '../shared/emblem.tsx'
import { Identifier } from '../shared/identifier.tsx'
import { accountUrl, amountTexts, safeText, transactionUrl } from '../shared/text.ts'
import { worthWhenQuoted } from '../shared/usd-text.ts'
import type { TransferView } from './use-transfer-view.ts'

/** An amount of a token on a chain, with the names that people know. */
export type Named = {
  readonly chain: string
  readonly symbol: string
  readonly shown: string
  readonly exact: string
  readonly explorerUrl: string | undefined
  readonly chainType: string | undefined
  readonly isVerified: boolean
  /** The service's own copies of the logos. */
  readonly logo: string | undefined
  readonly chainLogo: string | undefined
}

type Amount = { readonly chain: string; readonly token: string; readonly amount: string }

/** Names an amount by the service's lists; what is not listed keeps its identifiers. */
export const named = ({ chains, tokens }: Pick<TransferView, 'chains' | 'tokens'>, moved: Amount): Named => {
  const chain: Chain | undefined = chains.find(({ chainId }) => chainId === moved.chain)
  const isEvm = chainTypeOf(moved.chain) === 'evm'
  const token = tokens.find(
    ({ chainId, address }) =>
      chainId === moved.chain &&
      (isEvm ? address.toLowerCase() === moved.token.toLowerCase() : address === moved.token),
  )
  const texts =
    token === undefined
      ? { exact: moved.amount, shown: `${moved.amount} base units` }
      : amountTexts(moved.amount, token.decimals)
  return {
    ...texts,
    chain: safeText(chain?.chainLabel ?? moved.chain, MAX_LABEL),
    symbol: token === undefined ? '' : safeText(token.symbol),
    explorerUrl: chain?.explorerUrl,
    chainType: chainTypeOf(moved.chain),
    isVerified: token?.verified ?? false,
    logo: tokenLogo(token),
    chainLogo: chainLogo(chain),
  }
}

const MAX_LABEL = 40

/** What is paid and what is received, side by side. */
export const Sides = ({ view, quote }: { readonly view: TransferView; readonly quote: RecordedQuote }) => {
  const { status } = view
  const input = named(view, quote.input)
  const output = named(view, status.output ?? quote.output)
  const least = named(view, { ...quote.output, amount: quote.output.minimumAmount })
  return (
    <section className="card sides" aria-label="What is sent and received">
      <Side
        title={status.source === null ? 'You pay' : 'You paid'}
        amount={input}
        worth={worthWhenQuoted(quote.input)}
        party={{ name: 'From', address: quote.sender }}
        transaction={status.source}
      />
      <Side
        title={receivedTitle(status)}
        amount={output}
        worth={worthWhenQuoted(quote.output, status.output?.amount)}
        party={{ name: 'To', address: quote.recipient }}
        transaction={status.destination}
        least={status.output === null && least.exact !== output.exact ? least : undefined}
      />
    </section>
  )
}

const receivedTitle = ({ state, output }: Status): string => {
  if (output !== null) return 'Recipient got'
  return state === 'FAILED' || state.startsWith('REFUND') ? 'Recipient was to get' : 'Recipient gets'
}

const Side = ({
  title,
  amount,
  worth,
  party,
  transaction,
  least,
}: {
  readonly title: string
  readonly amount: Named
  readonly worth: string | undefined
  readonly party: { readonly name: string; readonly address: string }
  readonly transaction: Status['destination']
  readonly least?: Named | undefined
}) => (
  <div className="side">
    <h2>{title}</h2>
    <div className="what">
      <Emblem of="token" name={amount.symbol} logo={amount.logo} />
      <div>
        <div className="amount" title={amount.exact}>
          {amount.shown} {amount.symbol}
        </div>
        {worth === undefined ? null : <div className="quiet worth">{worth}</div>}
        <div className="quiet on">
          on{' '}
          {amount.chainLogo === undefined ? null : (
            <Emblem of="chain" name={amount.chain} logo={amount.chainLogo} />
          )}
          {amount.chain}
        </div>
      </div>
    </div>
    <dl className="pairs">
      {least === undefined ? null : (
        <div>
          <dt>At least</dt>
          <dd title={least.exact}>
            {least.shown} {least.symbol}
          </dd>
        </div>
      )}
      <div>
        <dt>{party.name}</dt>
        <dd>
          <Identifier
            id={party.address}
            what="the address"
            href={accountUrl(amount.explorerUrl, amount.chainType, party.address)}
          />
        </dd>
      </div>
      {transaction === null ? null : (
        <div>
          <dt>Transaction</dt>
          <dd>
            <Identifier
              id={transaction.txHash}
              what="the transaction's hash"
              href={transactionUrl(amount.explorerUrl, transaction.txHash)}
            />
          </dd>
        </div>
      )}
    </dl>
    {amount.isVerified ? null : (
      <p className="notice">This token is not reviewed. Compare its address before you rely on its name.</p>
    )}
  </div>
)
