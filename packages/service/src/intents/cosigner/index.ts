import type { SharedPayout } from '../../chains/payment-chain.ts'
import { isSignedText } from '../../chains/stellar/message-signature.ts'
import type { OrderId } from '../../core/intent-order.ts'
import {
  type DebtRequest,
  debtText,
  type NamedOrders,
  namedOrdersText,
  type PayoutAnswer,
  type PayoutRequest,
  payoutText,
} from '../vault/payout-request.ts'
import type { Debt } from './debt.ts'
import { createDepositReader } from './deposits.ts'
import { createNamedOrders } from './named-orders.ts'
import { findOrderDebt } from './order-debt.ts'
import { createPaidBefore } from './paid-before.ts'
import { createSignedOnce } from './signed-once.ts'
import { findUnmatchedDebt } from './unmatched-debt.ts'
import type { CosignerDeps, VaultToSign } from './vault-to-sign.ts'
import { isObjection, type Objection, refused, waiting } from './verdict.ts'

type PayoutToSign = Omit<PayoutRequest, 'signature' | 'signedAt'>

/** Signs for vaults what it finds owed by endpoints of its own. */
export type Cosigner = {
  /** Whether the service's key has signed the request within the last minute; reads no chain. */
  readonly knowsPayout: (request: PayoutRequest) => boolean
  readonly knowsDebt: (request: DebtRequest) => boolean
  /** Whether it would sign a payout of what is owed; signs and stores nothing. Rejects if a chain cannot be read. */
  readonly examine: (request: Omit<DebtRequest, 'signature' | 'signedAt'>) => Promise<PayoutAnswer>
  /** Rejects if a chain cannot be read. */
  readonly judge: (request: PayoutToSign) => Promise<PayoutAnswer>
  /** Marks the present of the vaults' chains as far as they can be read: what is owed since then was not paid before. */
  readonly mark: () => Promise<void>
  readonly knowsOrders: (orders: NamedOrders) => boolean
  /** Stores the orders. Returns those that are the first with their muxed ids, or `too_many`, then none is stored. */
  readonly name: (orders: NamedOrders) => Promise<readonly OrderId[] | 'too_many'>
}

/** The longest that a payout may still be included, by our clock. */
const LONGEST_SECONDS = 90

/** How far a request's time may be from our clock: who has seen a request does not use it again later. */
const OLDEST_REQUEST_MS = 60_000

/** Why the transaction's own terms are not acceptable. */
const whyNotNow = async (
  { accounts }: VaultToSign,
  seen: Pick<SharedPayout, 'source' | 'sequence' | 'fee' | 'maxTimeSeconds'>,
  nowSeconds: number,
): Promise<Objection | undefined> => {
  const { sequence, fee } = await accounts.payoutBounds(seen.source)
  if (seen.fee > fee) return refused(`it bids a fee of ${seen.fee}, expected at most ${fee}`)
  if (seen.sequence !== sequence) return waiting(`the sequence number of ${seen.source} is ${sequence}`)
  if (seen.maxTimeSeconds <= nowSeconds) return refused('it has expired')
  return seen.maxTimeSeconds > nowSeconds + LONGEST_SECONDS
    ? refused(`it is valid for more than ${LONGEST_SECONDS} seconds`)
    : undefined
}

/** The transaction as the payout that is owed; an objection to any other. */
const readAsOwed = async (
  { accounts, vault, channels, signers }: VaultToSign,
  { obligation }: Debt,
  rawTransaction: string,
): Promise<SharedPayout | Objection> => {
  try {
    const expected = { payout: obligation, account: vault, channels, signedBy: signers.service }
    return await accounts.readPayout(rawTransaction, expected)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return refused(error.message)
  }
}

const sign = async (
  { accounts, secret }: VaultToSign,
  { rawTransaction }: Pick<PayoutRequest, 'rawTransaction'>,
): Promise<PayoutAnswer> => ({
  kind: 'signed',
  signature: await accounts.signatureOf(rawTransaction, secret),
})

