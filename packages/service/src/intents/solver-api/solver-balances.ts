import type { ChainId } from '@openrfq/sdk'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { BalanceOfQuorum } from '../../chains/rpc/balances-of-quorum.ts'
import { createConditionTimer } from '../../lib/condition-timer.ts'
import { inTime } from '../../lib/in-time.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import { createTokenBucket, type TokenBucket } from '../../lib/token-bucket.ts'
import type { Book } from './book.ts'
import type { Declaration } from './positions.ts'
import type { SolverDirectory } from './solver-directory.ts'

/** An asset that a solver declares beyond what its account holds; base units. */
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
  readonly evmChains: ReadonlyMap<ChainId, Pick<EvmChain, 'head' | 'balances' | 'balancesOfQuorum'>>
  readonly paymentChains: ReadonlyMap<
    ChainId,
    Pick<PaymentChain, 'chainType' | 'head' | 'balances' | 'balancesOfQuorum'>
  >
  readonly book: Pick<Book, 'declarations' | 'setBalance'>
  readonly directory: Pick<SolverDirectory, 'accountOn'>
  /** Milliseconds that never go back. */
  readonly steady: () => number
  readonly log: Log
}

/** Heads are in memory; a round with nothing due makes no request. */
const ROUND_MS = 250
/** The age at which a balance is read again: it covers the declared inventory, it does not, and its read failed. */
const COVERED_MS = 3_000
const EXCEEDED_MS = 1_000
const UNKNOWN_MS = 500
/** A round waits no longer for a chain. */
const DEADLINE_MS = 1_000
/** Between a fill and the solver's next declaration the declared inventory is above the balance. */
const TOLERATED_MS = 10_000
/** Tokens in one request. */
const MOST_TOKENS = 50
/** Balances that are read for one solver, on all chains; one that a quorum confirms counts twice. */
const BUDGET = { burst: 300, perSecond: 30 }

/** A chain of any family, as far as balances are read. */
type Reader = {
  readonly chainType: 'evm' | 'solana' | 'stellar'
  readonly headNumber: bigint | undefined
  readonly read: (owner: string, tokens: readonly string[]) => Promise<Read>
  readonly readQuorum: (
    owner: string,
    tokens: readonly string[],
  ) => Promise<readonly (BalanceOfQuorum | undefined)[]>
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
      readQuorum: evm.balancesOfQuorum,
    }
  const chain = paymentChains.get(chainId)
  if (chain === undefined) return undefined
  return {
    chainType: chain.chainType,
    headNumber: chain.head()?.number,
    read: chain.balances,
    readQuorum: chain.balancesOfQuorum,
  }
}

const assetOf = ({ asset }: Declaration): { readonly chainId: ChainId; readonly token: string } => {
  const [chainId = '', token = ''] = asset.split(' ')
  return { chainId, token }
}

const isExceeded = ({ balance, declared, covered }: Declaration): boolean =>
  balance !== undefined && covered < declared

const isUnknown = ({ balance }: Declaration): boolean => balance === undefined

/** When an asset was last read, and the number of the head then. */
type LastRead = { readonly at: number; readonly number: bigint }

const keyOf = ({ solver, asset }: Declaration): string => `${solver} ${asset}`
const groupOf = (declaration: Declaration): string => `${declaration.solver} ${assetOf(declaration).chainId}`

