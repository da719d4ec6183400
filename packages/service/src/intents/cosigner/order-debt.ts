import { type ChainId, type ChainType, chainTypeOf } from '@openrfq/sdk'
import { isSameAddress } from '../../core/comparable-address.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import type { Fact } from '../../transactions/fact-check.ts'
import { depositMuxedId } from '../settlers/deposit-reference.ts'
import { quotedAtOfSalt } from '../settlers/quoted-order.ts'
import { orderIdOf } from '../settlers/settler-contract.ts'
import { type DepositSummary, summarizeDeposits } from '../vault/deposit-summary.ts'
import {
  type FillFact,
  type Obligation,
  obligationsOf,
  refundKey,
  releaseKey,
  returnKey,
} from '../vault/obligations.ts'
import type { PayoutEvidence } from '../vault/payout-request.ts'
import type { Debt } from './debt.ts'
import type { DepositReader } from './deposits.ts'
import type { NamedOrderBook } from './named-orders.ts'
import { findUnfilled } from './unfilled.ts'
import type { CosignerDeps, VaultToSign } from './vault-to-sign.ts'
import { isObjection, type Objection, refused, waiting } from './verdict.ts'

type Evidence = Extract<PayoutEvidence, { kind: 'order' }>
type Parts = { readonly deposits: DepositReader; readonly named: NamedOrderBook }
/** An order of the vault with its id and the muxed id of its deposits. */
type KnownOrder = { readonly order: IntentOrder; readonly orderId: OrderId; readonly muxedId: bigint }

/** Endpoints of a chain differ by a ledger or two. */
const BEHIND = 2n

const identify = (order: IntentOrder, { chain, vault }: VaultToSign): KnownOrder | Objection => {
  if (order.originChain !== chain.chainId || order.originSettler !== vault)
    return refused(`the order is not deposited into ${vault}`)
  try {
    const orderId = orderIdOf(order)
    return { order, orderId, muxedId: depositMuxedId(quotedAtOfSalt(order.salt), orderId) }
  } catch {
    // No settler accepts it.
    return refused('the order is invalid')
  }
}

/** Whether one solver of the network receives the release and made the fill. */
const isOfSolver = (
  { solvers }: CosignerDeps['terms'],
  { originChain, destinationChain, solver, filler }: IntentOrder,
): boolean =>
  solvers.some(({ address, accounts = {} }) => {
    const accountOf: Readonly<Record<ChainType, string | undefined>> = {
      evm: address,
      solana: accounts.solana,
      stellar: accounts.stellar,
    }
    const accountOn = (chainId: ChainId) => {
      const family = chainTypeOf(chainId)
      return family === undefined ? undefined : accountOf[family]
    }
    const filled = accountOn(destinationChain)
    return accountOn(originChain) === solver && filled !== undefined && isSameAddress(filled, filler)
  })

/**
 * Why the deposits may not count for the order: another one was named, or who paid is not who gets it back. Otherwise whether the
 * order is known by the muxed id of each.
 */
const bindingsOf = async (
  { named }: Parts,
  { order, orderId, muxedId }: KnownOrder,
  { deposits, isRelease }: { readonly deposits: readonly Payment[]; readonly isRelease: boolean },
): Promise<Objection | { readonly areNamed: boolean }> => {
  let areNamed = true
  for (const deposit of deposits) {
    const binding = await named.bindingOf(muxedId, deposit)
    areNamed &&= binding.kind === 'one'
    if (binding.kind === 'one' && binding.orderId !== orderId)
      return refused(`the deposit ${deposit.txHash} was made for another order`)
    // The release of the first named order goes to its solver, even if a thief names further orders.
    const isSure = binding.kind === 'one' && (isRelease || !binding.isContested)
    if (!isSure && deposit.from !== order.depositor)
      return refused(
        `${deposit.from} paid for an order of ${order.depositor} that was not named alone before`,
      )
  }
  return { areNamed }
}

