import {
  type Client,
  chainTypeOf,
  isTerminal,
  type Recovery,
  type Status,
  type StatusQuery,
} from '@openrfq/sdk'
import { useEffect, useState } from 'react'
import { connectInjected, type Payer, sandboxPayers } from '../console/payers.ts'
import { findSandbox, type Sandbox } from '../console/sandbox.ts'
import { useWallets } from '../console/use-wallets.ts'
import { sendRecovery } from './send-recovery.ts'
import type { TransferView } from './use-transfer.ts'

const AGAIN_MS = 5_000

const TEXTS: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  add_gas: {
    title: 'Pay for the relay',
    text: 'Axelar waits for more gas. Anybody can pay it; what is not used comes back to whoever paid.',
  },
  execute: {
    title: 'Deliver by hand',
    text: 'Axelar has approved the delivery and nobody has executed it. Anybody can, for the gas of one transaction.',
  },
  refund: {
    title: 'Refund the sender',
    text: 'No solver filled the order in time. Anybody can send the refund, which goes to the sender alone.',
  },
}

/** What anybody can do about a late transfer; nothing while it needs no help. */
export const Recoveries = ({
  client,
  query,
  view,
}: {
  readonly client: Client
  readonly query: StatusQuery
  readonly view: TransferView
}) => {
  const { recoveries, isSent, markSent } = useRecoveries(client, query, view.status)
  const sandbox = useSandbox(recoveries.length > 0)
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
            sandbox={sandbox}
            markSent={markSent}
          />
        ))
      )}
    </section>
  )
}

const useRecoveries = (client: Client, query: StatusQuery, { state }: Status) => {
  const [recoveries, setRecoveries] = useState<readonly Recovery[]>([])
  const [sentFor, setSentFor] = useState<string>()
  const { quoteId, messageId, sourceChain } = query
  const kinds = recoveries.map(({ kind }) => kind).join()
  useEffect(() => {
    setRecoveries([])
    if (state === 'AWAITING_DEPOSIT' || state === 'NOT_FOUND' || isTerminal(state)) return
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
  }, [client, quoteId, messageId, sourceChain, state])
  return { recoveries, isSent: sentFor === kinds, markSent: () => setSentFor(kinds) }
}

const useSandbox = (isWanted: boolean): Sandbox | undefined => {
  const [sandbox, setSandbox] = useState<Sandbox>()
  useEffect(() => {
    if (isWanted) void findSandbox(new URL('..', location.href).href).then(setSandbox)
  }, [isWanted])
  return sandbox
}

const Way = ({
  recovery,
  client,
  query,
  view,
  sandbox,
  markSent,
}: {
  readonly recovery: Recovery
  readonly client: Client
  readonly query: StatusQuery
  readonly view: TransferView
  readonly sandbox: Sandbox | undefined
  readonly markSent: () => void
}) => {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const wallets = useWallets()
  const family = chainTypeOf(recovery.chain)
  const chain = view.chains.find(({ chainId }) => chainId === recovery.chain)
  const sign = async (findPayer: () => Promise<Payer | undefined>): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      const payer = await findPayer()
      if (payer === undefined) throw new Error('there is no account to sign with')
      const { recoveries } = await client.getRecovery({ ...query, account: payer.address })
      const fresh = recoveries.find(({ kind }) => kind === recovery.kind)
      if (fresh === undefined) throw new Error('it is not needed any more')
      await sendRecovery(fresh, payer, sandbox)
      markSent()
    } catch (error) {
      setProblem(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
    }
    setBusy(false)
  }
  const { title, text } = TEXTS[recovery.kind] ?? { title: recovery.label, text: '' }
  const [account] = sandboxPayers(sandbox, family)
  return (
    <div className="way">
      <h3>{title}</h3>
      <p className="quiet">
        {text} On {chain?.chainLabel ?? recovery.chain}; then the transfer is{' '}
        {recovery.leadsTo === 'DONE' ? 'delivered' : 'refunded'}.
      </p>
      {family !== 'evm' ? (
        <p className="quiet">
          Ask the service for the instructions, and sign them with a wallet of this chain.
        </p>
      ) : (
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
              onClick={() => void sign(() => connectInjected(wallet))}
            >
              Sign with {wallet.name}
            </button>
          ))}
          {account === undefined && wallets.length === 0 ? (
            <p className="quiet">Open this page in a browser with a wallet to sign it.</p>
          ) : null}
        </div>
      )}
      {problem === undefined ? null : (
        <p className="notice" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
