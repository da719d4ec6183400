import { actionsOf } from '../execute/checked-quote.ts'
import { addressWord, muxedIdOf } from '../guard/address-words.ts'
import { checkContract, type Guarded, unsafe } from '../guard/guards.ts'
import { checkSameTarget } from '../guard/no-worse-quote.ts'
import type { Quote } from '../wire/quote.ts'
import { checkBalanceLock } from './balance-operations.ts'
import { STELLAR_DECIMALS, type StellarAssets } from './stellar-asset.ts'
import { loadStellarSdk } from './stellar-node.ts'
import { findStellarAsset } from './stellar-token.ts'

/** The muxed id of a deposit is 48 bits of the time of the quote in milliseconds, and 16 of the order's id. */
const ORDER_BITS = 16n
const ORDER_DIGITS = 4
const MOST_AGE_MS = 24 * 3600 * 1000

/**
 * Refuses a quote that is not one payment of the input to a deposit account that names the quote's order, and one whose claimable
 * balance would be locked for more than 30 days. Throws ExecutionError `unsafe`.
 */
export const guardStellarQuote = async (guarded: Guarded, known: StellarAssets): Promise<void> => {
  const { quote, request, now } = guarded
  const [deposit, ...others] = actionsOf(quote, 'deposit_address')
  if (deposit === undefined || others.length > 0)
    throw unsafe('action_order', `quote ${quote.quoteId} is not one payment`)
  const { id: actionId, chain, payload } = deposit
  if (payload.token !== quote.input.token || payload.amount !== quote.input.amount) {
    const message = `action "${actionId}" pays ${payload.amount} of ${payload.token}, the quote's input is ${quote.input.amount} of ${quote.input.token}`
    throw unsafe('call_input', message, actionId)
  }
  checkSameTarget(guarded, paidBy)
  const { inputDecimals = STELLAR_DECIMALS } = guarded.guards
  if (inputDecimals !== STELLAR_DECIMALS) {
    const message = `${payload.token} has ${STELLAR_DECIMALS} decimals, expected ${inputDecimals}`
    throw unsafe('token_decimals', message, actionId)
  }
  const { StrKey, MuxedAccount } = await loadStellarSdk()
  const { address } = payload
  const isMuxed = StrKey.isValidMed25519PublicKey(address)
  if (!isMuxed && !StrKey.isValidEd25519PublicKey(address))
    throw unsafe('deposit_address', `action "${actionId}" pays to ${address}, which is no account`, actionId)
  const account = isMuxed ? MuxedAccount.fromAddress(address, '0').baseAccount().accountId() : address
  const asset = await findStellarAsset(known, payload.token)
  if (account === request.sender || account === asset?.asset?.issuer) {
    const message = `action "${actionId}" pays to ${account}, the sender itself or the issuer of the token`
    throw unsafe('deposit_address', message, actionId)
  }
  checkContract(guarded, { chain, contract: account, actionId })
  guarded.lacks('deposit_order')
  if (quote.backend.type !== 'intent') return
  const { claimableBalance, refundAfter } = quote.backend.metadata
  if (claimableBalance != null) checkBalanceLock(refundAfter, { now, actionId })
  const id = muxedIdOf(address)
  const order = BigInt(`0x${quote.backend.tracking.swapId?.slice(2, 2 + ORDER_DIGITS) ?? '0'}`)
  const isNamed =
    id !== undefined &&
    BigInt.asUintN(Number(ORDER_BITS), id) === order &&
    Math.abs(Number(id >> ORDER_BITS) - now) < MOST_AGE_MS
  if (isNamed) return
  const message = `action "${actionId}" pays to ${address}, which does not name the order of quote ${quote.quoteId}`
  throw unsafe('deposit_memo', message, actionId)
}

/** The account behind the muxed address, whose id names the order. */
const paidBy = (quote: Quote) => {
  const [deposit] = actionsOf(quote, 'deposit_address')
  return { target: deposit && addressWord(deposit.chain, deposit.payload.address)?.digits, fee: 0n }
}
