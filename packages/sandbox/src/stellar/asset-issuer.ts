import { Account, Asset, Keypair, TransactionBuilder, type xdr } from '@stellar/stellar-sdk/base'
import { type AssetName, issuedAsset, NATIVE } from './asset-name.ts'
import { findAccount } from './entry-view.ts'
import { STELLAR_DECIMALS } from './genesis.ts'
import type { StellarKey } from './keys.ts'
import type { SimulatedStellar } from './simulated-stellar.ts'

/** Sends the sandbox's own transactions, which injected faults do not affect. */
export type AssetIssuer = {
  /**
   * Applies the operations at once, signed by the keys; the first key pays. Returns the transaction's hash. Throws with the
   * result code on failure.
   */
  readonly run: (keys: readonly [StellarKey, ...StellarKey[]], operations: readonly xdr.Operation[]) => string
}

const FEE_PER_OPERATION = '100'
/** No time bound: the transaction is applied before `run` returns. */
const NO_TIMEOUT = 0

/** An amount in base units as the SDK's operations write it: decimal text of whole units. */
export const wholeUnits = (amount: bigint): string => {
  const digits = amount.toString().padStart(STELLAR_DECIMALS + 1, '0')
  return `${digits.slice(0, -STELLAR_DECIMALS)}.${digits.slice(-STELLAR_DECIMALS)}`
}

/** The asset in the SDK's form. */
export const sdkAsset = (asset: AssetName): Asset => {
  const issued = asset === NATIVE ? undefined : issuedAsset(asset)
  return issued === undefined ? Asset.native() : new Asset(issued.code, issued.issuer)
}

/** Signs transactions of the sandbox's accounts and closes a ledger for each. */
export const createAssetIssuer = (ledger: SimulatedStellar, networkPassphrase: string): AssetIssuer => ({
  run: (keys, operations) => {
    const [payer] = keys
    const account = findAccount(ledger, payer.address)
    if (account === undefined) throw new Error(`${payer.address} is no account of the ledger`)
    const builder = new TransactionBuilder(new Account(payer.address, account.seqNum.toString()), {
      fee: FEE_PER_OPERATION,
      networkPassphrase,
    })
    for (const operation of operations) builder.addOperation(operation)
    const transaction = builder.setTimeout(NO_TIMEOUT).build()
    for (const { privateKey } of keys) transaction.sign(Keypair.fromSecret(privateKey))
    const answer = ledger.submitSurely(Buffer.from(transaction.toEnvelope().toXdr()).toString('base64'))
    if (answer?.status === 'ERROR')
      throw new Error(`the ledger refuses the sandbox's transaction: ${describe(answer.result)}`)
    if (answer?.status !== 'PENDING') throw new Error(`the ledger answers ${answer?.status ?? 'nothing'}`)
    ledger.close()
    const found = ledger.history.findTransaction(answer.id)
    if (found?.transaction.succeeded !== true)
      throw new Error(
        `the sandbox's transaction failed: ${found === undefined ? 'left out' : describe(found.transaction.result)}`,
      )
    return answer.id
  },
})

const describe = (result: xdr.TransactionResult): string => {
  const { type, value } = result.result
  if (!Array.isArray(value)) return type
  return `${type} (${value.map((operation) => (operation.type === 'opInner' ? operation.tr.value.type : operation.type)).join(', ')})`
}
