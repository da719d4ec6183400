import type { ChainId } from '@openrfq/sdk'
import type { xdr } from '@stellar/stellar-sdk/base'
import type { Payment } from '../../core/payment.ts'
import { paymentText } from '../agreed-payments.ts'
import type { BalanceClaimant, BalanceTaking, ClaimableBalances, MadeBalance } from '../payment-chain.ts'
import { askFor } from '../rpc/ask-for.ts'
import { RpcError, rpcErrorCode } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { contractIdOf } from './asset-contract.ts'
import { createMovementReader } from './asset-movement.ts'
import { ANNOUNCED_AMOUNT, createBalanceRequest } from './balance-request.ts'
import type { ClassicEventsProof } from './classic-events.ts'
import { type AppliedOperations, appliedOperations } from './envelope.ts'
import { readAssetEvents } from './event-pages.ts'
import { paymentOf } from './event-payments.ts'
import { readWindow } from './ledger-window.ts'
import { transactionMemo } from './memo-reader.ts'
import { LedgerEntries } from './rpc-answers.ts'
import { loadStellarSdk, type StellarSdk } from './sdk.ts'
import { decodeStrKey, strKeyBytes, strKeyText } from './str-key.ts'
import type { AssetOfToken } from './token-assets.ts'
import { expectTransactionEvents } from './transaction-events.ts'

type Deps = {
  readonly chainId: ChainId
  readonly passphrase: string
  readonly pool: RpcPool
  readonly assetOf: AssetOfToken
  readonly classicEvents: ClassicEventsProof
  readonly deadlineMs: number
}

const accountText = ({ StrKey }: StellarSdk, account: xdr.AccountId): string =>
  StrKey.encodeEd25519PublicKey(account.value.value)

/** A predicate in one of the two forms that a deposit has; others are `other`. */
const rightOf = (predicate: xdr.ClaimPredicate): BalanceClaimant['right'] => {
  if (predicate.type === 'claimPredicateUnconditional') return 'always'
  const inner = predicate.type === 'claimPredicateNot' ? predicate.notPredicate : null
  return inner?.type === 'claimPredicateBeforeAbsoluteTime' ? { notBefore: Number(inner.absBefore) } : 'other'
}

type FoundBalance = Pick<MadeBalance, 'claimants'> & { readonly balance: string }

/** The balances that the transaction's own account made. */
const foundIn = (sdk: StellarSdk, parts: AppliedOperations): readonly FoundBalance[] =>
  parts.operations.flatMap(({ sourceAccount, body }, index): readonly FoundBalance[] => {
    const result = parts.results[index]
    if (sourceAccount !== null || body.type !== 'createClaimableBalance') return []
    if (result?.type !== 'opInner' || result.tr.type !== 'createClaimableBalance') return []
    const made = result.tr.value
    if (made.type !== 'createClaimableBalanceSuccess') return []
    const claimants = body.value.claimants.map(({ v0: { destination, predicate } }) => ({
      account: accountText(sdk, destination),
      right: rightOf(predicate),
    }))
    return [{ balance: strKeyText('B', Buffer.concat([Buffer.of(0), made.value.v0.value])), claimants }]
  })

/**
 * The balances as an endpoint tells them: claimants by the transaction, and the payments into them by its events, so that
 * each is the payment that the endpoint is asked about later.
 */
const madeIn =
  (sdk: StellarSdk, { chainId, passphrase }: Pick<Deps, 'chainId' | 'passphrase'>, txHash: string) =>
  async (ask: RpcAsk): Promise<readonly MadeBalance[]> => {
    const made = await expectTransactionEvents({ sdk, passphrase }, ask, txHash)
    const { succeeded, envelopeXdr, resultXdr, events } = made
    const parts = succeeded ? appliedOperations(sdk, envelopeXdr, resultXdr) : undefined
    const found = parts === undefined ? [] : foundIn(sdk, parts)
    if (parts === undefined || found.length === 0) return []
    const movementOf = createMovementReader(sdk, passphrase)
    const memo = transactionMemo(sdk, passphrase, made)
    const payments = events.flatMap((event): readonly Payment[] => {
      const movement = movementOf(event)
      const memos = new Map([[event.txHash, memo]])
      return movement === undefined ? [] : [paymentOf(chainId, { event, movement }, memos)]
    })
    return found.flatMap(({ balance, claimants }) => {
      const payment = payments.find(({ to }) => to === balance)
      if (payment === undefined) return []
      ask.checkTime(payment.timestampSeconds)
      return [{ payment, claimants }]
    })
  }

