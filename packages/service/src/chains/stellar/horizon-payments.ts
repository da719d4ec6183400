import type { ChainId } from '@openrfq/sdk'
import type { z } from 'zod'
import type { Payment } from '../../core/payment.ts'
import type { HttpClient } from '../../lib/http-client.ts'
import type { PaymentSource } from '../payment-source.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { sourceOf, transactionIn } from './envelope.ts'
import { HorizonPage, type HorizonPayment, HorizonRoot } from './horizon-answers.ts'
import { memoOf } from './memo-reader.ts'
import { movementOfOperation } from './operation-movement.ts'
import { loadStellarSdk, type StellarSdk } from './sdk.ts'

type Deps = {
  readonly chainId: ChainId
  readonly passphrase: string
  readonly url: URL
  readonly client: Pick<HttpClient, 'send'>
}

const DEADLINE_MS = 20_000
const MAX_BYTES = 16_000_000
const PAGE = 200
const MAX_PAGES = 5_000
const LEDGER_SHIFT = 32n
const OPERATION_MASK = 0xfffn
const EVENT_BITS = 18

const ledgerOf = ({ id }: Pick<HorizonPayment, 'id'>): bigint => BigInt(id) >> LEDGER_SHIFT

const malformed = (message: string): RpcError => new RpcError('MALFORMED', `the second source ${message}`)

/** Horizon counts operations from 1, events' places count them from 0. */
const positionOf = ({ id }: HorizonPayment, event: number): number =>
  (Number(BigInt(id) & OPERATION_MASK) - 1) * 2 ** EVENT_BITS + event

/** The transaction of a record, whose bytes have its hash, and the results of its operations. */
const transactionOf = (sdk: StellarSdk, passphrase: string, record: HorizonPayment) => {
  const { envelope_xdr: envelopeXdr, result_xdr: resultXdr } = record.transaction
  const hash = Buffer.from(sdk.TransactionBuilder.fromXdr(envelopeXdr, passphrase).hash()).toString('hex')
  if (hash !== record.transaction_hash)
    throw malformed(`tells another transaction ${record.transaction_hash}`)
  const transaction = transactionIn(sdk, envelopeXdr)
  const { result } = sdk.xdr.TransactionResult.fromXdr(resultXdr, 'base64')
  const outcome = result.type === 'txFeeBumpInnerSuccess' ? result.value.result.result : result
  if (transaction === undefined || outcome.type !== 'txSuccess')
    throw malformed(`tells payments of transaction ${hash}, which failed by its result`)
  return { transaction, results: outcome.value, memoText: memoOf(sdk, envelopeXdr) }
}

/** The payment of a record as events tell it; undefined for one that does not touch the account. */
const paymentOf = (
  sdk: StellarSdk,
  { chainId, passphrase }: Pick<Deps, 'chainId' | 'passphrase'>,
  account: string,
  record: HorizonPayment,
): Payment | undefined => {
  const { transaction, results, memoText } = transactionOf(sdk, passphrase, record)
  const index = Number(BigInt(record.id) & OPERATION_MASK) - 1
  const operation = transaction.operations[index]
  const { transaction_hash: txHash, type } = record
  if (operation === undefined) throw malformed(`tells operation ${index + 1} of ${txHash}, which has none`)
  const found = movementOfOperation(
    sdk,
    passphrase,
    { source: sourceOf(transaction.sourceAccount), memo: transaction.memo, memoText },
    { operation, result: results[index] },
  )
  if (found === undefined)
    throw malformed(`tells a ${type} in ${txHash}, whose payment only events tell: use a node of Stellar RPC`)
  const { movement, event } = found
  if (movement.amount === 0n || (movement.from !== account && movement.to !== account)) return undefined
  return {
    ...movement,
    // As the reader of events: the memo beside a muxed id is told of the account's own payments.
    memo: movement.memo ?? (movement.from === account ? memoText : undefined),
    chainId,
    txHash,
    position: positionOf(record, event),
    blockNumber: ledgerOf(record),
    timestampSeconds: Math.floor(Date.parse(record.created_at) / 1000),
  }
}

/**
 * Creates a source of the payments of an account by Horizon. Amounts, parties and memos come from the transactions'
 * envelopes and results, whose hashes are compared, and not from Horizon's own words. Rejects with RpcError for another
 * network, for ledgers that Horizon does not have, and for what it cannot tell as events do. Source: Horizon,
 * `GET /accounts/{id}/payments`.
 */
export const createHorizonPayments = (deps: Deps): PaymentSource => {
  const { passphrase, url, client } = deps
  const get = async <Schema extends z.ZodType>(
    path: string,
    query: Readonly<Record<string, string>>,
    schema: Schema,
  ): Promise<z.output<Schema>> => {
    const asked = new URL(`${url.pathname.replace(/\/$/, '')}/${path}`, url)
    asked.search = new URLSearchParams(query).toString()
    const { status, text } = await client.send({ url: asked, deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES })
    if (status !== 200) throw new RpcError('REFUSED', `the second source answers ${path} with ${status}`)
    const parsed = schema.safeParse(JSON.parse(text))
    if (!parsed.success)
      throw malformed(`answers ${path} in another form: ${parsed.error.issues[0]?.message}`)
    return parsed.data
  }

  const expectLedgers = async (after: bigint, upTo: bigint): Promise<void> => {
    const root = await get('', {}, HorizonRoot)
    if (root.network_passphrase !== passphrase) throw malformed(`is of ${root.network_passphrase}`)
    if (BigInt(root.history_elder_ledger) > after + 1n || BigInt(root.history_latest_ledger) < upTo)
      throw new RpcError(
        'NODE_PRUNED',
        `the second source has ledgers ${root.history_elder_ledger} to ${root.history_latest_ledger}, wanted are ${after + 1n} to ${upTo}`,
      )
  }

  return {
    paymentsBetween: async (account, after, upTo) => {
      await expectLedgers(after, upTo)
      const sdk = await loadStellarSdk()
      const payments: Payment[] = []
      let cursor = ((after + 1n) << LEDGER_SHIFT) - 1n
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const query = { cursor: `${cursor}`, limit: `${PAGE}`, order: 'asc', join: 'transactions' }
        const { records } = (await get(`accounts/${account}/payments`, query, HorizonPage))._embedded
        for (const record of records) {
          if (BigInt(record.id) <= cursor) throw malformed(`tells operation ${record.id} out of order`)
          cursor = BigInt(record.id)
          if (ledgerOf(record) > upTo) return payments
          const payment = record.transaction_successful ? paymentOf(sdk, deps, account, record) : undefined
          if (payment !== undefined) payments.push(payment)
        }
        if (records.length < PAGE) return payments
      }
      throw new RpcError('TOO_MUCH', `the second source tells more than ${MAX_PAGES * PAGE} payments`)
    },
  }
}
