import assert from 'node:assert/strict'
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  getSignatureFromTransaction,
  getU64Encoder,
  type Instruction,
  isSolanaError,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionSigner,
} from '@solana/kit'
import { findAssociatedTokenPda } from '@solana-program/token'
import type { SolanaToken } from '../src/solana/genesis.ts'
import { type SolanaNode, startSolanaNode } from '../src/solana/index.ts'

type Lifetime = Readonly<{ blockhash: Blockhash; lastValidBlockHeight: bigint }>

const messageOf = (payer: TransactionSigner, instructions: readonly Instruction[], until: Lifetime) =>
  pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(until, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
  )

const postText = async (url: string, body: string) => {
  const headers = { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(30_000)
  const response = await fetch(url, { method: 'POST', headers, body, signal })
  return { status: response.status, text: await response.text() }
}

/** Starts a simulated Solana with kit's clients and signers for its accounts; paused unless a slot time is given. */
export const startSolanaFixture = async (slotMs?: number) => {
  const wallet = (await generateKeyPairSigner()).address
  const cluster = await startSolanaNode({
    wallets: [wallet],
    log: () => undefined,
    now: Date.now,
    finalizedAfterSlots: 8,
    ...(slotMs === undefined ? { startPaused: true } : { slotMs }),
  })
  const rpc = createSolanaRpc(cluster.rpcUrl)
  const signers = await Promise.all(
    cluster.accounts.map(({ privateKey }) =>
      createKeyPairSignerFromBytes(getBase58Encoder().encode(privateKey)),
    ),
  )
  const [native, usdc, token2022] = cluster.tokens
  const [alice, bob, carol] = signers
  if (!native || !usdc || !token2022 || !alice || !bob || !carol)
    throw new Error('a configured account is missing')

  const lifetime = async (): Promise<Lifetime> =>
    (await rpc.getLatestBlockhash({ commitment: 'processed' }).send()).value
  const sign = async (payer: TransactionSigner, instructions: readonly Instruction[], until?: Lifetime) => {
    const message = messageOf(payer, instructions, until ?? (await lifetime()))
    const transaction = await signTransactionMessageWithSigners(message)
    return {
      transaction,
      signature: getSignatureFromTransaction(transaction),
      wire: getBase64EncodedWireTransaction(transaction),
      messageBase64: Buffer.from(compileTransaction(message).messageBytes).toString('base64'),
    }
  }
  type Signed = Awaited<ReturnType<typeof sign>>
  const submit = ({ wire }: Pick<Signed, 'wire'>, skipPreflight = false) =>
    rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'processed', skipPreflight }).send()
  return {
    cluster,
    rpc,
    subscriptions: createSolanaRpcSubscriptions(cluster.subscriptionsUrl),
    wallet,
    /** Posts raw text to the node. */
    post: (body: string) => postText(cluster.rpcUrl, body),
    alice,
    bob,
    carol,
    usdc,
    token2022,
    lifetime,
    sign,
    submit,
    /** Signs and submits a transaction, and makes the block that includes it. */
    land: async (payer: TransactionSigner, instructions: readonly Instruction[]): Promise<Signed> => {
      const signed = await sign(payer, instructions)
      await submit(signed)
      cluster.advance(1)
      return signed
    },
    statusOf: async ({ signature }: Pick<Signed, 'signature'>) =>
      (await rpc.getSignatureStatuses([signature]).send()).value[0],
    lamportsOf: async (owner: Address, commitment: 'processed' | 'confirmed' | 'finalized' = 'processed') =>
      (await rpc.getBalance(owner, { commitment }).send()).value,
  }
}

/** A running fixture. */
export type SolanaFixture = Awaited<ReturnType<typeof startSolanaFixture>>

/** Stops a fixture's chain. */
export const stopSolanaFixture = ({ cluster }: { readonly cluster: SolanaNode }): Promise<void> =>
  cluster.stop()

/** The chain's memo program; it does not have the newer one of @solana-program/memo. */
export const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

/** Asserts that a call is rejected with the JSON-RPC error code. Returns the error. */
export const rejectsWith = async (code: number, call: Promise<unknown>) => {
  const error = await call.then(
    () => assert.fail(`expected the error ${code}`),
    (cause: unknown) => cause,
  )
  assert.ok(isSolanaError(error), String(error))
  assert.equal(error.context.__code, code)
  return error
}

/** The token program of a token other than SOL. */
export const programOf = ({ program }: SolanaToken): Address => {
  assert.ok(program)
  return program
}

/** A wallet's associated token account. */
export const holdingOf = async (token: SolanaToken, { address: owner }: { readonly address: string }) => {
  const seeds = { owner: address(owner), mint: token.address, tokenProgram: programOf(token) }
  return (await findAssociatedTokenPda(seeds))[0]
}

const SYSTEM_PROGRAM = address('11111111111111111111111111111111')
const LOOKUP_TABLE_PROGRAM = address('AddressLookupTab1e1111111111111111111111111')

/** Creates a lookup table; encoded by hand, because @solana-program/address-lookup-table does not support kit 8. */
export const createTable = async (authority: Address, recentSlot: bigint) => {
  const [table, bump] = await getProgramDerivedAddress({
    programAddress: LOOKUP_TABLE_PROGRAM,
    seeds: [getAddressEncoder().encode(authority), getU64Encoder().encode(recentSlot)],
  })
  const instruction: Instruction = {
    programAddress: LOOKUP_TABLE_PROGRAM,
    accounts: [
      { address: table, role: AccountRole.WRITABLE },
      { address: authority, role: AccountRole.READONLY_SIGNER },
      { address: authority, role: AccountRole.WRITABLE_SIGNER },
      { address: SYSTEM_PROGRAM, role: AccountRole.READONLY },
    ],
    data: Uint8Array.from([0, 0, 0, 0, ...getU64Encoder().encode(recentSlot), bump]),
  }
  return { table, instruction }
}

/** Appends addresses to the authority's lookup table. */
export const extendTable = (
  table: Address,
  authority: Address,
  entries: readonly Address[],
): Instruction => ({
  programAddress: LOOKUP_TABLE_PROGRAM,
  accounts: [
    { address: table, role: AccountRole.WRITABLE },
    { address: authority, role: AccountRole.READONLY_SIGNER },
    { address: authority, role: AccountRole.WRITABLE_SIGNER },
    { address: SYSTEM_PROGRAM, role: AccountRole.READONLY },
  ],
  data: Uint8Array.from([
    2,
    0,
    0,
    0,
    ...getU64Encoder().encode(BigInt(entries.length)),
    ...entries.flatMap((entry) => [...getAddressEncoder().encode(entry)]),
  ]),
})
