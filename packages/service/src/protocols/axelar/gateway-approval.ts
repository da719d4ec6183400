import { addressWord, bytes32Word, bytesTail, stringTail, uintWord } from '../../chains/evm/abi-words.ts'
import { keccakHex } from '../../chains/evm/keccak.ts'
import { encodeTuple } from './abi-tuple.ts'

const IS_CALL_APPROVED = '0xf6a5f9f5'
const IS_CALL_WITH_TOKEN_APPROVED = '0xbc00c216'
const EXECUTE = '0x49160658'
const EXECUTE_WITH_TOKEN = '0x1a98b2e0'
const EXPRESS_EXECUTE_WITH_TOKEN = '0xe4a974cc'
const GET_EXPRESS_EXECUTOR_WITH_TOKEN = '0x868a166d'
const SELECTOR_END = 10

/**
 * A message that a destination's gateway may have approved. `commandId` is 32 bytes and `payload` bytes, as `0x` hex;
 * `sourceAddress` is text as Axelar has it; `token` is what comes with it, by its symbol on the destination.
 */
export type DeliveredMessage = {
  readonly commandId: string
  readonly sourceChain: string
  readonly sourceAddress: string
  readonly contract: string
  readonly payload: string
  readonly token?: { readonly symbol: string; readonly amount: bigint }
}

const tokenFields = ({ token }: DeliveredMessage) =>
  token === undefined ? [] : [{ tail: stringTail(token.symbol) }, { word: uintWord(token.amount) }]

/** Calldata of the gateway's read whether it has approved the message, which it forgets once the message is executed. */
export const isApprovedData = (message: DeliveredMessage): string => {
  const { commandId, sourceChain, sourceAddress, contract, payload, token } = message
  const payloadHash = `0x${keccakHex(Buffer.from(payload.slice(2), 'hex'))}`
  return (
    (token === undefined ? IS_CALL_APPROVED : IS_CALL_WITH_TOKEN_APPROVED) +
    encodeTuple([
      { word: bytes32Word(commandId) },
      { tail: stringTail(sourceChain) },
      { tail: stringTail(sourceAddress) },
      { word: addressWord(contract) },
      { word: bytes32Word(payloadHash) },
      ...tokenFields(message),
    ])
  )
}

/** Calldata with which anybody executes an approved message on its contract. Source: AxelarExecutable. */
export const executeMessageData = (message: DeliveredMessage): string => {
  const { commandId, sourceChain, sourceAddress, payload, token } = message
  return (
    (token === undefined ? EXECUTE : EXECUTE_WITH_TOKEN) +
    encodeTuple([
      { word: bytes32Word(commandId) },
      { tail: stringTail(sourceChain) },
      { tail: stringTail(sourceAddress) },
      { tail: bytesTail(payload) },
      ...tokenFields(message),
    ])
  )
}

/**
 * Calldata with which an executor delivers a message with a token before it is approved, from its own tokens. Source:
 * AxelarExpressExecutableWithToken.
 */
export const expressExecuteData = (message: DeliveredMessage): string =>
  EXPRESS_EXECUTE_WITH_TOKEN + executeMessageData(message).slice(SELECTOR_END)

/** A message with a token whose payload is known by its hash. */
type HashedMessage = Omit<DeliveredMessage, 'payload' | 'contract' | 'token'> & {
  readonly payloadHash: string
  readonly token: NonNullable<DeliveredMessage['token']>
}

/**
 * Calldata of the contract's read which executor has delivered a message and is not repaid yet: the zero address for none. Source:
 * AxelarExpressExecutableWithToken.
 */
export const expressExecutorData = ({
  commandId,
  sourceChain,
  sourceAddress,
  payloadHash,
  token,
}: HashedMessage): string =>
  GET_EXPRESS_EXECUTOR_WITH_TOKEN +
  encodeTuple([
    { word: bytes32Word(commandId) },
    { tail: stringTail(sourceChain) },
    { tail: stringTail(sourceAddress) },
    { word: bytes32Word(payloadHash) },
    { tail: stringTail(token.symbol) },
    { word: uintWord(token.amount) },
  ])
