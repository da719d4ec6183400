import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { Quote } from '@openrfq/sdk'
import type { StellarExecution } from '@openrfq/sdk/stellar'
import { generateKeyPairSigner } from '@solana/kit'
import { muxedAddress } from 'openrfq/src/chains/stellar/muxed-account.ts'
import type { Dice } from 'openrfq/test/seeded.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { executeOn, type FamilyAccount } from './families-world.ts'
import type { DollarChain, PaymentKillWorld } from './payment-kill-world.ts'

/** A quote that a wallet began to execute. No two have the same amount or recipient. */
export type Trade = {
  readonly orderId: string
  readonly quote: Quote
  readonly from: DollarChain
  readonly to: DollarChain
  readonly depositor: string
  /** Where a deposit on Stellar is. */
  readonly holding: StellarExecution['holding']
  /** On Stellar a muxed id of an account with dollars. */
  readonly recipient: string
}

type Options = {
  readonly transfers: number
  readonly random: Dice
  /** Mean time between two deposits of one wallet. */
  readonly pauseMs: number
}

const QUOTE_MS = 120_000
const RETRY_MS = 300
/** The account to whose muxed ids payments on Stellar go; it belongs to no wallet of the test. */
const RECEIVER = 9

const pairsOf = (chains: readonly DollarChain[]): readonly (readonly [DollarChain, DollarChain])[] =>
  chains.flatMap((from) => chains.filter((to) => to !== from).map((to) => [from, to] as const))

const recipientOn = async (world: PaymentKillWorld, chain: DollarChain, number: number): Promise<string> => {
  if (chain.chainType === 'evm') return privateKeyToAddress(generatePrivateKey())
  if (chain.chainType === 'solana') return (await generateKeyPairSigner()).address
  const account = world.accountsOn(chain)[RECEIVER]
  assert.ok(account)
  return muxedAddress(account.address, BigInt(number))
}

const quoteOnce = async (url: string, body: unknown): Promise<Quote | undefined> => {
  const answer = await fetchJson<{ quotes?: unknown[] }>(`${url}/v1/rfq/quote`, body).catch(() => undefined)
  const quotes = (answer?.body.quotes ?? []).map((quote) => Quote.parse(quote))
  return quotes.find(({ backend }) => backend.type === 'intent')
}

/** Wallets that quote and deposit concurrently, on all pairs in turn. Rejects when no solver quotes for two minutes. */
export const trade = async (
  world: PaymentKillWorld,
  { transfers, random, pauseMs }: Options,
): Promise<readonly Trade[]> => {
  const tried: Trade[] = []
  const pairs = pairsOf(world.chains)
  let begun = 0

  const quoteSome = async (
    [from, to]: readonly [DollarChain, DollarChain],
    sender: FamilyAccount,
    number: number,
  ): Promise<Trade> => {
    const giveUpAt = Date.now() + QUOTE_MS
    const recipient = await recipientOn(world, to, number)
    const unit = 10n ** BigInt(from.token.decimals)
    // The last digits identify the deposit.
    const amount = (5n + BigInt(random(40))) * unit + BigInt(number)
    for (;;) {
      const quote = await quoteOnce(world.url, {
        fromChain: from.chainId,
        fromToken: from.token.address,
        toChain: to.chainId,
        toToken: to.token.address,
        amount: `${amount}`,
        orderType: 'EXACT_INPUT',
        sender: sender.address,
        recipient,
      })
      if (quote !== undefined) {
        const orderId = String(quote.backend.tracking['swapId'])
        const holding = (number + Math.floor(number / pairs.length)) % 2 === 0 ? 'claimable_balance' : 'vault'
        return { orderId, quote, from, to, depositor: sender.address, recipient, holding }
      }
      assert.ok(Date.now() < giveUpAt, `no solver quotes ${from.chainId} to ${to.chainId}`)
      await delay(RETRY_MS)
    }
  }

  const walk = async (position: number): Promise<void> => {
    while (begun < transfers) {
      begun += 1
      const number = begun
      const pair = pairs[number % pairs.length]
      const sender = pair && world.accountsOn(pair[0])[position]
      assert.ok(pair && sender)
      const one = await quoteSome(pair, sender, number)
      tried.push(one)
      // A deposit that a fork removes, or that comes too late, is found at the end.
      await executeOn(pair[0], pair[0].token, one.quote, sender, Date.now(), one.holding).catch(
        () => undefined,
      )
      if (begun < transfers) await delay(random(2 * pauseMs))
    }
  }

  await Promise.all(pairs.map((_, position) => walk(position)))
  return tried
}
