import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { QuoteAnswer, Status } from '@openrfq/sdk'
import { Asset, Keypair, Networks } from '@stellar/stellar-sdk/base'
import { associatedTokenOf } from 'openrfq/src/chains/solana/associated-token.ts'
import { PROGRAMS } from 'openrfq/src/chains/solana/programs.ts'
import { muxedAddress } from 'openrfq/src/chains/stellar/muxed-account.ts'
import { hideSecrets } from 'openrfq/src/http/hide-secrets.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'
import { bodyBetween, endsOf, type FamilyEnds, pairsOf, wrongAddresses } from './address-table.ts'
import { type FamiliesWorld, familiesWorld } from './families-world.ts'
import {
  CHAINS,
  listTokens,
  requestBody,
  type SandboxService,
  tokenOn,
  type WireToken,
} from './sandbox-service.ts'

let world: { readonly service: { readonly url: string }; readonly tokens: readonly WireToken[] }
let families: FamiliesWorld
let ends: FamilyEnds
before(async () => {
  families = await familiesWorld.start()
  const { url } = families
  world = { service: { url }, tokens: await listTokens(url) }
  ends = endsOf(families.sandbox)
})
after(familiesWorld.stop)

type ErrorAnswer = {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details: Record<string, unknown>
  }
}

const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const RECIPIENT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const SANDBOX_PASSPHRASE = 'OpenRFQ Sandbox Network ; worthless everywhere'
const ZERO = `0x${'0'.repeat(40)}`
/** A well-formed, checksummed address without a token. */
const NO_TOKEN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const usdcBody = (): Record<string, unknown> =>
  requestBody(
    {
      from: tokenOn(world, CHAINS.a, 'gateway', /USDC/),
      to: tokenOn(world, CHAINS.b, 'gateway', /USDC/),
      amount: 50_000_000n,
    },
    SENDER,
    RECIPIENT,
  )

/** Repeats a request while a backend cannot price, because prices may become stale on a busy machine. */
const ask = async (change: Record<string, unknown>) =>
  eventually(`quotes or a refusal for ${JSON.stringify(change)}`, async () => {
    const answer = await fetchJson<ErrorAnswer & { readonly quotes?: readonly unknown[] }>(
      `${world.service.url}/v1/rfq/quote`,
      { ...usdcBody(), ...change },
    )
    const isPartial = answer.body.error?.details['unpriced'] !== undefined
    return (answer.status !== 200 || answer.body.quotes?.length !== 0) && !isPartial && answer
  })

const refuses = async (
  change: Record<string, unknown>,
  status: number,
  code: string,
  details: Record<string, unknown> = {},
): Promise<ErrorAnswer['error']> => {
  const answer = await ask(change)
  assert.deepEqual(
    [answer.status, answer.body.error?.code],
    [status, code],
    JSON.stringify([change, answer.body]),
  )
  for (const [key, value] of Object.entries(details)) assert.deepEqual(answer.body.error.details[key], value)
  assert.ok(answer.body.error.message.length > 10)
  return answer.body.error
}

test('GET /v1/rfq/chains lists every chain with its native token', async () => {
  const { status, body } = await fetchJson<{ chains: Record<string, unknown>[] }>(
    `${world.service.url}/v1/rfq/chains`,
  )
  assert.equal(status, 200)
  const evm = ['evm', { symbol: 'ETH', decimals: 18 }]
  assert.deepEqual(
    body.chains.map(({ chainId, chainType, nativeToken }) => [chainId, chainType, nativeToken]),
    [
      ...Object.values(CHAINS).map((chainId) => [chainId, ...evm]),
      [ends.solana.chainId, 'solana', { symbol: 'SOL', decimals: 9 }],
      [ends.stellar.chainId, 'stellar', { symbol: 'XLM', decimals: 7 }],
    ],
  )
})

