import type { OpeningMethod } from '@openrfq/sdk'
import { type Hex, hashTypedData, hexToBytes, type TypedDataDefinition } from 'viem'
import { recoverAddress } from '../../chains/evm/recover-address.ts'
import { isSameAddress } from '../../core/comparable-address.ts'
import { type OpenableOrder, typedDataOf, type WrittenData } from './typed-data.ts'

/** The EIP-712 hash of typed data. */
const digestOf = (typedData: WrittenData): Hex =>
  // CAST: numbers are decimal text here, which viem encodes as it encodes numbers.
  hashTypedData(typedData as unknown as TypedDataDefinition)

/** Whether the depositor's own key made the signature that binds the order; a contract account may accept another. */
export const isSignedByKey = (
  method: OpeningMethod,
  openable: OpenableOrder,
  signatures: readonly string[],
): boolean => {
  const binding = typedDataOf(method, openable).at(-1)
  const signature = signatures.at(-1)
  if (binding === undefined || signature === undefined) return false
  const signer = recoverAddress(hexToBytes(digestOf(binding)), signature)
  return signer !== undefined && isSameAddress(signer, openable.order.depositor)
}
