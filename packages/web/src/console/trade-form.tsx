import { type Chain, chainTypeOf } from '@openrfq/sdk'
import { chainLogo, Emblem, tokenLogo } from '../shared/emblem.tsx'
import { MAX_NAME, safeText } from '../shared/text.ts'
import type { BrowserWallet, Payer } from '../wallets/payer.ts'
import { findToken, firstToken, type Lists, type Trade, tokensOn } from './trade.ts'

type Change = (change: Partial<Trade>) => void

/** What to pay, what to receive, who pays and who receives. */
export const TradeForm = ({
  lists,
  trade,
  change,
  payers,
  payer,
  choosePayer,
  wallets,
  connect,
  isSending,
}: {
  readonly lists: Lists
  readonly trade: Trade
  readonly change: Change
  readonly payers: readonly Payer[]
  readonly payer: Payer | undefined
  readonly choosePayer: (payer: Payer) => void
  readonly wallets: readonly BrowserWallet[]
  readonly connect: (wallet: BrowserWallet) => void
  /** Whether a quote is being signed. The form is locked then, so that a changed trade cannot be paid beside it. */
  readonly isSending: boolean
}) => {
  const swap = (): void =>
    change({
      fromChain: trade.toChain,
      fromToken: trade.toToken,
      toChain: trade.fromChain,
      toToken: trade.fromToken,
      recipient: '',
    })
  const isOutput = trade.orderType === 'EXACT_OUTPUT'
  return (
    <form className="card trade" onSubmit={(event) => event.preventDefault()}>
      <fieldset className="whole" disabled={isSending}>
        <Side
          title="Pay"
          lists={lists}
          chain={trade.fromChain}
          token={trade.fromToken}
          choose={(chain, token) => change({ fromChain: chain, fromToken: token })}
          amount={isOutput ? undefined : trade.amount}
          type={(amount) => change({ amount })}
        />
        <div className="between">
          <button type="button" className="turn" onClick={swap}>
            <svg
              width="18"
              height="18"
              viewBox="0 0 18 18"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.6"
              aria-hidden="true"
            >
              <path
                d="M5.5 3v12M5.5 15l-3-3M12.5 15V3M12.5 3l3 3"
                strokeLinecap="round"
                strokeLinejoin="round"
              />
            </svg>
            <span className="hidden">Change the direction</span>
          </button>
        </div>
        <Side
          title="Receive"
          lists={lists}
          chain={trade.toChain}
          token={trade.toToken}
          choose={(chain, token) => change({ toChain: chain, toToken: token, recipient: '' })}
          amount={isOutput ? trade.amount : undefined}
          type={(amount) => change({ amount })}
        />
        <label className="line">
          <span className="label">The amount is what I</span>
          <select
            className="field small"
            value={trade.orderType}
            onChange={({ target }) =>
              change({ orderType: target.value === 'EXACT_OUTPUT' ? 'EXACT_OUTPUT' : 'EXACT_INPUT' })
            }
          >
            <option value="EXACT_INPUT">pay</option>
            <option value="EXACT_OUTPUT">receive</option>
          </select>
        </label>
        <PayerField
          family={chainTypeOf(trade.fromChain)}
          payers={payers}
          payer={payer}
          choosePayer={choosePayer}
          wallets={wallets}
          connect={connect}
        />
        <label className="stacked">
          <span className="label">Recipient</span>
          <input
            className="field mono"
            value={trade.recipient}
            autoComplete="off"
            spellCheck={false}
            placeholder={`Address on ${labelOf(lists.chains, trade.toChain)}`}
            onChange={({ target }) => change({ recipient: target.value })}
          />
        </label>
      </fieldset>
    </form>
  )
}

const findChain = ({ chains }: Pick<Lists, 'chains'>, id: string): Chain | undefined =>
  chains.find(({ chainId }) => chainId === id)

const labelOf = (chains: readonly Chain[], id: string): string =>
  safeText(findChain({ chains }, id)?.chainLabel ?? id, MAX_NAME)

const Side = ({
  title,
  lists,
  chain,
  token,
  choose,
  amount,
  type,
}: {
  readonly title: string
  readonly lists: Lists
  readonly chain: string
  readonly token: string
  readonly choose: (chain: string, token: string) => void
  readonly amount: string | undefined
  readonly type: (amount: string) => void
}) => (
  <fieldset className="end">
    <legend>{title}</legend>
    <div className="pick">
      <span className="marked">
        <Emblem of="chain" name={labelOf(lists.chains, chain)} logo={chainLogo(findChain(lists, chain))} />
        <select
          className="field"
          aria-label={`${title}: chain`}
          value={chain}
          onChange={({ target }) => choose(target.value, firstToken(lists, target.value))}
        >
          {lists.chains.map(({ chainId, chainLabel }) => (
            <option key={chainId} value={chainId}>
              {safeText(chainLabel, MAX_NAME)}
            </option>
          ))}
        </select>
      </span>
      <span className="marked">
        <Emblem
          of="token"
          name={safeText(findToken(lists, chain, token)?.symbol ?? '')}
          logo={tokenLogo(findToken(lists, chain, token))}
        />
        <select
          className="field"
          aria-label={`${title}: token`}
          value={token}
          onChange={({ target }) => choose(chain, target.value)}
        >
          {tokensOn(lists, chain).map(({ address, symbol, verified }) => (
            <option key={address} value={address}>
              {safeText(symbol)}
              {verified ? '' : ' (not reviewed)'}
            </option>
          ))}
        </select>
      </span>
    </div>
    {amount === undefined ? null : (
      <input
        className="amount-field"
        aria-label={`${title}: amount of ${safeText(findToken(lists, chain, token)?.symbol ?? '')}`}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        onChange={({ target }) => type(target.value)}
      />
    )}
  </fieldset>
)

/** Four characters of each end, beside the prefix that all addresses of EVM chains have; more does not fit a phone. */
const shortened = (address: string): string =>
  `${address.slice(0, address.startsWith('0x') ? 6 : 4)}…${address.slice(-4)}`

const PayerField = ({
  family,
  payers,
  payer,
  choosePayer,
  wallets,
  connect,
}: {
  readonly family: string | undefined
  readonly payers: readonly Payer[]
  readonly payer: Payer | undefined
  readonly choosePayer: (payer: Payer) => void
  readonly wallets: readonly BrowserWallet[]
  readonly connect: (wallet: BrowserWallet) => void
}) => (
  <div className="stacked">
    {payers.length === 0 ? null : (
      <label className="stacked">
        <span className="label">Paid by</span>
        <select
          className="field"
          value={payer?.address ?? ''}
          onChange={({ target }) => {
            const chosen = payers.find(({ address }) => address === target.value)
            if (chosen !== undefined) choosePayer(chosen)
          }}
        >
          {payers.map(({ name, address }) => (
            <option key={address} value={address}>
              {safeText(name, MAX_NAME)} · {shortened(address)}
            </option>
          ))}
        </select>
      </label>
    )}
    {wallets.length > 0 ? (
      <div className="wallets">
        {wallets.map((wallet) => (
          <button key={wallet.id} type="button" className="button plain" onClick={() => connect(wallet)}>
            Connect {safeText(wallet.name, MAX_NAME)}
          </button>
        ))}
      </div>
    ) : null}
    {payers.length === 0 ? (
      <label className="stacked">
        <span className="label">Paid from the address</span>
        <input
          className="field mono"
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) =>
            choosePayer({
              kind: 'address',
              family: family ?? '',
              name: 'Own address',
              address: target.value.trim(),
            })
          }
        />
      </label>
    ) : null}
  </div>
)
