import { BackendType, type ListedToken, RfqError } from '@openrfq/sdk'
import { type BaseUnits, baseUnits } from '../src/core/amount.ts'
import type { Chain } from '../src/core/chain.ts'
import type { OfferedFee } from '../src/core/offer.ts'
import type { QuoteRequest } from '../src/core/order.ts'
import { firstQuoteId, quoteIds } from '../src/core/quote-id.ts'
import type { RankedQuote } from '../src/core/ranked-quote.ts'
import { notFound, presentStatus } from '../src/core/status.ts'
import { awaitingDeposit } from '../src/core/transfer.ts'
import { getTransfer } from '../src/service/get-transfer.ts'
import { openOrder } from '../src/service/open-order.ts'
import { searchTransfers } from '../src/service/search-transfers.ts'
import { createStatusFeed } from '../src/service/status-feed.ts'
import type { UseCases } from '../src/service/use-cases.ts'

const NATIVE = `0x${'0'.repeat(40)}`
const TOKEN = `0x${'a1'.repeat(20)}`
const CREATED_AT = Date.UTC(2026, 10, 21, 7)

export const CHAINS: readonly Chain[] = [31337, 31338].map((id) => ({
  chainId: `eip155:${id}`,
  chainLabel: `Chain ${id}`,
  chainType: 'evm',
  nativeToken: { symbol: 'ETH', decimals: 18 },
}))

export const TOKENS: readonly ListedToken[] = CHAINS.flatMap(({ chainId }) => [
  { chainId, address: NATIVE, symbol: 'ETH', name: 'Ether', decimals: 18, verified: true, backends: [] },
  {
    chainId,
    address: TOKEN,
    symbol: 'USD₮',
    name: 'Test "dollar"',
    decimals: 6,
    verified: false,
    backends: ['its', 'gateway'],
  },
])

/** A request that the tables answer with one quote. */
export const GOOD_REQUEST = {
  fromChain: 'eip155:31337',
  fromToken: TOKEN,
  toChain: 'eip155:31338',
  toToken: TOKEN,
  amount: '1000000',
  orderType: 'EXACT_INPUT',
  sender: `0x${'b2'.repeat(20)}`,
  recipient: `0x${'c3'.repeat(20)}`,
}

const feeOf = (chain: string, amount: bigint): OfferedFee => ({
  amount: baseUnits(amount),
  token: { chain, symbol: 'ETH', type: 'native' },
  decimals: 18,
  asset: { chainId: chain, address: NATIVE },
  paymentMethod: 'wallet_native',
  quoteTreatment: 'outside_quote',
})

const quoteOf = (request: QuoteRequest, quoteId: RankedQuote['record']['quoteId']): RankedQuote => {
  const amount: BaseUnits = request.amount
  return {
    record: {
      quoteId,
      backend: 'its',
      backendName: 'Interchain token service',
      createdAt: CREATED_AT,
      quoteExpiresAt: CREATED_AT + 60_000,
      estimatedTimeSeconds: 90,
      orderType: request.orderType,
      fromChain: request.fromChain,
      fromToken: request.fromToken,
      toChain: request.toChain,
      toToken: request.toToken,
      sender: request.sender,
      recipient: request.recipient,
      input: amount,
      output: amount,
      minimumOutput: amount,
      binding: {},
    },
    offer: {
      backend: 'its',
      backendName: 'Interchain token service',
      input: amount,
      output: amount,
      minimumOutput: amount,
      estimatedTimeSeconds: 90,
      lifetimeSeconds: 60,
      gasFee: feeOf(request.fromChain, 21_000n),
      userFee: { ...feeOf(request.fromChain, 5n), paymentMethod: 'tx_value' },
      actions: [
        {
          id: 'transfer',
          label: 'Send the token',
          type: 'transaction',
          chain: request.fromChain,
          payload: { type: 'evm_transaction', from: request.sender, to: TOKEN, data: '0xabcd', value: '5' },
        },
      ],
      tracking: {},
      metadata: { warnings: [] },
      binding: {},
    },
    selectionReason: 'highest_output',
    usd: { input: '1.00', output: undefined, gas: undefined, user: undefined },
    integrator: null,
  }
}

