import { emptyPosition, type Position } from './position.ts'
import type { SolverDirectory } from './solver-directory.ts'

/** An inventory above zero that a solver has declared. */
export type Declaration = Pick<Position, 'declared' | 'balance' | 'covered'> & {
  /** The solver's address. */
  readonly solver: string
  /** `tokenKey` of the asset. */
  readonly asset: string
}

/** The positions of the known solvers, by any of their accounts, and asset. */
export const createPositions = (directory: Pick<SolverDirectory, 'all' | 'ownerOf'>) => {
  const bySolver = new Map(directory.all.map(({ address }) => [address, new Map<string, Position>()]))
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
    declarations: (): readonly Declaration[] =>
      [...bySolver].flatMap(([solver, held]) =>
        [...held].flatMap(([asset, { declared, balance, covered }]) =>
          declared === 0n ? [] : [{ solver, asset, declared, balance, covered }],
        ),
      ),
    ofSolver: (account: string): Iterable<Position> => positionsOf(account)?.values() ?? [],
  }
}

export type Positions = ReturnType<typeof createPositions>
