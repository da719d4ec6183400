import {
  Account,
  Keypair,
  Operation,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base'
import type { ReceivingChain } from '../deployment-types.ts'
import { findAccount } from './entry-view.ts'
import { RELAYER_KEY } from './keys.ts'
import type { SimulatedStellar } from './simulated-stellar.ts'
import { TOKEN_SERVICE_CONTRACT } from './token-service.ts'

/** A message of the hub that is to be executed on the ledger. */
export type Delivery = Parameters<ReceivingChain['deliver']>[0]

/** The ledger that includes a delivery's transaction, or why it was not executed. */
export type DeliveryResult = Awaited<ReturnType<ReceivingChain['deliver']>>

const FEE = '1000000'
const RESOURCE_FEE = 20_000n

/** Executes a message by a transaction of the relayer's account, and closes a ledger for it. */
export const deliverMessage = (
  ledger: SimulatedStellar,
  networkPassphrase: string,
  { sourceChain, messageId, sourceAddress, payload }: Delivery,
): DeliveryResult => {
  const account = findAccount(ledger, RELAYER_KEY.address)
  if (account === undefined) return { landed: false, reason: 'the relayer has no account' }
  const call = Operation.invokeContractFunction({
    contract: TOKEN_SERVICE_CONTRACT,
    function: 'execute',
    args: [
      xdr.ScVal.scvString(sourceChain),
      xdr.ScVal.scvString(messageId),
      xdr.ScVal.scvString(sourceAddress),
      xdr.ScVal.scvBytes(Buffer.from(payload.slice(2), 'hex')),
    ],
  })
  const transaction = new TransactionBuilder(new Account(RELAYER_KEY.address, account.seqNum.toString()), {
    fee: FEE,
    networkPassphrase,
  })
    .addOperation(call)
    .setSorobanData(new SorobanDataBuilder().setResourceFee(RESOURCE_FEE).build())
    .setTimeout(0)
    .build()
  transaction.sign(Keypair.fromSecret(RELAYER_KEY.privateKey))
  const answer = ledger.submitSurely(Buffer.from(transaction.toEnvelope().toXdr()).toString('base64'))
  if (answer?.status !== 'PENDING')
    return { landed: false, reason: `the ledger answers ${answer?.status ?? 'nothing'}` }
  ledger.close()
  const found = ledger.history.findTransaction(answer.id)
  if (found?.transaction.succeeded !== true)
    return { landed: false, reason: 'the token service traps the message' }
  const { sequence, closeTime } = found.ledger
  return { landed: true, txHash: `0x${answer.id}`, ledger: sequence, timestampSeconds: Number(closeTime) }
}
