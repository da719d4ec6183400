import { RfqError } from '@openrfq/sdk'
import type { Log } from 'openrfq/lib/log'
import type { AccountKeys } from 'openrfq/vault-signers'
import type { AxelarChain } from '../deployment-types.ts'
import { createAssetIssuer } from './asset-issuer.ts'
import { type AssetName, assetContractOf, NATIVE } from './asset-name.ts'
import { openOrderBook } from './dealer.ts'
import { createStellarFaucet } from './faucet.ts'
import { createFriendbot } from './friendbot.ts'
import { genesisEntries, INTERCHAIN_ASSET, ISSUED_ASSETS, STELLAR_DECIMALS } from './genesis.ts'
import { keyOperations } from './key-operations.ts'
import { type StellarKey, sandboxKey, USER_KEYS } from './keys.ts'
import { type AccountFunds, openAccount } from './open-account.ts'
import { createRpcMethods } from './rpc/methods.ts'
import { startRpcServer } from './rpc/server.ts'
import { createSimulatedStellar, type SimulatedStellar } from './simulated-stellar.ts'
import { deliverMessage } from './token-delivery.ts'
import { GATEWAY_CONTRACT, TOKEN_SERVICE_CONTRACT } from './token-service.ts'

/** An asset of the sandbox's Stellar network; `address` is its contract's. */
type StellarAsset = {
  readonly address: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** `native`, or `code:issuer`. */
  readonly asset: AssetName
}

/** The sandbox's Stellar node with its RPC and controls. A closed ledger is final. */
export type StellarNode = {
  readonly chainId: 'stellar:sandbox'
  readonly rpcUrl: string
  readonly networkPassphrase: string
  /** Ten accounts with a million of every asset. */
  readonly accounts: readonly StellarKey[]
  /** XLM first. */
  readonly assets: readonly StellarAsset[]
  /**
   * Pays base units of a token, named by its contract. Throws RfqError when the ledger is paused or the address cannot
   * be paid.
   */
  readonly faucet: (token: string, address: string, amount: bigint) => void
  /** Derives the sandbox's key of a name such as `operator`. Everybody can derive it. */
  readonly keyNamed: (name: string) => StellarKey
  /** Creates an account for the operator or a solver with trustlines and funds. */
  readonly openAccount: (key: StellarKey, funds: AccountFunds) => void
  /** Gives an account the keys and thresholds; its own key signs. */
  readonly shareAccount: (key: StellarKey, keys: AccountKeys) => void
  /** Axelar's contracts: the gateway and the Interchain Token Service. */
  readonly axelar: AxelarChain
  /** Closes no ledger until resumed; submissions stay pending. */
  readonly pause: () => void
  readonly resume: () => void
  /** False makes the RPC unreachable, true restores it. */
  readonly setUp: (up: boolean) => void
  /** Answers the next submissions PENDING and never includes them; they expire at their time bounds. */
  readonly holdNext: (count: number) => void
  /** Includes held transactions in the next ledger. */
  readonly releaseHeld: () => void
  /** Answers the next submissions PENDING and loses them; they may be submitted again. */
  readonly dropNext: (count: number) => void
  /** Closes a ledger now, also while paused. */
  readonly closeLedger: () => void
  readonly stop: () => Promise<void>
}

type StellarNodeOptions = {
  readonly log: Log
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds between ledgers; with 0 only `closeLedger` closes them. */
  readonly closeMs?: number
  /** Ledgers whose transactions and events can be queried. */
  readonly retainedLedgers?: number
}

const CHAIN_ID = 'stellar:sandbox'
const NETWORK_PASSPHRASE = 'OpenRFQ Sandbox Network ; worthless everywhere'
const CLOSE_MS = 1000
const RETAINED_LEDGERS = 10_000

const PAUSED = { status: 400, body: { detail: 'the ledger is paused' } } as const

const LUMENS = { symbol: 'XLM', name: 'Stellar Lumens', asset: NATIVE } as const

