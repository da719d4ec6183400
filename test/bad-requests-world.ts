import assert from 'node:assert/strict'
import { OPENER } from '@openrfq/sandbox/src/keys.ts'
import { BackendType, Quote } from '@openrfq/sdk'
import { OPERATIONS } from 'openrfq/src/http/operations.ts'
import { execute, fetchJson, follow, type WireQuote } from 'openrfq/test/wallet.ts'
import { endsOf, pairsOf, wrongAddresses } from './address-table.ts'
import type { KnownValues } from './bad-requests.ts'
import { executeOn, type FamilyAccount, type FamilyChain, type FamilyToken } from './families-world.ts'
import {
  accountAt,
  CHAINS,
  quoteOf,
  quotesOf,
  requestBody,
  type SandboxService,
  startSandboxService,
  tokenOn,
} from './sandbox-service.ts'
import { signedOpening } from './signed-opening.ts'

type Body = Readonly<Record<string, unknown>>
type Described = {
  readonly chains: readonly FamilyChain[]
  readonly accounts: readonly FamilyAccount[]
  readonly tokens: readonly FamilyToken[]
}

/** A service over chains of every family, with transfers by every backend and values of all of them. */
export type BadRequestsWorld = {
  readonly url: string
  readonly stderr: () => string
  /** Bodies and queries that are answered 200, by path. */
  readonly good: Readonly<Record<string, readonly Body[]>>
  readonly known: KnownValues
  readonly stop: () => Promise<void>
}

/** Members that hold the same type of value under other names. */
const ALSO: ReadonlyMap<string, readonly string[]> = new Map([
  ['chain', ['chainId']],
  ['sourceChain', ['chainId']],
  ['fromChain', ['chainId']],
  ['toChain', ['chainId']],
  ['fromToken', ['address']],
  ['toToken', ['address']],
  ['address', ['sender', 'recipient']],
  ['account', ['sender', 'recipient']],
  ['before', ['quoteId']],
  ['messageId', ['txHash']],
  ['text', ['quoteId', 'txHash', 'messageId', 'sender', 'recipient', 'address']],
])

/** Collects every text of the answers by the name of its member. */
const collectValues = (answers: readonly unknown[]): KnownValues => {
  const byName = new Map<string, Set<string>>()
  const visit = (name: string, value: unknown): void => {
    if (typeof value === 'string') byName.set(name, (byName.get(name) ?? new Set()).add(value))
    else if (Array.isArray(value)) for (const one of value) visit(name, one)
    else for (const [inner, one] of Object.entries(Object(value))) visit(inner, one)
  }
  for (const answer of answers) visit('', answer)
  const all = [...new Set([...byName.values()].flatMap((values) => [...values]))]
  return {
    all,
    of: (name) => [name, ...(ALSO.get(name) ?? [])].flatMap((one) => [...(byName.get(one) ?? [])]),
  }
}

/** Requests of every direction between two families, and two between EVM chains; every backend serves the last. */
const requestsIn = (world: SandboxService, described: Described): readonly Body[] => {
  const ends = endsOf(described)
  const both = pairsOf(ends).flatMap(([from, to]) => [[from, to] as const, [to, from] as const])
  const evm = (from: RegExp, to: RegExp, amount: bigint, orderType: 'EXACT_INPUT' | 'EXACT_OUTPUT'): Body =>
    requestBody(
      {
        from: tokenOn(world, CHAINS.a, 'intent', from),
        to: tokenOn(world, CHAINS.b, 'intent', to),
        amount,
        orderType,
        approvalMode: 'MAX',
      },
      accountAt(world, 0).address,
      accountAt(world, 1).address,
    )
  return [
    ...both.map(([from, to]) => ({
      fromChain: from.chainId,
      fromToken: from.token,
      toChain: to.chainId,
      toToken: to.token,
      amount: '40000000',
      orderType: 'EXACT_INPUT',
      sender: from.account,
      recipient: to.account,
      slippageTolerance: 50,
    })),
    evm(/^USDC$/, /USDC/, 50_000_000n, 'EXACT_OUTPUT'),
    evm(/^WETH$/, /^axlWETH$/, 10n ** 18n, 'EXACT_INPUT'),
  ]
}

