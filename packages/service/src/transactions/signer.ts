import assert from 'node:assert/strict'
import { getAddress, isHex, keccak256, parseTransaction, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { EvmHead } from '../chains/evm/evm-chain.ts'
import type { EvmFees } from '../chains/evm/gas.ts'
import { l1Gas } from '../chains/evm/l1-fee.ts'
import type { EvmPrivateKey } from '../core/evm-private-key.ts'

/** A call: `value` in wei, `data` as hex. */
export type SignerCall = {
  readonly to: string
  readonly data: string
  readonly value: bigint
  /** For the execution. A rollup that charges for data in gas takes that gas first: signing adds it. */
  readonly gasLimit: bigint
}

/** What a chain's head tells of the price of a transaction. */
type Prices = Pick<EvmHead, keyof EvmFees | 'l1Cost'>

/**
 * The gas limit that a call is signed with, and is to be tried with. Arbitrum takes the gas of the data from the limit before
 * the execution starts, in blocks and in `eth_call` alike. Source: `GasChargingHook` of Nitro's arbos/tx_processor.go.
 */
export const signedGasLimit = (
  { gasLimit, data }: Pick<SignerCall, 'gasLimit' | 'data'>,
  head: Pick<EvmHead, 'l1Cost'> | undefined,
): bigint => gasLimit + l1Gas(head?.l1Cost, data)

/** A signed transaction and its hash, lower-case hex. */
type SignedTransaction = { readonly txHash: string; readonly rawTransaction: string }

/** Signs the transactions of one account on one chain; no network. */
export type Signer = {
  /** The account's address in lower case. */
  readonly sender: string
  readonly sign: (call: SignerCall, nonce: number, prices: Prices) => Promise<SignedTransaction>
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
    : ({
        type: 'eip1559',
        maxFeePerGas: fees.maxFeePerGas,
        maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
      } as const)

/** The fees a transaction was signed with, in wei per unit of gas. */
export const feesOf = (rawTransaction: string): EvmFees => {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = parseRaw(rawTransaction)
  const most = maxFeePerGas ?? gasPrice ?? 0n
  return {
    maxFeePerGas: most,
    maxPriorityFeePerGas: gasPrice === undefined ? (maxPriorityFeePerGas ?? 0n) : most,
  }
}

/** The hash of a signed transaction, lower-case hex. */
export const hashOfSigned = (rawTransaction: string): string => {
  assert(isHex(rawTransaction), 'expected a signed transaction as hex')
  return keccak256(rawTransaction)
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
    sign: ({ to, data, value, gasLimit }, nonce, prices) => {
      assert(isHex(data), `expected calldata as hex: ${data}`)
      const gas = signedGasLimit({ gasLimit, data }, prices)
      const call = { to: getAddress(to), data, value, gas }
      return finish({ chainId: chainNumber, nonce, ...call, ...feeFields(prices) })
    },
    signAgain: (rawTransaction, nonce, fees) => {
      const { to, data, value, gas } = parseRaw(rawTransaction)
      assert(to !== undefined && gas !== undefined, 'a signed transaction without target or gas')
      const call = { to, data: data ?? '0x', value: value ?? 0n, gas } as const
      return finish({ chainId: chainNumber, nonce, ...call, ...feeFields(fees) })
    },
  }
}