/** Remembers the last read of each declared asset, and limits the reads of each solver. */
const createSchedule = (steady: () => number, isTold: (key: string) => boolean) => {
  const lastReads = new Map<string, LastRead>()
  const budgets = new Map<string, TokenBucket>()
  const isDue = (declaration: Declaration, number: bigint): boolean => {
    const last = lastReads.get(keyOf(declaration))
    if (last === undefined) return true
    const age = steady() - last.at
    if (isUnknown(declaration)) return age >= UNKNOWN_MS
    const isUrgent = isExceeded(declaration) && !isTold(keyOf(declaration))
    return number !== last.number && age >= (isUrgent ? EXCEEDED_MS : COVERED_MS)
  }
  const readAt = (declaration: Declaration): number => lastReads.get(keyOf(declaration))?.at ?? -1
  return {
    /** Whether the solver's budget allows another balance; takes it. */
    take: ({ solver }: Declaration): boolean => {
      const budget = budgets.get(solver) ?? createTokenBucket(BUDGET, steady)
      budgets.set(solver, budget)
      return budget.take()
    },
    isDue,
    oldestFirst: (declarations: readonly Declaration[]): readonly Declaration[] =>
      declarations.toSorted((one, other) => readAt(one) - readAt(other)),
    begun: (declaration: Declaration, number: bigint): void => {
      lastReads.set(keyOf(declaration), { at: steady(), number })
    },
  }
}

/**
 * Reads the balances of what solvers declare: each asset at once when it is first declared, then every three seconds
 * while the chain makes blocks, all assets of a solver and chain that are due in one request, within the solver's budget.
 * A balance below the declaration counts as far as a quorum of endpoints confirm it. One that cannot be read stays as it
 * was last read.
 */
export const createSolverBalances = (deps: Deps): SolverBalances => {
  const { book, directory, steady, log } = deps
  const excess = watchExcess(deps)
  const schedule = createSchedule(steady, excess.isTold)
  const reading = new Set<string>()

  const readSome = async (reader: Reader, some: readonly Declaration[]): Promise<void> => {
    const [first] = some
    const owner =
      first === undefined ? undefined : directory.accountOn({ address: first.solver }, reader.chainType)
    if (owner === undefined) return
    const tokensOf = (declarations: readonly Declaration[]) =>
      declarations.map((declaration) => assetOf(declaration).token)
    const { number, amounts } = await reader.read(owner, tokensOf(some))
    const low: Declaration[] = []
    for (const [index, declaration] of some.entries()) {
      const amount = amounts[index]
      if (amount === undefined) continue
      if (amount >= declaration.declared) book.setBalance(declaration, { amount, block: Number(number) })
      else if (schedule.take(declaration)) low.push(declaration)
    }
    if (low.length === 0) return
    const confirmed = await reader.readQuorum(owner, tokensOf(low))
    for (const [index, declaration] of low.entries()) {
      const told = confirmed[index]
      if (told !== undefined)
        book.setBalance(declaration, { amount: told.amount, block: Number(told.number) })
    }
  }
  const readGroup = async (reader: Reader, due: readonly Declaration[]): Promise<void> => {
    for (let start = 0; start < due.length; start += MOST_TOKENS)
      await readSome(reader, due.slice(start, start + MOST_TOKENS)).catch(() => undefined)
  }
  /** Takes what is due from the budgets, unless an earlier read of the solver and chain is under way. */
  const readDue = (): readonly Promise<void>[] => {
    const groups = new Map<string, { readonly reader: Reader; readonly due: Declaration[] }>()
    for (const declaration of schedule.oldestFirst(book.declarations())) {
      const key = groupOf(declaration)
      if (reading.has(key)) continue
      const reader = groups.get(key)?.reader ?? readerOn(deps, assetOf(declaration).chainId)
      const number = reader?.headNumber
      if (reader === undefined || number === undefined || !schedule.isDue(declaration, number)) continue
      if (!schedule.take(declaration)) continue
      schedule.begun(declaration, number)
      const group = groups.get(key) ?? { reader, due: [] }
      groups.set(key, group)
      group.due.push(declaration)
    }
    return [...groups].map(([key, { reader, due }]) => {
      reading.add(key)
      return readGroup(reader, due).finally(() => reading.delete(key))
    })
  }
  const round = async (): Promise<void> => {
    await Promise.all(readDue().map((read) => inTime(read, DEADLINE_MS)))
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
    isTold: (key: string): boolean => known.has(key),
    compare: (declarations: readonly Declaration[]): void => {
      const exceeded = new Map<string, ExceededBalance>()
      const keys = new Set<string>()
      for (const declaration of declarations) {
        const { solver, declared, balance } = declaration
        const key = keyOf(declaration)
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
