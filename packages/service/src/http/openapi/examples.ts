const ETHEREUM = 'eip155:1'
const AVALANCHE = 'eip155:43114'
const USDC_ETHEREUM = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const USDC_AVALANCHE = '0xfaB550568C688d5D8A52C7d794cb93Edc26eC0eC'
const GATEWAY = '0x4F4495243837681061C4743b74B3eEdf548D56A5'
const SENDER = '0x1111111111111111111111111111111111111111'
const RECIPIENT = '0x2222222222222222222222222222222222222222'
const QUOTE_ID = 'quote_01k7uef7c0i6b3q1v9t2e5d8ng'
const MESSAGE_HASH = `0x${'5a'.repeat(32)}`

const CHAINS = {
  chains: [
    {
      chainId: ETHEREUM,
      chainLabel: 'Ethereum',
      chainType: 'evm',
      nativeToken: { symbol: 'ETH', decimals: 18 },
    },
  ],
}

const TOKENS = {
  tokens: [
    {
      chainId: ETHEREUM,
      address: USDC_ETHEREUM,
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      verified: true,
      backends: ['gateway'],
    },
  ],
}

const QUOTE_REQUEST = {
  fromChain: ETHEREUM,
  fromToken: USDC_ETHEREUM,
  toChain: AVALANCHE,
  toToken: USDC_AVALANCHE,
  amount: '25000000',
  orderType: 'EXACT_INPUT',
  sender: SENDER,
  recipient: RECIPIENT,
  slippageTolerance: 50,
  options: { approvalMode: 'EXACT' },
}

/** Calldata shortened to its selector and first word. */
const transaction = (data: string, to: string): Readonly<Record<string, string>> => ({
  type: 'evm_transaction',
  from: SENDER,
  to,
  data,
  value: '0',
})

export const QUOTE_ANSWER = {
  quotes: [
    {
      quoteId: QUOTE_ID,
      selectionReason: 'highest_output',
      backend: { type: 'gateway', name: 'Axelar gateway', tracking: {}, metadata: { warnings: [] } },
      estimatedTimeSeconds: 960,
      validity: { type: 'expires_at', quoteExpiresAt: '2026-11-21T07:01:00Z' },
      input: { chain: ETHEREUM, token: USDC_ETHEREUM, amount: '25000000', amountUsdApprox: '25.00' },
      output: {
        chain: AVALANCHE,
        token: USDC_AVALANCHE,
        amount: '24000000',
        amountUsdApprox: '24.00',
        minimumAmount: '24000000',
      },
      fees: {
        gas: {
          amount: '310000000000000',
          amountUsdApprox: '0.93',
          token: { chain: ETHEREUM, symbol: 'ETH', type: 'native' },
          paymentMethod: 'wallet_native',
          quoteTreatment: 'outside_quote',
        },
        user: {
          amount: '1000000',
          amountUsdApprox: '1.00',
          token: { chain: ETHEREUM, symbol: 'USDC', address: USDC_ETHEREUM },
          paymentMethod: 'input_token',
          quoteTreatment: 'included_in_quote',
        },
        integrator: null,
      },
      actions: [
        {
          id: 'approve',
          label: 'Approve 25 USDC',
          type: 'approval',
          chain: ETHEREUM,
          payload: transaction(
            `0x095ea7b3${GATEWAY.slice(2).toLowerCase().padStart(64, '0')}`,
            USDC_ETHEREUM,
          ),
        },
        {
          id: 'transfer',
          label: 'Send 25 USDC to Avalanche',
          type: 'transaction',
          chain: ETHEREUM,
          payload: transaction(`0x26ef699d${'80'.padStart(64, '0')}`, GATEWAY),
        },
      ],
    },
  ],
}

export const STATUS = {
  quoteId: QUOTE_ID,
  state: 'DONE',
  backend: { type: 'gateway', name: 'Axelar gateway' },
  source: {
    chain: ETHEREUM,
    txHash: MESSAGE_HASH,
    messageId: `${MESSAGE_HASH}-3`,
    timestamp: '2026-11-21T07:00:23Z',
  },
  destination: { chain: AVALANCHE, txHash: `0x${'7c'.repeat(32)}`, timestamp: '2026-11-21T07:16:02Z' },
  output: { chain: AVALANCHE, token: USDC_AVALANCHE, amount: '24000000' },
  refund: null,
  details: {},
}

/** Example values by their name. */
export type Examples = Readonly<Record<string, unknown>>

export const EXAMPLES: {
  readonly requests: Readonly<Record<string, Examples>>
  readonly answers: Readonly<Record<string, Examples>>
  readonly errors: Readonly<Record<string, unknown>>
} = {
  requests: { requestQuotes: { exactInput: QUOTE_REQUEST } },
  answers: {
    'listChains 200': { chains: CHAINS },
    'listTokens 200': { tokens: TOKENS },
    'requestQuotes 200': { gateway: QUOTE_ANSWER },
    'getStatus 200': { done: STATUS },
  },
  errors: {},
}
