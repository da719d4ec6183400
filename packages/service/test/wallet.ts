import assert from 'node:assert/strict'
import { evmChainNumberOf, messageIdOf as findMessageId, Quote } from '@openrfq/sdk'
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  erc20Abi,
  type Hex,
  http,
  type TransactionReceipt,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { assertDescribed } from './described-answer.ts'
import { assertDocumented } from './documented-answer.ts'
import { eventually } from './eventually.ts'

/** The parts of `GET /sandbox` that a wallet needs: addresses and keys. */
export type SandboxDescription = {
  readonly chains: readonly {
    readonly chainId: string
    readonly chainType: string
    readonly rpcUrl: string
    readonly contracts: Readonly<Record<'gateway' | 'gasService' | 'settler' | 'expressRouter', Hex>>
    readonly exchange: { readonly factory: Hex; readonly wrappedNative: Hex }
  }[]
  readonly accounts: readonly {
    readonly chainType: string
    readonly address: Hex
    readonly privateKey: Hex
  }[]
  readonly solvers: readonly {
    readonly name: string
    readonly address: Hex
    readonly mode: string
    readonly hasQuoted: boolean
    readonly processId: number
  }[]
}

/** The parts of a quote that a wallet uses, as the interface documents them. */
export type WireQuote = {
  readonly quoteId: string
  readonly backend: {
    readonly type: string
    readonly name: string
    readonly tracking: Readonly<Record<string, unknown>>
    readonly metadata: Readonly<Record<string, unknown>>
  }
  readonly selectionReason: string
  readonly validity: { readonly quoteExpiresAt: string; readonly fulfillmentDeadline?: string }
  readonly input: { readonly chain: string; readonly token: Hex; readonly amount: string }
  readonly output: {
    readonly chain: string
    readonly token: Hex
    readonly amount: string
    readonly minimumAmount: string
  }
  readonly fees: { readonly gas: { readonly amount: string }; readonly user: { readonly amount: string } }
  readonly actions: readonly {
    readonly id: string
    readonly type: string
    readonly chain: string
    readonly payload: { readonly type: string; readonly to: Hex; readonly data: Hex; readonly value: string }
  }[]
}

export type WireStatus = {
  readonly state: string
  readonly source: { readonly chain: string; readonly txHash: Hex; readonly messageId: string | null } | null
  readonly destination: { readonly chain: string; readonly txHash: Hex } | null
  readonly output: { readonly chain: string; readonly token: string; readonly amount: string } | null
  readonly refund: {
    readonly chain: string
    readonly token: string
    readonly amount: string
    readonly txHash: Hex
  } | null
  readonly details: Readonly<Record<string, unknown>>
}

const REQUEST_DEADLINE_MS = 240_000

/**
 * Fetches JSON within the deadline, four minutes by default; `status` is the HTTP status. Every answer of the interface is
 * checked against the SDK's schemas and openapi.json, so that end-to-end tests cover them in every state of a transfer.
 */
export const fetchJson = async <Body>(
  url: string,
  body?: unknown,
  deadlineMs = REQUEST_DEADLINE_MS,
): Promise<{ readonly status: number; readonly body: Body }> => {
  const answer = await fetchUndocumented<Body>(url, body, deadlineMs)
  assertDocumented(url, answer.status, answer.body)
  assertDescribed(url, body === undefined ? 'get' : 'post', answer.status, answer.body)
  return answer
}

/** Like `fetchJson`, for a service whose answers have undocumented members. */
export const fetchUndocumented = async <Body>(
  url: string,
  body?: unknown,
  deadlineMs = REQUEST_DEADLINE_MS,
): Promise<{ readonly status: number; readonly body: Body }> => {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(deadlineMs),
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  // CAST: tests say which shape they expect and then check its values.
  return { status: response.status, body: answer as Body }
}

/** Clients of one sandbox chain, from its chain id and RPC URL alone. */
export const chainClients = (sandbox: SandboxDescription, chainId: string) => {
  const entry = sandbox.chains.find((chain) => chain.chainId === chainId)
  if (entry === undefined) throw new Error(`the sandbox has no chain ${chainId}`)
  const chain = defineChain({
    id: Number(evmChainNumberOf(chainId)),
    name: chainId,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [entry.rpcUrl] } },
  })
  const transport = http(entry.rpcUrl, { timeout: REQUEST_DEADLINE_MS })
  return {
    chain,
    transport,
    reader: createPublicClient({ chain, transport, pollingInterval: 50, cacheTime: 0 }),
    rpcUrl: entry.rpcUrl,
  }
}

