import assert from 'node:assert/strict'
import { solanaKey } from '@openrfq/sandbox/src/solana/keys.ts'
import { sandboxKey } from '@openrfq/sandbox/src/stellar/keys.ts'
import { type BackendType, ErrorBody, Quote, RfqError } from '@openrfq/sdk'
import { connectEvm, executeEvmQuote, readEvmBalance } from '@openrfq/sdk/evm'
import { connectSolana, executeSolanaQuote, readSolanaBalance } from '@openrfq/sdk/solana'
import type { StellarAssetName, StellarExecution } from '@openrfq/sdk/stellar'
import { connectStellar, executeStellarQuote, readStellarBalance } from '@openrfq/sdk/stellar'
import { eventually } from 'openrfq/test/eventually.ts'
import { shareWorld } from 'openrfq/test/shared-world.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'
import { PATIENT_SECONDS } from './intent-seconds.ts'
import { temporaryDirectory } from './sandbox-service.ts'
import { startServiceProcess } from './service-process.ts'

/** A chain of any family as `GET /sandbox` describes it. */
export type FamilyChain = {
  readonly chainId: string
  readonly chainType: 'evm' | 'solana' | 'stellar'
  readonly rpcUrl: string
  readonly subscriptionsUrl?: string
  readonly networkPassphrase?: string
  readonly vault?: string
  readonly contracts?: { readonly escrowProgram?: string }
}

/** A token of any family, on Stellar with its contract's asset. */
export type FamilyToken = {
  readonly chainId: string
  readonly address: string
  readonly symbol: string
  readonly decimals: number
  readonly stellar?: { readonly code: string; readonly issuer: string }
}

export type FamilyAccount = {
  readonly chainType: string
  readonly address: string
  readonly privateKey: string
}

type Description = {
  readonly chains: readonly FamilyChain[]
  readonly accounts: readonly FamilyAccount[]
  readonly tokens: readonly FamilyToken[]
  readonly solvers: readonly {
    readonly name: string
    readonly address: string
    readonly hasQuoted: boolean
  }[]
  readonly clock: { readonly secondsAhead: number }
}

/** A service with its sandbox of all families as a child process, with solvers and attester. */
export type FamiliesWorld = {
  readonly url: string
  readonly sandbox: Description
  readonly chainOf: (family: FamilyChain['chainType']) => FamilyChain
  readonly tokenOf: (chain: FamilyChain, symbol: RegExp) => FamilyToken
  readonly accountOf: (chain: FamilyChain, index: number) => FamilyAccount
  readonly balanceOf: (chain: FamilyChain, token: FamilyToken, owner: string) => Promise<bigint>
  /** The best quote of a backend, by default `intent`, for the body of a quote request; asks again until it quotes. */
  readonly quote: (body: Readonly<Record<string, string>>, backend?: BackendType) => Promise<Quote>
  /**
   * Executes a quote with the SDK of its source's family, on Stellar with the given holding. Returns the source transaction.
   */
  readonly execute: (
    quote: Quote,
    sender: FamilyAccount,
    holding?: StellarExecution['holding'],
  ) => Promise<string>
  /** The accounts that receive the solvers' repayments on a chain. */
  readonly solversOn: (chain: FamilyChain) => readonly string[]
  /** Sends base units of a token to an address. */
  readonly fund: (chain: FamilyChain, token: FamilyToken, address: string, amount: bigint) => Promise<void>
  /** Calls a POST control of the sandbox. */
  readonly control: (path: string, body: unknown) => Promise<void>
  /** Moves the time of sandbox and service ahead. */
  readonly moveClock: (seconds: number) => Promise<void>
  /** The world's time. */
  readonly now: () => number
  readonly stop: () => Promise<void>
}

/** The keys that the sandbox gives its solvers on payment chains, by name. */
const SOLVER_KEYS = { solana: solanaKey, stellar: sandboxKey } as const

const stellarAsset = ({ stellar }: FamilyToken): StellarAssetName => stellar

/** An owner's balance of a token in base units. */
export const familyBalance = (chain: FamilyChain, token: FamilyToken, owner: string): Promise<bigint> => {
  const { rpcUrl } = chain
  if (chain.chainType === 'evm') return readEvmBalance({ rpcUrl, token: token.address, owner })
  if (chain.chainType === 'solana') return readSolanaBalance({ rpcUrl, token: token.address, owner })
  return readStellarBalance({ rpcUrl, asset: stellarAsset(token), owner })
}

