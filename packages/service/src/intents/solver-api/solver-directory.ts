import type { ChainType } from '@openrfq/sdk'
import { comparableAddress } from '../../core/comparable-address.ts'
import { ConfigError } from '../../core/config-error.ts'
import type { IntentTerms } from '../../core/network.ts'
import type { Solver } from './best-offers.ts'

/** The operator's solvers, by each account that they pay from or are repaid on. */
export type SolverDirectory = {
  /** All solvers, in the operator's order. */
  readonly all: IntentTerms['solvers']
  /** The owner of an account; an EVM address in any case. */
  readonly ownerOf: (account: string) => Solver | undefined
  /** The solver's account on the chains of a family; undefined if it serves none. */
  readonly accountOn: (solver: Pick<Solver, 'address'>, chainType: ChainType) => string | undefined
}

/** Indexes solvers by their accounts. Throws ConfigError if two share one. */
export const createSolverDirectory = (named: IntentTerms['solvers']): SolverDirectory => {
  const owners = new Map<string, Solver>()
  const accounts = new Map<string, Readonly<Record<ChainType, string | undefined>>>()
  for (const { name, address, accounts: others } of named) {
    const solver = { name, address }
    const onEach = { evm: address, solana: others?.solana, stellar: others?.stellar }
    for (const account of Object.values(onEach)) {
      if (account === undefined) continue
      if (owners.has(comparableAddress(account)))
        throw new ConfigError(`intent.solvers: two solvers have the account ${account}`)
      owners.set(comparableAddress(account), solver)
    }
    accounts.set(comparableAddress(address), onEach)
  }
  return {
    all: named,
    ownerOf: (account) => owners.get(comparableAddress(account)),
    accountOn: ({ address }, chainType) => accounts.get(comparableAddress(address))?.[chainType],
  }
}
