import type { Quote } from '../wire/quote.ts'

/** The native asset of an EVM chain. Source: interface "Native tokens". */
export const EVM_NATIVE = `0x${'0'.repeat(40)}`

/** The contract by which Axelar's token service names a chain's native asset, where the chain offers it as an ERC-20. */
export const NATIVE_AS_ERC20 = `0x${'e'.repeat(40)}`

/** Whether Axelar's token service takes the quote's native input as an ERC-20, so that no value sends it. */
export const isTakenAsErc20 = ({ backend, input }: Quote): boolean =>
  input.token === EVM_NATIVE && backend.type === 'its'
