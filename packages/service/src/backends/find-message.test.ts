import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryChain, receiptOf } from '../../test/memory-chain.ts'
import { addressTopic, addressWord, uintWord } from '../chains/evm/abi-words.ts'
import type { EvmLog, EvmReceipt } from '../chains/evm/evm-chain.ts'
import { quoteTag } from '../chains/evm/quote-tag.ts'
import { baseUnits } from '../core/amount.ts'
import { firstQuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Located } from './backend.ts'
import { createMessageFinder } from './find-message.ts'
import { type ExpectedMessage, isSameLog } from './source-message.ts'

const address = (digit: string): string => `0x${digit.repeat(40)}`
const hash = (digit: string): string => `0x${digit.repeat(64)}`
const [SENDER, RECIPIENT, STRANGER, GATEWAY] = [address('a'), address('b'), address('c'), address('1')]
const TOPIC = hash('7')
const CREATED_SECONDS = 1_000_000

const calldataOf = (amount: bigint, recipient = RECIPIENT): string =>
  `0x12345678${uintWord(amount)}${addressWord(recipient)}`

const quoteAt = (seconds: number, number: bigint): QuoteRecord => ({
  quoteId: firstQuoteId(seconds * 1000, number),
  backend: 'its',
  backendName: 'Axelar ITS',
  createdAt: seconds * 1000,
  quoteExpiresAt: (seconds + 60) * 1000,
  estimatedTimeSeconds: 90,
  orderType: 'EXACT_INPUT',
  fromChain: 'eip155:1',
  fromToken: address('3'),
  toChain: 'eip155:2',
  toToken: address('2'),
  sender: SENDER,
  recipient: RECIPIENT,
  input: baseUnits(1_000_000n),
  output: baseUnits(900_000n),
  minimumOutput: baseUnits(900_000n),
  binding: { sourceBlock: 90 },
})

const sentBy = (sender: string, amount = 1_000_000n, recipient = RECIPIENT): EvmLog => ({
  address: GATEWAY,
  topics: [TOPIC, addressTopic(sender)],
  data: `0x${calldataOf(amount, recipient).slice(10)}`,
})

const addressIn = ({ sourceGateway = GATEWAY }: QuoteRecord['binding']): string => String(sourceGateway)

/** A message that equal quotes have in common: nothing in it tells them apart. */
const expectedMessage = ({ sender, input, recipient, binding }: QuoteRecord): ExpectedMessage => ({
  contract: GATEWAY,
  calldata: () => calldataOf(input, recipient),
  matches: (log) => isSameLog(log, { ...sentBy(sender, input, recipient), address: addressIn(binding) }),
  among: { address: GATEWAY, topics: [TOPIC] },
})
const OTHER_LOG: EvmLog = { address: STRANGER, topics: [], data: '0x' }

const quote = quoteAt(CREATED_SECONDS, 1n)
const newer = quoteAt(CREATED_SECONDS + 5, 2n)
const MINED_SECONDS = CREATED_SECONDS + 20

const mined = (
  txHash: string,
  input: string,
  logs: readonly EvmLog[],
  changes: Partial<EvmReceipt> = {},
): EvmReceipt => ({
  ...receiptOf(txHash, MINED_SECONDS, logs),
  from: SENDER,
  to: GATEWAY,
  input,
  ...changes,
})

/** The transaction that a client sends for a quote: its calldata and its tag. */
const sentFor = ({ quoteId }: QuoteRecord): string => calldataOf(1_000_000n) + quoteTag(quoteId)

const HEAD = {
  number: 150n,
  hash: hash('9'),
  timestampSeconds: MINED_SECONDS + 100,
  finalNumber: 140n,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 1n,
  readAt: 0,
}

