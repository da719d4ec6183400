import { type Quotes, useQuotes } from '@openrfq/react'
import { type Client, chainTypeOf, isTransient, type QuoteParams } from '@openrfq/sdk'
import { useEffect, useMemo, useState } from 'react'
import { Brand } from '../shared/brand.tsx'
import { SearchBox } from '../shared/search-box.tsx'
import { useClock } from '../shared/use-clock.ts'
import { nodesOf } from '../wallets/nodes.ts'
import { type BrowserWallet, canUse, type FindNode, type Payer } from '../wallets/payer.ts'
import { findSandbox, type Sandbox, sandboxSigners } from '../wallets/sandbox.ts'
import { useWallets } from '../wallets/use-wallets.ts'
import { History } from './history.tsx'
import { QuoteCard } from './quote-card.tsx'
import { refusalText } from './refusal-text.ts'
import { SandboxPanel } from './sandbox-panel.tsx'
import { Send } from './send.tsx'
import { findToken, firstTrade, type Lists, requestOf, type Trade } from './trade.ts'
import { TradeForm } from './trade-form.tsx'
import { useAbsentParts } from './use-absent-parts.ts'
import { useSolvers } from './use-solvers.ts'
import { waitingText } from './waiting-text.ts'

const RETRY_MS = 2_000

/** The page that asks for quotes and sends one. */
export const ConsolePage = ({ client, baseUrl }: { readonly client: Client; readonly baseUrl: string }) => {
  const { lists, sandbox, isOffline } = useLists(client, baseUrl)
  return (
    <>
      <header className="bar">
        <Brand home="./" />
        <SearchBox client={client} base="./" />
        <nav>
          <a href="docs">API reference</a>
        </nav>
      </header>
      <main className="page">
        <div className="intro">
          <h1>Move value between chains</h1>
          <p className="quiet">
            Compare executable quotes, sign one with your own wallet, and watch it arrive.
          </p>
        </div>
        {lists === undefined ? (
          <p role="status">{isOffline ? 'The service cannot be reached. Trying again…' : 'Loading…'}</p>
        ) : (
          <Console client={client} baseUrl={baseUrl} lists={lists} sandbox={sandbox} />
        )}
      </main>
    </>
  )
}

