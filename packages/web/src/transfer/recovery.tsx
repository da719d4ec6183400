import {
  type Client,
  chainTypeOf,
  isSettled,
  type RecordedQuote,
  type Recovery,
  type Status,
  type StatusQuery,
} from '@openrfq/sdk'
import { useEffect, useState } from 'react'
import { errorText } from '../shared/error-text.ts'
import { MAX_NAME, safeText } from '../shared/text.ts'
import { nodesOf } from '../wallets/nodes.ts'
import { canUse, type Signer } from '../wallets/payer.ts'
import { type Sandbox, sandboxSigners } from '../wallets/sandbox.ts'
import { useSandbox } from '../wallets/use-sandbox.ts'
import { useWallets } from '../wallets/use-wallets.ts'
import { checkNoDearer, costText } from './recovery-cost.ts'
import { sendRecovery } from './send-recovery.ts'
import type { TransferView } from './use-transfer-view.ts'

const AGAIN_MS = 5_000
/** The page lies at `<base>/t/<quoteId>`. */
const BASE_URL = new URL('..', location.href).href

const TEXTS: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  add_gas: {
    title: 'Pay for the relay',
    text: 'Axelar waits for more gas. Anybody can pay it; what is not used comes back to the payer.',
  },
  execute: {
    title: 'Deliver by hand',
    text: 'Axelar has approved the delivery, but it has not been executed. Anybody can execute it for the gas of one transaction.',
  },
  refund: {
    title: 'Refund the sender',
    text: 'The recipient was not paid. The refund goes to the sender alone.',
  },
}

/** What anybody can do about a late transfer; nothing while it needs no help. */
export const Recoveries = ({
  client,
  query,
  view,
  quote,
  offer: { recoveries, isSent, markSent },
}: {
  readonly client: Client
  readonly query: StatusQuery
  readonly view: TransferView
  readonly quote: RecordedQuote
  readonly offer: RecoveryOffer
}) => {
  const sandbox = useSandbox(BASE_URL, recoveries.length > 0)
  if (recoveries.length === 0) return null
  return (
    <section className="card" aria-labelledby="recovery">
      <h2 id="recovery">What you can do</h2>
      {isSent ? (
        <p className="quiet" role="status">
          Sent. This page shows what follows; a chain needs a while.
        </p>
      ) : (
        recoveries.map((recovery) => (
          <Way
            key={recovery.kind}
            recovery={recovery}
            client={client}
            query={query}
            view={view}
            quote={quote}
            sandbox={sandbox}
            markSent={markSent}
          />
        ))
      )}
    </section>
  )
}

/** The recoveries that can be signed now, and whether the user has just signed one. */
export type RecoveryOffer = {
  readonly recoveries: readonly Recovery[]
  readonly isSent: boolean
  readonly markSent: () => void
}

/** Polls the recoveries of a transfer until it ends; continues when a reorg has taken its delivery back. */
export const useRecoveries = (client: Client, query: StatusQuery, status: Status): RecoveryOffer => {
  const isOver = isSettled(status)
  const { state } = status
  const [recoveries, setRecoveries] = useState<readonly Recovery[]>([])
  const [sentFor, setSentFor] = useState<string>()
  const { quoteId, messageId, sourceChain } = query
  const kinds = recoveries.map(({ kind }) => kind).join()
  useEffect(() => {
    setRecoveries([])
    if (state === 'AWAITING_DEPOSIT' || state === 'NOT_FOUND' || isOver) return
    const controller = new AbortController()
    const { signal } = controller
    const load = (): void => {
      client.getRecovery({ quoteId, messageId, sourceChain }, { signal }).then(
        (answer) => setRecoveries(answer.recoveries),
        () => undefined,
      )
    }
    load()
    const timer = setInterval(load, AGAIN_MS)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [client, quoteId, messageId, sourceChain, state, isOver])
  return { recoveries, isSent: sentFor === kinds, markSent: () => setSentFor(kinds) }
}

const Way = ({
  recovery,
  client,
  query,
  view,
  quote,
  sandbox,
  markSent,
}: {
  readonly recovery: Recovery
  readonly client: Client
  readonly query: StatusQuery
  readonly view: TransferView
  readonly quote: RecordedQuote
  readonly sandbox: Sandbox | undefined
  readonly markSent: () => void
}) => {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const family = chainTypeOf(recovery.chain)
  const findNode = nodesOf(sandbox)
  const wallets = useWallets().filter((wallet) => canUse(wallet, family, findNode(recovery.chain)))
  const chain = view.chains.find(({ chainId }) => chainId === recovery.chain)
  const sign = async (connect: () => Promise<Signer>): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      const signer = await connect()
      const { recoveries } = await client.getRecovery({ ...query, account: signer.address })
      const fresh = recoveries.find(({ kind }) => kind === recovery.kind)
      if (fresh === undefined) throw new Error('it is not needed any more, or not for this account to sign')
      checkNoDearer(fresh, recovery)
      await sendRecovery(fresh, quote, signer, findNode)
      markSent()
    } catch (error) {
      setProblem(errorText(error).split('\n')[0] ?? '')
    }
    setBusy(false)
  }
  const { title, text } = TEXTS[recovery.kind] ?? { title: recovery.label, text: '' }
  const costs = costText(recovery, chain)
  const [account] = sandboxSigners(sandbox, family)
  return (
    <div className="way">
      <h3>{title}</h3>
      <p className="quiet">
        {text}
        {costs === undefined ? '' : ` It costs ${costs} beside gas.`} On{' '}
        {safeText(chain?.chainLabel ?? recovery.chain, MAX_NAME)}; then the transfer is{' '}
        {recovery.leadsTo === 'DONE' ? 'delivered' : 'refunded'}.
      </p>
      <div className="buttons">
        {account === undefined ? null : (
          <button
            type="button"
            className="button"
            disabled={isBusy}
            onClick={() => void sign(async () => account)}
          >
            {isBusy ? 'Sending…' : 'Sign with a sandbox account'}
          </button>
        )}
        {wallets.map((wallet) => (
          <button
            key={wallet.id}
            type="button"
            className="button plain"
            disabled={isBusy}
            onClick={() => void sign(wallet.connect)}
          >
            Sign with {safeText(wallet.name, MAX_NAME)}
          </button>
        ))}
        {account === undefined && wallets.length === 0 ? (
          <p className="quiet">Open this page in a browser with a wallet of this chain to sign it.</p>
        ) : null}
      </div>
      {problem === undefined ? null : (
        <p className="notice" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
