import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  appendTransactionMessageInstruction,
  assertIsTransactionWithBlockhashLifetime,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import type { SimulatedChain } from './simulated-chain.ts'
import { startSandboxSolana } from './solana.ts'

const LAMPORTS = 1_000_000_000n

let aheadMs = 0
let solana: SimulatedChain
before(async () => {
  solana = await startSandboxSolana({
    log: () => undefined,
    now: () => Date.now() + aheadMs,
    solverCount: 1,
  })
})
after(() => solana?.stop())

/** Moves the clock as `POST /sandbox/clock` does. */
const wait = (seconds: number): void => {
  aheadMs += seconds * 1000
  solana.catchUp()
}

/** A signed payment of one SOL to somebody new, with the newest blockhash. */
const approve = async () => {
  const rpc = createSolanaRpc(solana.rpcUrl)
  const payer = await createKeyPairSignerFromBytes(
    getBase58Encoder().encode(solana.accounts[0]?.privateKey ?? ''),
  )
  const { address } = await generateKeyPairSigner()
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  const signed = await pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) =>
      appendTransactionMessageInstruction(
        getTransferSolInstruction({ source: payer, destination: address, amount: LAMPORTS }),
        message,
      ),
    signTransactionMessageWithSigners,
  )
  assertIsTransactionWithBlockhashLifetime(signed)
  return {
    lifetime,
    isValid: async () =>
      (await rpc.isBlockhashValid(lifetime.blockhash, { commitment: 'confirmed' }).send()).value,
    height: () => rpc.getBlockHeight({ commitment: 'confirmed' }).send(),
    send: async () => {
      const wire = getBase64EncodedWireTransaction(signed)
      await rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' }).send()
      solana.catchUp()
      return (await rpc.getBalance(address).send()).value
    },
  }
}

test('a person may take 50 seconds to approve a payment from Solana', async () => {
  const approved = await approve()
  wait(50)
  assert.equal(await approved.isValid(), true)
  assert.ok((await approved.height()) <= approved.lifetime.lastValidBlockHeight)
  assert.equal(await approved.send(), LAMPORTS)
})

test('a payment from Solana expires when the clock is moved by a minute and a half', async () => {
  const approved = await approve()
  wait(90)
  assert.equal(await approved.isValid(), false)
  assert.ok((await approved.height()) > approved.lifetime.lastValidBlockHeight)
  await assert.rejects(approved.send(), ({ cause }: Error) => /Blockhash not found/.test(String(cause)))
})

test('a move of the clock by 90 days makes a final block of the new time, and a bounded number of blocks', async () => {
  const rpc = createSolanaRpc(solana.rpcUrl)
  const before = await rpc.getSlot({ commitment: 'processed' }).send()
  const later = Math.floor((Date.now() + aheadMs) / 1000) + 90 * 86_400
  wait(90 * 86_400)
  const final = await rpc.getSlot({ commitment: 'finalized' }).send()
  assert.ok(Number(await rpc.getBlockTime(final).send()) >= later - 1)
  assert.ok(final - before < 400n, `${final - before} blocks`)
})