const finderOver = (
  receipts: readonly EvmReceipt[],
  quotes: readonly QuoteRecord[] = [quote, newer],
  owners: ReadonlyMap<string, QuoteRecord> = new Map(),
) =>
  createMessageFinder(
    {
      evmChains: new Map([['eip155:1', memoryChain('eip155:1', receipts, { head: () => HEAD })]]),
      store: {
        listQuotesOfTerms: async (_, until) =>
          quotes.filter(({ createdAt }) => createdAt <= until && createdAt >= until - 300_000),
        findMessageOwner: async (messageId) => owners.get(messageId)?.quoteId,
      },
      now: () => 0,
      log: () => undefined,
    },
    expectedMessage,
  )

const textOf = (located: Located): string => {
  if (located.located === 'found') return located.messageId
  if (located.located === 'nothing') return ['nothing', ...located.candidates].join(' ')
  return located.located
}

test("a stranger's transaction with a quote's tag does not become the quote's transfer", async () => {
  const tag = quoteTag(quote.quoteId)
  const attacks: readonly (readonly EvmLog[])[] = [
    [sentBy(STRANGER)],
    [sentBy(SENDER, 1n)],
    [sentBy(SENDER, 1_000_000n, STRANGER)],
    [{ ...sentBy(SENDER), address: STRANGER }],
    [],
  ]
  for (const logs of attacks) {
    const locate = finderOver([mined(hash('e'), calldataOf(1_000_000n) + tag, logs, { from: STRANGER })])
    assert.equal(textOf(await locate(quote, undefined, 'client')), 'nothing')
    assert.equal(textOf(await locate(quote, hash('e'), 'client')), 'mismatched')
  }
})

test('finds the tagged transaction of two equal quotes from either quote alone', async () => {
  const locate = finderOver([mined(hash('e'), sentFor(quote), [OTHER_LOG, sentBy(SENDER)])])
  assert.equal(textOf(await locate(quote, undefined, 'client')), `${hash('e')}-1`)
  assert.equal(textOf(await locate(newer, undefined, 'client')), 'nothing')
})

test('finds the tag anywhere in the input, as behind a smart wallet', async () => {
  const call = sentFor(quote).slice(2)
  const wrapped = `0xb61d27f6${'0'.repeat(128)}${call}${'0'.repeat(40)}`
  const wallet = { from: STRANGER, to: SENDER }
  const locate = finderOver([mined(hash('e'), wrapped, [OTHER_LOG, OTHER_LOG, sentBy(SENDER)], wallet)])
  assert.equal(textOf(await locate(quote, undefined, 'client')), `${hash('e')}-2`)
})

test('tells equal transfers of two quotes in one transaction apart by their tags', async () => {
  const batch = `0xac9650d8${sentFor(newer).slice(2)}${'0'.repeat(32)}${sentFor(quote).slice(2)}`
  const locate = finderOver([mined(hash('e'), batch, [sentBy(SENDER), OTHER_LOG, sentBy(SENDER)])])
  assert.equal(textOf(await locate(newer, undefined, 'client')), `${hash('e')}-0`)
  assert.equal(textOf(await locate(quote, undefined, 'client')), `${hash('e')}-2`)
})

test("one event is one quote's, however many tags stand in the transaction", async () => {
  const input = sentFor(quote) + quoteTag(newer.quoteId)
  const locate = finderOver([mined(hash('e'), input, [sentBy(SENDER)])])
  assert.equal(textOf(await locate(quote, undefined, 'client')), `${hash('e')}-0`)
  assert.equal(textOf(await locate(newer, undefined, 'client')), 'nothing')
  assert.equal(textOf(await locate(newer, hash('e'), 'client')), 'mismatched')
})

test("one event of two tagged calls, or of two tags without the calls, is no quote's until it is named", async () => {
  const tags = quoteTag(quote.quoteId) + quoteTag(newer.quoteId)
  const inputs = [`0xac9650d8${sentFor(quote).slice(2)}${sentFor(newer).slice(2)}`, `0xac9650d8${tags}`]
  for (const input of inputs) {
    const locate = finderOver([mined(hash('e'), input, [sentBy(SENDER)])])
    for (const asked of [quote, newer]) {
      assert.equal(textOf(await locate(asked, undefined, 'client')), `nothing ${hash('e')}-0`)
      assert.equal(textOf(await locate(asked, hash('e'), 'client')), `${hash('e')}-0`)
    }
  }
})

