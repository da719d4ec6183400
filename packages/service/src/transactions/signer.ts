import assert from 'node:assert/strict'
import { getAddress, isHex, keccak256, parseTransaction, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { EvmFees } from '../chains/evm/gas.ts'
import type { EvmPrivateKey } from '../core/evm-private-key.ts'

/** A call: `value` in wei, `data` as hex. */
export type SignerCall = {
  readonly to: string
  readonly data: string
  readonly value: bigint
  readonly gasLimit: bigint
}

/** A signed transaction and its hash, lower-case hex. */
type SignedTransaction = { readonly txHash: string; readonly rawTransaction: string }

/** Signs the transactions of one account on one chain; no network. */
export type Signer = {
  /** The account's address in lower case. */
  readonly sender: string
  readonly sign: (call: SignerCall, nonce: number, fees: EvmFees) => Promise<SignedTransaction>
  /** Signs the same call with another nonce or other fees. */
  readonly signAgain: (rawTransaction: string, nonce: number, fees: EvmFees) => Promise<SignedTransaction>
}

const parseRaw = (rawTransaction: string) => {
  assert(isHex(rawTransaction), 'expected a signed transaction as hex')
  return parseTransaction(rawTransaction)
}

/** Equal fees mean a chain without a base fee, which may only know legacy transactions. */
const feeFields = (fees: EvmFees) =>
  fees.maxFeePerGas === fees.maxPriorityFeePerGas
    ? ({ type: 'legacy', gasPrice: fees.maxFeePerGas } as const)
    : ({ type: 'eip1559', ...fees } as const)

/** The fees a transaction was signed with, in wei per unit of gas. */
export const feesOf = (rawTransaction: string): EvmFees => {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = parseRaw(rawTransaction)
  const most = maxFeePerGas ?? gasPrice ?? 0n
  return {
    maxFeePerGas: most,
    maxPriorityFeePerGas: gasPrice === undefined ? (maxPriorityFeePerGas ?? 0n) : most,
  }
}

/** The account of a private key, in lower case. */
export const addressOfKey = (privateKey: EvmPrivateKey): string =>
  privateKeyToAccount(privateKey).address.toLowerCase()

/** Creates a signer for a private key and a chain number. Source: EIP-155, EIP-1559. */
export const createSigner = (privateKey: EvmPrivateKey, chainNumber: number): Signer => {
  const account = privateKeyToAccount(privateKey)
  const finish = async (transaction: TransactionSerializable): Promise<SignedTransaction> => {
    const rawTransaction = await account.signTransaction(transaction)
    return { rawTransaction, txHash: keccak256(rawTransaction) }
  }
  return {
    sender: account.address.toLowerCase(),
    sign: ({ to, data, value, gasLimit }, nonce, fees) => {
      assert(isHex(data), `expected calldata as hex: ${data}`)
      const call = { to: getAddress(to), data, value, gas: gasLimit }
      return finish({ chainId: chainNumber, nonce, ...call, ...feeFields(fees) })
    },
    signAgain: (rawTransaction, nonce, fees) => {
      const { to, data, value, gas } = parseRaw(rawTransaction)
      assert(to !== undefined && gas !== undefined, 'a signed transaction without target or gas')
      const call = { to, data: data ?? '0x', value: value ?? 0n, gas } as const
      return finish({ chainId: chainNumber, nonce, ...call, ...feeFields(fees) })
    },
  }
}
