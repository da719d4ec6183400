import assert from 'node:assert/strict'
import type { Action, Quote } from '@openrfq/sdk'
import { Asset, Keypair, rpc, type Transaction, TransactionBuilder, type xdr } from '@stellar/stellar-sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import type { FamilyChain, FamilyToken } from './families-world.ts'

type Payload = Action['payload']

/** An expiry that never comes. The SDK rejects expired quotes; a payer with another wallet may pay them. */
const NEVER = '2100-01-01T00:00:00Z'

const withPayload = (quote: Quote, payload: Payload, input: Partial<Quote['input']> = {}): Quote => {
  const [action] = quote.actions
  assert.ok(action)
  return {
    ...quote,
    input: { ...quote.input, ...input },
    validity: { ...quote.validity, quoteExpiresAt: NEVER },
    actions: [{ ...action, payload }],
  }
}

/** The deposit address of a quote from Stellar. */
export const depositAddressOf = (quote: Quote): string => {
  const payload = quote.actions[0]?.payload
  assert.equal(payload?.type, 'deposit_address')
  return payload.address
}

/** A quote from Stellar with altered deposit fields and without an expiry. */
export const alteredOnStellar = (
  quote: Quote,
  change: { readonly address?: string; readonly amount?: bigint; readonly token?: string } = {},
): Quote => {
  const { address = depositAddressOf(quote), token = quote.input.token } = change
  const amount = (change.amount ?? BigInt(quote.input.amount)).toString()
  return withPayload(quote, { type: 'deposit_address', address, amount, token }, { token, amount })
}

/** A sandbox Stellar token as the SDK names its asset. */
export const assetOf = ({ stellar }: FamilyToken): Asset =>
  stellar === undefined ? Asset.native() : new Asset(stellar.code, stellar.issuer)

/** Fee of a one-operation transaction in stroops. */
export const FEE_STROOPS = 100n

/** Signs operations with a secret and submits them. Returns the transaction when a ledger includes it. */
export const submitOnStellar = async (
  { rpcUrl, networkPassphrase = '' }: FamilyChain,
  secret: string,
  operations: readonly xdr.Operation[],
): Promise<{ readonly txHash: string; readonly transaction: Transaction }> => {
  const server = new rpc.Server(rpcUrl, { allowHttp: true })
  const signer = Keypair.fromSecret(secret)
  const account = await server.getAccount(signer.publicKey())
  const fee = FEE_STROOPS.toString()
  const builder = new TransactionBuilder(account, { fee, networkPassphrase })
  for (const operation of operations) builder.addOperation(operation)
  const transaction = builder.setTimeout(0).build()
  transaction.sign(signer)
  const { status, hash } = await server.sendTransaction(transaction)
  assert.equal(status, 'PENDING')
  await eventually(`a ledger includes ${hash}`, async () => {
    const { status } = await server.getTransaction(hash)
    assert.ok(status === 'SUCCESS' || status === 'NOT_FOUND', status)
    return status === 'SUCCESS'
  })
  return { txHash: hash, transaction }
}
