import { setTimeout as sleep } from 'node:timers/promises'
import { USERS } from '@openrfq/sandbox/src/keys.ts'
import { ListedToken, type Quote, QuoteAnswer } from '@openrfq/sdk'
import { z } from 'zod'
import type { LoadRequest } from './load.ts'

const Tokens = z.object({ tokens: z.array(ListedToken) })
const Answered = z.object({ result: z.unknown() })

const VARIANTS = 63
const ATTEMPTS = 40
const PAUSE_MS = 250
const REQUEST_DEADLINE_MS = 10_000

const fetchJson = async (url: string, body?: unknown): Promise<unknown> => {
  const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(url, {
    ...options,
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(REQUEST_DEADLINE_MS),
  })
  return response.json()
}

const rpc = async (url: string, method: string, params: readonly unknown[]): Promise<unknown> =>
  Answered.parse(await fetchJson(url, { jsonrpc: '2.0', id: 1, method, params })).result

type QuoteBody = {
  readonly fromChain: string
  readonly fromToken: string
  readonly toChain: string
  readonly toToken: string
  readonly amount: string
  readonly orderType: 'EXACT_INPUT'
  readonly sender: string
  readonly recipient: string
  readonly options: { readonly approvalMode: 'MAX' }
}

/** The quotes of a request; empty when it is rejected. */
const quotesOf = async (url: string, body: QuoteBody): Promise<readonly Quote[]> => {
  const answer = QuoteAnswer.safeParse(await fetchJson(`${url}/v1/rfq/quote`, body))
  return answer.data?.quotes ?? []
}

type Parties = { readonly sender: string; readonly recipient: string }

/** Request bodies for every pair that one backend serves between two chains, each over some tenths of a token. */
const candidates = (
  tokens: readonly ListedToken[],
  backend: ListedToken['backends'][number],
  { sender, recipient }: Parties,
  tenths: bigint,
) => {
  const served = tokens.filter((token) => token.backends.includes(backend))
  return served.flatMap((from) =>
    served
      .filter((to) => to.chainId !== from.chainId)
      .map(
        (to): QuoteBody => ({
          fromChain: from.chainId,
          fromToken: from.address,
          toChain: to.chainId,
          toToken: to.address,
          amount: `${(tenths * 10n ** BigInt(from.decimals)) / 10n}`,
          orderType: 'EXACT_INPUT',
          sender,
          recipient,
          options: { approvalMode: 'MAX' },
        }),
      ),
  )
}

/** Sends approvals until no quote of the body needs one, so that only quoting is measured. */
const approve = async (url: string, rpcUrl: string, body: QuoteBody): Promise<void> => {
  const sent = new Set<string>()
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const actions = (await quotesOf(url, body)).flatMap((quote) => quote.actions)
    const approvals = actions.filter((action) => action.type === 'approval')
    if (approvals.length === 0) return
    for (const { payload } of approvals) {
      if (payload.type !== 'evm_transaction' || sent.has(payload.data)) continue
      sent.add(payload.data)
      await rpc(rpcUrl, 'eth_sendTransaction', [{ from: payload.from, to: payload.to, data: payload.data }])
    }
    await sleep(PAUSE_MS)
  }
  throw new Error(`the allowance for ${body.fromToken} did not become visible`)
}

/** The pairs of a course of quote requests: one for each backend with a matching answer. */
export type QuoteCourse = {
  readonly tenths: bigint
  readonly isWanted: (quotes: readonly Quote[], backend: string) => boolean
  /** Whether the course requires a pair of every listed backend. */
  readonly needsAll: boolean
}

/** Pairs that only one backend quotes: amounts too small for swaps, and for solvers of any token but a dollar. */
export const ONE_BACKEND: QuoteCourse = {
  tenths: 8n,
  isWanted: (quotes, backend) =>
    quotes.length > 0 && quotes.every(({ backend: { type } }) => type === backend),
  needsAll: false,
}
/** Pairs that several backends quote. */
export const ALL_BACKENDS: QuoteCourse = {
  tenths: 20n,
  isWanted: (quotes, backend) =>
    quotes.length > 1 && quotes.some(({ backend: { type } }) => type === backend),
  needsAll: true,
}