/** Asks the node of a sandbox chain, as for a block. Rejects for an answer that is an error. */
export const askNode = async (
  sandbox: SandboxDescription,
  chainId: string,
  method: string,
  ...params: readonly unknown[]
): Promise<unknown> => {
  const { rpcUrl } = chainClients(sandbox, chainId)
  const request = { jsonrpc: '2.0', id: 1, method, params }
  const { body } = await fetchJson<{ readonly result?: unknown; readonly error?: unknown }>(rpcUrl, request)
  assert.equal(body.error, undefined, `${method} fails`)
  return body.result
}

/** Gives all solvers of a service's sandbox a mode. */
export const setSolverMode = async (url: string, mode: string): Promise<void> =>
  assert.deepEqual(await fetchJson(`${url}/sandbox/solver`, { mode }), { status: 200, body: {} })

/** A balance in base units, now or at the end of a block; the zero address is the native asset. */
export const balanceOf = (
  sandbox: SandboxDescription,
  asset: { readonly chain: string; readonly token: Hex },
  owner: Hex,
  blockNumber?: bigint,
): Promise<bigint> => {
  const { reader } = chainClients(sandbox, asset.chain)
  const at = blockNumber === undefined ? {} : { blockNumber }
  if (asset.token === zeroAddress) return reader.getBalance({ address: owner, ...at })
  return reader.readContract({
    address: asset.token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
    ...at,
  })
}

/** Signs and sends one action unchanged. Returns its hash without waiting. With `gas` it skips the estimate. */
export const sendAction = (
  sandbox: SandboxDescription,
  action: WireQuote['actions'][number],
  privateKey: Hex,
  options: { readonly gas?: bigint } = {},
): Promise<Hex> => {
  const { chain, transport } = chainClients(sandbox, action.chain)
  const wallet = createWalletClient({ account: privateKeyToAccount(privateKey), chain, transport })
  const { to, data, value } = action.payload
  return wallet.sendTransaction({ to, data, value: BigInt(value), ...options })
}

/** The message id of a source receipt, from the SDK; '' when the quote alone identifies the transfer. */
export const messageIdOf = (quote: WireQuote, receipt: TransactionReceipt): string =>
  findMessageId(Quote.parse(quote), receipt) ?? ''

/** Executes every action in order, each mined before the next. Returns the message id of the last. */
export const execute = async (
  sandbox: SandboxDescription,
  quote: WireQuote,
  privateKey: Hex,
): Promise<string> => {
  let messageId = ''
  for (const action of quote.actions) {
    const hash = await sendAction(sandbox, action, privateKey)
    const { reader } = chainClients(sandbox, action.chain)
    const receipt = await reader.waitForTransactionReceipt({ hash, timeout: REQUEST_DEADLINE_MS })
    if (receipt.status !== 'success') throw new Error(`${action.id} reverted in ${hash}`)
    if (action.type === 'transaction') messageId = messageIdOf(quote, receipt)
  }
  return messageId
}

/** Asserts that the states are an ordered subsequence with the same last element; a poll may miss states. */
export const assertInOrder = (states: readonly string[], sequence: readonly string[]): void => {
  assert.deepEqual(
    states,
    sequence.filter((state) => states.includes(state)),
  )
  assert.equal(states.at(-1), sequence.at(-1))
}

/** Polls the status until `isDone`. Returns every distinct state before it, and the last answer. */
export const follow = async (
  url: string,
  lookup: { readonly quoteId: string; readonly messageId?: string; readonly sourceChain?: string },
  isDone: (status: WireStatus) => boolean = ({ state }) => state === 'DONE',
  ask: typeof fetchJson = fetchJson,
): Promise<{ readonly states: readonly string[]; readonly last: WireStatus }> => {
  const states: string[] = []
  const query = new URLSearchParams(lookup)
  let text = ''
  const last = await eventually(
    () => `the wanted status after ${states.join(', ')}: ${text}`,
    async () => {
      const { body } = await ask<WireStatus>(`${url}/v1/rfq/status?${query}`)
      if (states.at(-1) !== body.state) states.push(body.state)
      text = JSON.stringify(body)
      return isDone(body) && body
    },
    100,
  )
  return { states, last }
}