test('GET /v1/rfq/tokens filters by chain, backend and verified', async () => {
  const list = async (query: string) =>
    (await fetchJson<{ tokens: SandboxService['tokens'] }>(`${world.service.url}/v1/rfq/tokens?${query}`))
      .body.tokens
  const all = await list('')
  const onA = await list(`chain=${CHAINS.a}`)
  const gateway = await list('backend=gateway')
  const unverified = await list('verified=false')
  assert.deepEqual(
    onA,
    all.filter(({ chainId }) => chainId === CHAINS.a),
  )
  assert.deepEqual(
    gateway,
    all.filter(({ backends }) => backends.includes('gateway')),
  )
  assert.deepEqual(
    unverified,
    all.filter(({ verified }) => !verified),
  )
  assert.ok(onA.length > 0 && gateway.length >= 3 && unverified.length >= 2 && unverified.length < all.length)
  const intent = await list('backend=intent')
  assert.ok(intent.length >= 6 && intent.every(({ backends }) => backends.includes('intent')))
  const native = all.filter(({ symbol }) => /^(ETH|SOL|XLM)$/.test(symbol))
  assert.deepEqual(
    native.map(({ chainId, address, backends }) => [chainId, address, backends]),
    [
      ...Object.values(CHAINS).map((chainId) => [chainId, ZERO, ['intent', 'gateway-express']]),
      [ends.solana.chainId, '1'.repeat(32), ['intent']],
      [ends.stellar.chainId, Asset.native().contractId(SANDBOX_PASSPHRASE), ['intent']],
    ],
  )
})

test('the tokens endpoint rejects a malformed filter with INVALID_REQUEST and an unknown chain with UNSUPPORTED_CHAIN', async () => {
  const refusal = async (query: string) => {
    const { status, body } = await fetchJson<ErrorAnswer>(`${world.service.url}/v1/rfq/tokens?${query}`)
    return [status, body.error.code]
  }
  for (const query of ['chain=31337', 'backend=bridge', 'verified=yes', 'verified=', 'chain='])
    assert.deepEqual(await refusal(query), [400, 'INVALID_REQUEST'], query)
  assert.deepEqual(await refusal('chain=eip155:1'), [422, 'UNSUPPORTED_CHAIN'])
})

/** The best quote of a backend for 50 USDC, checked against the schema. */
const usdcQuote = (backend: string) =>
  eventually(`${backend} quotes`, async () => {
    const { body } = await ask({})
    return QuoteAnswer.parse(body).quotes.find(({ backend: { type } }) => type === backend)
  })

test('the quotes of an answer are ranked by net value, best first', async () => {
  const ranked = ['intent', 'intent', 'gateway', 'gateway-express']
  let seen: readonly string[] = []
  // An answer to which a busy chain did not tell the allowance in time counts the gas of an approval.
  const quotes = await eventually(
    () => `expected ${ranked}, got ${seen}`,
    async () => {
      const { quotes } = QuoteAnswer.parse((await ask({})).body)
      seen = quotes.map(({ backend: { type } }) => type)
      return String(seen) === String(ranked) && quotes
    },
  )
  // The last two deliver the whole amount and charge native value on top, worth more than the others' fees.
  const outputs = quotes.slice(0, -2).map(({ output }) => BigInt(output.amount))
  assert.deepEqual(
    outputs,
    outputs.toSorted((one, other) => (one < other ? 1 : -1)),
  )
  assert.equal(quotes[0]?.selectionReason, 'best_value')
})

test("an intent quote contains its order id, its deadline and the solver's margin", async () => {
  const quote = await usdcQuote('intent')
  assert.match(String(quote.backend.tracking['swapId']), /^0x[0-9a-f]{64}$/)
  assert.ok(Date.parse(quote.validity.fulfillmentDeadline ?? '') > Date.parse(quote.validity.quoteExpiresAt))
  assert.deepEqual(
    [quote.fees.user.paymentMethod, quote.fees.user.quoteTreatment],
    ['output_token', 'included_in_quote'],
  )
  assert.equal(quote.output.minimumAmount, quote.output.amount)
  const whole = BigInt(quote.output.amount) + BigInt(quote.fees.user.amount)
  assert.ok(whole <= 50_000_000n && whole > 49_999_000n, `${whole}`)
})

