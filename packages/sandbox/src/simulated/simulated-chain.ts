import type { NetworkChain, NetworkToken } from 'openrfq/network'

/** An account with its secret, both in the text forms of its family. */
export type SimulatedKey = { readonly address: string; readonly privateKey: string }

/** A running Solana or Stellar chain of the sandbox. */
export type SimulatedChain = {
  /** Its network configuration, except RPC URLs. */
  readonly chain: Omit<NetworkChain, 'rpcUrls'>
  readonly rpcUrl: string
  /** Its first slot or ledger. */
  readonly firstBlock: number
  /** The PubSub URL, on Solana. */
  readonly subscriptionsUrl: string | undefined
  readonly tokens: readonly NetworkToken[]
  /** Ten accounts holding every token. */
  readonly accounts: readonly SimulatedKey[]
  /** The operator's vault: receives deposits, releases and refunds them. */
  readonly vault: SimulatedKey
  /** One account per solver of the sandbox, in their order. */
  readonly solvers: readonly SimulatedKey[]
  /** Sends base units of a token to an address. Throws RfqError if that is not possible. */
  readonly faucet: (token: string, address: string, amount: bigint) => Promise<void>
  /** Drops the last blocks; undefined if the chain has no forks. */
  readonly fork: ((depth: number) => void) | undefined
  /** Accepts the next submissions, from anybody, and loses them; they may be submitted again. */
  readonly dropNext: (count: number) => void
  /** Accepts the next submissions and never includes them: they expire. Undefined where nothing waits for a block. */
  readonly holdNext: ((count: number) => void) | undefined
  /** Makes the next block now, with what waits for it. */
  readonly includePending: () => void
  /** After the time has been moved: makes blocks until one of that time is final. */
  readonly catchUp: () => void
  readonly stop: () => Promise<void>
}
