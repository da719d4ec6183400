import assert from 'node:assert/strict'
import {
  Account,
  Asset,
  type FeeBumpTransaction,
  Keypair,
  MuxedAccount,
  rpc,
  scValToNative,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk'
import { type StellarNode, startStellarNode } from '../src/stellar/index.ts'

/** One whole unit in base units. */
export const UNIT = 10_000_000n

/** A transaction in a ledger, as the client library returns it. */
export type Included = rpc.Api.GetSuccessfulTransactionResponse | rpc.Api.GetFailedTransactionResponse

type TransactionDraft = {
  /** The signers; the first is the source unless `source` names another. */
  readonly by: readonly Keypair[]
  readonly source?: string
  /** Stroops per operation. */
  readonly fee?: string
  readonly shape?: (builder: TransactionBuilder) => TransactionBuilder
  /** Added to the account's sequence number before the builder increments it. */
  readonly skip?: bigint
}

/** A simulated Stellar whose ledgers and time the test controls, accessed through the client library. */
export type StellarFixture = Awaited<ReturnType<typeof startStellarFixture>>

const START_MS = 1_800_000_000_000

/** The codes of a result: the transaction's, then its operations' or its inner transaction's. */
export const codesOf = (result: xdr.TransactionResult): readonly string[] => {
  const { result: outcome } = result
  const operationCodes = (results: readonly xdr.OperationResult[]) =>
    results.map((operation) => (operation.type === 'opInner' ? operation.tr.value.type : operation.type))
  switch (outcome.type) {
    case 'txSuccess':
    case 'txFailed':
      return [outcome.type, ...operationCodes(outcome.results)]
    case 'txFeeBumpInnerSuccess':
    case 'txFeeBumpInnerFailed': {
      const inner = outcome.innerResultPair.result.result
      const results = inner.type === 'txSuccess' || inner.type === 'txFailed' ? inner.results : []
      return [outcome.type, inner.type, ...operationCodes(results)]
    }
    default:
      return [outcome.type]
  }
}

/** The M address of an account and an id. */
export const muxed = (address: string, id: string): string =>
  new MuxedAccount(new Account(address, '0'), id).accountId()

/** An event with decoded topics and value. */
export const readEvent = (event: rpc.Api.EventResponse) => ({
  topics: event.topic.map((topic): unknown => scValToNative(topic)),
  value: scValToNative(event.value) as unknown,
})

/** Builds, sends and includes transactions with the client library. */
const createSender = (ledger: StellarNode, server: rpc.Server) => {
  const build = async (
    operations: readonly xdr.Operation[],
    { by, source, fee = '100', shape = (builder) => builder.setTimeout(0), skip = 0n }: TransactionDraft,
  ): Promise<Transaction> => {
    const address = source ?? by[0]?.publicKey() ?? ''
    const sequence = BigInt((await server.getAccount(address)).sequenceNumber())
    const builder = new TransactionBuilder(new Account(address, (sequence + skip).toString()), {
      fee,
      networkPassphrase: ledger.networkPassphrase,
    })
    for (const operation of operations) builder.addOperation(operation)
    const transaction = shape(builder).build()
    transaction.sign(...by)
    return transaction
  }
  /** Includes a transaction in the next ledger; fails unless it is accepted. */
  const include = async (transaction: Transaction | FeeBumpTransaction): Promise<Included> => {
    const sent = await server.sendTransaction(transaction)
    const refusal = sent.errorResult === undefined ? [] : codesOf(sent.errorResult)
    assert.equal(sent.status, 'PENDING', refusal.join())
    ledger.closeLedger()
    const got = await server.getTransaction(sent.hash)
    assert.ok(got.status !== rpc.Api.GetTransactionStatus.NOT_FOUND)
    return got
  }
  return {
    build,
    include,
    /** Builds, signs and includes a transaction. */
    run: async (operations: readonly xdr.Operation[], draft: TransactionDraft): Promise<Included> =>
      include(await build(operations, draft)),
    /** The codes with which the RPC rejects a submission. */
    refusal: async (transaction: Transaction | FeeBumpTransaction): Promise<readonly string[]> => {
      const { status, errorResult } = await server.sendTransaction(transaction)
      assert.equal(status, 'ERROR')
      assert.ok(errorResult !== undefined)
      return codesOf(errorResult)
    },
  }
}

/** Starts a simulated Stellar with helpers for its tests. */
export const startStellarFixture = async (retainedLedgers = 1000) => {
  let now = START_MS
  const ledger = await startStellarNode({
    log: (level, message, fields) => assert.fail(`${level} ${message} ${JSON.stringify(fields)}`),
    now: () => now,
    closeMs: 0,
    retainedLedgers,
  })
  const server = new rpc.Server(ledger.rpcUrl, { allowHttp: true })
  const users = ledger.accounts.map(({ privateKey }) => Keypair.fromSecret(privateKey))
  return {
    ...createSender(ledger, server),
    ledger,
    server,
    user: (index: number): Keypair => {
      const found = users[index]
      assert.ok(found !== undefined)
      return found
    },
    native: Asset.native(),
    usdc: assetNamed(ledger, 'USDC'),
    eurc: assetNamed(ledger, 'EURC'),
    hbr: assetNamed(ledger, 'HBR'),
    /** Base units that an account holds. */
    balance: async (address: string, asset: Asset): Promise<bigint> =>
      asset.isNative()
        ? (await server.getAccountEntry(address)).balance
        : BigInt((await server.getAssetBalance(address, asset)).balanceEntry?.amount ?? '0'),
    /** A new account with the given whole XLM. */
    fresh: async (lumens: bigint): Promise<Keypair> => {
      const key = Keypair.random()
      ledger.faucet(ledger.assets[0]?.address ?? '', key.publicKey(), lumens * UNIT)
      return key
    },
    advanceSeconds: (seconds: number): void => {
      now += seconds * 1000
    },
    nowSeconds: (): number => now / 1000,
    /** All events of a transaction, its fee's first. */
    eventsOf: async ({ ledger: startLedger, txHash: id }: Included) => {
      const { events } = await server.getEvents({ startLedger, filters: [], limit: 1000 })
      return events.filter(({ txHash }) => txHash === id).map(readEvent)
    },
  }
}

const assetNamed = (ledger: StellarNode, symbol: string): Asset => {
  const found = ledger.assets.find((asset) => asset.symbol === symbol)
  assert.ok(found !== undefined)
  const [code = '', issuer] = found.asset.split(':')
  return issuer === undefined ? Asset.native() : new Asset(code, issuer)
}
