import assert from 'node:assert/strict'
import { BackendType, type ErrorCode, type Quote, QuoteAnswer } from '@openrfq/sdk'
import { connectEvm, executeEvmQuote } from '@openrfq/sdk/evm'
import type { Recording } from 'openrfq/src/http/openapi/recordings.ts'
import { OPERATIONS } from 'openrfq/src/http/operations.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { startTableServer } from 'openrfq/test/table-server.ts'
import { createTableUseCases } from 'openrfq/test/table-use-cases.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'
import { isAddress, isHex } from 'viem'
import { executeOn, type FamilyAccount, type FamilyChain, type FamilyToken } from './families-world.ts'

/** One request more than a client may send in ten seconds. */
const TOO_MANY = 501
/** Seconds after which no quote of the sandbox is open. */
const UNTIL_REFUND = 60
const [CHAIN_A, CHAIN_B, SOLANA, STELLAR] = [/:31337$/, /:31338$/, /^solana:/, /^stellar:/]

type Sandbox = {
  readonly chains: readonly FamilyChain[]
  readonly accounts: readonly FamilyAccount[]
  readonly tokens: readonly FamilyToken[]
  readonly solvers: readonly { readonly hasQuoted: boolean }[]
}
type Asked = Pick<Recording, 'operationId' | 'name' | 'query' | 'body'>
type End = { readonly chain: FamilyChain; readonly token: FamilyToken }

/** A sandbox with its service, and the recordings of both. */
type Scene = {
  readonly url: string
  readonly sandbox: Sandbox
  readonly recordings: Recording[]
}

/** Sends a request to the service at `url` and checks its answer against the API's description. */
const ask = async (url: string, asked: Asked): Promise<Recording> => {
  const path = OPERATIONS.find(({ operationId }) => operationId === asked.operationId)?.path
  const query = new URLSearchParams(asked.query).toString()
  const { status, body } = await fetchJson<unknown>(
    `${url}${path}${query === '' ? '' : `?${query}`}`,
    asked.body,
  )
  return { ...asked, status, answer: body }
}

const record = async ({ url, recordings }: Scene, asked: Asked): Promise<Recording> => {
  const recording = await ask(url, asked)
  recordings.push(recording)
  return recording
}

const endOf = ({ sandbox }: Scene, chainId: RegExp, symbol: RegExp): End => {
  const chain = sandbox.chains.find((one) => chainId.test(one.chainId))
  const token = sandbox.tokens.find((one) => one.chainId === chain?.chainId && symbol.test(one.symbol))
  assert.ok(chain && token, `${chainId} ${symbol}`)
  return { chain, token }
}

const accountOf = ({ sandbox }: Scene, { chain }: End, index: number): FamilyAccount => {
  const account = sandbox.accounts.filter(({ chainType }) => chainType === chain.chainType)[index]
  assert.ok(account)
  return account
}

type Walk = {
  readonly name: string
  readonly from: End
  readonly to: End
  readonly amount: string
  readonly orderType?: 'EXACT_INPUT' | 'EXACT_OUTPUT'
}

const bodyOf = (scene: Scene, { from, to, amount, orderType = 'EXACT_INPUT' }: Walk) => ({
  fromChain: from.chain.chainId,
  fromToken: from.token.address,
  toChain: to.chain.chainId,
  toToken: to.token.address,
  amount,
  orderType,
  sender: accountOf(scene, from, 0).address,
  recipient: accountOf(scene, to, 1).address,
})

/** The answer to a walk's request once these backends quote it; one may not know its limits yet. */
const askQuotes = (scene: Scene, walk: Walk, backends: readonly BackendType[]): Promise<Recording> =>
  eventually(`${backends.join(', ')} quote`, async () => {
    const asked = { operationId: 'requestQuotes', name: walk.name, body: bodyOf(scene, walk) }
    const recording = await ask(scene.url, asked)
    const types = new Set<string>(quotesIn(recording.answer).map(({ backend }) => backend.type))
    return backends.every((type) => types.has(type)) && recording
  })

const recordQuotes = async (
  scene: Scene,
  walk: Walk,
  backends: readonly BackendType[] = [],
): Promise<readonly Quote[]> => {
  const recording = await askQuotes(scene, walk, backends)
  scene.recordings.push(recording)
  return quotesIn(recording.answer)
}

const quotesIn = (answer: unknown): readonly Quote[] => QuoteAnswer.parse(answer).quotes

const quoteBy = (quotes: readonly Quote[], backend: string): Quote => {
  const found = quotes.find(({ backend: { type } }) => type === backend)
  assert.ok(found, `${backend} did not quote`)
  return found
}

