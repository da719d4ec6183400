import type { IntentTerms } from '../../core/network.ts'
import { emptyPosition, type Position } from './position.ts'
import { createSolverDirectory } from './solver-directory.ts'

type Held = { readonly solver: string; readonly asset: string; readonly position: Position }

/** The positions of the known solvers, by any of their accounts, and asset. */
export const createPositions = (solvers: IntentTerms['solvers']) => {
  const directory = createSolverDirectory(solvers)
  const bySolver = new Map(solvers.map(({ address }) => [address, new Map<string, Position>()]))
  const positionsOf = (account: string): Map<string, Position> | undefined =>
    bySolver.get(directory.ownerOf(account)?.address ?? '')
  return {
    of: (account: string, asset: string): Position | undefined => {
      const held = positionsOf(account)
      const known = held?.get(asset)
      if (held === undefined || known !== undefined) return known
      const position = emptyPosition()
      held.set(asset, position)
      return position
    },
    /** Every position that was asked for, with its solver's address and its asset. */
    all: (): readonly Held[] =>
      [...bySolver].flatMap(([solver, held]) =>
        [...held].map(([asset, position]) => ({ solver, asset, position })),
      ),
    ofSolver: (account: string): Iterable<Position> => positionsOf(account)?.values() ?? [],
  }
}

export type Positions = ReturnType<typeof createPositions>
