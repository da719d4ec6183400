import type { ChainId } from '@openrfq/sdk'
import type { SigningMark } from '../../chains/payment-chain.ts'
import { OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import { isReferenceOf } from '../settlers/deposit-reference.ts'
import type { Debt } from './debt.ts'
import type { CosignerDeps, VaultToSign } from './vault-to-sign.ts'
import { type Objection, refused, waiting } from './verdict.ts'

/**
 * Whether a payout may have been made from the deposits of a debt. It bears the debt's memo; or, where no order is known by their
 * muxed id, that of any order with this one, and leaves less of them than is owed.
 */
const mayHavePaid = ({ obligation, unnamed }: Debt, { memo, amount }: Payment): boolean => {
  if (memo === obligation.memo) return true
  const orderId = OrderId.safeParse(memo).data
  if (unnamed === undefined || orderId === undefined || !isReferenceOf(unnamed.muxedId, orderId)) return false
  return obligation.kind !== 'return' || amount + obligation.amount > unnamed.deposited
}

/**
 * Looks for payouts of earlier processes, whose store may be lost or restored from a copy: a debt that is older than this process is
 * signed only if a quorum of endpoints has no payout of the vault with its memo, and none has one.
 */
export const createPaidBefore = ({ now }: Pick<CosignerDeps, 'now'>) => {
  const marks = new Map<ChainId, SigningMark>()
  const markOf = async ({ chain: { chainId }, signingMarks }: VaultToSign): Promise<SigningMark> => {
    const known = marks.get(chainId) ?? (await signingMarks.readMark())
    if (!marks.has(chainId)) marks.set(chainId, known)
    return marks.get(chainId) ?? known
  }
  return {
    /** Marks the present of a vault's chain; rejects without a quorum. */
    mark: async (vault: VaultToSign): Promise<void> => {
      await markOf(vault)
    },
    whyNot: async (vault: VaultToSign, debt: Debt): Promise<Objection | undefined> => {
      const { obligation, uses, unnamed } = debt
      const { head, lastInclusion } = await markOf(vault)
      const deposits = uses.map(({ deposit }) => deposit)
      if (deposits.every(({ blockNumber }) => blockNumber > head)) return undefined
      const { memo, key } = obligation
      const statements = await vault.chain.absenceStatements({
        about: `the vault did not pay ${key} before`,
        from: vault.vault,
        to: undefined,
        memo: unnamed === undefined ? memo : undefined,
        sinceSeconds: Math.min(...deposits.map(({ timestampSeconds }) => timestampSeconds)),
        untilSeconds: Number(lastInclusion),
        nowSeconds: Math.floor(now() / 1000),
        isSought: (payment: Payment) => payment.from === vault.vault && mayHavePaid(debt, payment),
      })
      if (statements.some(({ confirms }) => !confirms)) return refused(`the vault has paid ${key}`)
      return statements.length < vault.quorum
        ? waiting('too few endpoints know what the vault has paid')
        : undefined
    },
  }
}
