import type { ChainId } from '@openrfq/sdk'
import type { Payment } from '../../core/payment.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import { associatedTokenOf } from './associated-token.ts'
import { type Movement, movementsOf } from './movements.ts'
import type { RecordedTransaction } from './rpc-answers.ts'
import { type AccountHolding, type TransactionView, viewOf } from './transaction-view.ts'

type Part = Pick<Payment, 'position' | 'from' | 'to' | 'token' | 'amount'> & {
  /** Whether no instruction explains it. */
  readonly isUnexplained: boolean
  readonly isPlain: boolean
}

/** Only associated token accounts count; non-associated token accounts can change owner. */
const isAssociated = (
  view: TransactionView,
  { account, mint, program, ownerAfter }: AccountHolding,
): boolean =>
  ownerAfter !== undefined &&
  program !== undefined &&
  view.addresses[account] === associatedTokenOf(ownerAfter, mint, program)

const addressAt = (view: TransactionView, account: number): string => {
  const address = view.addresses[account]
  if (address === undefined) throw new RpcError('MALFORMED', `no account ${account} in the transaction`)
  return address
}

const payerOf = (view: TransactionView, { from, authority, mint }: Movement): string => {
  if (mint === undefined) return addressAt(view, from)
  const holding = view.holdings.get(from)
  return holding?.ownerBefore ?? holding?.ownerAfter ?? addressAt(view, authority)
}

/** The owner credited by what an account receives; undefined if the account does not count. */
const payeeOf = (view: TransactionView, account: number, mint: string | undefined): string | undefined => {
  if (mint === undefined) return view.holdings.has(account) ? undefined : addressAt(view, account)
  const holding = view.holdings.get(account)
  return holding !== undefined && isAssociated(view, holding) ? holding.ownerAfter : undefined
}

const changeOf = (view: TransactionView, account: number, mint: string | undefined): bigint => {
  if (mint === undefined) return view.lamportsChange(account)
  const holding = view.holdings.get(account)
  return holding === undefined ? 0n : holding.after - holding.before
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** Subtracts the shortage from the last amounts first. */
const lessShortage = (amounts: readonly bigint[], shortage: bigint): readonly bigint[] => {
  let left = shortage
  return amounts
    .toReversed()
    .map((amount) => {
      const taken = left <= 0n ? 0n : left < amount ? left : amount
      left -= taken
      return amount - taken
    })
    .toReversed()
}

/**
 * The credits to one account. Balance changes are authoritative: a token's transfer fee reduces the movements, and an
 * amount that no known instruction explains is attributed to the fee payer.
 */
const partsInto = (
  view: TransactionView,
  movements: readonly Movement[],
  account: number,
  mint: string | undefined,
): readonly Part[] => {
  const to = payeeOf(view, account, mint)
  if (to === undefined) return []
  const moved = movements.filter((movement) => movement.mint === mint)
  const credits = moved.filter((movement) => movement.to === account)
  const explained =
    sum(credits.map(({ amount }) => amount)) -
    sum(moved.filter(({ from }) => from === account).map(({ amount }) => amount))
  const excess = changeOf(view, account, mint) - explained
  const token = mint ?? SOLANA_NATIVE_TOKEN
  const payments = credits.filter(({ isOpening }) => !isOpening)
  const amounts = lessShortage(
    payments.map(({ amount }) => amount),
    -excess,
  )
  const parts = payments.map((movement, index) => ({
    position: movement.position,
    from: payerOf(view, movement),
    to,
    token,
    amount: amounts[index] ?? 0n,
    isUnexplained: false,
    // A delegate pays for reasons of its own, and the search for a fill reads what its filler signed.
    isPlain: movement.isPlain && payerOf(view, movement) === addressAt(view, movement.authority),
  }))
  const rest = {
    position: view.instructions.length + account,
    from: addressAt(view, 0),
    to,
    token,
    amount: excess,
    isUnexplained: true,
    isPlain: false,
  }
  return [...parts, rest].filter(({ from, amount }) => from !== to && amount > 0n)
}

/** Credits with no identifiable payer are attributed to the recipient only. */
const concerns = (accounts: ReadonlySet<string>, { from, to, isUnexplained }: Part): boolean =>
  isUnexplained ? accounts.has(to) && !accounts.has(from) : accounts.has(from) || accounts.has(to)

/**
 * The payments of a transaction to and from the accounts: the amounts received and who paid them. Positions are those
 * of the instructions in the order of execution; amounts that no instruction explains follow, attributed to the fee
 * payer. The memo counts for plain payments only. Empty for a failed transaction. Throws if the
 * time is missing or the parts are inconsistent.
 */
export const paymentsOfTransaction = (
  recorded: RecordedTransaction,
  chainId: ChainId,
  accounts: ReadonlySet<string>,
): readonly Payment[] => {
  const [txHash] = recorded.transaction.signatures
  if (recorded.meta.err !== null) return []
  if (txHash === undefined || recorded.blockTime === null)
    throw new RpcError('MALFORMED', 'transaction without a time')
  const view = viewOf(recorded)
  const movements = movementsOf(view)
  const lamports = view.addresses.flatMap((_, account) => partsInto(view, movements, account, undefined))
  const tokens = [...view.holdings.values()].flatMap(({ account, mint }) =>
    partsInto(view, movements, account, mint),
  )
  const shared = {
    chainId,
    txHash,
    blockNumber: recorded.slot,
    timestampSeconds: recorded.blockTime,
    muxedId: undefined,
  }
  return (
    [...lamports, ...tokens]
      .filter((part) => concerns(accounts, part))
      .sort((one, other) => one.position - other.position)
      // Programs pay for reasons of their own: an order book, or an escrow that refunds. The memo is about what its author wrote.
      .map(({ isUnexplained: _, isPlain, ...part }) => ({
        ...shared,
        ...part,
        memo: isPlain ? view.memo : undefined,
      }))
  )
}
