const HASH_AND_INDEX = /^(0x[0-9a-f]{64})-(0|[1-9][0-9]{0,8})$/

/** A parsed message id; `logPosition` is the 0-based index within the receipt's logs, not within the block. */
export type MessageId = { readonly txHash: string; readonly logPosition: number }

/**
 * Parses the id of a message from an EVM or Stellar chain into source transaction and log index, hex in lower case;
 * undefined if malformed. Source: Axelar message ids, `<transaction hash>-<position of the event in the receipt>`.
 */
export const parseMessageId = (text: string): MessageId | undefined => {
  const [, txHash, position] = HASH_AND_INDEX.exec(text.toLowerCase()) ?? []
  if (txHash === undefined || position === undefined) return undefined
  return { txHash, logPosition: Number(position) }
}

/** The canonical text of a message id from an EVM or Stellar chain, or undefined if malformed. */
export const canonicalMessageId = (text: string): string | undefined => {
  const id = parseMessageId(text)
  return id && `${id.txHash}-${id.logPosition}`
}
