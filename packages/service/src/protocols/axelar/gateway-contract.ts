import { stringTail, uintWord } from '../../chains/evm/abi-words.ts'
import { encodeTuple } from './abi-tuple.ts'

const SEND_TOKEN = '0x26ef699d'
const TOKEN_ADDRESSES = '0x935b13f6'
const TOKEN_MINT_LIMIT = '0x269eb65e'
const TOKEN_MINT_AMOUNT = '0xcec7b359'

/** First topics of the gateway's events. Source: AxelarGateway 6.4.0. */
export const CONTRACT_CALL_TOPIC = '0x30ae6cc78c27e651745bf2ad08a11de83910ac1e347a52f7ac898c0fbef94dae'
export const CONTRACT_CALL_WITH_TOKEN_TOPIC =
  '0x7e50569d26be643bda7757722291ec66b1be66d8283474ae3fab5a98f878a7a2'
export const TOKEN_SENT_TOPIC = '0x651d93f66c4329630e8d0f62488eff599e3be484da587335e8dc0fcf46062726'
export const EXECUTED_TOPIC = '0xa74c8847d513feba22a0f0cb38d53081abf97562cdb293926ba243689e7c41ca'

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

/** The variable parts of transfers of one route: recipient as address text, and base units. */
export type SentToken = { readonly recipient: string; readonly amount: bigint }

/** Encodes calldata of `sendToken` from parts prepared once per route. */
export const sendTokenTemplate = (
  destinationChain: string,
  symbol: string,
): ((sent: SentToken) => string) => {
  const chainTail = stringTail(destinationChain)
  const symbolTail = stringTail(symbol)
  const recipientOffset = 4n * 32n + BigInt(chainTail.length / 2)
  const start = `${SEND_TOKEN}${uintWord(4n * 32n)}${uintWord(recipientOffset)}`
  return ({ recipient, amount }) => {
    const recipientTail = stringTail(recipient)
    const symbolOffset = uintWord(recipientOffset + BigInt(recipientTail.length / 2))
    return `${start}${symbolOffset}${uintWord(amount)}${chainTail}${recipientTail}${symbolTail}`
  }
}

/** The data of the `TokenSent` log, which repeats the arguments of `sendToken`. */
export const tokenSentData = (calldata: string): string => `0x${calldata.slice(SEND_TOKEN.length)}`
