import type { NetworkChain, NetworkToken } from 'openrfq/network'

/** An account with what signs for it, both in the texts of its family. */
export type SimulatedKey = { readonly address: string; readonly privateKey: string }

/** A running ledger of another family than EVM, as the sandbox needs it. */
export type SimulatedChain = {
  /** All of its configuration but the addresses of its RPC. */
  readonly chain: Omit<NetworkChain, 'rpcUrls'>
  readonly rpcUrl: string
  /** The slot or ledger with which it began. */
  readonly firstBlock: number
  /** Of PubSub, on Solana. */
  readonly subscriptionsUrl: string | undefined
  readonly tokens: readonly NetworkToken[]
  /** Ten accounts holding every token. */
  readonly accounts: readonly SimulatedKey[]
  /** Takes deposits, releases and refunds them. */
  readonly vault: SimulatedKey
  /** One for each solver of the sandbox, in their order. */
  readonly solvers: readonly SimulatedKey[]
  /** Gives base units of a token to an address. Throws RfqError when that is not possible. */
  readonly faucet: (token: string, address: string, amount: bigint) => Promise<void>
  /** Drops the last blocks, where the ledger has forks; undefined where it has none. */
  readonly fork: ((depth: number) => void) | undefined
  /** Takes the next submissions, whoever sends them, and loses them; the same ones may be submitted again. */
  readonly dropNext: (count: number) => void
  /** Takes the next submissions and includes them never: they lapse. Undefined where nothing waits for a block. */
  readonly holdNext: ((count: number) => void) | undefined
  readonly stop: () => Promise<void>
}
