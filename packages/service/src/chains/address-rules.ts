import type { ChainType } from '@openrfq/sdk'

/** How one chain family writes addresses; the canonical text is of letters and digits alone. */
export type AddressRules = {
  readonly chainType: ChainType
  /** What a well-formed address looks like, for error messages. */
  readonly expected: string
  /** The canonical text of a well-formed token address, or undefined. */
  readonly parseToken: (text: string) => string | undefined
  /** The canonical text of an address that can sign and pay, or undefined. */
  readonly parseSender: (text: string) => string | undefined
  /** The canonical text of an address that can be paid, or undefined. */
  readonly parseRecipient: (text: string) => string | undefined
  /** The account that holds what is paid to a canonical address: on Stellar the one behind a muxed address. */
  readonly holderOf: (address: string) => string
  /**
   * The identifier of the native asset on the given CAIP-2 chain, or undefined on a network whose native asset is not
   * known here. Source: interface "Native tokens".
   */
  readonly nativeToken: (chainId: string) => string | undefined
}
