import { type ChainId, type ChainType, chainTypeOf } from '@openrfq/sdk'
import { evmAddressRules } from '../../chains/evm/address.ts'
import { decodeBase58, encodeBase58 } from '../../chains/solana/base58.ts'
import { decodeStrKey, strKeyBytes, strKeyText } from '../../chains/stellar/str-key.ts'
import { isEvmAddress } from '../../core/hex.ts'
import { memoize } from '../../lib/memoize.ts'

/** The role of an address in an order; only a recipient may carry more than 32 bytes. */
export type AddressRole = 'account' | 'token' | 'recipient'

/** An account or token in an attested order: 32 bytes, and a tag for the rest of a recipient's address. */
export type EncodedAddress = { readonly bytes: Uint8Array; readonly tag: bigint }

type Codec = {
  readonly encode: (text: string, role: AddressRole) => EncodedAddress | undefined
  readonly decode: (word: EncodedAddress, role: AddressRole) => string | undefined
}

const WORD_BYTES = 32
const ADDRESS_BYTES = 20
const MAX_KEY_TEXT = 44
/** Tags of Stellar recipients: 0 an account, 1 … 2^64 a muxed account and its id plus one, then a contract. */
const MUXED_IDS = 1n << 64n
const CONTRACT_TAG = MUXED_IDS + 1n
const CACHED_WORDS = 20_000

const untagged = (bytes: Uint8Array): EncodedAddress => ({ bytes, tag: 0n })

const evm: Codec = {
  encode: (text) =>
    isEvmAddress(text)
      ? untagged(Buffer.from(text.slice(2).padStart(2 * WORD_BYTES, '0'), 'hex'))
      : undefined,
  decode: ({ bytes, tag }) =>
    tag === 0n && bytes.subarray(0, WORD_BYTES - ADDRESS_BYTES).every((byte) => byte === 0)
      ? evmAddressRules.parseToken(`0x${Buffer.from(bytes.subarray(-ADDRESS_BYTES)).toString('hex')}`)
      : undefined,
}

const solana: Codec = {
  encode: (text) => {
    const bytes = text.length > MAX_KEY_TEXT ? undefined : decodeBase58(text)
    return bytes?.length === WORD_BYTES ? untagged(bytes) : undefined
  },
  decode: ({ bytes, tag }) => (tag === 0n ? encodeBase58(bytes) : undefined),
}

const recipientWord = (text: string): EncodedAddress | undefined => {
  const decoded = decodeStrKey(text)
  if (decoded === undefined) return undefined
  const { kind, bytes } = decoded
  if (kind === 'G') return untagged(bytes)
  if (kind === 'C') return { bytes, tag: CONTRACT_TAG }
  if (kind !== 'M') return undefined
  const id = Buffer.from(bytes.subarray(WORD_BYTES)).readBigUInt64BE()
  return { bytes: bytes.subarray(0, WORD_BYTES), tag: id + 1n }
}

const recipientText = ({ bytes, tag }: EncodedAddress): string | undefined => {
  if (tag === CONTRACT_TAG) return strKeyText('C', bytes)
  if (tag === 0n) return strKeyText('G', bytes)
  if (tag > MUXED_IDS) return undefined
  const id = Buffer.alloc(8)
  id.writeBigUInt64BE(tag - 1n)
  return strKeyText('M', Buffer.concat([bytes, id]))
}

const KINDS = { account: 'G', token: 'C' } as const

const stellar: Codec = {
  encode: (text, role) =>
    role === 'recipient' ? recipientWord(text) : untagged(strKeyBytes(KINDS[role], text)),
  decode: (word, role) => {
    if (role === 'recipient') return recipientText(word)
    return word.tag === 0n ? strKeyText(KINDS[role], word.bytes) : undefined
  },
}

/** Remembers the words of a family's addresses. */
const cached = ({ encode, decode }: Codec): Codec => {
  const encodeOf = (role: AddressRole) => memoize(CACHED_WORDS, (text: string) => encode(text, role))
  const byRole = { account: encodeOf('account'), token: encodeOf('token'), recipient: encodeOf('recipient') }
  return { encode: (text, role) => byRole[role](text), decode }
}

const CODECS = {
  evm: cached(evm),
  solana: cached(solana),
  stellar: cached(stellar),
} as const satisfies Record<ChainType, Codec>

const codecOf = (chain: ChainId): Codec | undefined => {
  const family = chainTypeOf(chain)
  return family && CODECS[family]
}

/** Encodes a canonical address of a chain. Throws RangeError for any other text. */
export const encodeAddress = (chain: ChainId, role: AddressRole, text: string): EncodedAddress => {
  const codec = codecOf(chain)
  if (codec === undefined) throw new RangeError(`expected a chain of a known family: ${chain}`)
  const word = codec.encode(text, role)
  if (word === undefined) throw new RangeError(`expected an address of ${chain}: ${text}`)
  return word
}

/**
 * The canonical address of an encoded one, or undefined if the chain has no such address: the inverse of
 * `encodeAddress`.
 */
export const decodeAddress = (chain: ChainId, role: AddressRole, word: EncodedAddress): string | undefined =>
  codecOf(chain)?.decode(word, role)
