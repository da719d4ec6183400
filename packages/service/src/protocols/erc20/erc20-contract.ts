import { addressWord } from '../../chains/evm/abi-words.ts'

/** First topic of `Transfer(address,address,uint256)`. Source: EIP-20. */
export const ERC20_TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Calldata of `owner()`, which the gateway's own tokens answer with the gateway. */
export const OWNER_DATA = '0x8da5cb5b'

/** Calldata of `balanceOf(address)`. */
export const balanceOfData = (owner: string): string => `0x70a08231${addressWord(owner)}`