test('a quote has every field of the interface', async () => {
  const before = families.now()
  const quote = await usdcQuote('gateway')
  assert.equal(quote.input.amount, '50000000')
  assert.equal(quote.output.amount, '50000000')
  assert.equal(quote.output.minimumAmount, quote.output.amount)
  assert.deepEqual(
    [quote.fees.user.paymentMethod, quote.fees.user.quoteTreatment],
    ['tx_value', 'outside_quote'],
  )
  assert.deepEqual(
    [quote.fees.gas.paymentMethod, quote.fees.gas.quoteTreatment],
    ['wallet_native', 'outside_quote'],
  )
  assert.equal(quote.fees.integrator, null)
  const createdAt = Date.parse(quote.validity.quoteExpiresAt) - 60_000
  assert.ok(createdAt > before - 1_000 && createdAt <= families.now(), `${createdAt}, after ${before}`)
})

test('checks run in order: body, chains, tokens, addresses, route, amount', async () => {
  await refuses({ amount: '0', fromChain: 'eip155:1' }, 400, 'INVALID_REQUEST')
  await refuses({ fromChain: 'eip155:1', fromToken: 'x', sender: 'x' }, 422, 'UNSUPPORTED_CHAIN', {
    field: 'fromChain',
  })
  await refuses({ toChain: 'eip155:1', toToken: 'x' }, 422, 'UNSUPPORTED_CHAIN', { field: 'toChain' })
  await refuses({ fromToken: NO_TOKEN, sender: 'x' }, 422, 'UNSUPPORTED_TOKEN', { field: 'fromToken' })
  await refuses({ toToken: NO_TOKEN }, 422, 'UNSUPPORTED_TOKEN', { field: 'toToken' })
  await refuses({ sender: 'x', toToken: usdcBody()['toToken'] }, 400, 'INVALID_REQUEST', {
    field: 'sender',
    expected: 'evm',
  })
  const other = world.tokens.find(
    ({ chainId, backends }) => chainId === CHAINS.b && backends.join() === 'its',
  )
  await refuses({ toToken: other?.address, amount: '1' }, 422, 'UNSUPPORTED_ROUTE')
  const range = await refuses({ amount: '1' }, 422, 'AMOUNT_OUT_OF_RANGE')
  assert.match(String(range.details['minimum']), /^[1-9][0-9]*$/)
})

test('the bounds of AMOUNT_OUT_OF_RANGE are quoted, and one base unit beyond them is not', async () => {
  const low = await refuses({ amount: '1' }, 422, 'AMOUNT_OUT_OF_RANGE')
  const { minimum, maximum } = low.details
  assert.equal((await ask({ amount: minimum })).status, 200)
  await refuses({ amount: (BigInt(String(minimum)) - 1n).toString() }, 422, 'AMOUNT_OUT_OF_RANGE')
  assert.notEqual(maximum, null)
  assert.equal((await ask({ amount: maximum })).status, 200)
  await refuses({ amount: (BigInt(String(maximum)) + 1n).toString() }, 422, 'AMOUNT_OUT_OF_RANGE')
})

test('the same chain on both sides is UNSUPPORTED_ROUTE', async () => {
  const { fromToken } = usdcBody()
  await refuses({ toChain: CHAINS.a, toToken: fromToken }, 422, 'UNSUPPORTED_ROUTE')
})

test('an address that must not be paid is INVALID_REQUEST with its field', async () => {
  const { toToken } = usdcBody()
  const badChecksum = RECIPIENT.replace('3C44C', '3c44C')
  for (const recipient of [
    ZERO,
    toToken,
    badChecksum,
    '',
    RECIPIENT.slice(0, 41),
    'So11111111111111111111111111111111111111112',
  ])
    await refuses({ recipient }, 400, 'INVALID_REQUEST', { field: 'recipient' })
  await refuses({ sender: ZERO }, 400, 'INVALID_REQUEST', { field: 'sender' })
  assert.equal((await ask({ recipient: RECIPIENT.toLowerCase() })).status, 200)
})

test('an address of another family, a malformed one and a forbidden one are INVALID_REQUEST in every position', async () => {
  for (const pair of pairsOf(ends))
    for (const { field, text, end } of wrongAddresses(ends, pair)) {
      const change = { ...bodyBetween(...pair), [field]: text }
      const details = { field, value: hideSecrets(text), chain: end.chainId, expected: end.family }
      await refuses(change, 400, 'INVALID_REQUEST', details)
    }
})

