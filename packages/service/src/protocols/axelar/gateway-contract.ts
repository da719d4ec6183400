import { stringTail } from '../../chains/evm/abi-words.ts'
import { encodeTuple } from './abi-tuple.ts'

const TOKEN_ADDRESSES = '0x935b13f6'
const TOKEN_MINT_LIMIT = '0x269eb65e'
const TOKEN_MINT_AMOUNT = '0xcec7b359'

/** First topics of the gateway's events. Source: AxelarGateway 6.4.0. */
export const CONTRACT_CALL_TOPIC = '0x30ae6cc78c27e651745bf2ad08a11de83910ac1e347a52f7ac898c0fbef94dae'
export const CONTRACT_CALL_WITH_TOKEN_TOPIC =
  '0x7e50569d26be643bda7757722291ec66b1be66d8283474ae3fab5a98f878a7a2'

/** Calldata of `owner()`, which returns the gateway for the gateway's own tokens. */
export const OWNER_DATA = '0x8da5cb5b'

const bySymbol = (selector: string, symbol: string): string =>
  selector + encodeTuple([{ tail: stringTail(symbol) }])

/** Calldata of `tokenAddresses(string)`; it returns the zero address for an unknown symbol. */
export const tokenAddressesData = (symbol: string): string => bySymbol(TOKEN_ADDRESSES, symbol)

/** Calldata of `tokenMintLimit(string)`: base units per six hours, 0 for none. */
export const tokenMintLimitData = (symbol: string): string => bySymbol(TOKEN_MINT_LIMIT, symbol)

/** Calldata of `tokenMintAmount(string)`: base units minted in the current six hours. */
export const tokenMintAmountData = (symbol: string): string => bySymbol(TOKEN_MINT_AMOUNT, symbol)