const useLists = (client: Client, baseUrl: string) => {
  const [state, setState] = useState<{ lists?: Lists; sandbox?: Sandbox | undefined; isOffline: boolean }>({
    isOffline: false,
  })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const load = async (): Promise<void> => {
      while (!signal.aborted) {
        try {
          const [chains, tokens, sandbox] = await Promise.all([
            client.getChains({ signal }),
            client.getTokens({}, { signal }),
            findSandbox(baseUrl),
          ])
          if (!signal.aborted) setState({ lists: { chains, tokens }, sandbox, isOffline: false })
          if (chains.length > 1) return
        } catch (error) {
          if (!isTransient(error)) return
          setState({ isOffline: true })
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
    void load()
    return () => controller.abort()
  }, [client, baseUrl])
  return state
}

/** The recipient that is suggested: a sandbox account of the destination's family, else the payer's own address. */
const suggestedRecipient = (sandbox: Sandbox | undefined, trade: Trade, payer: Payer | undefined): string => {
  const family = chainTypeOf(trade.toChain)
  const [, second] = sandboxSigners(sandbox, family)
  if (second !== undefined) return second.address
  return payer !== undefined && payer.family === family ? payer.address : ''
}

const Console = ({
  client,
  baseUrl,
  lists,
  sandbox,
}: {
  readonly client: Client
  readonly baseUrl: string
  readonly lists: Lists
  readonly sandbox: Sandbox | undefined
}) => {
  const [trade, setTrade] = useState(() => firstTrade(lists))
  const [chosenPayer, setPayer] = useState<Payer>()
  const [connected, setConnected] = useState<readonly Payer[]>([])
  const [problem, setProblem] = useState<string>()
  const [isSending, setSending] = useState(false)
  const family = chainTypeOf(trade.fromChain)
  const findNode = nodesOf(sandbox)
  const wallets = useWallets().filter((wallet) => canUse(wallet, family, findNode(trade.fromChain)))
  const payers = [...connected.filter((one) => one.family === family), ...sandboxSigners(sandbox, family)]
  const payer = chosenPayer?.family === family ? chosenPayer : payers[0]
  const recipient = trade.recipient === '' ? suggestedRecipient(sandbox, trade, payer) : trade.recipient
  const filled = { ...trade, recipient }
  const request = requestOf(lists, filled, payer?.address)
  const connect = (wallet: BrowserWallet): void => {
    setProblem(undefined)
    wallet.connect().then(
      (one) => {
        setConnected((before) => [one, ...before.filter(({ address }) => address !== one.address)])
        setPayer(one)
      },
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    )
  }
  return (
    <div className="columns">
      <div className="stack">
        <TradeForm
          lists={lists}
          trade={filled}
          change={(change) => setTrade((before) => ({ ...before, ...change }))}
          payers={payers}
          payer={payer}
          choosePayer={setPayer}
          wallets={wallets}
          connect={connect}
          isSending={isSending}
        />
        {problem === undefined ? null : (
          <p className="notice" role="alert">
            {problem}
          </p>
        )}
      </div>
      <QuoteList
        client={client}
        baseUrl={baseUrl}
        lists={lists}
        request={request}
        payer={payer}
        findNode={findNode}
        isSending={isSending}
        setSending={setSending}
      />
      <div className="stack">
        {payer === undefined ? null : <History client={client} lists={lists} address={payer.address} />}
        {sandbox === undefined ? null : (
          <SandboxPanel
            baseUrl={baseUrl}
            lists={lists}
            sandbox={sandbox}
            trade={filled}
            payer={payer?.address}
          />
        )}
      </div>
    </div>
  )
}

const QuoteList = ({
  client,
  baseUrl,
  lists,
  request,
  payer,
  findNode,
  isSending,
  setSending,
}: {
  readonly client: Client
  readonly baseUrl: string
  readonly lists: Lists
  readonly request: QuoteParams | string
  readonly payer: Payer | undefined
  readonly findNode: FindNode
  readonly isSending: boolean
  readonly setSending: (isSending: boolean) => void
}) => {
  const [frozen, setFrozen] = useState<{ readonly of: string | undefined; readonly quotes: Quotes }>()
  const [chosenRoute, choose] = useState<string>()
  const asked = typeof request === 'string' ? undefined : request
  const live = useQuotes(client, isSending ? undefined : asked)
  const key = asked === undefined ? undefined : JSON.stringify({ ...asked, amount: asked.amount.toString() })
  // The quotes stay while one of them is sent, as its button must; after a failure, with what it said, until new ones arrive.
  const isKept = isSending || (frozen?.of === key && live.quotes === undefined)
  const { quotes, refusal } = isKept && frozen !== undefined ? frozen.quotes : live
  const now = useClock(quotes !== undefined, client.now)
  const routes = useMemo(
    () => (quotes ?? []).map((quote, rank) => ({ quote, route: routeOf(quote, rank) })),
    [quotes],
  )
  const solvers = useSolvers(
    client,
    routes.some(({ quote }) => quote.backend.type === 'intent'),
  )
  const absent = useAbsentParts(baseUrl, quotes?.length === 0)
  const chosen = routes.find(({ route }) => route === chosenRoute) ?? routes[0]
  const onSending = (value: boolean): void => {
    if (value) setFrozen({ of: key, quotes: { quotes, refusal } })
    setSending(value)
  }
  return (
    <section className="quote-column" aria-label="Quotes">
      <div className="card quotes" aria-busy={quotes === undefined && asked !== undefined}>
        <h2>Quotes</h2>
        {typeof request === 'string' ? (
          <p className="quiet">{request}</p>
        ) : quotes === undefined ? (
          <p className="quiet" role="status">
            Asking for quotes…
          </p>
        ) : refusal !== undefined ? (
          <p className="notice" role="alert">
            {refusalText(lists, refusal)}
          </p>
        ) : routes.length === 0 ? (
          <p className="quiet" role="status">
            {waitingText(absent)}
          </p>
        ) : null}
        {routes.map(({ quote, route }) => (
          <QuoteCard
            key={route}
            quote={quote}
            lists={lists}
            solvers={solvers}
            isChosen={route === chosen?.route}
            choose={() => choose(route)}
            now={now}
            isInput={asked?.orderType === 'EXACT_OUTPUT'}
          />
        ))}
        {chosen === undefined || payer === undefined || asked === undefined ? null : (
          <Send
            quote={chosen.quote}
            payer={payer}
            findNode={findNode}
            client={client}
            request={asked}
            inputDecimals={findToken(lists, asked.fromChain, asked.fromToken)?.decimals}
            isOver={now >= Date.parse(chosen.quote.validity.quoteExpiresAt)}
            onSending={onSending}
          />
        )}
      </div>
    </section>
  )
}

/** Names a quote among its successors: by backend, and by solver where several compete. */
const routeOf = ({ backend }: NonNullable<Quotes['quotes']>[number], rank: number): string => {
  if (backend.type === 'unknown') return `${backend.wireType} ${rank}`
  return backend.type === 'intent' ? `intent ${backend.metadata.solver?.address ?? rank}` : backend.type
}