test('a chain or token of another network is unsupported, and an unpayable recipient is rejected', async () => {
  const { evm, solana, stellar } = ends
  for (const chainId of ['stellar:pubnet', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'eip155:1'])
    for (const field of ['fromChain', 'toChain'])
      await refuses({ ...bodyBetween(solana, stellar), [field]: chainId }, 422, 'UNSUPPORTED_CHAIN', {
        field,
      })
  for (const chainId of ['stellar', 'stellar:', 'solana:', 'EIP155:1', 'pubnet:stellar '])
    await refuses({ ...bodyBetween(solana, evm), toChain: chainId }, 400, 'INVALID_REQUEST')
  const lumensElsewhere = Asset.native().contractId(Networks.PUBLIC)
  const toStellar = bodyBetween(evm, stellar)
  await refuses({ ...toStellar, toToken: lumensElsewhere }, 422, 'UNSUPPORTED_TOKEN', { field: 'toToken' })
  const quotesTo = async (recipient: string): Promise<number> => {
    const { status: code, body } = await fetchJson(`${world.service.url}/v1/rfq/quote`, {
      ...toStellar,
      recipient,
    })
    assert.equal(code, 200, JSON.stringify(body))
    return QuoteAnswer.parse(body).quotes.length
  }
  for (const [recipient, reasonCode, reason] of [
    [Keypair.random().publicKey(), 'no_account', 'the account does not exist'],
    [lumensElsewhere, 'not_a_wallet', 'contracts are not paid on Stellar, accounts are'],
  ])
    await refuses({ ...toStellar, recipient }, 400, 'INVALID_REQUEST', {
      field: 'recipient',
      value: recipient,
      chain: stellar.chainId,
      reasonCode,
      reason,
    })
  for (const recipient of [stellar.account, muxedAddress(stellar.account, 5n)])
    await eventually(`quotes to ${recipient}`, async () => (await quotesTo(recipient)) > 0)
})

test('accounts of a protocol, and accounts that hold tokens for it, are rejected as sender and recipient', async () => {
  const { evm, solana, stellar } = ends
  const { vault = '', token } = solana
  const held = [PROGRAMS.token, PROGRAMS.token2022].map((program) => associatedTokenOf(vault, token, program))
  for (const account of [
    vault,
    token,
    ...held,
    PROGRAMS.memo,
    'SysvarRent111111111111111111111111111111111',
  ]) {
    const refusal = { value: account, chain: solana.chainId, expected: 'solana' }
    await refuses({ ...bodyBetween(evm, solana), recipient: account }, 400, 'INVALID_REQUEST', {
      field: 'recipient',
      ...refusal,
    })
    await refuses({ ...bodyBetween(solana, stellar), sender: account }, 400, 'INVALID_REQUEST', {
      field: 'sender',
      ...refusal,
    })
  }
})

test('token addresses match in any case and are answered in EIP-55', async () => {
  const { fromToken } = usdcBody()
  const { body } = await ask({ fromToken: String(fromToken).toLowerCase() })
  assert.equal(QuoteAnswer.parse(body).quotes[0]?.input.token, fromToken)
})

test('a quote that loses more than 15 % of its value carries a warning', async () => {
  const low = await refuses({ amount: '1' }, 422, 'AMOUNT_OUT_OF_RANGE')
  const { body } = await ask({ amount: low.details['minimum'] })
  const warnings = QuoteAnswer.parse(body).quotes[0]?.backend.metadata['warnings']
  assert.ok(Array.isArray(warnings) && warnings.some(({ code }) => code === 'high_value_loss'))
})

const status = async (query: Record<string, string>) =>
  fetchJson<Status & ErrorAnswer>(`${world.service.url}/v1/rfq/status?${new URLSearchParams(query)}`)

