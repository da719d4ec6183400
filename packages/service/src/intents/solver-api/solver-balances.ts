import type { ChainId } from '@openrfq/sdk'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { createConditionTimer } from '../../lib/condition-timer.ts'
import { inTime } from '../../lib/in-time.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import type { Book } from './book.ts'
import type { Declaration } from './positions.ts'
import type { SolverDirectory } from './solver-directory.ts'

/** An asset of which a solver declares more than its account holds; base units. */
type ExceededBalance = {
  /** The solver's address. */
  readonly solver: string
  readonly chainId: ChainId
  readonly token: string
  readonly declared: bigint
  readonly balance: bigint
}

/** Compares what solvers declare with what their accounts hold. */
export type SolverBalances = Lifecycle & {
  /** What has exceeded a balance for some seconds. */
  readonly exceeded: () => readonly ExceededBalance[]
}

type Deps = {
  readonly evmChains: ReadonlyMap<ChainId, Pick<EvmChain, 'head' | 'balances'>>
  readonly paymentChains: ReadonlyMap<ChainId, Pick<PaymentChain, 'chainType' | 'head' | 'balances'>>
  readonly book: Pick<Book, 'declarations' | 'setBalance'>
  readonly directory: Pick<SolverDirectory, 'accountOn'>
  /** Milliseconds that never go back. */
  readonly steady: () => number
  readonly log: Log
}

/** Heads are in memory; a round without anything due asks nobody. */
const ROUND_MS = 250
/** How old a balance may be that covers what is declared, one that does not, and a failed read. */
const COVERED_MS = 3_000
const EXCEEDED_MS = 1_000
const UNKNOWN_MS = 500
/** A round waits no longer for a chain. */
const DEADLINE_MS = 1_000
/** Between a fill and the solver's next declaration the declared inventory is above the balance. */
const TOLERATED_MS = 10_000
/** Tokens in one request. */
const MOST_TOKENS = 50

/** A chain of any family, as far as balances are read. */
type Reader = {
  readonly chainType: 'evm' | 'solana' | 'stellar'
  readonly headNumber: bigint | undefined
  readonly read: (owner: string, tokens: readonly string[]) => Promise<Read>
}
type Read = { readonly number: bigint; readonly amounts: readonly (bigint | undefined)[] }

const readerOn = ({ evmChains, paymentChains }: Deps, chainId: ChainId): Reader | undefined => {
  const evm = evmChains.get(chainId)
  if (evm !== undefined)
    return {
      chainType: 'evm',
      headNumber: evm.head()?.number,
      read: async (owner, tokens) => {
        const { blockNumber: number, amounts } = await evm.balances(owner, tokens)
        return { number, amounts }
      },
    }
  const chain = paymentChains.get(chainId)
  if (chain === undefined) return undefined
  return { chainType: chain.chainType, headNumber: chain.head()?.number, read: chain.balances }
}

const assetOf = ({ asset }: Declaration): { readonly chainId: ChainId; readonly token: string } => {
  const [chainId = '', token = ''] = asset.split(' ')
  return { chainId, token }
}

const isExceeded = ({ balance, declared, covered }: Declaration): boolean =>
  balance !== undefined && covered < declared

const isUnknown = ({ balance }: Declaration): boolean => balance === undefined

/** The declarations of one solver on one chain; when and as of which head they were last read. */
type LastRead = { readonly at: number; readonly number: bigint }

const isDue = (group: readonly Declaration[], last: LastRead | undefined, at: number): boolean => {
  if (last === undefined) return true
  if (group.some(isUnknown)) return at - last.at >= UNKNOWN_MS
  return at - last.at >= (group.some(isExceeded) ? EXCEEDED_MS : COVERED_MS)
}

/**
 * Reads the balances of what solvers declare: each asset at once when it is first declared, then every three seconds
 * while the chain makes blocks, all assets of a solver and chain in one request. A balance that cannot be read stays as it
 * was last read.
 */
export const createSolverBalances = (deps: Deps): SolverBalances => {
  const { book, directory, steady, log } = deps
  const lastReads = new Map<string, LastRead>()

  const readSome = async (reader: Reader, some: readonly Declaration[]): Promise<void> => {
    const [first] = some
    const owner =
      first === undefined ? undefined : directory.accountOn({ address: first.solver }, reader.chainType)
    if (owner === undefined) return
    const { number, amounts } = await reader.read(
      owner,
      some.map((one) => assetOf(one).token),
    )
    for (const [index, declaration] of some.entries()) {
      const amount = amounts[index]
      if (amount !== undefined) book.setBalance(declaration, { amount, block: Number(number) })
    }
  }
  const readGroup = async (key: string, group: readonly Declaration[]): Promise<void> => {
    const [first] = group
    const reader = first === undefined ? undefined : readerOn(deps, assetOf(first).chainId)
    const number = reader?.headNumber
    const last = lastReads.get(key)
    if (reader === undefined || number === undefined || !isDue(group, last, steady())) return
    if (number === last?.number && !group.some(isUnknown)) return
    lastReads.set(key, { at: steady(), number })
    for (let start = 0; start < group.length; start += MOST_TOKENS)
      await readSome(reader, group.slice(start, start + MOST_TOKENS)).catch(() => undefined)
  }
  const excess = watchExcess(deps)
  const round = async (): Promise<void> => {
    const groups = Map.groupBy(
      book.declarations(),
      (declaration) => `${declaration.solver} ${assetOf(declaration).chainId}`,
    )
    await Promise.all([...groups].map(([key, group]) => inTime(readGroup(key, group), DEADLINE_MS)))
    excess.compare(book.declarations())
  }
  return {
    exceeded: excess.exceeded,
    ...createPoller({ name: 'solver_balances', periodMs: ROUND_MS, run: round, log }),
  }
}

/** Logs what exceeds a balance for longer than a fill explains, and when it ends. */
const watchExcess = ({ steady, log }: Deps) => {
  const timer = createConditionTimer<string>(steady)
  let known: ReadonlyMap<string, ExceededBalance> = new Map()
  return {
    exceeded: (): readonly ExceededBalance[] => [...known.values()],
    compare: (declarations: readonly Declaration[]): void => {
      const exceeded = new Map<string, ExceededBalance>()
      const keys = new Set<string>()
      for (const declaration of declarations) {
        const { solver, asset, declared, balance } = declaration
        const key = `${solver} ${asset}`
        keys.add(key)
        if (timer.heldMs(key, isExceeded(declaration)) >= TOLERATED_MS && balance !== undefined)
          exceeded.set(key, { solver, ...assetOf(declaration), declared, balance: balance.amount })
      }
      timer.keep((key) => keys.has(key))
      for (const [key, one] of exceeded)
        if (!known.has(key)) {
          const { declared, balance, ...asset } = one
          log('warn', 'inventory_exceeds_balance', {
            ...asset,
            declared: `${declared}`,
            balance: `${balance}`,
          })
        }
      for (const [key, { solver, chainId, token }] of known)
        if (!exceeded.has(key)) log('info', 'inventory_within_balance', { solver, chainId, token })
      known = exceeded
    },
  }
}