/** The deposits behind the credited amount, each with its part, in chain order. */
const creditOf = ({ credited, creditedFrom }: DepositSummary): Debt['uses'] => {
  let left = credited
  return creditedFrom.map((deposit) => {
    const amount = deposit.amount < left ? deposit.amount : left
    left -= amount
    return { deposit, amount }
  })
}

/** What the fill of the order proves; for a return it does not matter. */
const findFillFact = async (
  deps: CosignerDeps,
  key: string,
  { order, orderId }: KnownOrder,
  { fill }: Evidence,
): Promise<{ readonly status: FillFact; readonly facts: readonly Fact[] } | Objection> => {
  if (key === releaseKey(orderId)) {
    if (!isOfSolver(deps.terms, order)) return refused(`${order.solver} is no solver of the network`)
    if (fill === undefined) return refused('a release needs the transaction of the fill')
    const found = await deps.findFill({ orderId, order, transaction: fill })
    return isObjection(found) ? found : { status: 'filled', facts: [found.fact] }
  }
  if (key !== refundKey(orderId)) return { status: 'open', facts: [] }
  const found = await findUnfilled(deps, orderId, order)
  return isObjection(found) ? found : { status: 'impossible', facts: [found] }
}

/** The deposits that a payout is paid from and rests on. */
const sourcesOf = (obligation: Obligation, summary: DepositSummary) => {
  if (obligation.kind !== 'return') {
    const uses = creditOf(summary)
    return { uses, restsOn: uses.map(({ deposit }) => deposit) }
  }
  const returned = summary.returns.find(({ payment }) => returnKey(payment) === obligation.key)?.payment
  if (returned === undefined) return { uses: [], restsOn: [] }
  return {
    uses: [{ deposit: returned, amount: obligation.amount }],
    restsOn: [returned, ...summary.creditedFrom],
  }
}

/**
 * What a vault owes because of an order: computed from the deposits that a quorum of the co-signer's endpoints finds in the
 * named transactions. Deposits that are left out can only lessen what is owed.
 */
export const findOrderDebt = async (
  deps: CosignerDeps,
  parts: Parts,
  vault: VaultToSign,
  { key, evidence }: { readonly key: string; readonly evidence: Evidence },
): Promise<Debt | Objection> => {
  const known = identify(evidence.order, vault)
  if (isObjection(known)) return known
  const { order, orderId } = known
  const deposits = await parts.deposits.ofOrder(vault, evidence.deposits, known)
  if (deposits.length === 0) return refused('no deposit for the order in the named transactions')
  const head = vault.chain.head()
  if (head === undefined) return waiting(`${vault.chain.chainId} cannot be read`)
  const finalSeconds = await vault.chain.timeOf(head.finalNumber - BEHIND)
  const deposited = summarizeDeposits({
    order,
    deposits,
    finalSeconds,
    terms: {
      graceSeconds: deps.terms.depositGraceSeconds,
      dustOf: (token) => (vault.isToken(token) ? 1n : undefined),
    },
  })
  const fill = await findFillFact(deps, key, known, evidence)
  if (isObjection(fill)) return fill
  const { owed, isWaiting } = obligationsOf({ orderId, order, deposits: deposited, fill: fill.status })
  const obligation = owed.find((one) => one.key === key)
  if (obligation === undefined) return (isWaiting ? waiting : refused)(`${key} is not owed`)
  const { uses, restsOn } = sourcesOf(obligation, deposited)
  const bindings = await bindingsOf(parts, known, {
    deposits: restsOn,
    isRelease: obligation.kind === 'release',
  })
  if (isObjection(bindings)) return bindings
  const name = obligation.kind === 'return' ? key : `settle:${orderId}`
  const debt = { obligation, name, uses, facts: [...restsOn.map(deps.paidFact), ...fill.facts] }
  if (bindings.areNamed) return debt
  const total = restsOn.reduce((sum, { amount }) => sum + amount, 0n)
  return { ...debt, unnamed: { muxedId: known.muxedId, deposited: total } }
}
