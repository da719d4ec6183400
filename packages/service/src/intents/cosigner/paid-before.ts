import type { ChainId } from '@openrfq/sdk'
import type { SigningMark } from '../../chains/payment-chain.ts'
import type { Payment } from '../../core/payment.ts'
import type { Debt } from './debt.ts'
import type { CosignerDeps, VaultToSign } from './vault-to-sign.ts'
import { type Objection, refused, waiting } from './verdict.ts'

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
    whyNot: async (vault: VaultToSign, { obligation, uses }: Debt): Promise<Objection | undefined> => {
      const { head, lastInclusion } = await markOf(vault)
      const deposits = uses.map(({ deposit }) => deposit)
      if (deposits.every(({ blockNumber }) => blockNumber > head)) return undefined
      const { memo, key } = obligation
      const statements = await vault.chain.absenceStatements({
        about: `the vault did not pay ${key} before`,
        accounts: [vault.vault],
        sinceSeconds: Math.min(...deposits.map(({ timestampSeconds }) => timestampSeconds)),
        untilSeconds: Number(lastInclusion),
        nowSeconds: Math.floor(now() / 1000),
        isSought: ({ from, memo: paidWith }: Payment) => from === vault.vault && paidWith === memo,
      })
      if (statements.some(({ confirms }) => !confirms)) return refused(`the vault has paid ${key}`)
      return statements.length < vault.quorum
        ? waiting('too few endpoints know what the vault has paid')
        : undefined
    },
  }
}
