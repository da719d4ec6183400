import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Networks, xdr } from '@stellar/stellar-sdk/base'
import { z } from 'zod'
import { storedEntryOf } from '../../test/stored-entry.ts'
import { accountNameOf } from './address.ts'
import { applyTransaction } from './apply-transaction.ts'
import { createAssetContracts } from './asset-contracts.ts'
import { assetNameOf, issuedAsset, NATIVE } from './asset-name.ts'
import { type AccountEntry, accountKey, entryKey } from './entries.ts'
import { createEntryStore, createEntryView, type StoredEntry } from './entry-view.ts'
import { keyOfLedgerKey, ledgerEntryOf } from './entry-xdr.ts'
import { readEnvelope, type Submission } from './envelope.ts'

const Recorded = z.object({
  records: z.array(
    z.object({
      txHash: z.string(),
      envelopeXdr: z.string(),
      resultXdr: z.string(),
      resultMetaXdr: z.string(),
    }),
  ),
})
type RecordedTransaction = z.infer<typeof Recorded>['records'][number]

const { records } = Recorded.parse(
  JSON.parse(
    readFileSync(new URL('../../test/mainnet-transactions/transactions.json', import.meta.url), 'utf8'),
  ),
)

const networkId = createHash('sha256').update(Networks.PUBLIC).digest()
const contracts = createAssetContracts(Networks.PUBLIC, [])

/** An account that the transaction names and does not change: only that it exists is known. */
const unchanged = (address: string): AccountEntry => ({
  kind: 'account',
  address,
  balance: 1_000_000_000n,
  seqNum: 1n,
  seqLedger: 1,
  seqTime: 1n,
  subentries: 0,
  flags: 0,
  homeDomain: '',
  inflationDestination: undefined,
  masterWeight: 1,
  lowThreshold: 0,
  mediumThreshold: 0,
  highThreshold: 0,
  signers: [],
  selling: 0n,
  buying: 0n,
  sponsored: 0,
  sponsoring: 0,
  sponsor: undefined,
})

/** The entries before, and after in XDR, by the transaction's meta; undefined after: removed. */
const statesOf = (changes: readonly xdr.LedgerEntryChange[]) => {
  const before = new Map<string, StoredEntry>()
  const after = new Map<string, xdr.LedgerEntry | undefined>()
  for (const change of changes) {
    if (change.type === 'ledgerEntryRemoved') {
      const key = keyOfLedgerKey(change.value)
      assert.ok(key)
      after.set(key, undefined)
      continue
    }
    const stored = storedEntryOf(change.value)
    const key = entryKey(stored.entry)
    if (change.type !== 'ledgerEntryState') after.set(key, change.value)
    else if (!after.has(key)) before.set(key, stored)
  }
  return { before, after }
}

const metaOf = ({ resultMetaXdr }: RecordedTransaction): xdr.TransactionMetaV4 => {
  const meta = xdr.TransactionMeta.fromXdr(resultMetaXdr, 'base64')
  assert.ok(meta.type === 'v4')
  return meta.value
}

const namedBy = ({ transaction: { source, operations } }: Submission): readonly string[] => [
  source,
  ...operations.flatMap(({ sourceAccount, body }) => [
    ...(sourceAccount === null ? [] : [accountNameOf(sourceAccount).address]),
    ...(body.type === 'payment' ? [accountNameOf(body.value.destination).address] : []),
    ...(body.type === 'changeTrust'
      ? [issuedAsset(assetNameOf(body.value.line) ?? NATIVE)?.issuer ?? '']
      : []),
  ]),
]

const createdOffers = (
  after: ReadonlyMap<string, xdr.LedgerEntry | undefined>,
  before: ReadonlyMap<string, unknown>,
) =>
  [...after].flatMap(([key, entry]) =>
    entry?.data.type === 'offer' && !before.has(key) ? [entry.data.value.offerId] : [],
  )

const replay = (recorded: RecordedTransaction): void => {
  const submission = readEnvelope(recorded.envelopeXdr, networkId)
  assert.ok(submission)
  assert.equal(submission.id, recorded.txHash)
  const { txChangesBefore, operations, txChangesAfter } = metaOf(recorded)
  const { before, after } = statesOf([
    ...txChangesBefore,
    ...operations.flatMap(({ changes }) => changes),
    ...txChangesAfter,
  ])
  const sourceAfter = after.get(accountKey(submission.transaction.source))
  assert.ok(sourceAfter)
  const source = storedEntryOf(sourceAfter).entry
  assert.ok(source.kind === 'account')
  const moment = { sequence: source.seqLedger, closeTime: source.seqTime }
  const store = createEntryStore()
  for (const address of namedBy(submission))
    store.write(accountKey(address), { entry: unchanged(address), modifiedIn: 1 })
  for (const [key, stored] of before) store.write(key, stored)
  const offers = createdOffers(after, before)
  const view = createEntryView(store, moment.sequence)
  const result = xdr.TransactionResult.fromXdr(recorded.resultXdr, 'base64')
  const applied = applyTransaction(
    view,
    submission,
    // Charged before the transaction, and so not in its meta.
    { amount: result.feeCharged, changes: [] },
    { moment, contracts, nextOfferId: () => offers.shift() ?? 0n },
  )
  assert.equal(applied.result.toXdr('base64'), recorded.resultXdr)
  assert.deepEqual(
    applied.operationEvents.map((events) => events.map((event) => event.toXdr('base64'))),
    operations.map(({ events }) => events.map((event) => event.toXdr('base64'))),
  )
  for (const [key, expected] of after) {
    const made = view.find(key)
    assert.equal(made && ledgerEntryOf(made).toXdr('base64'), expected?.toXdr('base64'), key)
  }
}

const kindsOf = ({ envelopeXdr }: RecordedTransaction): string => {
  const submission = readEnvelope(envelopeXdr, networkId)
  const kinds = new Set(submission?.transaction.operations.map(({ body }) => body.type))
  return `${[...kinds].join(' and ')}${submission?.feeBump === undefined ? '' : ' in a fee bump'}`
}

for (const [kind, group] of Map.groupBy(records, kindsOf))
  test(`${group.length} recorded transactions of mainnet have the recorded results, events and entries byte for byte: ${kind}`, () => {
    for (const recorded of group) replay(recorded)
  })
