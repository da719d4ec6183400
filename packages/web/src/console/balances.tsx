import { chainTypeOf, type ListedToken } from '@openrfq/sdk'
import { useEffect, useState } from 'react'
import { amountTexts, safeText } from '../shared/text.ts'
import { type Sandbox, sandboxNodes } from '../wallets/sandbox.ts'
import { readBalance } from './read-balance.ts'
import { findToken, type Lists, type Trade } from './trade.ts'
import type { UseControl } from './use-control.ts'

const AGAIN_MS = 5_000
/** What the faucet gives, in whole tokens. */
const GIFT = 1_000n

type Owned = { readonly who: string; readonly owner: string; readonly token: ListedToken }

/** What the payer holds of the token to pay, and the recipient of the token to receive; each with the faucet. */
export const Balances = ({
  lists,
  sandbox,
  trade,
  payer,
  use,
  isBusy,
}: {
  readonly lists: Lists
  readonly sandbox: Sandbox
  readonly trade: Trade
  readonly payer: string | undefined
  readonly use: UseControl
  readonly isBusy: boolean
}) => {
  const [from, to] = [
    findToken(lists, trade.fromChain, trade.fromToken),
    findToken(lists, trade.toChain, trade.toToken),
  ]
  return (
    <ul className="balances">
      {payer === undefined || from === undefined ? null : (
        <Balance
          owned={{ who: 'Payer', owner: payer, token: from }}
          sandbox={sandbox}
          use={use}
          isBusy={isBusy}
        />
      )}
      {trade.recipient === '' || to === undefined ? null : (
        <Balance
          owned={{ who: 'Recipient', owner: trade.recipient, token: to }}
          sandbox={sandbox}
          use={use}
          isBusy={isBusy}
        />
      )}
    </ul>
  )
}

const Balance = ({
  owned,
  sandbox,
  use,
  isBusy,
}: {
  readonly owned: Owned
  readonly sandbox: Sandbox
  readonly use: UseControl
  readonly isBusy: boolean
}) => {
  const { who, owner, token } = owned
  const { chainId, address, decimals } = token
  const held = useBalance(owned, sandbox)
  const symbol = safeText(token.symbol)
  const gift = {
    chainId,
    token: address,
    address: owner,
    amount: (GIFT * 10n ** BigInt(decimals)).toString(),
  }
  return (
    <li>
      <span>
        <span className="label">{who}</span>
        {held === undefined ? '…' : `${amountTexts(held, decimals).shown} ${symbol}`}
      </span>
      <button
        type="button"
        className="button plain"
        disabled={isBusy}
        onClick={() => use('faucet', gift, `The ${who.toLowerCase()} got ${GIFT} ${symbol}.`)}
      >
        Give {GIFT.toString()} <span className="hidden">{symbol}</span>
      </button>
    </li>
  )
}

/** A balance in base units, read every five seconds; undefined while it cannot be read. */
const useBalance = ({ owner, token }: Owned, sandbox: Sandbox): string | undefined => {
  const [held, setHeld] = useState<string>()
  useEffect(() => {
    let isOver = false
    const node = sandboxNodes(sandbox)(token.chainId)
    const load = (): void => {
      if (node === undefined) return
      readBalance(chainTypeOf(token.chainId), node.rpcUrl, token, owner).then(
        (units) => {
          if (!isOver) setHeld(units.toString())
        },
        () => {
          if (!isOver) setHeld(undefined)
        },
      )
    }
    setHeld(undefined)
    load()
    const timer = setInterval(load, AGAIN_MS)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [owner, token, sandbox])
  return held
}
