import type { IntentTerms } from '../../core/network.ts'
import { emptyPosition, type Position } from './position.ts'
import { createSolverDirectory } from './solver-directory.ts'

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
    ofSolver: (account: string): Iterable<Position> => positionsOf(account)?.values() ?? [],
  }
}

export type Positions = ReturnType<typeof createPositions>
