import type { ChainId } from '@openrfq/sdk'
import type { Exchange } from 'openrfq/network'

/** Hex text with 0x: an address, key, hash or calldata. */
export type Hex = `0x${string}`

/** One of the sandbox's EVM chains with its Axelar contracts and factory; `rpcUrl` is anvil's own. */
export type SandboxChain = {
  readonly chainId: ChainId
  readonly chainLabel: string
  /** Axelar's case-sensitive name of the chain. */
  readonly axelarName: string
  readonly rpcUrl: string
  readonly gateway: Hex
  readonly gasService: Hex
  readonly its: Hex
  readonly itsFactory: Hex
  /** The ContractFactory. */
  readonly factory: Hex
  /** The hub's limits for the chain: bits of the largest amount, and the decimals it truncates to. */
  readonly maxUintBits: number
  readonly maxDecimalsWhenTruncating: number
}

/** Executes a message of the hub once. */
type Deliver = (message: {
  readonly sourceChain: string
  readonly messageId: string
  readonly sourceAddress: string
  readonly payload: Hex
}) => Promise<
  | {
      readonly landed: true
      readonly txHash: string
      readonly ledger: number
      readonly timestampSeconds: number
    }
  | { readonly landed: false; readonly reason: string }
>

/** A message that a contract of a simulated chain sent through the gateway, once it is final; gas in native base units. */
export type SentCall = {
  readonly messageId: string
  readonly txHash: string
  readonly slot: number
  readonly timestampSeconds: number
  readonly payer: string
  readonly sender: string
  readonly destination: string
  readonly destinationAddress: string
  /** As the hub reads it. */
  readonly payload: Hex
  readonly payloadHash: Hex
  readonly gas: bigint
}

/** Axelar on a simulated chain. */
export type AxelarChain = {
  readonly gateway: string
  readonly its: string
  /** The symbol of the asset that is an interchain token. */
  readonly symbol: string
  /** Makes the asset the interchain token of the id, which the chains of these Axelar names send. */
  readonly register: (tokenId: Hex, trusted: readonly string[]) => Promise<void>
  /** Executes a message of the hub, and waits for the block or ledger that includes it. */
  readonly deliver: Deliver
  /** The messages that were sent so far; a chain that sends none has none. */
  readonly sent: () => readonly SentCall[]
}

/** A chain of another family, which receives interchain tokens from the hub and may send them. */
export type ReceivingChain = {
  readonly chainId: ChainId
  readonly axelarName: string
  readonly gateway: string
  readonly its: string
  readonly maxUintBits: number
  readonly maxDecimalsWhenTruncating: number
  /** What the hub knows of its tokens, by token id in lower case. */
  readonly tokens: ReadonlyMap<
    string,
    { readonly name: string; readonly symbol: string; readonly decimals: number }
  >
  /** Executes a message of the hub once. */
  readonly deliver: Deliver
  readonly sent: () => readonly SentCall[]
}

/** A sandbox chain with its exchange, express router and settlers. */
export type BuiltChain = SandboxChain & {
  /** The IntentSettler. */
  readonly settler: Hex
  readonly exchange: Exchange
  readonly expressRouter: Hex
  readonly attestedSettler: Hex
}

/** A gateway asset: its symbol on each chain, by Axelar name. */
export type GatewayAsset = {
  readonly denom: string
  readonly decimals: number
  readonly symbols: Readonly<Record<string, string>>
  /** The most that the express executor delivers per message. */
  readonly expressCap: bigint
}

/** The gateway's signers: keys in ascending order of their addresses, each with a weight. */
export type SignerSet = {
  readonly keys: readonly Hex[]
  readonly weights: readonly bigint[]
  readonly threshold: bigint
}

/** The sandbox's ITS hub: a 65-character label without an account; the contracts require that length. */
export const HUB = {
  chain: 'axelar',
  address: 'axelar1sandbox000000000000000000000000000000000000000000000000hub',
} as const

/** The sandbox's router, and its gateway before the hub: labels as the hub's. */
export const ROUTER = 'axelar1sandbox0000000000000000000000000000000000000000000000router'
export const AXELARNET_GATEWAY = 'axelar1sandbox00000000000000000000000000000000000000000000gateway'
