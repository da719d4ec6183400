import { setTimeout as delay } from 'node:timers/promises'
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  blockhash,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getSetComputeUnitLimitInstruction } from '@solana-program/compute-budget'
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS, findAssociatedTokenPda } from '@solana-program/token'
import { keccak256, toHex } from 'viem'
import type { Hex, ReceivingChain } from '../deployment-types.ts'
import { type DeliveredTransfer, deliveredTransfer } from '../relayer/hub-payload.ts'
import { toAddress } from './address-bytes.ts'
import type { LandedTransaction } from './block.ts'
import { MAX_BLOCKHASH_AGE } from './blocks.ts'
import { borshBytes, borshU64 } from './borsh.ts'
import { INTERCHAIN_TOKEN } from './genesis.ts'
import { signerOf } from './keys.ts'
import type { SimulatedSolana } from './simulated-solana.ts'
import {
  AXELAR_RELAYER,
  eventAuthority,
  GATEWAY,
  managerAccount,
  managerAddress,
  messageAddress,
  rootAddress,
  TOKEN_SERVICE,
} from './token-service.ts'
import { decodeTransaction, type SignedTransaction } from './transaction.ts'

type Delivery = Parameters<ReceivingChain['deliver']>[0]
type DeliveryResult = Awaited<ReturnType<ReceivingChain['deliver']>>

const EXECUTE = Buffer.from('82ddf29a0dc1bd1d', 'hex')
const RECEIVE_FROM_HUB = 1
const TRANSFER = 0
const NONE = 0
const KEY_BYTES = 32
const UNIT_LIMIT = 400_000
const SYSTEM_PROGRAM = toAddress(new Uint8Array(KEY_BYTES))
const POLL_MS = 20
const DEADLINE_MS = 3_000

const bytesOf = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex')

/** What the hub's translator makes of its message for Solana. */
const translated = ({ sourceChain, tokenId, sender, recipient, amount }: DeliveredTransfer): Buffer =>
  Buffer.concat([
    Buffer.of(RECEIVE_FROM_HUB),
    borshBytes(sourceChain),
    Buffer.of(TRANSFER),
    bytesOf(tokenId),
    borshBytes(bytesOf(sender)),
    borshBytes(bytesOf(recipient)),
    borshU64(amount),
    Buffer.of(NONE),
  ])

const readonly = (address: Address) => ({ address, role: AccountRole.READONLY })
const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE })

/** The call of `execute`, with the accounts in the order of the token service. */
const executeInstruction = async (
  { sourceChain, messageId, sourceAddress }: Delivery,
  transfer: DeliveredTransfer,
  chainName: string,
): Promise<Instruction> => {
  const payload = translated(transfer)
  const command = bytesOf(keccak256(toHex(`${sourceChain}-${messageId}`)))
  const { address: mint, program } = INTERCHAIN_TOKEN
  const owner = toAddress(bytesOf(transfer.recipient))
  const [[root], [manager], [account], message, gatewayEvents, events] = await Promise.all([
    rootAddress(),
    managerAddress(transfer.tokenId),
    findAssociatedTokenPda({ owner, mint, tokenProgram: program }),
    messageAddress(command),
    eventAuthority(GATEWAY),
    eventAuthority(TOKEN_SERVICE),
  ])
  return {
    programAddress: TOKEN_SERVICE,
    accounts: [
      writable(message),
      ...[GATEWAY, GATEWAY, gatewayEvents, GATEWAY].map(readonly),
      { address: AXELAR_RELAYER.address, role: AccountRole.WRITABLE_SIGNER },
      readonly(root),
      writable(manager),
      writable(mint),
      writable(await managerAccount(manager, mint, program)),
      ...[program, ASSOCIATED_TOKEN_PROGRAM_ADDRESS, SYSTEM_PROGRAM, events, TOKEN_SERVICE].map(readonly),
      ...[owner, owner].map(readonly),
      writable(account),
    ],
    data: Buffer.concat([
      EXECUTE,
      ...[sourceChain, messageId, sourceAddress, chainName, TOKEN_SERVICE].map(borshBytes),
      bytesOf(keccak256(payload)),
      borshBytes(payload),
    ]),
  }
}

/** Signs the call with the newest final blockhash, which no fork drops. */
const signed = async (cluster: SimulatedSolana, instruction: Instruction): Promise<SignedTransaction> => {
  const signer = await signerOf(AXELAR_RELAYER)
  const { hash, height } = cluster.blocks.at('finalized')
  const lastValidBlockHeight = BigInt(height + MAX_BLOCKHASH_AGE)
  const transaction = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(signer, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash(hash), lastValidBlockHeight },
          message,
        ),
      (message) =>
        appendTransactionMessageInstructions(
          [getSetComputeUnitLimitInstruction({ units: UNIT_LIMIT }), instruction],
          message,
        ),
    ),
  )
  return decodeTransaction(Uint8Array.from(getTransactionEncoder().encode(transaction)))
}

const resultOf = ({ transaction, block, execution }: LandedTransaction): DeliveryResult =>
  execution.error === null
    ? {
        landed: true,
        txHash: transaction.signature,
        ledger: block.slot,
        timestampSeconds: block.timeSeconds,
      }
    : { landed: false, reason: `the token service refuses the message: ${JSON.stringify(execution.error)}` }

/** Delivers the hub's messages by transactions of the relayer. */
export const createTokenDelivery = (cluster: SimulatedSolana, chainName: string) => {
  const sent = new Map<string, SignedTransaction>()

  const landed = async (signature: string): Promise<LandedTransaction | undefined> => {
    for (let waitedMs = 0; waitedMs < DEADLINE_MS; waitedMs += POLL_MS) {
      const found = cluster.history.find(signature)
      if (found !== undefined) return found
      await delay(POLL_MS)
    }
    return undefined
  }
  return {
    /** Executes a message once; it counts once a block includes it. */
    deliver: async (delivery: Delivery): Promise<DeliveryResult> => {
      const earlier = cluster.history.find(sent.get(delivery.messageId)?.signature ?? '')
      if (earlier?.execution.error === null) return resultOf(earlier)
      const transfer = deliveredTransfer(delivery.payload)
      if (transfer === undefined || bytesOf(transfer.recipient).length !== KEY_BYTES)
        return { landed: false, reason: 'the token service refuses the message' }
      const transaction = await signed(cluster, await executeInstruction(delivery, transfer, chainName))
      sent.set(delivery.messageId, transaction)
      cluster.submit(transaction)
      const found = await landed(transaction.signature)
      return found === undefined
        ? { landed: false, reason: 'no block includes the delivery' }
        : resultOf(found)
    },
    /** Sends the deliveries again that a fork has dropped. */
    resend: (dropped: readonly string[]): void => {
      for (const transaction of sent.values())
        if (dropped.includes(transaction.signature)) cluster.submit(transaction)
    },
  }
}
