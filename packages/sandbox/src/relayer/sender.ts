import { setTimeout as delay } from 'node:timers/promises'
import { createMutex } from 'openrfq/lib/mutex'
import type { TransactionReceipt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../deployment-types.ts'
import type { ChainReader } from './chain-reader.ts'

/** Sends one key's transactions on one chain sequentially. */
export type Sender = {
  readonly address: Hex
  /** Resolves with the receipt, reverted or not. Rejects when none came in time, which leaves the outcome unknown. */
  readonly send: (transaction: {
    readonly to: Hex
    readonly data: Hex
    readonly gas: bigint
  }) => Promise<TransactionReceipt>
}

const RECEIPT_DEADLINE_MS = 15_000
const RECEIPT_POLL_MS = 15
/** Factor over the current gas price, so that a rising base fee does not strand a transaction. */
const PRICE_FACTOR = 3n

const waitForReceipt = async ({ client, chain }: ChainReader, hash: Hex): Promise<TransactionReceipt> => {
  for (let waited = 0; waited < RECEIPT_DEADLINE_MS; waited += RECEIPT_POLL_MS) {
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
    if (receipt !== undefined) return receipt
    await delay(RECEIPT_POLL_MS)
  }
  throw new Error(`no receipt of ${hash} on ${chain.axelarName} within ${RECEIPT_DEADLINE_MS} ms`)
}

/** Creates a sender that counts its own nonces; no other process may send with the key on the chain. */
export const createSender = (reader: ChainReader, key: Hex): Sender => {
  const account = privateKeyToAccount(key)
  const inTurn = createMutex()
  const sendNow: Sender['send'] = async ({ to, data, gas }) => {
    const { client } = reader
    const [nonce, gasPrice] = await Promise.all([
      client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
      client.getGasPrice(),
    ])
    const serializedTransaction = await account.signTransaction({
      type: 'legacy',
      chainId: Number(reader.number),
      nonce,
      gasPrice: gasPrice * PRICE_FACTOR,
      gas,
      to,
      data,
    })
    const hash = await client.sendRawTransaction({ serializedTransaction })
    return waitForReceipt(reader, hash)
  }
  return {
    address: account.address,
    send: (transaction) => inTurn(() => sendNow(transaction)),
  }
}
