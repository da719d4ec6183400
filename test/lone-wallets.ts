import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createTransactionMessage,
  getAddressDecoder,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { Keypair, Operation, rpc, type Transaction, TransactionBuilder } from '@stellar/stellar-sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import { z } from 'zod'

// Wallets that have nothing of OpenRFQ but the answer to a quote request and the escrow program's IDL.

const Meta = z.object({ name: z.string(), writable: z.boolean().optional(), signer: z.boolean().optional() })
const Idl = z.object({
  instructions: z.array(
    z.object({ name: z.string(), discriminator: z.array(z.number()), accounts: z.array(Meta) }),
  ),
  types: z.array(
    z.object({
      name: z.string(),
      type: z.object({ fields: z.array(z.object({ name: z.string(), type: z.unknown() })) }),
    }),
  ),
})
const IDL = Idl.parse(
  JSON.parse(readFileSync(new URL(import.meta.resolve('@openrfq/contracts/solana/escrow.idl.json')), 'utf8')),
)

/** An instruction as a quote's action has it. */
export const QuotedInstruction = z.object({
  programId: z.string(),
  keys: z.array(z.object({ pubkey: z.string(), isSigner: z.boolean(), isWritable: z.boolean() })),
  data: z.string(),
})
type QuotedInstruction = z.infer<typeof QuotedInstruction>

const roleOf = (isSigner: boolean, isWritable: boolean): AccountRole => {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY
}

const instructionIn = (name: string) => {
  const found = IDL.instructions.find((one) => one.name === name)
  assert.ok(found, name)
  return found
}

const BYTES_OF: Readonly<Record<string, number>> = { u8: 1, u32: 4, u64: 8, pubkey: 32 }
const Bytes = z.object({ array: z.tuple([z.literal('u8'), z.number()]) })
const sizeOf = (type: unknown): number =>
  typeof type === 'string' ? (BYTES_OF[type] ?? assert.fail(type)) : Bytes.parse(type).array[1]

/** Where a key stands in the account of an order. */
const placeOf = (field: string): number => {
  const { fields } = IDL.types.find(({ name }) => name === 'Order')?.type ?? { fields: [] }
  const index = fields.findIndex(({ name }) => name === field)
  assert.ok(index >= 0, field)
  return fields.slice(0, index).reduce((sum, { type }) => sum + sizeOf(type), 0)
}

/** A wallet on Solana with its secret in base58. */
export const openSolanaWallet = async (rpcUrl: string, secret: string) => {
  const signer: KeyPairSigner = await createKeyPairSignerFromBytes(getBase58Encoder().encode(secret))
  const node = createSolanaRpc(rpcUrl)
  const send = async (instructions: readonly Instruction[]) => {
    const { value: blockhash } = await node.getLatestBlockhash().send()
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(signer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(blockhash, paid),
      (timed) => appendTransactionMessageInstructions(instructions, timed),
    )
    const signed = await signTransactionMessageWithSigners(message)
    const signers = Object.keys(signed.signatures)
    const signature = getSignatureFromTransaction(signed)
    await node.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send()
    await eventually('the transaction is confirmed', async () => {
      const [status] = (await node.getSignatureStatuses([signature]).send()).value
      if (status?.err != null) throw new Error(JSON.stringify(status.err, String))
      return status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized'
    })
    return { signature, signers }
  }
  const quoted = ({ programId, keys, data }: QuotedInstruction): Instruction => ({
    programAddress: address(programId),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: address(pubkey),
      role: roleOf(isSigner, isWritable),
      ...(pubkey === signer.address ? { signer } : {}),
    })),
    data: getBase64Encoder().encode(data),
  })
  /** An instruction of the escrow program whose accounts are given by their names in the IDL. */
  const call = (program: string, name: string, accounts: Readonly<Record<string, string>>): Instruction => {
    const { discriminator, accounts: wanted } = instructionIn(name)
    return {
      programAddress: address(program),
      accounts: wanted.map((meta) => {
        const known = accounts[meta.name]
        assert.ok(known, `${name} needs ${meta.name}`)
        return {
          address: address(known),
          role: roleOf(meta.signer === true, meta.writable === true),
          ...(known === signer.address && meta.signer === true ? { signer } : {}),
        }
      }),
      data: new Uint8Array(discriminator),
    }
  }
  return {
    address: signer.address,
    lamports: async () => (await node.getBalance(signer.address).send()).value,
    tokens: async (account: string) =>
      BigInt((await node.getTokenAccountBalance(address(account)).send()).value.amount),
    deposit: (instructions: readonly QuotedInstruction[]) => send(instructions.map(quoted)),
    /** Refunds and closes the order of tokens that a quote opened. */
    takeBack: async (open: QuotedInstruction) => {
      const named = Object.fromEntries(
        instructionIn('open').accounts.map(({ name }, index) => [name, open.keys[index]?.pubkey ?? '']),
      )
      const { order = '', depositor = '', source = '', vault = '', mint = '' } = named
      const { value } = await node.getAccountInfo(address(order), { encoding: 'base64' }).send()
      assert.ok(value)
      const bytes = getBase64Encoder().encode(value.data[0])
      const solver: Address = getAddressDecoder().decode(bytes, placeOf('solver'))
      const refund = call(open.programId, 'refund', {
        ...named,
        ...{ depositor, vault, mint, solver, destination: source, caller: signer.address },
      })
      const close = call(open.programId, 'close', { ...named, payer: signer.address })
      return send([refund, close])
    },
  }
}

/** A wallet on Stellar with its secret. */
export const openStellarWallet = (rpcUrl: string, networkPassphrase: string, secret: string) => {
  const server = new rpc.Server(rpcUrl, { allowHttp: true })
  const key = Keypair.fromSecret(secret)
  const send = async (operations: readonly Parameters<TransactionBuilder['addOperation']>[0][]) => {
    const account = await server.getAccount(key.publicKey())
    const builder = new TransactionBuilder(account, { fee: '1000', networkPassphrase })
    for (const operation of operations) builder.addOperation(operation)
    const transaction = builder.setTimeout(0).build()
    transaction.sign(key)
    const { status, hash } = await server.sendTransaction(transaction)
    assert.equal(status, 'PENDING')
    await eventually('a ledger includes the transaction', async () => {
      const found = await server.getTransaction(hash)
      assert.notEqual(found.status, 'FAILED')
      return found.status === 'SUCCESS'
    })
    return transaction
  }
  return {
    address: key.publicKey(),
    /** Makes the claimable balance of a SEP-7 link. Returns its id. */
    deposit: async (uri: string): Promise<string> => {
      const envelope = new URL(uri).searchParams.get('xdr')
      assert.ok(envelope)
      // CAST: the link holds no fee bump.
      const { operations } = TransactionBuilder.fromXDR(envelope, networkPassphrase) as Transaction
      const [made, announced] = operations
      assert.ok(made?.type === 'createClaimableBalance' && announced?.type === 'payment')
      const transaction = await send([
        Operation.createClaimableBalance({
          asset: made.asset,
          amount: made.amount,
          claimants: made.claimants,
        }),
        Operation.payment({
          destination: announced.destination,
          asset: announced.asset,
          amount: announced.amount,
        }),
      ])
      return transaction.getClaimableBalanceId(0)
    },
    takeBack: async (balanceId: string): Promise<number> =>
      (await send([Operation.claimClaimableBalance({ balanceId })])).signatures.length,
  }
}
