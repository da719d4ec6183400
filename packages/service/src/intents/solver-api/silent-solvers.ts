import type { ChainId } from '@openrfq/sdk'
import type { Solver } from './best-offers.ts'
import type { Book } from './book.ts'

type Deps = {
  /** The solvers that the operator names. */
  readonly solvers: readonly Solver[]
  readonly book: Pick<Book, 'quotedInto' | 'declarations'>
  /** The chains on which the operator names an account of the solver, other than by its signing address. */
  readonly chainsOf: (solver: Solver) => readonly ChainId[]
  /** Milliseconds that never go back. */
  readonly steady: () => number
}

/** How long after its first quote a solver is taken to quote all that it will. */
const SETTLED_MS = 15_000

/**
 * Lists the named solvers that do not quote: those without a standing quote, and for fifteen seconds after its first one a
 * solver that does not quote into every chain on which it declares inventory or has an account, or whose balances were not
 * read.
 */
export const createSilentSolvers = ({ solvers, book, chainsOf, steady }: Deps): (() => readonly Solver[]) => {
  const begun = new Map<string, number>()

  const isWhole = (solver: Solver): boolean => {
    const own = book.declarations().filter((declaration) => declaration.solver === solver.address)
    if (own.some(({ balance }) => balance === undefined)) return false
    const into = new Set(book.quotedInto(solver))
    const expected = [...chainsOf(solver), ...own.map(({ asset }) => asset.split(' ')[0] ?? '')]
    return expected.every((chainId) => into.has(chainId))
  }
  const isSilent = (solver: Solver): boolean => {
    const [quoted] = book.quotedInto(solver)
    if (quoted === undefined) {
      begun.delete(solver.address)
      return true
    }
    const since = begun.get(solver.address) ?? steady()
    begun.set(solver.address, since)
    return steady() - since < SETTLED_MS && !isWhole(solver)
  }
  return () => solvers.filter(isSilent)
}
