import { chainTypeOf } from '@openrfq/sdk'
import { useState } from 'react'
import { MAX_NAME, safeText } from '../shared/text.ts'
import type { Sandbox } from '../wallets/sandbox.ts'
import { findToken, type Lists } from './trade.ts'
import type { UseControl } from './use-control.ts'

const ALL: readonly string[] = ['evm', 'solana', 'stellar']
const PAYMENTS: readonly string[] = ['solana', 'stellar']

/** What endpoints may say instead of the truth, and the families that know it. */
const LIES: Readonly<Record<string, readonly [text: string, families: readonly string[]]>> = {
  none: ['tell the truth', ALL],
  stale_head: ['stand still', ALL],
  slow: ['answer late', ALL],
  rate_limited: ['refuse by rate limit', ALL],
  html: ['answer with a page', ALL],
  null_receipts: ['know no transaction', ALL],
  failed_receipts: ['say that all failed', ALL],
  fake_receipts: ['alter receipts', ALL],
  fake_calls: ['alter balances', ALL],
  future_time: ['live in the future', ALL],
  wrong_chain: ['are of another chain', ALL],
  hide_logs: ['hide events', ['evm']],
  fake_logs: ['make fills up', ['evm']],
  fake_payments: ['make payments up', PAYMENTS],
  hidden_payments: ['hide payments', PAYMENTS],
  repeated_payments: ['repeat payments', PAYMENTS],
  no_classic_events: ['tell no events', ['stellar']],
  small_batches: ['refuse batches', ['evm', 'solana']],
}
const ENDPOINTS = ['all three', 'the first', 'the second', 'the third']
/** Moves of a price in basis points. */
const MOVES = [-1_000, -100, 100, 1_000]
const DEFAULT_MOVE = -1_000
const DEFAULT_DEPTH = 2

/** The pairs of a chain's pools, each once. */
type Pooled = {
  readonly chainId: string
  readonly nativeSymbol: string
  readonly pairs: readonly { readonly token0: string; readonly token1: string }[]
}

const pooledOf = ({ chains }: Lists, sandbox: Sandbox, chainId: string): Pooled => {
  const pools = sandbox.chains.find((one) => one.chainId === chainId)?.exchange?.pools ?? []
  const pairs = new Map(pools.map((pool) => [`${pool.token0} ${pool.token1}`, pool]))
  // The wrapped native asset of a chain is in pools, and not in the lists.
  const nativeSymbol = chains.find((one) => one.chainId === chainId)?.nativeToken.symbol ?? ''
  return { chainId, nativeSymbol, pairs: [...pairs.values()] }
}

/** Switches for one chain: blocks that are dropped, pools that move, and endpoints that are gone or lie. */
export const ChainFaults = ({
  lists,
  sandbox,
  use,
  isBusy,
}: {
  readonly lists: Lists
  readonly sandbox: Sandbox
  readonly use: UseControl
  readonly isBusy: boolean
}) => {
  const [chainId, setChain] = useState(sandbox.chains[0]?.chainId ?? '')
  const pooled = pooledOf(lists, sandbox, chainId)
  const family = chainTypeOf(chainId) ?? ''
  return (
    <details>
      <summary>Faults of one chain</summary>
      <div className="switches">
        <label>
          <span className="label">Chain</span>
          <select className="field" value={chainId} onChange={({ target }) => setChain(target.value)}>
            {sandbox.chains.map((one) => (
              <option key={one.chainId} value={one.chainId}>
                {safeText(one.chainLabel, MAX_NAME)}
              </option>
            ))}
          </select>
        </label>
        <Reorg key={`reorg ${chainId}`} chainId={chainId} use={use} isBusy={isBusy} />
        <Endpoints key={`rpc ${chainId}`} chainId={chainId} family={family} use={use} />
        <Pool key={`pool ${chainId}`} lists={lists} chain={pooled} use={use} isBusy={isBusy} />
      </div>
    </details>
  )
}

const Reorg = ({
  chainId,
  use,
  isBusy,
}: {
  readonly chainId: string
  readonly use: UseControl
  readonly isBusy: boolean
}) => {
  const [depth, setDepth] = useState(DEFAULT_DEPTH)
  return (
    <div className="with-button">
      <label>
        <span className="label">Blocks</span>
        <input
          className="field"
          type="number"
          min={1}
          max={64}
          value={depth}
          onChange={({ target }) => setDepth(target.valueAsNumber || 1)}
        />
      </label>
      <button
        type="button"
        className="button plain"
        disabled={isBusy}
        onClick={() => use('reorg', { chainId, depth }, `The last ${depth} blocks are gone.`)}
      >
        Drop them
      </button>
    </div>
  )
}

const Endpoints = ({
  chainId,
  family,
  use,
}: {
  readonly chainId: string
  readonly family: string
  readonly use: UseControl
}) => {
  const [which, setWhich] = useState(0)
  const tell = (lie: string, text: string): void => {
    const endpoint = which === 0 ? {} : { endpoint: which - 1 }
    const change = lie === 'gone' ? { up: false } : { up: true, lie }
    use('rpc', { chainId, ...endpoint, ...change }, `Of the endpoints, ${ENDPOINTS[which]} ${text}.`)
  }
  return (
    <>
      <label>
        <span className="label">Of its endpoints</span>
        <select className="field" value={which} onChange={({ target }) => setWhich(Number(target.value))}>
          {ENDPOINTS.map((text, index) => (
            <option key={text} value={index}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <label key={which}>
        <span className="label">They</span>
        <select
          className="field"
          defaultValue="none"
          onChange={({ target }) => tell(target.value, target.selectedOptions[0]?.text ?? '')}
        >
          {Object.entries(LIES).map(([lie, [text, families]]) =>
            families.includes(family) ? (
              <option key={lie} value={lie}>
                {text}
              </option>
            ) : null,
          )}
          <option value="gone">are gone</option>
        </select>
      </label>
    </>
  )
}

const Pool = ({
  lists,
  chain,
  use,
  isBusy,
}: {
  readonly lists: Lists
  readonly chain: Pooled
  readonly use: UseControl
  readonly isBusy: boolean
}) => {
  const [chosen, choose] = useState(0)
  const [move, setMove] = useState(DEFAULT_MOVE)
  const nameOf = (address: string): string =>
    safeText(findToken(lists, chain.chainId, address)?.symbol ?? chain.nativeSymbol)
  const pair = chain.pairs[chosen]
  if (pair === undefined) return null
  const { token0: tokenA, token1: tokenB } = pair
  return (
    <>
      <label>
        <span className="label">Pools of</span>
        <select className="field" value={chosen} onChange={({ target }) => choose(Number(target.value))}>
          {chain.pairs.map(({ token0, token1 }, index) => (
            <option key={`${token0} ${token1}`} value={index}>
              {nameOf(token0)} in {nameOf(token1)}
            </option>
          ))}
        </select>
      </label>
      <div className="with-button">
        <label>
          <span className="label">Price</span>
          <select className="field" value={move} onChange={({ target }) => setMove(Number(target.value))}>
            {MOVES.map((bps) => (
              <option key={bps} value={bps}>
                {bps < 0 ? '−' : '+'} {Math.abs(bps) / 100} %
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="button plain"
          disabled={isBusy}
          onClick={() =>
            use('pool', { chainId: chain.chainId, tokenA, tokenB, moveBps: move }, 'The pools have moved.')
          }
        >
          Move it
        </button>
      </div>
    </>
  )
}
