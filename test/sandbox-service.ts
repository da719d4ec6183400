import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from 'openrfq/test/eventually.ts'
import { shareWorld } from 'openrfq/test/shared-world.ts'
import { fetchJson, type SandboxDescription, type WireQuote } from 'openrfq/test/wallet.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

export type WireToken = {
  readonly chainId: string
  readonly address: `0x${string}`
  readonly symbol: string
  readonly decimals: number
  readonly verified: boolean
  readonly backends: readonly string[]
}

/** The service and its sandbox in their own data folder, and a wallet's view of both. */
export type SandboxService = {
  readonly service: ServiceProcess
  readonly sandbox: SandboxDescription
  readonly tokens: readonly WireToken[]
  readonly stop: () => Promise<void>
}

export const CHAINS = { a: 'eip155:31337', b: 'eip155:31338', c: 'eip155:31339' } as const

/** A temporary folder, deleted by `remove`. */
export const temporaryDirectory = (): { readonly path: string; readonly remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'openrfq-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

const isEvm = ({ chainType }: { readonly chainType: string }): boolean => chainType === 'evm'

const evmPartOf = (sandbox: SandboxDescription): SandboxDescription => ({
  ...sandbox,
  chains: sandbox.chains.filter(isEvm),
  accounts: sandbox.accounts.filter(isEvm),
})

/** The sandbox's EVM chains and accounts, read once all its solvers have quoted. */
const describeQuoting = async ({ url, stderr }: ServiceProcess): Promise<SandboxDescription> => {
  let solvers: SandboxDescription['solvers'] = []
  const described = await eventually(
    () => `all solvers quote: ${JSON.stringify(solvers)}\n${stderr()}`,
    async () => {
      const { body } = await fetchJson<SandboxDescription>(`${url}/sandbox`)
      solvers = body.solvers
      return solvers.every(({ hasQuoted }) => hasQuoted) && body
    },
  )
  return evmPartOf(described)
}

/** The tokens of a service. */
export const listTokens = async (url: string): Promise<readonly WireToken[]> =>
  (await fetchJson<{ tokens: WireToken[] }>(`${url}/v1/rfq/tokens`)).body.tokens

/** A wallet's view of a running service with its sandbox, once all its solvers have quoted. */
export const describeWorld = async (
  service: ServiceProcess,
  stop: SandboxService['stop'] = async () => undefined,
): Promise<SandboxService> => {
  const sandbox = await describeQuoting(service)
  return { service, sandbox, tokens: await listTokens(service.url), stop }
}

/**
 * Starts a service with its sandbox, whose blocks are quick, and waits for its solvers. `options` are words of
 * `quick-sandbox.ts`.
 */
export const startSandboxService = async (
  environment: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<SandboxService> => {
  const directory = temporaryDirectory()
  const service = await startServiceProcess(
    { DATA_DIR: directory.path, RATE_LIMIT: 'off', SANDBOX_FAMILIES: 'evm', ...environment },
    { words: ['test/quick-sandbox.ts', ...options] },
  )
  const stop = async (): Promise<void> => {
    await service.stop()
    directory.remove()
  }
  try {
    return await describeWorld(service, stop)
  } catch (error) {
    // A running service would keep the process of a failed test alive.
    await stop()
    throw error
  }
}

/** The service with EVM chains only, shared by the test files of one process. */
export const evmService = shareWorld(() => startSandboxService())
/** As `evmService`, with ten minutes for deposits and as long for fills. */
export const patientEvmService = shareWorld(() => startSandboxService({}, ['patient']))
/** As `patientEvmService`, with a process for each solver, which a signal reaches alone. */
export const apartEvmService = shareWorld(() =>
  startSandboxService({ SANDBOX_PROCESSES: 'apart' }, ['patient']),
)
/** The service with the chains of every family and its log, shared by the test files of one process. */
export const fullService = shareWorld(() =>
  startSandboxService({ SANDBOX_FAMILIES: 'all', LOG_LEVEL: 'info' }),
)
/** As `fullService`, with ten minutes for deposits and as long for fills. */
export const patientFullService = shareWorld(() =>
  startSandboxService({ SANDBOX_FAMILIES: 'all', LOG_LEVEL: 'info' }, ['patient']),
)

/** Moves the time of sandbox and service ahead. */
export const moveClock = async (
  { service }: Pick<SandboxService, 'service'>,
  seconds: number,
): Promise<void> =>
  assert.deepEqual(await fetchJson(`${service.url}/sandbox/clock`, { seconds }), { status: 200, body: {} })

/** The only token of a chain with the symbol and backend. Throws when there is none. */
export const tokenOn = (
  { tokens }: Pick<SandboxService, 'tokens'>,
  chainId: string,
  backend: string,
  symbol: RegExp,
): WireToken => {
  const found = tokens.find(
    (token) => token.chainId === chainId && token.backends.includes(backend) && symbol.test(token.symbol),
  )
  if (found === undefined) throw new Error(`no ${backend} token ${symbol} on ${chainId}`)
  return found
}

/** The fields of a quote request beside its parties. */
export type Trade = {
  readonly from: WireToken
  readonly to: WireToken
  readonly amount: bigint
  readonly orderType?: 'EXACT_INPUT' | 'EXACT_OUTPUT'
  readonly approvalMode?: 'EXACT' | 'MAX'
}

/** The body of a quote request. */
export const requestBody = (trade: Trade, sender: string, recipient: string): Record<string, unknown> => ({
  fromChain: trade.from.chainId,
  fromToken: trade.from.address,
  toChain: trade.to.chainId,
  toToken: trade.to.address,
  amount: trade.amount.toString(),
  orderType: trade.orderType ?? 'EXACT_INPUT',
  sender,
  recipient,
  ...(trade.approvalMode === undefined ? {} : { options: { approvalMode: trade.approvalMode } }),
})

type QuotesOrRange = {
  readonly quotes?: readonly WireQuote[]
  readonly error?: { readonly details?: { readonly unpriced?: readonly string[] } }
}

/**
 * Repeats a request until the given backend quotes, which may take a while on a busy machine. Returns its quotes, best
 * first.
 */
export const quotesOf = async (
  { service }: Pick<SandboxService, 'service'>,
  backend: string,
  body: Record<string, unknown>,
): Promise<readonly [WireQuote, ...WireQuote[]]> => {
  let said = ''
  return eventually(
    () => `${backend} quotes: ${said}\n${service.stderr()}`,
    async () => {
      const answer = await fetchJson<QuotesOrRange>(`${service.url}/v1/rfq/quote`, body)
      said = JSON.stringify(answer)
      // The others' range excludes the amount, and the backend cannot price it at the moment.
      if (answer.body.error?.details?.unpriced?.includes(backend) === true) return undefined
      assert.equal(answer.status, 200, said)
      const [best, ...others] = answer.body.quotes?.filter(({ backend: { type } }) => type === backend) ?? []
      return best !== undefined && ([best, ...others] as const)
    },
  )
}

/** The best quote of a backend, once it quotes. */
export const quoteOf = async (
  world: Pick<SandboxService, 'service'>,
  backend: string,
  body: Record<string, unknown>,
): Promise<WireQuote> => (await quotesOf(world, backend, body))[0]

/** One of the sandbox's accounts. Throws when the index is too large. */
export const accountAt = (
  { sandbox }: Pick<SandboxService, 'sandbox'>,
  index: number,
): SandboxDescription['accounts'][number] => {
  const found = sandbox.accounts[index]
  if (found === undefined) throw new Error(`the sandbox has no account ${index}`)
  return found
}

/** The best intent for a trade between two of the sandbox's accounts, by index. */
export const quoteIntent = (
  world: Pick<SandboxService, 'service' | 'sandbox'>,
  trade: Trade,
  from: number,
  to: number,
): Promise<WireQuote> =>
  quoteOf(world, 'intent', requestBody(trade, accountAt(world, from).address, accountAt(world, to).address))
