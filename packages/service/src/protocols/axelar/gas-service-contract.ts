import { addressWord, bytes32Word, uintWord } from '../../chains/evm/abi-words.ts'

const ADD_NATIVE_GAS = '0xcd433ada'

/** Gas limit of `addNativeGas`. */
export const ADD_GAS_LIMIT = 90_000n

/** Calldata of the gas service's `addNativeGas`; `logPosition` counts within the receipt. */
export const addNativeGasData = (txHash: string, logPosition: number, refundAddress: string): string =>
  ADD_NATIVE_GAS + bytes32Word(txHash) + uintWord(BigInt(logPosition)) + addressWord(refundAddress)
