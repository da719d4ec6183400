import assert from 'node:assert/strict'
import { createPrivateKey, sign } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type SolanaKey, signerOf } from '@openrfq/sandbox/src/solana/keys.ts'
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createSolanaRpc,
  createTransactionMessage,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { z } from 'zod'

/** Transactions of one request, which share a blockhash; a node takes 50 KiB. */
const BATCH = 40
/** Between two requests: four hundred transactions a second, and fewer on a busy machine. */
const BATCH_MS = 100
/** The sandbox's chain works in the process of the service, which has no such neighbour elsewhere, so it leaves it the time. */
const PAUSES = 4
/** Lamports of one signature. */
const FEE = 5_000n
/** In a message, the place of the lamports that make a transaction different from all others. */
const MARK = 0x1122334455667788n
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
/** Longer than a transaction takes to land. */
const SETTLED_MS = 4_000

const Answers = z.array(z.object({ result: z.string().optional(), error: z.unknown().optional() }))

/** A wallet that makes transactions which name some accounts, and pay one lamport to others; each costs it one fee and those. */
export const openSolanaFlooder = async (
  rpcUrl: string,
  key: SolanaKey,
  { named, paid }: { readonly named: readonly string[]; readonly paid: readonly string[] },
) => {
  const signer = await signerOf(key)
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, key.seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const node = createSolanaRpc(rpcUrl)
  const cost = FEE + BigInt(paid.length)
  const balance = async (): Promise<bigint> =>
    (await node.getBalance(key.address, { commitment: 'confirmed' }).send()).value
  let sent = 0n

  const messageWith = async () => {
    const { value: blockhash } = await node.getLatestBlockhash().send()
    const marked = getTransferSolInstruction({ source: signer, destination: key.address, amount: MARK })
    const names = named.map((one) => ({ address: address(one), role: AccountRole.READONLY }))
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(signer, empty),
      (payer) => setTransactionMessageLifetimeUsingBlockhash(blockhash, payer),
      (timed) =>
        appendTransactionMessageInstructions(
          [
            { ...marked, accounts: [...marked.accounts, ...names] },
            ...paid.map((one) =>
              getTransferSolInstruction({ source: signer, destination: address(one), amount: 1n }),
            ),
          ],
          timed,
        ),
    )
    const bytes = Buffer.from(compileTransaction(message).messageBytes)
    const mark = Buffer.alloc(8)
    mark.writeBigUInt64LE(MARK)
    return { bytes, at: bytes.indexOf(mark) }
  }
  const send = async (count: number): Promise<void> => {
    const { bytes, at } = await messageWith()
    const calls = Array.from({ length: count }, (_, id) => {
      sent += 1n
      bytes.writeBigUInt64LE(sent, at)
      const wire = Buffer.concat([Buffer.of(1), sign(null, bytes, privateKey), bytes]).toString('base64')
      const params = [wire, { encoding: 'base64', skipPreflight: true }]
      return { jsonrpc: '2.0', id, method: 'sendTransaction', params }
    })
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls),
    })
    for (const { result, error } of Answers.parse(await response.json()))
      assert.ok(result !== undefined, JSON.stringify(error))
  }
  const sendAll = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= BATCH) {
      const startedAt = performance.now()
      await send(Math.min(BATCH, left))
      const took = performance.now() - startedAt
      await delay(Math.max(BATCH_MS - took, PAUSES * took))
    }
  }
  return {
    balance,
    /** The lamports that one transaction costs. */
    cost,
    /** Resolves when so many transactions are in blocks. */
    flood: async (count: number): Promise<void> => {
      const before = await balance()
      for (let landed = 0; landed < count; ) {
        await sendAll(count - landed)
        await delay(SETTLED_MS)
        landed = Number((before - (await balance())) / cost)
      }
    },
  }
}
