import type { ChainType } from '@openrfq/sdk'

/** Address and id rules of one chain family; canonical addresses consist of letters and digits. */
export type AddressRules = {
  readonly chainType: ChainType
  /** Describes a well-formed address of each kind, for error messages. */
  readonly expected: Readonly<Record<'token' | 'sender' | 'recipient', string>>
  /** The canonical form of a well-formed token address, or undefined. */
  readonly parseToken: (text: string) => string | undefined
  /** The canonical form of an address that can sign and pay, or undefined. */
  readonly parseSender: (text: string) => string | undefined
  /** The canonical form of an address that can be paid, or undefined. */
  readonly parseRecipient: (text: string) => string | undefined
  /**
   * The account that receives what is paid to a canonical address: for a muxed Stellar address the underlying account.
   */
  readonly holderOf: (address: string) => string
  /** Canonical accounts that exist on every chain of the family and belong to no wallet. */
  readonly reserved: readonly string[]
  /**
   * Further accounts that hold an owner's balance of a token, such as Solana's associated token accounts; both
   * canonical.
   */
  readonly holdingsOf: (owner: string, token: string) => readonly string[]
  /**
   * The identifier of the native asset on the given CAIP-2 chain, or undefined on an unknown network. Source: interface
   * "Native tokens".
   */
  readonly nativeToken: (chainId: string) => string | undefined
  /**
   * The canonical form of a well-formed id of a message that was sent from a chain of the family, or undefined. Source:
   * Axelar message ids.
   */
  readonly parseMessageId: (text: string) => string | undefined
}