/** The URL of the service under load, and the RPC URLs of its chains. */
export type Served = { readonly url: string; readonly rpcUrlOf: (chainId: string) => string }

/** Quote requests, and the backends whose pairs they ask for. */
export type QuoteRequests = {
  readonly backends: readonly string[]
  readonly requests: readonly LoadRequest[]
}

/**
 * Quote requests for one pair of each listed backend in turn, each with another amount, by a sender with sufficient
 * allowances. Throws Error when no pair, or none of a required backend, has a matching answer.
 */
export const prepareQuoteRequests = async (
  { url, rpcUrlOf }: Served,
  course: QuoteCourse,
): Promise<QuoteRequests> => {
  const { tokens } = Tokens.parse(await fetchJson(`${url}/v1/rfq/tokens`))
  const [sender, recipient] = USERS.map(({ address }) => address)
  if (sender === undefined || recipient === undefined) throw new Error('the sandbox has no users')
  const bodies = new Map<string, QuoteBody>()
  for (const backend of new Set(tokens.flatMap(({ backends }) => backends))) {
    const body = await firstWanted(url, candidates(tokens, backend, { sender, recipient }, course.tenths), {
      backend,
      course,
    })
    if (body === undefined && course.needsAll)
      throw new Error(`no pair of the backend ${backend} has a matching answer`)
    if (body === undefined) continue
    await approve(url, rpcUrlOf(body.fromChain), body)
    bodies.set(backend, body)
  }
  if (bodies.size === 0) throw new Error('no pair of any backend has a matching answer')
  const pairs = [...bodies.values()]
  const requests = Array.from({ length: VARIANTS }, (_, index) => pairs[index % pairs.length]).flatMap(
    (body, index) =>
      body === undefined ? [] : [quoteRequest({ ...body, amount: `${BigInt(body.amount) + BigInt(index)}` })],
  )
  return { backends: [...bodies.keys()], requests }
}

const quoteRequest = (body: QuoteBody): LoadRequest => ({
  method: 'POST',
  path: '/v1/rfq/quote',
  body: JSON.stringify(body),
})

const firstWanted = async (
  url: string,
  bodies: readonly QuoteBody[],
  { backend, course }: { readonly backend: string; readonly course: QuoteCourse },
): Promise<QuoteBody | undefined> => {
  for (const body of bodies) if (course.isWanted(await quotesOf(url, body), backend)) return body
  return undefined
}

/** Status requests for fresh quotes, one for each given quote request. */
export const prepareStatusRequests = async (
  url: string,
  quoteRequests: readonly LoadRequest[],
): Promise<readonly LoadRequest[]> => {
  const requests: LoadRequest[] = []
  for (const { path, body } of quoteRequests) {
    const { quotes } = QuoteAnswer.parse(await fetchJson(url + path, JSON.parse(body ?? '')))
    for (const { quoteId } of quotes)
      requests.push({ method: 'GET', path: `/v1/rfq/status?quoteId=${quoteId}` })
  }
  return requests
}

/** The mean size of the service's answers to the requests in bytes, without compression. */
export const meanAnswerBytes = async (url: string, requests: readonly LoadRequest[]): Promise<number> => {
  let total = 0
  for (const request of requests) total += await answerBytes(url, request)
  return Math.round(total / requests.length)
}

const answerBytes = async (url: string, { method, path, body }: LoadRequest): Promise<number> => {
  const response = await fetch(url + path, {
    method,
    ...(body === undefined ? {} : { body }),
    headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
    signal: AbortSignal.timeout(REQUEST_DEADLINE_MS),
  })
  if (response.status !== 200) throw new Error(`${method} ${path} answered ${response.status}`)
  return (await response.arrayBuffer()).byteLength
}