/** Executes a quote with the SDK of its source's family. Returns the source transaction. */
export const executeOn = async (
  chain: FamilyChain,
  token: FamilyToken,
  quote: Quote,
  { privateKey }: FamilyAccount,
  now: number,
  holding: StellarExecution['holding'] = 'vault',
): Promise<string> => {
  const { rpcUrl, subscriptionsUrl, networkPassphrase = '' } = chain
  const common = { quote, now }
  if (chain.chainType === 'evm')
    return (await executeEvmQuote({ ...connectEvm(privateKey, rpcUrl), ...common })).txHash
  if (chain.chainType === 'solana')
    return (
      await executeSolanaQuote({ ...(await connectSolana(privateKey, rpcUrl, subscriptionsUrl)), ...common })
    ).txHash
  const asset = stellarAsset(token)
  const network = { rpcUrl, passphrase: networkPassphrase, assets: asset === undefined ? [] : [asset] }
  return (await executeStellarQuote({ ...(await connectStellar(privateKey, network)), ...common, holding }))
    .txHash
}

/** Seconds from quote to the end of an order's deadlines, plus one. */
export const UNTIL_REFUND = Object.values(PATIENT_SECONDS).reduce<number>((sum, seconds) => sum + seconds, 1)

/** The body of an answer of the sandbox. Throws RfqError for an error. */
const askSandbox = async <Body>(url: string, body?: unknown): Promise<Body> => {
  const answer = await fetchJson<Body | ErrorBody>(url, body)
  // CAST: the shape of the sandbox's answers is what the caller names.
  if (answer.status === 200) return answer.body as Body
  const { code, message, details } = ErrorBody.parse(answer.body).error
  throw new RfqError(code, message, details)
}

/** Starts the world; resolves when both solvers have quoted. */
export const startFamiliesWorld = async (
  environment: Readonly<Record<string, string>> = {},
): Promise<FamiliesWorld> => {
  const directory = temporaryDirectory()
  const service = await startServiceProcess(
    { DATA_DIR: directory.path, RATE_LIMIT: 'off', ...environment },
    { words: ['test/quick-sandbox.ts', 'patient'] },
  )
  const { url } = service
  const describe = (): Promise<Description> => askSandbox(`${url}/sandbox`)
  const sandbox = await eventually('both solvers quote', async () => {
    const described = await describe()
    return described.solvers.every(({ hasQuoted }) => hasQuoted) && described
  })
  let { secondsAhead } = sandbox.clock
  const now = (): number => Date.now() + secondsAhead * 1_000
  const control = async (path: string, body: unknown): Promise<void> => {
    await askSandbox(url + path, body)
    if (path === '/sandbox/clock') secondsAhead = (await describe()).clock.secondsAhead
  }
  const chainById = (chainId: string): FamilyChain => {
    const found = sandbox.chains.find((chain) => chain.chainId === chainId)
    assert.ok(found, chainId)
    return found
  }
  return {
    url,
    sandbox,
    control,
    moveClock: (seconds) => control('/sandbox/clock', { seconds }),
    now,
    fund: ({ chainId }, token, address, amount) =>
      control('/sandbox/faucet', { chainId, token: token.address, address, amount: amount.toString() }),
    chainOf: (family) => {
      const found = sandbox.chains.find(({ chainType }) => chainType === family)
      assert.ok(found, family)
      return found
    },
    tokenOf: ({ chainId }, symbol) => {
      const found = sandbox.tokens.find((token) => token.chainId === chainId && symbol.test(token.symbol))
      assert.ok(found, `${symbol} on ${chainId}`)
      return found
    },
    accountOf: ({ chainType }, index) => {
      const found = sandbox.accounts.filter((account) => account.chainType === chainType)[index]
      assert.ok(found, `account ${index} of ${chainType}`)
      return found
    },
    balanceOf: familyBalance,
    solversOn: ({ chainType }) =>
      sandbox.solvers.map(({ address }, index) =>
        chainType === 'evm' ? address : SOLVER_KEYS[chainType](`solver ${index}`).address,
      ),
    quote: async (body, wanted = 'intent') => {
      return eventually(`${wanted} quotes\n${service.stderr()}`, async () => {
        const { body: answer } = await fetchJson<{ quotes?: unknown[] }>(`${url}/v1/rfq/quote`, body)
        const quotes = (answer.quotes ?? []).map((quote) => Quote.parse(quote))
        return quotes.find(({ backend }) => backend.type === wanted)
      })
    },
    execute: async (quote, sender, holding) => {
      const { chain, token } = quote.input
      const found = sandbox.tokens.find((one) => one.chainId === chain && one.address === token)
      assert.ok(found)
      return executeOn(chainById(chain), found, quote, sender, now(), holding)
    },
    stop: async () => {
      const code = await service.stop()
      directory.remove()
      assert.equal(code, 0, 'the service ends cleanly')
    },
  }
}

/** The world that the test files of one process share. */
export const familiesWorld = shareWorld(() => startFamiliesWorld())
