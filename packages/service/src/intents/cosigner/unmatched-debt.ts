import { obligationsOfUnmatched } from '../vault/obligations.ts'
import type { PayoutEvidence } from '../vault/payout-request.ts'
import type { Debt } from './debt.ts'
import type { DepositReader } from './deposits.ts'
import { canBeOfOrder, type NamedOrderBook } from './named-orders.ts'
import type { CosignerDeps, VaultToSign } from './vault-to-sign.ts'
import { type Objection, refused } from './verdict.ts'

/** The service keeps a hundredth at most, so that its word decides about no more. */
const LEAST_PARTS = 100n

/** What a vault owes to the payer of a deposit that names no order. */
export const findUnmatchedDebt = async (
  { paidFact }: Pick<CosignerDeps, 'paidFact'>,
  { deposits, named }: { readonly deposits: DepositReader; readonly named: NamedOrderBook },
  vault: VaultToSign,
  {
    key,
    evidence,
  }: { readonly key: string; readonly evidence: Extract<PayoutEvidence, { kind: 'unmatched' }> },
): Promise<Debt | Objection> => {
  const { position, ...place } = evidence.deposit
  const deposit = (await deposits.paid(vault, place)).find((one) => one.position === position)
  if (deposit === undefined) return refused('no such deposit in the named transaction')
  if (vault.chain.balancesToClaim?.isBalance(deposit.from) === true)
    return refused('the payment is a claim of the vault')
  const { muxedId } = deposit
  if (muxedId !== undefined && (await named.bindingOf(muxedId, deposit)).kind === 'one')
    return refused('the deposit was made for an order')
  // An order that was not named may be filled: only the order's own end tells who gets the deposit.
  if (muxedId !== undefined && canBeOfOrder(muxedId, deposit))
    return refused('the deposit may have been made for an order that was not named')
  const { kept } = evidence
  if (kept * LEAST_PARTS > deposit.amount) return refused(`${kept} of ${deposit.amount} is kept`)
  const terms = vault.isToken(deposit.token) ? { minimum: 1n, cost: kept } : undefined
  const { owed } = obligationsOfUnmatched(deposit, terms)
  const obligation = owed.find((one) => one.key === key)
  if (obligation === undefined) return refused(`${key} is not owed`)
  return {
    obligation,
    name: key,
    uses: [{ deposit, amount: obligation.amount }],
    facts: [paidFact(deposit)],
    ...(muxedId === undefined ? {} : { unnamed: { muxedId, deposited: deposit.amount } }),
  }
}