/** Executes a quote as its first account. Returns the status query. */
const start = async (
  scene: Scene,
  { from }: Walk,
  quote: Quote,
): Promise<Readonly<Record<string, string>>> => {
  const sender = accountOf(scene, from, 0)
  const { quoteId } = quote
  if (from.chain.chainType !== 'evm') {
    await executeOn(from.chain, from.token, quote, sender, Date.now())
    return { quoteId }
  }
  const { messageId, sourceChain } = await executeEvmQuote({
    ...connectEvm(sender.privateKey, from.chain.rpcUrl),
    quote,
  })
  return messageId === undefined ? { quoteId } : { quoteId, messageId, sourceChain }
}

const stateOf = ({ answer }: Recording): string => Object(answer).state

/** Follows a transfer to its last state, and records the first status in each of the named states. */
const followTo = async (
  scene: Scene,
  query: Readonly<Record<string, string>>,
  states: Readonly<Record<string, string>>,
  last: string,
): Promise<void> => {
  const seen = new Set<string>()
  await eventually(`${last} of ${query['quoteId']}`, async () => {
    const asked = await ask(scene.url, { operationId: 'getStatus', name: '', query })
    const state = stateOf(asked)
    const name = states[state]
    if (name !== undefined && !seen.has(state)) scene.recordings.push({ ...asked, name })
    seen.add(state)
    return state === last
  })
}

const DONE_BY = {
  intent: 'intentDone',
  its: 'itsDone',
  gateway: 'gatewayDone',
  'gateway-express': 'expressDone',
} as const

/** Records quotes of all backends between EVM chains, and a transfer by each. */
const recordBackends = async (scene: Scene): Promise<void> => {
  const walk: Walk = {
    name: 'evm',
    from: endOf(scene, CHAIN_A, /^WETH$/),
    to: endOf(scene, CHAIN_B, /^axlWETH$/),
    amount: '1000000000000000000',
  }
  const recorded = await recordQuotes(scene, walk, BackendType.options)
  const { quoteId } = quoteBy(recorded, 'gateway')
  await record(scene, { operationId: 'getStatus', name: 'awaitingDeposit', query: { quoteId } })
  for (const backend of BackendType.options) {
    const name = DONE_BY[backend]
    // Quotes expire within seconds.
    const { answer } = await askQuotes(scene, { ...walk, name: '' }, [backend])
    const query = await start(scene, walk, quoteBy(quotesIn(answer), backend))
    await followTo(scene, query, { DONE: name }, 'DONE')
  }
}

/** Records the end of a transfer whose transaction reverts, because the gateway was not approved for the input. */
const recordFailure = async (scene: Scene): Promise<void> => {
  const [from, to] = [endOf(scene, CHAIN_A, /^USDC$/), endOf(scene, CHAIN_B, /^axlUSDC$/)]
  const asked = await askQuotes(scene, { name: '', from, to, amount: '30000000' }, ['gateway'])
  const { quoteId, actions } = quoteBy(quotesIn(asked.answer), 'gateway')
  const payload = actions.at(-1)?.payload
  assert.ok(payload?.type === 'evm_transaction' && actions.length > 1)
  const { to: contract, data, value } = payload
  assert.ok(isAddress(contract) && isHex(data))
  const { walletClient } = connectEvm(accountOf(scene, from, 0).privateKey, from.chain.rpcUrl)
  // Without its own limit the wallet would estimate the gas, and find the revert before it sends.
  const limit = { gas: 500_000n, chain: null }
  const hash = await walletClient.sendTransaction({ to: contract, data, value: BigInt(value), ...limit })
  const query = { quoteId, messageId: `${hash}-0`, sourceChain: from.chain.chainId }
  await followTo(scene, query, { FAILED: 'failed' }, 'FAILED')
}

/** Records quotes from the other families, with a transfer each. */
const recordFamilies = async (scene: Scene): Promise<void> => {
  const dollars = endOf(scene, CHAIN_A, /^USDC$/)
  for (const [name, chainId] of [
    ['solana', SOLANA],
    ['stellar', STELLAR],
  ] as const) {
    const walk = { name, from: endOf(scene, chainId, /^USDC$/), to: dollars, amount: '40000000' }
    const query = await start(scene, walk, quoteBy(await recordQuotes(scene, walk), 'intent'))
    await followTo(scene, query, { DONE: `${name}Done` }, 'DONE')
  }
}

