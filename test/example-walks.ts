import assert from 'node:assert/strict'
import { BackendType, type Quote, QuoteAnswer } from '@openrfq/sdk'
import { connectEvm, executeEvmQuote } from '@openrfq/sdk/evm'
import type { Recording } from 'openrfq/src/http/openapi/recordings.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'
import { isAddress, isHex } from 'viem'
import { recordLookups } from './example-lookups.ts'
import { recordRefusals } from './example-refusals.ts'
import {
  accountOf,
  ask,
  bodyOf,
  CHAIN_A,
  CHAIN_B,
  endOf,
  record,
  type Sandbox,
  type Scene,
  SOLANA,
  STELLAR,
  type Walk,
} from './example-scene.ts'
import { executeOn } from './families-world.ts'
import { describeWorld } from './sandbox-service.ts'
import type { ServiceProcess } from './service-process.ts'

/** Seconds after which no quote of the sandbox is open. */
const UNTIL_REFUND = 60
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
    const query = await start(scene, walk, quoteBy(await recordQuotes(scene, walk, ['intent']), 'intent'))
    await followTo(scene, query, { DONE: `${name}Done` }, 'DONE')
  }
}

/** Records an unfilled intent in every observed state until its refund. */
const recordRefund = async (scene: Scene): Promise<void> => {
  const [from, to] = [endOf(scene, CHAIN_A, /^USDC$/), endOf(scene, CHAIN_B, /^axlUSDC$/)]
  const walk: Walk = { name: 'exactOutput', from, to, amount: '25000000', orderType: 'EXACT_OUTPUT' }
  await control(scene, '/sandbox/solver', { mode: 'paused' })
  const query = await start(scene, walk, quoteBy(await recordQuotes(scene, walk, ['intent']), 'intent'))
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

/** Runs all walks in a sandbox with all families and fresh accounts. Returns the recordings. */
export const recordWalks = async (service: ServiceProcess): Promise<readonly Recording[]> => {
  const { url } = service
  const sandbox = await eventually('all solvers quote', async () => {
    const { body } = await fetchJson<Sandbox>(`${url}/sandbox`)
    return body.solvers.every(({ hasQuoted }) => hasQuoted) && body
  })
  const world = await describeWorld(service)
  const scene: Scene = { url, world, sandbox, recordings: [] }
  await record(scene, { operationId: 'listChains', name: 'chains' })
  const query = { chain: endOf(scene, CHAIN_A, /^USDC$/).chain.chainId, backend: 'its', verified: 'true' }
  await record(scene, { operationId: 'listTokens', name: 'filtered', query })
  await record(scene, { operationId: 'getHealth', name: 'healthy' })
  await record(scene, { operationId: 'getReadiness', name: 'ready' })
  await recordBackends(scene)
  await recordFailure(scene)
  await recordFamilies(scene)
  await recordRefund(scene)
  await recordLookups(scene)
  await record(scene, { operationId: 'listSolvers', name: 'solvers' })
  await record(scene, {
    operationId: 'getStatus',
    name: 'notFound',
    query: { quoteId: 'quote_of_somebody_else' },
  })
  await recordRefusals(scene)
  return scene.recordings
}
