import { chainTypeOf } from '@openrfq/sdk'
import { privateKeyToAccount } from 'viem/accounts'
import { keccak } from '../../chains/evm/keccak.ts'
import { decodeBase58 } from '../../chains/solana/base58.ts'
import type { EvmPrivateKey } from '../../core/evm-private-key.ts'
import { isBareHash, isHash } from '../../core/hex.ts'
import type { Payment } from '../../core/payment.ts'
import { fillDigest } from '../settlers/attestation.ts'
import { orderIdOf } from '../settlers/settler-contract.ts'
import { type OpenedOrder, whyNoFill } from './fill-check.ts'

/** A signed statement that a transaction filled an order: 32 and 65 bytes as `0x` hex. */
type Attestation = { readonly transaction: string; readonly signature: string }

/**
 * Signs that a final payment filled an order. Returns undefined unless the order is open in a final block, has the hash
 * of its contents and names this attester, and the payment matches the fill exactly.
 */
export type AttestationSigner = (known: OpenedOrder, payment: Payment) => Promise<Attestation | undefined>

/**
 * The 32-byte identifier of a transaction in an attestation, as `0x` hex: the hash on EVM chains and Stellar; on Solana, where
 * signatures are longer, the Keccak-256 hash of the 64 bytes of the first signature. Throws RangeError for any other
 * text.
 */
export const transactionWord = ({ chainId, txHash }: Pick<Payment, 'chainId' | 'txHash'>): `0x${string}` => {
  const family = chainTypeOf(chainId)
  if (family === 'evm' && isHash(txHash)) return txHash
  if (family === 'stellar' && isBareHash(txHash)) return `0x${txHash}`
  const signature = family === 'solana' ? decodeBase58(txHash) : undefined
  if (signature?.length !== 64) throw new RangeError(`expected a transaction of ${chainId}: ${txHash}`)
  return `0x${Buffer.from(keccak(signature)).toString('hex')}`
}

/** Creates the only code that signs for an order with the attester's key; it repeats every check. */
export const createAttestationSigner = (privateKey: EvmPrivateKey): AttestationSigner => {
  const account = privateKeyToAccount(privateKey)
  return async (known, payment) => {
    const { orderId, order, isOpen } = known
    if (!isOpen || order.attester !== account.address || orderIdOf(order) !== orderId) return undefined
    if (whyNoFill(known, payment) !== undefined) return undefined
    const transaction = transactionWord(payment)
    const signature = await account.sign({ hash: fillDigest(order, orderId, transaction) })
    return { transaction, signature }
  }
}