/** Records an unfilled intent in every observed state until its refund. */
const recordRefund = async (scene: Scene): Promise<void> => {
  const [from, to] = [endOf(scene, CHAIN_A, /^USDC$/), endOf(scene, CHAIN_B, /^axlUSDC$/)]
  const walk: Walk = { name: 'exactOutput', from, to, amount: '25000000', orderType: 'EXACT_OUTPUT' }
  await control(scene, '/sandbox/solver', { mode: 'paused' })
  const query = await start(scene, walk, quoteBy(await recordQuotes(scene, walk), 'intent'))
  await followTo(scene, query, { PENDING: 'pending' }, 'PENDING')
  await control(scene, '/sandbox/clock', { seconds: UNTIL_REFUND })
  const states = {
    REFUND_PENDING: 'refundPending',
    REFUND_INITIATED: 'refundInitiated',
    REFUNDED: 'refunded',
  }
  await followTo(scene, query, states, 'REFUNDED')
  await control(scene, '/sandbox/solver', { mode: 'normal' })
}

const control = async ({ url }: Scene, path: string, body: object): Promise<void> => {
  assert.deepEqual(await fetchJson(`${url}${path}`, body), { status: 200, body: {} })
}

type Refusal = readonly [code: ErrorCode, asked: Omit<Asked, 'name'>]

/** Records every error that a client can cause, by code. */
const recordRefusals = async (scene: Scene): Promise<void> => {
  const [from, to] = [endOf(scene, CHAIN_A, /^USDC$/), endOf(scene, CHAIN_B, /^axlUSDC$/)]
  const good = bodyOf(scene, { name: '', from, to, amount: '25000000' })
  const quote = (change: object) => ({ operationId: 'requestQuotes', body: { ...good, ...change } })
  const unlisted = `0x${'11'.repeat(20)}`
  const refusals: readonly Refusal[] = [
    ['INVALID_REQUEST', { operationId: 'listTokens', query: { backend: 'bridge' } }],
    ['UNSUPPORTED_CHAIN', { operationId: 'listTokens', query: { chain: 'eip155:5' } }],
    ['INVALID_REQUEST', quote({ amount: '25.00' })],
    ['UNSUPPORTED_CHAIN', quote({ toChain: 'eip155:5' })],
    ['UNSUPPORTED_TOKEN', quote({ toToken: unlisted })],
    ['UNSUPPORTED_ROUTE', quote({ toChain: good.fromChain, toToken: good.fromToken })],
    ['AMOUNT_OUT_OF_RANGE', quote({ amount: '1' })],
    ['INVALID_REQUEST', { operationId: 'getStatus' }],
  ]
  for (const [code, asked] of refusals) assertCode(await record(scene, { ...asked, name: code }), code)
  const last: Asked = { operationId: 'listChains', name: 'RATE_LIMITED' }
  // One after the other they take longer than the limit's ten seconds on a busy machine.
  const answers = await Promise.all(Array.from({ length: TOO_MANY }, () => ask(scene.url, last)))
  const refused = answers.find(({ status }) => status !== 200)
  assert.ok(refused, 'no limit')
  assertCode(refused, 'RATE_LIMITED')
  scene.recordings.push(refused)
}

const assertCode = ({ answer }: Recording, code: ErrorCode): void =>
  assert.equal(Object(answer).error?.code, code, JSON.stringify(answer))

/** Records INTERNAL_ERROR from a server whose use case fails. */
export const recordFault = async (): Promise<Recording> => {
  const listChains = (): never => {
    throw new Error('a fault')
  }
  const server = await startTableServer({
    useCases: { ...createTableUseCases(), listChains },
    randomId: () => '4b1ad5b5-6d0b-4c32-a3a4-6f0a3a0c7f2b',
  })
  try {
    const recording = await ask(server.url, { operationId: 'listChains', name: 'INTERNAL_ERROR' })
    assertCode(recording, 'INTERNAL_ERROR')
    return recording
  } finally {
    await server.close()
  }
}

/** Runs all walks in a sandbox with all families and fresh accounts. Returns the recordings. */
export const recordWalks = async (url: string): Promise<readonly Recording[]> => {
  const sandbox = await eventually('all solvers quote', async () => {
    const { body } = await fetchJson<Sandbox>(`${url}/sandbox`)
    return body.solvers.every(({ hasQuoted }) => hasQuoted) && body
  })
  const scene: Scene = { url, sandbox, recordings: [] }
  await record(scene, { operationId: 'listChains', name: 'chains' })
  const query = { chain: endOf(scene, CHAIN_A, /^USDC$/).chain.chainId, backend: 'its', verified: 'true' }
  await record(scene, { operationId: 'listTokens', name: 'filtered', query })
  await record(scene, { operationId: 'getHealth', name: 'healthy' })
  await record(scene, { operationId: 'getReadiness', name: 'ready' })
  await recordBackends(scene)
  await recordFailure(scene)
  await recordFamilies(scene)
  await recordRefund(scene)
  await record(scene, { operationId: 'listSolvers', name: 'solvers' })
  await record(scene, {
    operationId: 'getStatus',
    name: 'notFound',
    query: { quoteId: 'quote_of_somebody_else' },
  })
  await recordRefusals(scene)
  return scene.recordings
}
