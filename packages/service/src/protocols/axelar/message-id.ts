import type { ChainType } from '@openrfq/sdk'

const HASH_AND_INDEX = /^(0x[0-9a-f]{64})-(0|[1-9][0-9]{0,8})$/
const SOLANA = /^[1-9A-HJ-NP-Za-km-z]{64,88}-[1-9][0-9]{0,4}\.[1-9][0-9]{0,4}$/

/** A parsed EVM message id; `logPosition` is the 0-based index within the receipt's logs, not within the block. */
export type EvmMessageId = { readonly txHash: string; readonly logPosition: number }

/**
 * Parses an EVM message id into source transaction and log index, hex in lower case; undefined if malformed. Source:
 * Axelar message ids, `<transaction hash>-<position of the event in the receipt>`.
 */
export const parseEvmMessageId = (text: string): EvmMessageId | undefined => {
  const match = HASH_AND_INDEX.exec(text.toLowerCase())
  const [, txHash, position] = match ?? []
  if (txHash === undefined || position === undefined) return undefined
  return { txHash, logPosition: Number(position) }
}

const IS_MESSAGE_ID = {
  evm: (text) => parseEvmMessageId(text) !== undefined,
  stellar: (text) => parseEvmMessageId(text) !== undefined,
  solana: (text) => SOLANA.test(text),
} as const satisfies Record<ChainType, (text: string) => boolean>

/** Whether the text is a well-formed message id of the chain family; hex digits are case-insensitive. */
export const isMessageId = (chainType: ChainType, text: string): boolean => IS_MESSAGE_ID[chainType](text)
