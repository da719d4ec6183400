import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { createDice, type Dice } from 'openrfq/test/seeded.ts'
import {
  execute,
  fetchJson,
  type SandboxDescription,
  type WireQuote,
  type WireStatus,
} from 'openrfq/test/wallet.ts'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { type Deposit, solverOf } from './chaos-books.ts'
import type { ChaosWorld } from './chaos-world.ts'
import { CHAINS, requestBody, type Trade, tokenOn, type WireToken } from './sandbox-service.ts'

/** The joint trading of all wallets. */
export type Trading = {
  /** Every quote that a wallet began to execute; the chain shows which were deposited for. */
  readonly tried: readonly Deposit[]
  /** Whether the second solver is paused: until one of its first orders is refunded or taken over. */
  readonly isPaused: () => boolean
  /** Resolves when enough quotes have been executed. Rejects when no solver quotes, or no refund begins, for long. */
  readonly run: () => Promise<void>
  readonly stop: () => void
}

type Options = {
  readonly transfers: number
  readonly seed: number
  /** Mean time between two deposits of one wallet. */
  readonly pauseMs: number
}

/** So many quotes of the second solver are deposited for first. */
const FAVOURED = 4
const QUOTE_MS = 600_000
const REFUND_MS = 600_000
const RETRY_MS = 150
const LOOK_MS = 500
const NATIVE = /^ETH$/

const tradeOf = (tokens: readonly WireToken[], random: Dice): Trade => {
  const on = (chainId: string, symbol: RegExp): WireToken => tokenOn({ tokens }, chainId, 'intent', symbol)
  const dollars = 5_000_000n + BigInt(random(90_000_000))
  const ether = 10n ** 16n + BigInt(random(1_000_000_000)) * 10n ** 7n
  const trades: readonly Trade[] = [
    { from: on(CHAINS.a, /USDC/), to: on(CHAINS.b, /USDC/), amount: dollars },
    { from: on(CHAINS.b, /USDC/), to: on(CHAINS.a, /USDC/), amount: dollars },
    { from: on(CHAINS.b, NATIVE), to: on(CHAINS.c, NATIVE), amount: ether },
    { from: on(CHAINS.c, NATIVE), to: on(CHAINS.a, /USDC/), amount: ether },
  ]
  const trade = trades[random(trades.length)]
  assert.ok(trade)
  return trade
}

const isOf = (world: ChaosWorld, quote: WireQuote, position: number): boolean =>
  solverOf(quote) === world.sandbox.solvers[position]?.address

const isLeftToOthers = async (world: ChaosWorld, { quote }: Deposit): Promise<boolean> => {
  const query = new URLSearchParams({ quoteId: quote.quoteId })
  const answer = await fetchJson<WireStatus>(`${world.url}/v1/rfq/status?${query}`).catch(() => undefined)
  const state = answer?.body.state
  // Another solver may take the order over before its refund.
  return state === 'REFUND_INITIATED' || state === 'REFUNDED' || state === 'DONE'
}

/** Creates wallets that repeatedly quote and deposit, each one deposit at a time. */
export const createTrading = (world: ChaosWorld, options: Options): Trading => {
  const { url, tokens, sandbox } = world
  const tried: Deposit[] = []
  const favoured: Deposit[] = []
  let [executed, isPaused, isOver] = [0, true, false]

  const choose = (quotes: readonly WireQuote[], random: Dice): WireQuote | undefined => {
    const second = quotes.find((quote) => isOf(world, quote, 1))
    if (favoured.length < FAVOURED) return second
    // A wallet that chose a paused solver would only wait for its refund.
    return isPaused ? quotes.find((quote) => quote !== second) : quotes[random(quotes.length)]
  }

  const quoteSome = async (parties: Omit<Deposit, 'quote'>, random: Dice): Promise<WireQuote | undefined> => {
    const giveUpAt = Date.now() + QUOTE_MS
    while (!isOver) {
      const body = requestBody(tradeOf(tokens, random), parties.depositor, parties.recipient)
      const answer = await fetchJson<{ quotes?: WireQuote[] }>(`${url}/v1/rfq/quote`, body).catch(
        () => undefined,
      )
      const intents = answer?.body.quotes?.filter(({ backend }) => backend.type === 'intent') ?? []
      const quote = choose(intents, random)
      if (quote !== undefined) return quote
      assert.ok(Date.now() < giveUpAt, `no solver quotes any more: ${JSON.stringify(answer)}`)
      await delay(RETRY_MS)
    }
    return undefined
  }

  const awaitRefund = async (): Promise<void> => {
    const giveUpAt = Date.now() + REFUND_MS
    while (isPaused && !isOver) {
      assert.ok(Date.now() < giveUpAt, 'no order of the paused solver is refunded or taken over')
      for (const deposit of favoured) if (await isLeftToOthers(world, deposit)) isPaused = false
      await delay(LOOK_MS)
    }
  }

  const trade = async (user: SandboxDescription['accounts'][number], random: Dice): Promise<void> => {
    while (executed < options.transfers && !isOver) {
      const parties = { depositor: user.address, recipient: privateKeyToAddress(generatePrivateKey()) }
      const quote = await quoteSome(parties, random)
      if (quote === undefined) return
      const deposit = { quote, ...parties }
      tried.push(deposit)
      const isExecuted = await execute(sandbox, quote, user.privateKey).then(
        () => true,
        () => false,
      )
      if (isExecuted) executed += 1
      if (isExecuted && isOf(world, quote, 1)) favoured.push(deposit)
      await delay(random(2 * options.pauseMs))
    }
  }

  return {
    tried,
    isPaused: () => isPaused,
    run: async () => {
      const trades = sandbox.accounts.map((user, index) => trade(user, createDice(options.seed + index + 1)))
      await Promise.all([...trades, awaitRefund()])
    },
    stop: () => {
      isOver = true
    },
  }
}
