import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import type { IntentSeconds } from '@openrfq/sandbox/src/solvers/plan.ts'
import { Quote } from '@openrfq/sdk'
import { connectEvm, executeEvmQuote, readEvmBalance } from '@openrfq/sdk/evm'
import { connectSolana, executeSolanaQuote, readSolanaBalance } from '@openrfq/sdk/solana'
import type { StellarAssetName } from '@openrfq/sdk/stellar'
import { connectStellar, executeStellarQuote, readStellarBalance } from '@openrfq/sdk/stellar'
import type { Log } from 'openrfq/src/lib/log.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'
import { temporaryDirectory } from './sandbox-service.ts'
import { startServiceProcess } from './service-process.ts'
import { shareWorld } from './shared-world.ts'

/** A chain of any family as `GET /sandbox` describes it. */
export type FamilyChain = {
  readonly chainId: string
  readonly chainType: 'evm' | 'solana' | 'stellar'
  readonly rpcUrl: string
  readonly subscriptionsUrl?: string
  readonly networkPassphrase?: string
  readonly vault?: string
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
  readonly solvers: readonly { readonly name: string; readonly hasQuoted: boolean }[]
}

/** The sandbox with all families, its solvers and attester, and the service as a child process. */
export type FamiliesWorld = {
  readonly url: string
  readonly sandbox: Description
  readonly chainOf: (family: FamilyChain['chainType']) => FamilyChain
  readonly tokenOf: (chain: FamilyChain, symbol: RegExp) => FamilyToken
  readonly accountOf: (chain: FamilyChain, index: number) => FamilyAccount
  readonly balanceOf: (chain: FamilyChain, token: FamilyToken, owner: string) => Promise<bigint>
  /** The best intent for the body of a quote request; retries for half a minute while no solver quotes. */
  readonly quote: (body: Readonly<Record<string, string>>) => Promise<Quote>
  /** Executes a quote with the SDK of its source's family. Returns the source transaction. */
  readonly execute: (quote: Quote, sender: FamilyAccount) => Promise<string>
  /** The accounts that receive the solvers' repayments on a chain. */
  readonly solversOn: (chain: FamilyChain) => readonly string[]
  /** Sends base units of a token to an address. */
  readonly fund: (chain: FamilyChain, token: FamilyToken, address: string, amount: bigint) => Promise<void>
  /** Calls a POST control of the sandbox. */
  readonly control: (path: string, body: unknown) => Promise<unknown>
  /** Moves the time of sandbox and service ahead. */
  readonly moveClock: (seconds: number) => Promise<void>
  /** The world's time. */
  readonly now: () => number
  readonly stop: () => Promise<void>
}

const QUIET: Log = () => undefined
const PATIENCE_MS = 60_000

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
  return (await executeStellarQuote({ ...(await connectStellar(privateKey, network)), ...common })).txHash
}

/** Long enough for all payments and fills to be on time on a slow machine. */
export const FAMILIES_SECONDS = {
  quoteLifetimeSeconds: 600,
  depositGraceSeconds: 5,
  fillWindowSeconds: 600,
  refundDelaySeconds: 5,
} as const satisfies IntentSeconds
/** Seconds from quote to the end of an order's deadlines, plus one. */
export const UNTIL_REFUND = Object.values(FAMILIES_SECONDS).reduce<number>((sum, seconds) => sum + seconds, 1)

/** Starts the world; resolves when both solvers have quoted. */
export const startFamiliesWorld = async (): Promise<FamiliesWorld> => {
  const running = await startSandbox({ log: QUIET, now: Date.now, intentSeconds: FAMILIES_SECONDS })
  const directory = temporaryDirectory()
  writeFileSync(join(directory.path, 'network.json'), JSON.stringify(running.network))
  const service = await startServiceProcess({
    RFQ_CONFIG: join(directory.path, 'network.json'),
    DATA_DIR: directory.path,
    RATE_LIMIT: 'off',
    KEEPER_PRIVATE_KEY: running.keeperPrivateKey,
    VAULT_SECRETS: JSON.stringify(Object.fromEntries(running.vaultSecrets)),
  })
  const { url } = service
  await running.connect(url, PATIENCE_MS)
  const control = async (path: string, body: unknown): Promise<unknown> => {
    const endpoint = running.endpoints.find((candidate) => candidate.path === path)
    assert.ok(endpoint, path)
    return endpoint.handle(body)
  }
  // CAST: the sandbox's own description is what GET /sandbox answers.
  const sandbox = (await control('/sandbox', undefined)) as Description
  const chainById = (chainId: string): FamilyChain => {
    const found = sandbox.chains.find((chain) => chain.chainId === chainId)
    assert.ok(found, chainId)
    return found
  }
  return {
    url,
    sandbox,
    control,
    moveClock: async (seconds) => {
      await control('/sandbox/clock', { seconds })
    },
    now: running.now,
    fund: async ({ chainId }, token, address, amount) => {
      await control('/sandbox/faucet', { chainId, token: token.address, address, amount: amount.toString() })
    },
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
      (running.network.intent?.solvers ?? []).flatMap(({ address, accounts }) =>
        chainType === 'evm' ? [address] : (accounts?.[chainType] ?? []),
      ),
    quote: async (body) => {
      return eventually(`a solver quotes\n${service.stderr()}`, async () => {
        const { body: answer } = await fetchJson<{ quotes?: unknown[] }>(`${url}/v1/rfq/quote`, body)
        const quotes = (answer.quotes ?? []).map((quote) => Quote.parse(quote))
        return quotes.find(({ backend }) => backend.type === 'intent')
      })
    },
    execute: async (quote, sender) => {
      const { chain, token } = quote.input
      const found = sandbox.tokens.find((one) => one.chainId === chain && one.address === token)
      assert.ok(found)
      return executeOn(chainById(chain), found, quote, sender, running.now())
    },
    stop: async () => {
      await service.stop()
      await running.stop()
      directory.remove()
    },
  }
}

/** The world that the test files of one process share. */
export const familiesWorld = shareWorld(startFamiliesWorld)