test('the tag of a quote that is not stored any more is not the tag of an equal one', async () => {
  const locate = finderOver([mined(hash('e'), sentFor(newer), [sentBy(SENDER)])], [quote])
  assert.equal(textOf(await locate(quote, undefined, 'client')), 'nothing')
  assert.equal(textOf(await locate(quote, hash('e'), 'client')), 'mismatched')
})

test('gives an untagged transaction to a quote made before it rather than to one within the skew of clocks', async () => {
  const later = quoteAt(MINED_SECONDS + 10, 4n)
  const receipt = mined(hash('e'), calldataOf(1_000_000n), [sentBy(SENDER)])
  assert.equal(
    textOf(await finderOver([receipt], [quote, later])(quote, undefined, 'client')),
    `${hash('e')}-0`,
  )
  assert.equal(
    textOf(await finderOver([receipt], [quote, later])(later, undefined, 'client')),
    `nothing ${hash('e')}-0`,
  )
  assert.equal(textOf(await finderOver([receipt], [later])(later, undefined, 'client')), `${hash('e')}-0`)
})

test('a newer quote whose own event is another one does not own the transaction', async () => {
  const other = { ...newer, binding: { ...newer.binding, sourceGateway: STRANGER } }
  const receipt = mined(hash('e'), calldataOf(1_000_000n), [sentBy(SENDER)])
  assert.equal(
    textOf(await finderOver([receipt], [quote, other])(quote, undefined, 'client')),
    `${hash('e')}-0`,
  )
})

test('gives an untagged transaction to the newest quote that had not expired, and lists it for the others', async () => {
  const expired = quoteAt(CREATED_SECONDS - 100, 3n)
  const later = quoteAt(MINED_SECONDS + 16, 4n)
  const all = [expired, quote, newer, later]
  const locate = finderOver([mined(hash('e'), calldataOf(1_000_000n), [sentBy(SENDER)])], all)
  const messageId = `${hash('e')}-0`
  assert.equal(textOf(await locate(newer, undefined, 'client')), messageId)
  assert.equal(textOf(await locate(quote, undefined, 'client')), `nothing ${messageId}`)
  assert.equal(textOf(await locate(expired, undefined, 'client')), `nothing ${messageId}`)
  assert.equal(textOf(await locate(later, undefined, 'client')), 'nothing')
  assert.equal(textOf(await locate(quote, messageId, 'client')), messageId, 'a client that names it decides')
})

test('an untagged transaction that is the transfer of an older quote leaves the next one to the newest', async () => {
  const first = mined(hash('e'), calldataOf(1_000_000n), [sentBy(SENDER)])
  const call = `${calldataOf(1_000_000n).slice(2)}${'0'.repeat(32)}`
  const second = mined(hash('f'), `0xac9650d8${call}${call}`, [OTHER_LOG, sentBy(SENDER), sentBy(SENDER)])
  const owners = new Map([
    [`${hash('e')}-0`, quote],
    [`${hash('f')}-1`, quote],
  ])
  const locate = finderOver([first, second], [quote, newer], owners)
  assert.equal(textOf(await locate(newer, undefined, 'client')), `${hash('f')}-2`)
  assert.equal(
    textOf(await finderOver([first], [quote, newer], owners)(newer, undefined, 'client')),
    'nothing',
  )
})

test('a bare hash names the event that no other quote owns', async () => {
  const receipt = mined(hash('e'), calldataOf(1_000_000n), [sentBy(SENDER), sentBy(SENDER)])
  const locate = finderOver([receipt], [quote, newer], new Map([[`${hash('e')}-0`, quote]]))
  assert.equal(textOf(await locate(newer, hash('e'), 'client')), `${hash('e')}-1`)
  assert.equal(textOf(await locate(quote, hash('e'), 'client')), `${hash('e')}-0`)
})

