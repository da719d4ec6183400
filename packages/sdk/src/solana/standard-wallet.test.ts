import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solanaKey } from '@openrfq/sandbox/src/solana/keys.ts'
import {
  type Blockhash,
  createKeyPairFromBytes,
  getBase58Encoder,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit'
import type { SolanaInstructions } from '../wire/action.ts'
import { signPayload } from './sign-payload.ts'
import { connectSolanaWallet, type StandardWallet } from './standard-wallet.ts'

const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const PRIVATE = 'solana:Bpu1Qr4aSCoq95PsfUXjxLBPQwLpWpqN'
const rpcUrl = 'http://127.0.0.1:1'
const { address, privateKey } = solanaKey('a wallet in a browser')
const ACCOUNT = { address, chains: ['solana:mainnet'] }

/** A wallet that signs by a key; `asked` collects the clusters that it is told. */
const walletBy = (key: string, chains: readonly string[] = ['solana:mainnet']) => {
  const asked: (string | undefined)[] = []
  const signTransaction = async ({ transaction, chain }: { transaction: Uint8Array; chain?: string }) => {
    asked.push(chain)
    const keys = await createKeyPairFromBytes(getBase58Encoder().encode(key))
    const signed = await partiallySignTransaction([keys], getTransactionDecoder().decode(transaction))
    return [{ signedTransaction: new Uint8Array(getTransactionEncoder().encode(signed)) }]
  }
  const features = {
    'solana:signTransaction': { signTransaction, supportedTransactionVersions: ['legacy', 0] },
  }
  return { asked, wallet: { name: 'Test', chains, features } satisfies StandardWallet }
}

const PAYLOAD = {
  type: 'solana_instructions',
  instructions: [
    {
      programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
      keys: [{ pubkey: address, isSigner: true, isWritable: true }],
      data: btoa('hello'),
    },
  ],
  addressLookupTableAddresses: [],
} satisfies SolanaInstructions

const sign = (wallet: StandardWallet, chainId = MAINNET) =>
  signPayload(
    PAYLOAD,
    connectSolanaWallet(wallet, ACCOUNT, { chainId, rpcUrl }),
    // CAST: any 32 bytes are a blockhash.
    { blockhash: { blockhash: address as string as Blockhash, lastValidBlockHeight: 1n }, tables: {} },
  )

test('a wallet of the Wallet Standard signs the transaction, and is told its public cluster', async () => {
  const { wallet, asked } = walletBy(privateKey)
  const signed = await sign(wallet)
  assert.deepEqual(Object.keys(signed.signatures), [address])
  await sign(wallet, PRIVATE)
  assert.deepEqual(asked, ['solana:mainnet', undefined])
})

test('a signature of another account, garbage and no answer are not sent', async () => {
  const { wallet } = walletBy(solanaKey('another').privateKey)
  await assert.rejects(sign(wallet))
  for (const answer of [[], [{}], [{ signedTransaction: new Uint8Array(3) }], undefined]) {
    const feature = { ...wallet.features['solana:signTransaction'], signTransaction: async () => answer }
    await assert.rejects(sign({ ...wallet, features: { 'solana:signTransaction': feature } }), String(answer))
  }
})

test('a wallet that cannot sign, or is not for the cluster, is unsupported', () => {
  const { wallet } = walletBy(privateKey, ['solana:devnet'])
  const refuses = (one: StandardWallet, message: RegExp): void =>
    assert.throws(() => connectSolanaWallet(one, ACCOUNT, { chainId: MAINNET, rpcUrl }), {
      code: 'unsupported',
      message,
    })
  refuses(wallet, /not for solana:mainnet/)
  refuses({ ...wallet, features: {} }, /no transactions of version 0/)
  const legacy = { ...wallet.features['solana:signTransaction'], supportedTransactionVersions: ['legacy'] }
  refuses({ ...wallet, features: { 'solana:signTransaction': legacy } }, /no transactions of version 0/)
})
