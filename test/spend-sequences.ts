import { Account, Keypair, Operation, rpc, TransactionBuilder } from '@stellar/stellar-sdk'

/** A Stellar account whose secret is used by somebody else as well. */
type Stranger = { readonly rpcUrl: string; readonly secret: string; readonly passphrase: string }

const SKIPPED = 3n
const VALID_SECONDS = 10
const LOOKS = 40
const LOOK_MS = 250

/**
 * Uses the account's next sequence number and skips some, so that payments already signed can never be included.
 * Resolves when that is certain, or impossible.
 */
export const spendSequences = async ({ rpcUrl, secret, passphrase }: Stranger): Promise<void> => {
  const server = new rpc.Server(rpcUrl, { allowHttp: true })
  const pair = Keypair.fromSecret(secret)
  const account = await server.getAccount(pair.publicKey())
  const sequence = BigInt(account.sequenceNumber())
  const transaction = new TransactionBuilder(new Account(pair.publicKey(), `${sequence}`), {
    fee: '100000',
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime: Math.floor(Date.now() / 1000) + VALID_SECONDS },
  })
    .addOperation(Operation.bumpSequence({ bumpTo: `${sequence + SKIPPED}` }))
    .build()
  transaction.sign(pair)
  const { status, hash } = await server.sendTransaction(transaction)
  for (let look = 0; status === 'PENDING' && look < LOOKS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    if ((await server.getTransaction(hash)).status !== 'NOT_FOUND') return
  }
}
