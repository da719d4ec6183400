import { memoize } from '../../lib/memoize.ts'
import type { AddressRules } from '../address-rules.ts'
import { associatedTokenOf } from './associated-token.ts'
import { decodeBase58 } from './base58.ts'
import { SOLANA_KEY_BYTES } from './key-bytes.ts'
import { PROGRAMS, RESERVED_ACCOUNTS } from './programs.ts'

/** Native SOL: 32 zero bytes. Source: interface "Native tokens". */
export const SOLANA_NATIVE_TOKEN = '1'.repeat(32)

const FORM = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
/** A signature, and the indexes of the instruction and of the event in it, both from 1, or none. */
const MESSAGE_ID = /^([1-9A-HJ-NP-Za-km-z]{64,88})(?:-[1-9][0-9]{0,4}\.[1-9][0-9]{0,4})?$/
const ACCOUNT = 'base58 text of 32 bytes, not the all-zero system program'
const SIGNATURE_BYTES = 64
const CACHED_ADDRESSES = 50_000

const parse = memoize(CACHED_ADDRESSES, (text: string): string | undefined =>
  FORM.test(text) && decodeBase58(text)?.length === SOLANA_KEY_BYTES ? text : undefined,
)

const parseAccount = (text: string): string | undefined =>
  text === SOLANA_NATIVE_TOKEN ? undefined : parse(text)

/**
 * Solana addresses: base58 of 32 bytes, on or off the curve, because programs own accounts too. The all-zero key is
 * native SOL and never a payable account. Source: interface "Native tokens".
 */
export const solanaAddressRules: AddressRules = {
  chainType: 'solana',
  expected: {
    token: 'base58 text of 32 bytes: a mint, or 32 ones for native SOL',
    sender: ACCOUNT,
    recipient: ACCOUNT,
  },
  parseToken: parse,
  parseSender: parseAccount,
  parseRecipient: parseAccount,
  holderOf: (address) => address,
  reserved: RESERVED_ACCOUNTS,
  // Under both token programs, because anybody may create either account for any owner.
  holdingsOf: (owner, token) =>
    token === SOLANA_NATIVE_TOKEN
      ? []
      : [PROGRAMS.token, PROGRAMS.token2022].map((program) => associatedTokenOf(owner, token, program)),
  nativeToken: () => SOLANA_NATIVE_TOKEN,
  parseMessageId: (text) => {
    const [, signature = ''] = MESSAGE_ID.exec(text) ?? []
    // Nodes refuse to look for other lengths, which would look like a fault of theirs.
    return decodeBase58(signature)?.length === SIGNATURE_BYTES ? text : undefined
  },
}
