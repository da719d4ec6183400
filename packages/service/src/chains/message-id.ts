const HASH_AND_INDEX = /^(0x[0-9a-f]{64})(?:-(0|[1-9][0-9]{0,8}))?$/

/** A parsed message id; `logPosition` is the 0-based index within the receipt's logs, not within the block. */
export type MessageId = { readonly txHash: string; readonly logPosition: number }

/** What a client names a message by: a transaction, and an index of a log if the name has one. */
export type MessageName = { readonly txHash: string; readonly index: number | undefined }

/**
 * Parses `<transaction hash>` or `<transaction hash>-<index>` of an EVM chain, hex in lower case; undefined if malformed.
 * The index may count the logs of the receipt or those of the block.
 */
export const parseMessageName = (text: string): MessageName | undefined => {
  const [, txHash, index] = HASH_AND_INDEX.exec(text.toLowerCase()) ?? []
  if (txHash === undefined) return undefined
  return { txHash, index: index === undefined ? undefined : Number(index) }
}

/**
 * Parses the id of a message from an EVM or Stellar chain into source transaction and log index, hex in lower case;
 * undefined if malformed. Source: Axelar message ids, `<transaction hash>-<position of the event in the receipt>`.
 */
export const parseMessageId = (text: string): MessageId | undefined => {
  const name = parseMessageName(text)
  return name?.index === undefined ? undefined : { txHash: name.txHash, logPosition: name.index }
}

/** The canonical text of a message id from an EVM or Stellar chain, or undefined if malformed. */
export const canonicalMessageId = (text: string): string | undefined => {
  const id = parseMessageId(text)
  return id && `${id.txHash}-${id.logPosition}`
}

/** The canonical text of a message's name on an EVM chain, or undefined if malformed. */
export const canonicalMessageName = (text: string): string | undefined =>
  canonicalMessageId(text) ?? parseMessageName(text)?.txHash