const describeAssets = (): readonly StellarAsset[] =>
  [LUMENS, ...ISSUED_ASSETS, INTERCHAIN_ASSET].map((asset) => ({
    ...asset,
    address: assetContractOf(asset.asset, NETWORK_PASSPHRASE),
    decimals: STELLAR_DECIMALS,
  }))

/** Axelar's contracts on the ledger, which take nothing while it is paused. */
const axelarOf = (
  ledger: SimulatedStellar,
  networkPassphrase: string,
  isPaused: () => boolean,
): StellarNode['axelar'] => ({
  gateway: GATEWAY_CONTRACT,
  its: TOKEN_SERVICE_CONTRACT,
  symbol: INTERCHAIN_ASSET.symbol,
  register: async (tokenId, trusted) => {
    ledger.contracts.tokenService.register(tokenId, INTERCHAIN_ASSET.asset)
    ledger.contracts.tokenService.trust(trusted)
  },
  sent: () => [],
  deliver: async (delivery) =>
    isPaused()
      ? { landed: false, reason: 'the ledger is paused' }
      : deliverMessage(ledger, networkPassphrase, delivery),
})

const assetIn = (assets: readonly StellarAsset[], token: string): AssetName => {
  const asset = assets.find((known) => known.address === token)?.asset
  if (asset !== undefined) return asset
  throw new RfqError('UNSUPPORTED_TOKEN', `${token} is no token of ${CHAIN_ID}`, { token })
}

/** Starts the network with its order book, and its RPC on a free port of 127.0.0.1. */
export const startStellarNode = async (options: StellarNodeOptions): Promise<StellarNode> => {
  const { log, now, closeMs = CLOSE_MS, retainedLedgers = RETAINED_LEDGERS } = options
  const networkPassphrase = NETWORK_PASSPHRASE
  const ledger = createSimulatedStellar({
    networkPassphrase,
    genesis: genesisEntries(),
    retainedLedgers,
    now,
  })
  const assetIssuer = createAssetIssuer(ledger, networkPassphrase)
  openOrderBook(assetIssuer)
  const give = createStellarFaucet(ledger, assetIssuer)
  const assets = describeAssets()
  let isPaused = false
  const giveLumens = createFriendbot(ledger, assetIssuer)
  const server = await startRpcServer({
    methodsAt: (friendbotUrl) =>
      createRpcMethods({ ledger, networkPassphrase, retainedLedgers, friendbotUrl }),
    friendbot: (address) => (isPaused ? PAUSED : giveLumens(address)),
    log,
  })
  const tick = (): void => {
    if (isPaused) return
    try {
      ledger.close()
    } catch (error) {
      log('error', 'stellar_ledger_failed', { error: String(error) })
    }
  }
  const refuseWhilePaused = (): void => {
    if (isPaused) throw new RfqError('INVALID_REQUEST', `${CHAIN_ID} is paused: resume it first`)
  }
  const timer = closeMs === 0 ? undefined : setInterval(tick, closeMs)
  return {
    chainId: CHAIN_ID,
    rpcUrl: server.url,
    networkPassphrase,
    accounts: USER_KEYS,
    assets,
    faucet: (token, address, amount) => {
      refuseWhilePaused()
      give(assetIn(assets, token), address, amount)
    },
    keyNamed: sandboxKey,
    openAccount: (key, funds) => {
      refuseWhilePaused()
      openAccount(ledger, assetIssuer, key, funds)
    },
    shareAccount: (key, keys) => assetIssuer.run([key], keyOperations(key.address, keys)),
    axelar: axelarOf(ledger, networkPassphrase, () => isPaused),
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
    },
    setUp: server.setUp,
    holdNext: ledger.holdNext,
    releaseHeld: ledger.releaseHeld,
    dropNext: ledger.dropNext,
    closeLedger: ledger.close,
    stop: () => {
      clearInterval(timer)
      return server.stop()
    },
  }
}