/** Why what is owed may not be paid now: it is paid, cannot be received, or an endpoint denies a fact. */
const createOwedCheck =
  ({ factCheck }: Pick<CosignerDeps, 'factCheck'>, paidBefore: ReturnType<typeof createPaidBefore>) =>
  async (vault: VaultToSign, debt: Debt): Promise<Objection | undefined> => {
    const why = await paidBefore.whyNot(vault, debt)
    if (why !== undefined) return why
    const { recipient, token, amount, key } = debt.obligation
    const unpayable = await vault.chain.agreedWhyNotPayable(recipient, token, amount)
    if (unpayable !== undefined) return waiting(`${recipient} cannot be paid: ${unpayable.reason}`)
    const isAllowed = await factCheck.allows(`cosign:${key}`, debt.facts)
    return isAllowed ? undefined : waiting('an endpoint denies what the payout rests on')
  }

/** Creates the co-signer of some vaults. */
export const createCosigner = (deps: CosignerDeps): Cosigner => {
  const { vaults, now, log } = deps
  const parts = { deposits: createDepositReader(), named: createNamedOrders(deps) }
  const signed = createSignedOnce(deps)
  const paidBefore = createPaidBefore(deps)
  const whyNotOwed = createOwedCheck(deps, paidBefore)

  const find = (
    vault: VaultToSign,
    { key, evidence }: Pick<PayoutRequest, 'key' | 'evidence'>,
  ): Promise<Debt | Objection> =>
    evidence.kind === 'order'
      ? findOrderDebt(deps, parts, vault, { key, evidence })
      : findUnmatchedDebt(deps, parts, vault, { key, evidence })

  const knows = (
    { chainId, signedAt, signature }: Pick<DebtRequest, 'chainId' | 'signedAt' | 'signature'>,
    text: string,
  ): boolean => {
    const vault = vaults.get(chainId)
    if (vault === undefined || Math.abs(now() - signedAt) > OLDEST_REQUEST_MS) return false
    return isSignedText(vault.signers.service, text, signature)
  }

  return {
    knowsPayout: (request) => knows(request, payoutText(request)),
    knowsDebt: (request) => knows(request, debtText(request)),
    examine: async (request) => {
      const vault = vaults.get(request.chainId)
      if (vault === undefined) return refused(`no vault on ${request.chainId}`)
      await paidBefore.mark(vault)
      const debt = await find(vault, request)
      if (isObjection(debt)) return debt
      return (await whyNotOwed(vault, debt)) ?? (await signed.whyNot(vault, debt)) ?? { kind: 'owed' }
    },
    judge: async (request) => {
      const { chainId, key, rawTransaction } = request
      const vault = vaults.get(chainId)
      if (vault === undefined) return refused(`no vault on ${chainId}`)
      await paidBefore.mark(vault)
      const debt = await find(vault, request)
      if (isObjection(debt)) return debt
      const seen = await readAsOwed(vault, debt, rawTransaction)
      if (isObjection(seen)) return seen
      if (await signed.isSigned(debt.name, seen.txHash)) return sign(vault, request)
      const why = (await whyNotNow(vault, seen, Math.floor(now() / 1000))) ?? (await whyNotOwed(vault, debt))
      if (why !== undefined) return why
      const refusal = await signed.add(vault, debt, seen)
      if (refusal !== undefined) return refusal
      log('info', 'payout_cosigned', { chainId, key, txHash: seen.txHash })
      return sign(vault, request)
    },
    mark: async () => {
      // What cannot be marked now is marked by the first payout.
      await Promise.allSettled([...vaults.values()].map(paidBefore.mark))
    },
    knowsOrders: (orders) => {
      const vault = vaults.get(orders.chainId)
      return (
        vault !== undefined && isSignedText(vault.signers.service, namedOrdersText(orders), orders.signature)
      )
    },
    name: ({ orders }) =>
      parts.named.name(orders.map(({ muxedId, orderId }) => ({ muxedId: BigInt(muxedId), orderId }))),
  }
}
