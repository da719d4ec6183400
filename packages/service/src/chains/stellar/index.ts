import type { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import type { Instant } from '../../core/instant.ts'
import type { NetworkChain } from '../../core/network.ts'
import type { Log } from '../../lib/log.ts'
import type { PaymentChain } from '../payment-chain.ts'
import type { RpcAsk, RpcProof } from '../rpc/rpc-members.ts'
import { createRpcPool, type RpcPool } from '../rpc/rpc-pool.ts'
import { createSigningMarks } from '../signing-mark.ts'
import { createStellarBalances } from './balance-reader.ts'
import { createClaimableBalances } from './claimable-balances.ts'
import { createClassicEvents } from './classic-events.ts'
import { createContractReader } from './contract-reader.ts'
import { createStellarHeadPoller, type StellarHeadPoller } from './head-poller.ts'
import { createOldestReader, readWindow } from './ledger-window.ts'
import { createPayableReader } from './payable.ts'
import { createPaymentReader, createTimeReader } from './payment-reader.ts'
import { createBroadcast, createOutcome } from './payout-follower.ts'
import { createPayoutSigner, VALID_SECONDS } from './payout-signer.ts'
import { loadStellarSdk } from './sdk.ts'
import { accountOfSecret } from './secret-account.ts'
import { createSharedAccounts } from './shared-accounts.ts'
import { createSharedPayouts } from './shared-payouts.ts'
import { DEFAULT_STELLAR_TIMING, type StellarTiming } from './timing.ts'
import { createTokenAssets, type StellarToken } from './token-assets.ts'

/** Dependencies of a live network: endpoints, passphrase, tokens, clock and log. */
type StellarChainDeps = {
  readonly chainId: ChainId
  readonly rpcUrls: readonly string[]
  readonly rpcHeaders?: NetworkChain['rpcHeaders']
  readonly passphrase: string
  /** Whether deposits in claimable balances are offered and looked for. */
  readonly claimableBalances?: boolean | undefined
  /**
   * The catalogue's tokens on the network; a token without a classic asset (other than the native one) cannot be paid.
   */
  readonly tokens: readonly StellarToken[]
  readonly maximumClockLeadSeconds?: number | undefined
  readonly now: () => Instant
  readonly wallTime?: () => Instant
  readonly log: Log
  readonly timing?: Partial<StellarTiming>
}

const Network = z.object({ passphrase: z.string() })

const proofOf = (passphrase: string): RpcProof => ({
  call: { method: 'getNetwork', params: {} },
  nameIn: (result) => Network.safeParse(result).data?.passphrase,
  expected: passphrase,
})

/** Each payment uses the account's next sequence number, so the previous one must have ended. */
const MAXIMUM_PAYOUTS = 1

/** Ledgers and seconds by which sound endpoints differ. */
const LAG = { number: 2n, measure: 15n }

/** A closed ledger is final, and its close time limits what it may include. */
const readStanding = async (ask: RpcAsk) => {
  const { latestLedger, latestLedgerCloseTime } = await readWindow(ask)
  return { number: BigInt(latestLedger), measure: BigInt(latestLedgerCloseTime) }
}

const lifeOf = ({ start, stop }: StellarHeadPoller, pool: RpcPool): Pick<PaymentChain, 'start' | 'stop'> => ({
  start: async () => {
    // Loaded while the head is read, so that no quote waits for it; the first user gets the error.
    loadStellarSdk().catch(() => undefined)
    await start()
  },
  stop: async () => {
    const stopped = stop()
    pool.close()
    await stopped
  },
})

/**
 * Creates a live Stellar network, read over Stellar RPC from the first endpoint that answers; an endpoint with another
 * passphrase is not used. Throws ConfigError for a token that is not the contract of its asset. Source: Stellar RPC,
 * CAP-67.
 */
export const createStellarChain = (deps: StellarChainDeps): PaymentChain => {
  const { chainId, passphrase, now, wallTime = now, log } = deps
  const timing: StellarTiming = { ...DEFAULT_STELLAR_TIMING, ...deps.timing }
  const assetOf = createTokenAssets(passphrase, deps.tokens)
  const pool = createRpcPool({
    ...deps,
    proof: proofOf(passphrase),
    maximumBatch: 1,
    asideMs: timing.asideMs,
    hurryMs: timing.hurryMs,
  })
  const poller = createStellarHeadPoller({ chainId, pool, timing, now })
  const { head } = poller
  const classicEvents = createClassicEvents({ chainId, passphrase, now, log })
  const signer = { pool, passphrase, assetOf, head, wallTime, deadlineMs: timing.transactionMs }
  const signPayout = createPayoutSigner(signer)
  const follower = { chainId, pool, deadlineMs: timing.transactionMs, log }
  return {
    chainId,
    chainType: 'stellar',
    head,
    ...createPaymentReader({ chainId, passphrase, pool, timing, now, classicEvents }),
    oldestRetained: createOldestReader({ pool, deadlineMs: timing.readMs }),
    timeOf: createTimeReader({ pool, deadlineMs: timing.readMs }),
    signingMarks: createSigningMarks({
      pool,
      newest: readStanding,
      final: readStanding,
      life: BigInt(VALID_SECONDS),
      lag: LAG,
      deadlineMs: timing.readMs,
    }),
    ...createPayableReader({ pool, assetOf, timing, now }),
    // Recipients open their trustlines themselves.
    openingRent: async () => 0n,
    paymentFeeFor: async () => head()?.paymentFee ?? 0n,
    ...createStellarBalances({ pool, passphrase, assetOf, deadlineMs: timing.readMs }),
    accountOf: accountOfSecret,
    maximumPayouts: MAXIMUM_PAYOUTS,
    sign: async (payout, secret) => signPayout(payout, { account: accountOfSecret(secret), secret }),
    broadcast: createBroadcast(follower),
    outcome: createOutcome(follower),
    balancesToClaim:
      deps.claimableBalances === true
        ? createClaimableBalances({
            ...{ chainId, passphrase, pool, assetOf, classicEvents },
            deadlineMs: timing.transactionMs,
          })
        : undefined,
    programs: undefined,
    contracts: createContractReader({ pool, passphrase, deadlineMs: timing.readMs }),
    sharedAccounts: {
      signPayout,
      ...createSharedAccounts({ pool, passphrase, wallTime, deadlineMs: timing.readMs }),
      ...createSharedPayouts({ pool, passphrase, assetOf, head, deadlineMs: timing.readMs }),
    },
    counts: pool.counts,
    faults: pool.faults,
    isAheadOfClock: pool.isAheadOfClock,
    ...lifeOf(poller, pool),
  }
}
