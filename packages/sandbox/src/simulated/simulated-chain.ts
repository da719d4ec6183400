import type { ChainId } from '@openrfq/sdk'
import type { NetworkChain, NetworkToken } from 'openrfq/network'
import type { AxelarChain } from '../deployment-types.ts'

/** An account with its secret, both in the text forms of its family. */
export type SimulatedKey = { readonly address: string; readonly privateKey: string }

/** A running Solana or Stellar chain of the sandbox. */
export type SimulatedChain = {
  /** Its network configuration, except RPC URLs. */
  readonly chain: Omit<NetworkChain, 'rpcUrls'>
  readonly rpcUrl: string
  /** Its first slot or ledger number. */
  readonly firstBlock: number
  /** The PubSub URL on Solana; undefined on Stellar. */
  readonly subscriptionsUrl: string | undefined
  readonly tokens: readonly NetworkToken[]
  /** How interchain tokens arrive. */
  readonly axelar: AxelarChain
  /** Ten accounts with a balance of every token. */
  readonly accounts: readonly SimulatedKey[]
  /** The operator's vault, which receives deposits and pays releases and refunds; undefined where a program does. */
  readonly vault: SimulatedKey | undefined
  /** The co-signer of the vault, which runs in the attester; undefined without a vault. */
  readonly cosigner: SimulatedKey | undefined
  /** The operator's account that submits refunds; undefined where the vault makes them. */
  readonly keeper: SimulatedKey | undefined
  /** One account per solver of the sandbox, in their order. */
  readonly solvers: readonly SimulatedKey[]
  /** Sends base units of a token to an address. Throws RfqError when the token or address is invalid. */
  readonly faucet: (token: string, address: string, amount: bigint) => Promise<void>
  /** Drops the last blocks; undefined on a chain without forks. */
  readonly fork: ((depth: number) => void) | undefined
  /** Accepts the next submissions from any sender and loses them; the sender may submit them again. */
  readonly dropNext: (count: number) => void
  /** Accepts the next submissions and never includes them, so they expire. Undefined on a chain without a queue. */
  readonly holdNext: ((count: number) => void) | undefined
  /** Makes the next block with the pending transactions. */
  readonly includePending: () => void
  /** After a clock move: makes blocks until a block of the new time is final. */
  readonly catchUp: () => void
  readonly stop: () => Promise<void>
}

/** A token of a simulated chain in the network's configuration: verified, and quoted by solvers. */
export const simulatedToken = (
  chainId: ChainId,
  { address, symbol, name, decimals }: Pick<NetworkToken, 'address' | 'symbol' | 'name' | 'decimals'>,
  usdPrice: string | undefined,
): NetworkToken => ({
  chainId,
  address,
  symbol,
  name,
  decimals,
  verified: true,
  resetsAllowance: false,
  intent: true,
  usdPrice,
})
