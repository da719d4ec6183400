import { baseUnits } from '../src/core/amount.ts'
import { firstQuoteId, quoteIds } from '../src/core/quote-id.ts'
import type { QuoteRecord } from '../src/core/quote-record.ts'

/** An answer of `count` quotes whose ids hold the time in milliseconds and 80 random bits. */
export const testAnswer = (now: number, random: bigint, count = 2): readonly QuoteRecord[] =>
  quoteIds(firstQuoteId(now, random), count).map((quoteId, index) => ({
    quoteId,
    backend: index === 0 ? 'its' : 'gateway',
    backendName: index === 0 ? 'Interchain Token Service' : 'Axelar Gateway',
    createdAt: now,
    quoteExpiresAt: now + 60_000,
    estimatedTimeSeconds: 90 + index,
    orderType: 'EXACT_INPUT',
    fromChain: 'eip155:31337',
    fromToken: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    toChain: 'eip155:31338',
    toToken: '0x0000000000000000000000000000000000000000',
    sender: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    input: baseUnits((1n << 256n) - 1n),
    output: baseUnits(random),
    minimumOutput: baseUnits(0n),
    binding: { tokenId: `0x${'ab'.repeat(32)}`, decimals: 18, hub: true },
  }))

/** A quote of its that moves one base unit; `random` are 80 bits of its id. */
export const testItsQuote = (random: bigint): QuoteRecord => ({
  quoteId: firstQuoteId(1_800_000_000_000, random),
  backend: 'its',
  backendName: 'its',
  createdAt: 0,
  quoteExpiresAt: 1,
  estimatedTimeSeconds: 1,
  orderType: 'EXACT_INPUT',
  fromChain: 'eip155:1',
  fromToken: '0x1',
  toChain: 'eip155:2',
  toToken: '0x2',
  sender: '0x3',
  recipient: '0x4',
  input: baseUnits(1n),
  output: baseUnits(1n),
  minimumOutput: baseUnits(1n),
  binding: {},
})