/** The service's use cases over small tables in memory; stores its quotes and reads no chain. */
export const createTableUseCases = (): UseCases => {
  const quotes = new Map<string, RankedQuote['record']>()
  let random = 0n
  const assertServed = (chain: string): void => {
    if (CHAINS.every(({ chainId }) => chainId !== chain)) {
      throw new RfqError('UNSUPPORTED_CHAIN', `${chain} is not supported`, { chain })
    }
  }
  const assertListed = (chain: string, address: string): void => {
    if (TOKENS.every((token) => token.chainId !== chain || token.address !== address)) {
      throw new RfqError('UNSUPPORTED_TOKEN', `${address} is not supported on ${chain}`, { chain })
    }
  }
  const getStatus: UseCases['getStatus'] = async ({ quoteId }) => {
    const quote = quotes.get(quoteId)
    return quote === undefined
      ? notFound(quoteId, 'unknown_quote')
      : presentStatus(quote, awaitingDeposit(quote.quoteId, ''), {})
  }
  const { follow } = createStatusFeed({
    readStatus: async (query, client) => ({ revision: 0, status: await getStatus(query, client) }),
    log: () => undefined,
  })
  const getTransferOf: UseCases['getTransfer'] = (query, client) => {
    const store = { findQuote: async (quoteId: string) => quotes.get(quoteId) }
    return getTransfer({ store, backends: new Map(), getStatus }, query, client)
  }
  return {
    backendTypes: [...BackendType.options, 'own-bridge'],
    listChains: () => CHAINS,
    listTokens: ({ chain, backend, verified }) => {
      if (chain !== undefined) assertServed(chain)
      return TOKENS.filter(
        (token) =>
          (chain === undefined || token.chainId === chain) &&
          (backend === undefined || token.backends.some((listed) => listed === backend)) &&
          (verified === undefined || token.verified === verified),
      )
    },
    requestQuotes: async (request) => {
      assertServed(request.fromChain)
      assertServed(request.toChain)
      assertListed(request.fromChain, request.fromToken)
      assertListed(request.toChain, request.toToken)
      if (request.fromToken !== request.toToken || request.fromToken === NATIVE) {
        throw new RfqError('UNSUPPORTED_ROUTE', 'no backend serves the pair')
      }
      // The sender is copied into the answer, so it must be an address, as with the real use case.
      if (!/^0x[0-9a-fA-F]{40}$/.test(request.sender))
        throw new RfqError('INVALID_REQUEST', 'sender is not an address', { field: 'sender' })
      if (request.amount > 10n ** 12n) throw new RfqError('AMOUNT_OUT_OF_RANGE', 'too much', { maximum: '1' })
      random += 16n
      return quoteIds(firstQuoteId(CREATED_AT, random), 1).map((quoteId) => {
        const quote = quoteOf(request, quoteId)
        quotes.set(quoteId, quote.record)
        return quote
      })
    },
    getStatus,
    getTransfer: getTransferOf,
    searchTransfers: async (text) =>
      searchTransfers(
        {
          store: {
            findQuote: async (quoteId) => quotes.get(quoteId),
            listTransfers: async () => [],
            listQuotesByName: async () => [],
          },
          backends: new Map(),
        },
        text,
      ),
    getRecovery: async (query, client) => {
      const { quoteId, state } = await getStatus(query, client)
      return { quoteId, state, recoveries: [] }
    },
    listTransfers: async ({ address, limit }) => {
      const all = [...quotes.values()].filter(({ sender }) => sender === address)
      const answers = all.slice(0, limit).map(async ({ quoteId }) => getTransferOf({ quoteId }, ''))
      return { transfers: await Promise.all(answers), next: all[limit]?.quoteId ?? null }
    },
    followStatus: follow,
    openOrder: (request, client) => {
      const store = { findQuote: async (quoteId: string) => quotes.get(quoteId) }
      return openOrder({ store, backends: new Map() }, request, client)
    },
    getLogo: async () => undefined,
    listSolvers: () => [],
    readiness: async () => ({ ready: true, missing: [], degraded: [], since: new Map() }),
  }
}