/** Sends a quote's actions, and follows the transfer to its end. */
const walk = async (
  world: SandboxService,
  described: Described,
  quote: WireQuote,
): Promise<{ readonly lookup: Body; readonly last: unknown }> => {
  const chain = described.chains.find(({ chainId }) => chainId === quote.input.chain)
  const token = described.tokens.find(
    ({ chainId, address }) => chainId === quote.input.chain && address === quote.input.token,
  )
  const account = described.accounts.find(({ chainType }) => chainType === chain?.chainType)
  assert.ok(chain && token && account)
  const { quoteId } = quote
  if (chain.chainType === 'evm') {
    const messageId = await execute(world.sandbox, quote, accountAt(world, 0).privateKey)
    const lookup = messageId === '' ? { quoteId } : { quoteId, messageId, sourceChain: chain.chainId }
    const { last } = await follow(world.service.url, lookup)
    return { lookup, last }
  }
  await executeOn(chain, token, Quote.parse(quote), account, Date.now())
  const { last } = await follow(world.service.url, { quoteId })
  return { lookup: { quoteId }, last }
}

/** Starts the service, walks a transfer of each backend and family, and keeps all that was answered. */
export const startBadRequestsWorld = async (): Promise<BadRequestsWorld> => {
  const world = await startSandboxService(
    { SANDBOX_FAMILIES: 'all', OPENER_PRIVATE_KEY: OPENER.privateKey },
    ['patient'],
  )
  try {
    return await walkIn(world)
  } catch (error) {
    await world.stop()
    throw error
  }
}

const walkIn = async (world: SandboxService): Promise<BadRequestsWorld> => {
  const { url, stderr } = world.service
  const { body: described } = await fetchJson<Described>(`${url}/sandbox`)
  const ends = endsOf(described)
  const requests = requestsIn(world, described)
  const lookups: Body[] = []
  const answers: unknown[] = [world.tokens, requests, await fetchJson(`${url}/v1/rfq/chains`)]
  answers.push(described.accounts.map(({ address }) => ({ address })))
  for (const pair of pairsOf(ends))
    answers.push(wrongAddresses(ends, pair).map(({ field, text }) => ({ [field]: text })))
  for (const request of requests) answers.push(await quotesOf(world, 'intent', request))
  const walked = [
    ...BackendType.options.map((backend) => [backend, requests.at(-1)] as const),
    ...requests.slice(1, -2).map((request) => ['intent', request] as const),
  ]
  for (const [backend, request] of walked) {
    assert.ok(request)
    const quote = await quoteOf(world, backend, request)
    const { lookup, last } = await walk(world, described, quote)
    lookups.push(lookup)
    answers.push(quote, lookup, last)
  }
  const opening = await signedOpening(world, accountAt(world, 2), accountAt(world, 3).address, 33_000_000n)
  answers.push(opening)
  return {
    url,
    stderr,
    good: goodOf(requests, lookups, opening),
    known: collectValues(answers),
    stop: world.stop,
  }
}

const goodOf = (
  requests: readonly Body[],
  lookups: readonly Body[],
  opening: Body,
): BadRequestsWorld['good'] => {
  const transfers = requests.map(({ sender }) => ({ address: sender, limit: 5 }))
  const recoveries = lookups.flatMap((lookup) =>
    requests.map(({ sender }) => ({ ...lookup, account: sender })),
  )
  return {
    '/v1/rfq/quote': requests,
    '/v1/rfq/quote/stream': requests,
    '/v1/rfq/orders': [opening],
    '/v1/rfq/status': lookups,
    '/v1/rfq/status/stream': lookups,
    '/v1/rfq/transfer': lookups,
    '/v1/rfq/recovery': recoveries,
    '/v1/rfq/transfers': transfers,
    '/v1/rfq/search': lookups.map(({ quoteId }) => ({ text: quoteId })),
    '/v1/rfq/tokens': requests.map(({ fromChain }) => ({
      chain: fromChain,
      verified: true,
      backend: 'intent',
    })),
  }
}

/** The described endpoints that answer once, and those that answer with events. */
export const [ONCE, STREAMS] = [
  OPERATIONS.filter(({ path }) => !path.endsWith('/stream')),
  OPERATIONS.filter(({ path }) => path.endsWith('/stream')),
]
