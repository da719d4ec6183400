import { solanaChainIdOf } from '@openrfq/sdk'
import { address } from '@solana/kit'
import type { Log } from 'openrfq/lib/log'
import type { AxelarChain } from '../deployment-types.ts'
import { createSolanaFaucet } from './faucet.ts'
import { ESCROW_PROGRAM, INTERCHAIN_TOKEN, type SolanaToken, TOKENS, USERS, writeGenesis } from './genesis.ts'
import type { RpcMethodCall } from './json-rpc.ts'
import { createPubSub } from './pub-sub.ts'
import { accountMethods } from './rpc/account-methods.ts'
import { clusterMethods } from './rpc/cluster-methods.ts'
import { historyMethods } from './rpc/history-methods.ts'
import type { Methods } from './rpc/params.ts'
import { tokenMethods } from './rpc/token-methods.ts'
import { transactionMethods } from './rpc/transaction-methods.ts'
import { RPC_ERROR_CODES, RpcError } from './rpc-error.ts'
import { sentMessages } from './sent-messages.ts'
import { startNodeServer } from './server.ts'
import { createSimulatedSolana } from './simulated-solana.ts'
import { createTokenDelivery } from './token-delivery.ts'
import { GAS_SERVICE, GATEWAY, registerToken, TOKEN_SERVICE, writeTokenService } from './token-service.ts'

/** A running Solana node with its configuration and controls. */
export type SolanaNode = {
  /** The CAIP-2 chain id from the genesis hash. */
  readonly chainId: string
  readonly genesisHash: string
  readonly rpcUrl: string
  readonly subscriptionsUrl: string
  /** Ten wallets with SOL and every token; private keys are 64 bytes in base58. */
  readonly accounts: readonly { readonly address: string; readonly privateKey: string }[]
  readonly tokens: readonly SolanaToken[]
  /** The address of the escrow program. */
  readonly escrowProgram: string
  /** Axelar's programs, and how the hub's messages reach them. */
  readonly axelar: AxelarChain & { readonly gasService: string }
  /** Pays a wallet base units of a token, or SOL for the all-zero address, and waits for a block. */
  readonly faucet: (token: string, address: string, amount: bigint) => Promise<void>
  /** Stops making blocks; RPC keeps answering. */
  readonly pause: () => void
  readonly resume: () => void
  /** Makes blocks at once, also while paused. */
  readonly advance: (slots: number) => void
  /** After a move of the clock: makes the blocks that a wait as long would have made, until one of the new time is final. */
  readonly catchUp: () => void
  /** False drops every RPC and PubSub connection, open and new, until set to true. */
  readonly setUp: (up: boolean) => void
  /**
   * Drops the newest unfinalized blocks. Returns the signatures they contained. Throws RangeError when more are asked
   * for.
   */
  readonly fork: (depth: number) => readonly string[]
  /** Accepts the next transactions and never includes them. */
  readonly dropNext: (count: number) => void
  readonly stop: () => Promise<void>
}

type SolanaNodeOptions = {
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Additional wallets with the accounts' balances, such as the operator's and the solvers'. */
  readonly wallets?: readonly string[]
  readonly slotMs?: number
  readonly confirmedAfterSlots?: number
  readonly finalizedAfterSlots?: number
  /** Makes no block until `resume` or `advance`. */
  readonly startPaused?: boolean
  /** The port of its RPC where that is free; any free one by default. */
  readonly port?: number
}

/** The genesis hash, different from any real cluster's; its first 32 characters are the CAIP-2 reference. */
const GENESIS_HASH = 'Bpu1Qr4aSCoq95PsfUXjxLBPQwLpWpqNLYey3Tyy59Zd'

/** The name by which Axelar knows the chain. */
export const AXELAR_NAME = 'sandbox-solana'

const createCall = (methods: Methods): RpcMethodCall => {
  const byName = new Map(Object.entries(methods))
  return (name, params) => {
    const method = byName.get(name)
    if (method === undefined) throw new RpcError(RPC_ERROR_CODES.methodNotFound, 'Method not found')
    return method(params)
  }
}

const createTicker = (tick: () => void, slotMs: number, log: Log) => {
  let timer: NodeJS.Timeout | undefined
  const safeTick = (): void => {
    try {
      tick()
    } catch (error) {
      log('error', 'solana_slot_failed', { error: String(error) })
    }
  }
  return {
    pause: (): void => {
      clearInterval(timer)
      timer = undefined
    },
    resume: (): void => {
      timer ??= setInterval(safeTick, slotMs)
    },
  }
}

/**
 * Starts a Solana cluster in this process: real programs in a real VM, behind the RPC methods that @solana/kit uses.
 * Consensus is modelled: by default slots take 400 ms, and blocks are confirmed after one slot and finalized after 32.
 */
export const startSolanaNode = async (options: SolanaNodeOptions): Promise<SolanaNode> => {
  const { log, now, slotMs = 400, confirmedAfterSlots = 1, finalizedAfterSlots = 32 } = options
  const cluster = createSimulatedSolana({
    genesisHash: GENESIS_HASH,
    now,
    log,
    slotMs,
    confirmedAfterSlots,
    finalizedAfterSlots,
  })
  const wallets = [
    ...USERS.map((user) => user.address),
    ...(options.wallets ?? []).map((text) => address(text)),
  ]
  await writeGenesis(cluster.vm, [...new Set(wallets)])
  await writeTokenService(cluster.vm)
  const delivery = createTokenDelivery(cluster, AXELAR_NAME)
  const faucet = await createSolanaFaucet(cluster)
  const pubSub = createPubSub(cluster)
  const call = createCall({
    ...clusterMethods(cluster),
    ...accountMethods(cluster),
    ...tokenMethods(cluster),
    ...historyMethods(cluster),
    ...transactionMethods({ cluster, airdrop: faucet.send }),
  })
  const { port } = options
  const server = await startNodeServer({ call, pubSub, ...(port === undefined ? {} : { port }) })
  const ticker = createTicker(cluster.tick, slotMs, log)
  if (options.startPaused !== true) ticker.resume()
  return {
    chainId: solanaChainIdOf(GENESIS_HASH),
    genesisHash: GENESIS_HASH,
    rpcUrl: server.rpcUrl,
    subscriptionsUrl: server.subscriptionsUrl,
    accounts: USERS.map((user) => ({ address: user.address, privateKey: user.privateKey })),
    tokens: TOKENS,
    escrowProgram: ESCROW_PROGRAM,
    axelar: {
      gateway: GATEWAY,
      its: TOKEN_SERVICE,
      gasService: GAS_SERVICE,
      symbol: INTERCHAIN_TOKEN.symbol,
      register: (tokenId, trusted) => registerToken(cluster.vm, AXELAR_NAME, tokenId, trusted),
      deliver: delivery.deliver,
      sent: () => sentMessages(cluster),
    },
    faucet: (token, owner, amount) => faucet.give(token, address(owner), amount),
    pause: ticker.pause,
    resume: ticker.resume,
    advance: (slots) => {
      for (let made = 0; made < slots; made += 1) cluster.tick()
    },
    catchUp: cluster.catchUp,
    setUp: server.setUp,
    fork: (depth) => {
      const dropped = cluster.fork(depth)
      delivery.resend(dropped)
      return dropped
    },
    dropNext: cluster.dropNext,
    stop: async () => {
      ticker.pause()
      pubSub.stop()
      await server.stop()
    },
  }
}
