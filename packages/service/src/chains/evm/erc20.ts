import { addressWord, uintWord } from './abi-words.ts'

/** First topic of `Transfer(address,address,uint256)`. Source: EIP-20. */
export const ERC20_TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Calldata of `balanceOf(address)`. Source: EIP-20. */
export const balanceOfData = (owner: string): string => `0x70a08231${addressWord(owner)}`

/** Calldata of `totalSupply()`. Source: EIP-20. */
export const TOTAL_SUPPLY_DATA = '0x18160ddd'

/** Calldata of `allowance(address,address)`. Source: EIP-20. */
export const allowanceData = (owner: string, spender: string): string =>
  `0xdd62ed3e${addressWord(owner)}${addressWord(spender)}`

/** Calldata of `approve(address,uint256)`; `amount` in base units. Source: EIP-20. */
export const approveData = (spender: string, amount: bigint): string =>
  `0x095ea7b3${addressWord(spender)}${uintWord(amount)}`

/** Calldata of `transfer(address,uint256)`; `amount` in base units. Source: EIP-20. */
export const transferData = (recipient: string, amount: bigint): string =>
  `0xa9059cbb${addressWord(recipient)}${uintWord(amount)}`

/** Calldata of `transferFrom(address,address,uint256)`; `amount` in base units. Source: EIP-20. */
export const transferFromData = (owner: string, recipient: string, amount: bigint): string =>
  `0x23b872dd${addressWord(owner)}${addressWord(recipient)}${uintWord(amount)}`

/** Calldata of `mint(address,uint256)`, which interchain tokens have; `amount` in base units. Source: IERC20MintableBurnable. */
export const mintData = (recipient: string, amount: bigint): string =>
  `0x40c10f19${addressWord(recipient)}${uintWord(amount)}`

/** Calldata of `decimals()`. Source: EIP-20. */
export const DECIMALS_DATA = '0x313ce567'

/** Calldata of `symbol()`. Source: EIP-20. */
export const SYMBOL_DATA = '0x95d89b41'

/** Calldata of `isAssociated()`, which a token of the Hedera Token Service answers about its caller. Source: HIP-719. */
export const IS_ASSOCIATED_DATA = '0x4d8fdd6d'
