import type { Asset, xdr } from '@stellar/stellar-sdk'
import { ExecutionError } from '../execute/execution-error.ts'
import { formatUnits } from '../format-units.ts'
import { unsafe } from '../guard/guards.ts'
import { isTooFar, MOST_LOCKED } from '../guard/locked-time.ts'
import type { Quote } from '../wire/quote.ts'
import { STELLAR_DECIMALS } from './stellar-asset.ts'
import type { StellarSdk } from './stellar-node.ts'

/** An amount of base units in whole units, as the Stellar SDK takes it. */
export const amountText = (units: string): string => formatUnits(BigInt(units), STELLAR_DECIMALS)

/** Refuses a claimable balance that its depositor could take back only after 30 days, or never. Throws ExecutionError `unsafe`. */
export const checkBalanceLock = (
  refundAfter: string | undefined,
  { now, actionId }: { readonly now: number; readonly actionId: string },
): void => {
  if (!isTooFar(Date.parse(refundAfter ?? '') / 1000, now)) return
  const message = `a claimable balance of action "${actionId}" comes back from ${refundAfter} on, which is not within ${MOST_LOCKED}`
  throw unsafe('call_deadline', message, actionId)
}

type BalanceDeposit = {
  /** The muxed address (M…) of the vault. */
  readonly destination: string
  readonly asset: Asset
  readonly amount: string
  readonly maker: string
  readonly actionId: string
  /** The service's time in milliseconds since 1970. */
  readonly now: number
}

/**
 * The operations that make a quote's deposit as a claimable balance, and announce it to the vault by a payment of one stroop.
 * They are made from the quote's terms, so that a wallet need not trust a ready transaction. Throws ExecutionError
 * `unsupported` for a quote without this way, and `unsafe` for one that would lock the deposit for more than 30 days. Source: CAP-23.
 */
export const balanceOperations = (
  { Asset, Claimant, MuxedAccount, Operation }: StellarSdk,
  { quoteId, backend }: Quote,
  { destination, asset, amount, maker, actionId, now }: BalanceDeposit,
): readonly xdr.Operation[] => {
  const { claimableBalance, refundAfter } = backend.type === 'intent' ? backend.metadata : {}
  if (claimableBalance === undefined || claimableBalance === null || refundAfter === undefined)
    throw new ExecutionError('unsupported', `quote ${quoteId} takes no claimable balance`, { actionId })
  checkBalanceLock(refundAfter, { now, actionId })
  const vault = MuxedAccount.fromAddress(destination, '0').baseAccount()
  const seconds = Math.floor(Date.parse(refundAfter) / 1000)
  const notBefore = Claimant.predicateNot(Claimant.predicateBeforeAbsoluteTime(String(seconds)))
  return [
    Operation.createClaimableBalance({
      asset,
      amount,
      claimants: [
        new Claimant(vault.accountId(), Claimant.predicateUnconditional()),
        new Claimant(maker, notBefore),
      ],
    }),
    Operation.payment({ destination, asset: Asset.native(), amount: amountText('1') }),
  ]
}
