import { ConfigError } from '../../core/config-error.ts'
import { memoize } from '../../lib/memoize.ts'
import type { AddressRules } from '../address-rules.ts'
import { canonicalMessageId } from '../message-id.ts'
import { contractIdOf } from './asset-contract.ts'
import { accountBehind } from './muxed-account.ts'
import { decodeStrKey, type StrKeyKind } from './str-key.ts'

/** Contract addresses of the native asset on the public networks; tests derive them from the passphrases. */
const NATIVE_TOKENS: ReadonlyMap<string, string> = new Map([
  ['stellar:pubnet', 'CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA'],
  ['stellar:testnet', 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC'],
])

const CACHED_ADDRESSES = 50_000

/** A secret seed is not an address and must not be remembered. */
const kindOf = memoize(CACHED_ADDRESSES, (text: string): Exclude<StrKeyKind, 'S'> | undefined => {
  const kind = decodeStrKey(text)?.kind
  return kind === 'S' ? undefined : kind
})

const parser =
  (kinds: string) =>
  (text: string): string | undefined => {
    const kind = kindOf(text)
    return kind !== undefined && kinds.includes(kind) ? text : undefined
  }

const rulesWith = (nativeTokens: ReadonlyMap<string, string>): AddressRules => ({
  chainType: 'stellar',
  expected: {
    token: "a StrKey with its checksum: the C… address of an asset's contract",
    sender: 'a StrKey with its checksum: the G… address of an account',
    recipient: 'a StrKey with its checksum: G…, C… or M…',
  },
  parseToken: parser('C'),
  parseSender: parser('G'),
  parseRecipient: parser('GCM'),
  holderOf: (address) => accountBehind(address)?.account ?? address,
  reserved: [],
  holdingsOf: () => [],
  nativeToken: (chainId) => nativeTokens.get(chainId),
  parseMessageId: canonicalMessageId,
})

/**
 * Stellar addresses: StrKey text with its checksum. Tokens are contracts, senders are accounts; contracts and muxed
 * accounts can be paid too. Knows the native asset of the public networks, and of each given network by its passphrase.
 * Throws `ConfigError` for a public network with another passphrase. Source: SEP-23, interface "Native tokens".
 */
export const stellarRulesOf = (
  chains: readonly { readonly chainId: string; readonly passphrase?: string | undefined }[],
): AddressRules => {
  const nativeTokens = new Map(NATIVE_TOKENS)
  for (const { chainId, passphrase } of chains) {
    if (passphrase === undefined) continue
    const derived = contractIdOf('native', passphrase)
    if ((NATIVE_TOKENS.get(chainId) ?? derived) !== derived)
      throw new ConfigError(`chain ${chainId}: the passphrase "${passphrase}" is not that of the network`)
    nativeTokens.set(chainId, derived)
  }
  return rulesWith(nativeTokens)
}