test('answers NOT_FOUND with 200 for an unknown quoteId, and repeats it', async () => {
  for (const quoteId of ['quote_00000000000000000000000000', 'anything', '0'.repeat(128)]) {
    const { status: code, body } = await status({ quoteId })
    assert.equal(code, 200)
    assert.deepEqual(Status.parse(body), {
      quoteId,
      state: 'NOT_FOUND',
      backend: null,
      source: null,
      destination: null,
      output: null,
      refund: null,
      details: { reasonCode: 'unknown_quote' },
    })
  }
})

test('a malformed status lookup is INVALID_REQUEST', async () => {
  const hash = `0x${'ab'.repeat(32)}`
  for (const query of [
    {},
    { quoteId: '' },
    { quoteId: 'a b' },
    { quoteId: 'q', messageId: hash.slice(0, -1) },
    { quoteId: 'q', messageId: `${hash}-01` },
    { quoteId: 'q', messageId: '' },
    { quoteId: 'q', sourceChain: 'ethereum' },
    { quoteId: 'q', messageId: `${hash}-0`, sourceChain: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' },
  ]) {
    const { status: code, body } = await status(query)
    assert.deepEqual([code, body.error?.code], [400, 'INVALID_REQUEST'], JSON.stringify(query))
  }
})

test('a known quote is AWAITING_DEPOSIT until its source is seen, and NOT_FOUND for another source chain', async () => {
  const { quoteId } = await usdcQuote('gateway')
  const messageId = `0x${'ab'.repeat(32)}-0`
  const answerTo = async (query: Record<string, string>) => {
    const { state, details } = (await status({ quoteId, ...query })).body
    return { state, details }
  }
  const unseen = { state: 'AWAITING_DEPOSIT', details: { needs: ['messageId', 'sourceChain'] } }
  for (const query of [
    {},
    { sourceChain: CHAINS.a },
    { messageId },
    { messageId: messageId.slice(0, -2) },
    { messageId, sourceChain: CHAINS.a },
  ])
    assert.deepEqual(await answerTo(query), unseen, JSON.stringify(query))
  const elsewhere = { state: 'NOT_FOUND', details: { reasonCode: 'other_source_chain' } }
  assert.deepEqual(await answerTo({ messageId, sourceChain: CHAINS.b }), elsewhere)
  assert.deepEqual(await answerTo({ messageId, sourceChain: 'eip155:1' }), elsewhere)
})

test('a well-formed message and chain are ignored for an intent', async () => {
  const { quoteId } = await usdcQuote('intent')
  const messageId = `0x${'ab'.repeat(32)}-0`
  for (const query of [{}, { messageId, sourceChain: CHAINS.a }, { messageId, sourceChain: CHAINS.b }])
    assert.equal((await status({ quoteId, ...query })).body.state, 'AWAITING_DEPOSIT')
  assert.equal((await status({ quoteId, messageId: 'x' })).status, 400)
})

test('a malformed token, sender or recipient is told the form of its own kind', async () => {
  const messageOf = async (change: Record<string, unknown>): Promise<string> =>
    (await refuses(change, 400, 'INVALID_REQUEST')).message
  assert.match(
    await messageOf({ fromToken: 'zz' }),
    /expected 0x and 40 hex digits.*; the zero address is the native/,
  )
  assert.match(await messageOf({ sender: 'zz' }), /not the zero address$/)
  const { evm, solana, stellar } = ends
  assert.match(
    await messageOf({ ...bodyBetween(solana, evm), fromToken: 'zz' }),
    /or 32 ones for native SOL$/,
  )
  assert.match(await messageOf({ ...bodyBetween(stellar, evm), fromToken: 'zz' }), /C… address of an asset/)
  assert.match(await messageOf({ ...bodyBetween(stellar, evm), sender: 'zz' }), /G… address of an account$/)
})

test('an amount above the supply of an interchain token is out of range', async () => {
  const [from, to] = [CHAINS.b, CHAINS.a].map((chainId) => tokenOn(world, chainId, 'its', /^DRIFT$/))
  assert.ok(from && to)
  const body = requestBody({ from, to, amount: 2n ** 256n - 1n }, SENDER, RECIPIENT)
  const { details } = await refuses(body, 422, 'AMOUNT_OUT_OF_RANGE')
  assert.ok(BigInt(String(details['maximum'])) < 10n ** 40n)
})
