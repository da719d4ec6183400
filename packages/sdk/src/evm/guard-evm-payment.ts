import {
  type Account,
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseAbi,
} from 'viem'
import { actionsOf } from '../execute/checked-quote.ts'
import { ExecutionError } from '../execute/execution-error.ts'
import { type Guarded, isSameAddress, unsafe } from '../guard/guards.ts'
import { valueScaleOf } from '../wire/value-scale.ts'
import { beforeSending } from './execute-evm-quote.ts'
import { guardEvmQuote } from './guard-evm-quote.ts'
import { EVM_NATIVE, isTakenAsErc20, NATIVE_AS_ERC20 } from './native-input.ts'

/** What reads the source chain. */
type Reader = {
  readonly walletClient: { readonly account: Account }
  readonly publicClient: {
    readonly call: (query: {
      readonly account: Account | Address
      readonly to: Address
      readonly data: Hex
    }) => Promise<{ readonly data?: Hex | undefined }>
  }
}

const READS = parseAbi([
  'function decimals() view returns (uint8)',
  'function registeredTokenAddress(bytes32 tokenId) view returns (address)',
])
const BRIDGED = parseAbi([
  'function interchainTransfer(bytes32 tokenId, string destinationChain, bytes destinationAddress, uint256 amount, bytes metadata, uint256 gasValue)',
])
const NATIVE_DECIMALS = 18
const WORD_CHARACTERS = 66

/**
 * As `guardEvmQuote`, and reads on the source chain what the service says of the input: its decimals, and the token behind the
 * interchain token id that the call names. Throws ExecutionError `unsafe`, and `unreachable` when the chain does not
 * answer.
 */
export const guardEvmPayment = async (reader: Reader, guarded: Guarded): Promise<void> => {
  guardEvmQuote(guarded)
  await checkDecimals(reader, guarded)
  await checkBridged(reader, guarded)
}

/** The word that a contract answers; undefined for a revert and for any other length. */
const readWord = async (
  { publicClient, walletClient: { account } }: Reader,
  to: string,
  data: Hex,
): Promise<string | undefined> => {
  const read = beforeSending(undefined, publicClient.call({ account, to: getAddress(to), data }))
  const { data: word } = await read.catch((error: unknown) => {
    if (error instanceof ExecutionError && error.code === 'refused') return { data: undefined }
    throw error
  })
  return word?.length === WORD_CHARACTERS ? word : undefined
}

const checkDecimals = async (
  reader: Reader,
  { quote, guards: { inputDecimals } }: Guarded,
): Promise<void> => {
  if (inputDecimals === undefined) return
  const { token } = quote.input
  const read =
    token === EVM_NATIVE
      ? NATIVE_DECIMALS - (valueScaleOf(quote.input.chain).toString().length - 1)
      : Number(await readWord(reader, token, encodeFunctionData({ abi: READS, functionName: 'decimals' })))
  if (read !== inputDecimals)
    throw unsafe('token_decimals', `${token} has ${read} decimals on chain, expected ${inputDecimals}`)
}

const checkBridged = async (reader: Reader, { quote }: Guarded): Promise<void> => {
  const { backend, input } = quote
  const sent = isTakenAsErc20(quote) ? NATIVE_AS_ERC20 : input.token
  const transfer = actionsOf(quote, 'evm_transaction').at(-1)
  if (transfer === undefined || backend.type !== 'its') return
  // CAST: the schema of the payload lets only 0x-hex pass, which its text type forgets.
  const [named] = decodeFunctionData({ abi: BRIDGED, data: transfer.payload.data as Hex }).args
  const data = encodeFunctionData({ abi: READS, functionName: 'registeredTokenAddress', args: [named] })
  const word = await readWord(reader, transfer.payload.to, data)
  const token = `0x${word?.slice(-40)}`
  if (word !== undefined && isSameAddress(token, sent)) return
  const message = `action "${transfer.id}" sends ${named}, which on chain is ${word === undefined ? 'no token' : token}`
  throw unsafe('token_id', message, transfer.id)
}
