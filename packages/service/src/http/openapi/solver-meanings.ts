import { SolverAssetSummary, SolverPairSummary, SolverSummary, SolversAnswer } from '@openrfq/sdk'
import { objectMeaning } from './meaning.ts'

/** The answer of the solvers' endpoint. */
export const SOLVER_MEANINGS = {
  SolversAnswer: objectMeaning(SolversAnswer, 'The solvers that may quote intents here.', {
    solvers: 'Every solver that the operator lists.',
  }),
  SolverSummary: objectMeaning(SolverSummary, 'A solver and its records.', {
    name: 'Its display name.',
    address: 'Its signing address in EIP-55.',
    connected: 'Whether it is logged in now.',
    inventoryExceedsBalance:
      'Assets that it declares beyond what its account holds; the service does not quote the excess.',
    pairs: 'Its records, one for each pair on which it has had an order that counts.',
  }),
  SolverAssetSummary: objectMeaning(SolverAssetSummary, 'An asset that a solver pays.', {
    chain: 'Its chain.',
    token: 'Its address.',
  }),
  SolverPairSummary: objectMeaning(
    SolverPairSummary,
    'How the last orders of a solver on one pair ended: at most 500, of 30 days. Only orders that the service quoted count, with a deposit that left time to fill and a recipient that could be paid.',
    {
      fromChain: 'The chain paid on.',
      fromToken: 'The token paid.',
      toChain: 'The chain delivered on.',
      toToken: 'The token delivered.',
      filled: 'Orders filled in the first half of the time.',
      late: 'Orders filled in time, but in the second half of it.',
      declined: 'Orders that the solver declined.',
      faded: 'Orders neither filled by their deadline nor declined.',
      fillRate:
        'The part of its orders that it fills, from 0 to 1: weighted by their inputs, with at most 5 % of the weight from one depositor, and smoothed.',
      medianFillSeconds: 'The median time from deposit to fill; null before five fills.',
      blockedUntil:
        'When its block ends; in the past while its first order after the block has not ended. Null if it is not blocked.',
    },
  ),
}