const balanceKey = ({ xdr }: StellarSdk, balance: string): string =>
  xdr.LedgerKey.claimableBalance(
    new xdr.LedgerKeyClaimableBalance({
      balanceId: xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(strKeyBytes('B', balance).subarray(1)),
    }),
  ).toXdr('base64')

/** The events about a balance that is not there any more; undefined while it is. */
const eventsOfTaken = async (
  sdk: StellarSdk,
  ask: RpcAsk,
  { to, blockNumber }: Pick<Payment, 'to' | 'blockNumber'>,
) => {
  const call = { method: 'getLedgerEntries', params: { keys: [balanceKey(sdk, to)] } }
  const { entries, latestLedger } = await askFor(ask, call, LedgerEntries)
  if (BigInt(latestLedger) < blockNumber)
    throw new RpcError('NODE_BEHIND', `node is behind, at ledger ${latestLedger}`)
  if (entries.length > 0) return undefined
  const { oldestLedger } = await readWindow(ask)
  const first = Math.max(Number(blockNumber), oldestLedger)
  const { events, upTo } = await readAssetEvents(sdk, ask, [to], { after: first - 1, first })
  // A node's entries may be ahead of its events.
  if (upTo < latestLedger) throw new RpcError('NODE_BEHIND', `node tells events up to ledger ${upTo}`)
  return { events, isWhole: oldestLedger <= Number(blockNumber) }
}

/** The payment out of a balance as an endpoint tells it; undefined while the balance is there. */
const takingOf =
  (sdk: StellarSdk, passphrase: string, balance: Pick<Payment, 'to' | 'blockNumber'>) =>
  async (ask: RpcAsk): Promise<BalanceTaking | undefined> => {
    const { to } = balance
    const found = await eventsOfTaken(sdk, ask, balance)
    if (found === undefined) return undefined
    const movementOf = createMovementReader(sdk, passphrase)
    let isMade = false
    for (const event of found.events) {
      const movement = movementOf(event)
      if (movement?.from === to) return { txHash: event.txHash, to: movement.to }
      isMade ||= movement?.to === to
    }
    // A clawback is no payment.
    if (isMade || !found.isWhole) return 'gone'
    throw new RpcError('NODE_PRUNED', `node does not tell how the balance ${to} was made`)
  }

const takingKey = (taking: BalanceTaking | undefined): string => {
  if (taking === undefined) return 'there'
  return taking === 'gone' ? taking : `${taking.txHash} ${taking.to}`
}

/** Reads claimable balances by agreement, each by its own transaction or id alone. Source: CAP-23, CAP-67. */
export const createClaimableBalances = (deps: Deps): ClaimableBalances => {
  const { passphrase, pool, assetOf, deadlineMs, classicEvents } = deps
  const native = contractIdOf('native', passphrase)
  return {
    isBalance: (address) => decodeStrKey(address)?.kind === 'B',
    isAnnouncement: ({ token, amount }) => token === native && amount === ANNOUNCED_AMOUNT,
    requestOf: createBalanceRequest(passphrase, assetOf),
    madeIn: async (txHash) => {
      const sdk = await loadStellarSdk()
      return pool.agree({
        work: classicEvents.needed(madeIn(sdk, deps, txHash)),
        keyOf: (made) =>
          made.map(({ payment, claimants }) => paymentText(payment) + JSON.stringify(claimants)).join('\n'),
        deadlineMs,
      })
    },
    takingOf: async (balance) => {
      const sdk = await loadStellarSdk()
      const work = classicEvents.needed(takingOf(sdk, passphrase, balance))
      try {
        return await pool.agree({ work, keyOf: takingKey, blames: false, deadlineMs })
      } catch (error) {
        // Endpoints that retain different ledgers agree at least that it is gone.
        if (rpcErrorCode(error) !== 'NO_AGREEMENT') throw error
        return pool.agree({
          work: async (...asked) => (await work(...asked)) && ('gone' as const),
          deadlineMs,
        })
      }
    },
  }
}