test("a named message with another quote's tag is that quote's", async () => {
  const locate = finderOver([mined(hash('e'), sentFor(newer), [sentBy(SENDER)])])
  assert.equal(textOf(await locate(newer, `${hash('e')}-0`, 'client')), `${hash('e')}-0`)
  assert.equal(textOf(await locate(quote, `${hash('e')}-0`, 'client')), 'mismatched')
})

test('accepts the bare hash and the log index of the block, and answers the full id', async () => {
  const receipt = mined(hash('e'), sentFor(quote), [OTHER_LOG, sentBy(SENDER)], { firstLogIndex: 7 })
  const locate = finderOver([receipt])
  for (const name of [hash('e'), `${hash('e')}-1`, `${hash('e')}-8`])
    assert.equal(textOf(await locate(quote, name, 'client')), `${hash('e')}-1`, name)
  for (const name of [`${hash('e')}-0`, `${hash('e')}-2`, `${hash('e')}-7`, `${hash('e')}-9`])
    assert.equal(textOf(await locate(quote, name, 'client')), 'mismatched', name)
  assert.equal(textOf(await locate(quote, hash('d'), 'client')), 'nothing')
})

test('a transaction older than the quote is not its transfer', async () => {
  const old = { timestampSeconds: CREATED_SECONDS - 16 }
  const locate = finderOver([mined(hash('e'), calldataOf(1_000_000n), [sentBy(SENDER)], old)])
  assert.equal(textOf(await locate(quote, undefined, 'client')), 'nothing')
  assert.equal(textOf(await locate(quote, `${hash('e')}-0`, 'client')), 'mismatched')
})

test('older transactions of the same terms do not hide the transaction of the quote', async () => {
  const before = { timestampSeconds: CREATED_SECONDS - 60, blockNumber: 80n }
  const numbered = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`
  const older = Array.from({ length: 20 }, (_, number) =>
    mined(numbered(number), calldataOf(1_000_000n), [sentBy(SENDER)], before),
  )
  for (const blockNumber of [89n, 100n]) {
    const own = mined(hash('e'), sentFor(quote), [sentBy(SENDER)], { blockNumber })
    assert.equal(textOf(await finderOver([...older, own])(quote, undefined, 'client')), `${hash('e')}-0`)
  }
})

test('a reverted transaction is found by its hash only, and only with the calldata and the tag of the quote', async () => {
  const reverted = (input: string) => finderOver([mined(hash('e'), input, [], { succeeded: false })])
  assert.equal(textOf(await reverted(sentFor(quote))(quote, hash('e'), 'client')), `${hash('e')}-0`)
  assert.equal(textOf(await reverted(sentFor(quote))(quote, undefined, 'client')), 'nothing')
  assert.equal(textOf(await reverted(sentFor(newer))(quote, hash('e'), 'client')), 'mismatched')
})

test('every name of a reverted transaction is one message', async () => {
  const locate = finderOver([mined(hash('e'), sentFor(quote), [], { succeeded: false })])
  for (const name of [`${hash('e')}-0`, `${hash('e')}-1`, `${hash('e')}-7`])
    assert.equal(textOf(await locate(quote, name, 'client')), `${hash('e')}-0`, name)
})

test('an unreadable chain proves nothing', async () => {
  const chain = memoryChain('eip155:1', [])
  const locate = createMessageFinder(
    {
      evmChains: new Map([['eip155:1', chain]]),
      store: { listQuotesOfTerms: async () => [], findMessageOwner: async () => undefined },
      now: () => 0,
      log: () => undefined,
    },
    expectedMessage,
  )
  assert.equal(textOf(await locate(quote, undefined, 'client')), 'unreadable')
})
