import type { Status, TransferAnswer, TransferState } from '@openrfq/sdk'

type Recorded = NonNullable<TransferAnswer['quote']>
type Scene = { readonly quote: Recorded; readonly status: Status }

const EVM = 'eip155:31337'
const SOLANA = 'solana:Bpu1Qr4aSCoq95PsfUXjxLBPQwLpWpqN'
const STELLAR = 'stellar:sandbox'
const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const RECIPIENT = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const HASH = `0x${'4b9e1c07'.repeat(8)}`
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'

/** The chains and tokens of the scenes; one token has a hostile name. */
export const SCENE_CHAINS = [
  {
    chainId: EVM,
    chainLabel: 'Arbitrum',
    chainType: 'evm',
    symbol: 'ETH',
    explorerUrl: 'https://arbiscan.io',
    logoUrl: 'https://logos.example/chain.svg',
  },
  { chainId: SOLANA, chainLabel: 'Solana', chainType: 'solana', symbol: 'SOL', explorerUrl: undefined },
  { chainId: STELLAR, chainLabel: 'Stellar', chainType: 'stellar', symbol: 'XLM', explorerUrl: undefined },
].map(({ symbol, explorerUrl, ...chain }) => ({
  ...chain,
  nativeToken: { symbol, decimals: 18 },
  ...(explorerUrl === undefined ? {} : { explorerUrl }),
}))

const tokenOn = (chainId: string, address: string, decimals: number, symbol = 'USDC', verified = true) => ({
  chainId,
  address,
  symbol,
  name: symbol,
  decimals,
  verified,
  backends: ['intent'],
})
const TOKENS = {
  evm: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  stellar: 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75',
  hostile: '0x00000000000000000000000000000000000000bb',
} as const

/** Tokens of the scenes. */
export const SCENE_TOKENS = [
  { ...tokenOn(EVM, TOKENS.evm, 6), logoUrl: 'https://logos.example/evm.svg' },
  { ...tokenOn(SOLANA, TOKENS.solana, 6), logoUrl: 'https://logos.example/gone.svg' },
  tokenOn(STELLAR, TOKENS.stellar, 7),
  tokenOn(EVM, TOKENS.hostile, 18, '<img src=x onerror=alert(1)>\u202eCDSU', false),
]

const iso = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** Scenes of transfers around a time in milliseconds, by name: every state that a page shows. */
export const transferScenes = (now: number): Readonly<Record<string, Scene>> => {
  const quote: Recorded = {
    quoteId: 'quote_06a1fhpz1yztq74s53eb1v84gm',
    backend: { type: 'intent', name: 'Solver Intents' },
    createdAt: iso(now - 30_000),
    quoteExpiresAt: iso(now + 30_000),
    fulfillmentDeadline: iso(now + 75_000),
    estimatedTimeSeconds: 20,
    orderType: 'EXACT_INPUT',
    sender: SENDER,
    recipient: RECIPIENT,
    input: { chain: EVM, token: TOKENS.evm, amount: '1250000000', amountUsdApprox: '1249.875' },
    output: {
      chain: SOLANA,
      token: TOKENS.solana,
      amount: '1248731250',
      minimumAmount: '1248731250',
      amountUsdApprox: '1248.61',
    },
    refund: {
      automatic: true,
      address: SENDER,
      chain: EVM,
      token: TOKENS.evm,
      cost: '0',
      expectedSeconds: 85,
      terms: 'The whole deposit goes back to the sender.',
    },
    deposit: null,
  }
  const source = { chain: EVM, txHash: HASH, messageId: null, timestamp: iso(now - 12_000) }
  const base: Status = {
    quoteId: quote.quoteId,
    state: 'AWAITING_DEPOSIT',
    backend: { type: 'intent', name: 'Solver Intents' },
    source: null,
    destination: null,
    output: null,
    refund: null,
    details: {},
  }
  const with_ = (change: Partial<Status>, about: Partial<Recorded> = {}): Scene => ({
    quote: { ...quote, ...about },
    // CAST: the changes are those of an intent's status.
    status: { ...base, ...change } as Status,
  })
  const seen = (seconds: number, state: TransferState, stage: string) => ({
    state,
    stage,
    at: iso(now - seconds * 1_000),
  })
  const paid = [seen(11, 'PENDING', 'deposit_seen'), seen(9, 'PENDING', 'deposit_final')]
  const refundStages = [
    seen(7, 'REFUND_PENDING', 'awaiting_refund'),
    seen(5, 'REFUND_INITIATED', 'refund_submitted'),
    seen(3, 'REFUNDED', 'refunded'),
  ]
  const refunding = (steps: number) => ({
    source,
    details: {
      stage: 'awaiting_refund',
      reasonCode: 'not_filled' as const,
      stages: [...paid, ...refundStages.slice(0, steps)],
    },
  })
  const delivered = {
    state: 'DONE',
    source,
    destination: { chain: SOLANA, txHash: SIGNATURE, timestamp: iso(now - 4_000) },
    output: { chain: SOLANA, token: TOKENS.solana, amount: '1248731250' },
  } as const
  return {
    awaiting: with_({}),
    deposit: with_(
      {},
      {
        sender: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
        // Where to pay is shown until then.
        quoteExpiresAt: iso(now + 3_600_000),
        input: { chain: STELLAR, token: TOKENS.stellar, amount: '12500000000' },
        deposit: {
          type: 'deposit_address',
          address: 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
          amount: '12500000000',
          token: TOKENS.stellar,
        },
      },
    ),
    expired: with_({ details: { expired: true } }, { quoteExpiresAt: iso(now - 60_000) }),
    pending: with_({
      state: 'PENDING',
      source,
      details: { stage: 'deposit_final', stages: paid },
    }),
    late: with_({
      state: 'PENDING',
      source: { ...source, timestamp: iso(now - 95_000) },
      details: { stage: 'deposit_final', overdue: true, stale: true },
    }),
    done: with_({
      ...delivered,
      details: { stage: 'delivered', stages: [...paid, seen(3, 'DONE', 'delivered')] },
    }),
    arrived: with_({ ...delivered, details: { stage: 'delivered', deliveryFinal: false } }),
    taken_back: with_({
      ...delivered,
      details: { stage: 'awaiting_relay', deliveryFinal: false, deliveryReverted: true },
    }),
    refund_due: with_({ state: 'REFUND_PENDING', ...refunding(1) }),
    refund_sent: with_({ state: 'REFUND_INITIATED', ...refunding(2) }),
    refunded: with_({
      state: 'REFUNDED',
      ...refunding(3),
      refund: { chain: EVM, token: TOKENS.evm, amount: '1250000000', txHash: `0x${'77a0'.repeat(16)}` },
    }),
    failed: with_({ state: 'FAILED', source, details: { reasonCode: 'invalid_call' } }),
    unnamed: with_(
      {
        backend: { type: 'its', name: 'Interchain Token Service' },
        details: { needs: ['messageId', 'sourceChain'] },
      },
      {
        backend: { type: 'its', name: 'Interchain Token Service' },
        refund: {
          automatic: false,
          address: null,
          chain: null,
          token: null,
          cost: null,
          expectedSeconds: null,
          terms: 'No automatic refund.',
        },
      },
    ),
    hostile: with_({}, { input: { chain: EVM, token: TOKENS.hostile, amount: (2n ** 200n).toString() } }),
  }
}
