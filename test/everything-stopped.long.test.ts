import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'
import { z } from 'zod'
import { familyBalance, UNTIL_REFUND } from './families-world.ts'
import { PATIENT_SECONDS } from './intent-seconds.ts'
import { openSolanaWallet, openStellarWallet, QuotedInstruction } from './lone-wallets.ts'
import { type DollarChain, type PaymentKillWorld, startPaymentKillWorld } from './payment-kill-world.ts'

/** Fees of a deposit and a refund, in lamports. */
const MOST_FEES = 100_000n
const WHOLE = 40n

let world: PaymentKillWorld
before(async () => {
  world = await startPaymentKillWorld(PATIENT_SECONDS, async () => 'through')
})
after(() => world?.stop())

/** What a depositor needs of a quote. */
const QuotedDeposit = z.object({
  quoteId: z.string(),
  backend: z.object({
    type: z.literal('intent'),
    metadata: z.object({
      refundAfter: z.string(),
      claimableBalance: z.object({ uri: z.string() }).nullable(),
    }),
  }),
  actions: z.array(
    z.object({
      payload: z.object({ type: z.string(), instructions: z.array(QuotedInstruction).optional() }),
    }),
  ),
})

const chainOf = (family: DollarChain['chainType']): DollarChain => {
  const found = world.chains.find(({ chainType }) => chainType === family)
  assert.ok(found, family)
  return found
}

const accountOn = (chain: DollarChain, index: number) => {
  const found = world.accountsOn(chain)[index]
  assert.ok(found)
  return found
}

const quoteFrom = (from: DollarChain, index: number) => {
  const to = chainOf('evm')
  const body = {
    fromChain: from.chainId,
    fromToken: from.token.address,
    toChain: to.chainId,
    toToken: to.token.address,
    amount: `${WHOLE * 10n ** BigInt(from.token.decimals)}`,
    orderType: 'EXACT_INPUT',
    sender: accountOn(from, index).address,
    recipient: accountOn(to, index).address,
  }
  return eventually('a solver quotes', async () => {
    const { body: answer } = await fetchJson<{ quotes?: unknown[] }>(`${world.url}/v1/rfq/quote`, body)
    return answer.quotes?.flatMap((quote) => QuotedDeposit.safeParse(quote).data ?? [])[0]
  })
}

const isPending = async (quoteId: string): Promise<boolean> =>
  (await fetchJson<{ state: string }>(`${world.url}/v1/rfq/status?quoteId=${quoteId}`)).body.state ===
  'PENDING'

/** Stops the processes whose names the condition holds for. */
const stopThose = async (isStopped: (name: string) => boolean): Promise<void> => {
  await Promise.all(
    world.payers.filter(({ process }) => isStopped(process.name)).map(({ process }) => process.stop()),
  )
}

test('with service, solvers and attester stopped, depositors on Solana and Stellar take everything back by one signature of their own', async (context) => {
  const [solana, stellar] = [chainOf('solana'), chainOf('stellar')]
  const [onSolana, onStellar] = [accountOn(solana, 3), accountOn(stellar, 3)]
  const solanaWallet = await openSolanaWallet(solana.rpcUrl, onSolana.privateKey)
  const stellarWallet = openStellarWallet(
    stellar.rpcUrl,
    stellar.networkPassphrase ?? '',
    onStellar.privateKey,
  )
  const dollars = () => ({
    solana: () => familyBalance(solana, solana.token, onSolana.address),
    stellar: () => familyBalance(stellar, stellar.token, onStellar.address),
  })
  const read = async () => [await dollars().solana(), await dollars().stellar()] as const
  const [quoted, quotedToStellar] = [await quoteFrom(solana, 3), await quoteFrom(stellar, 3)]
  const instructions = quoted.actions.flatMap(({ payload }) => payload.instructions ?? [])
  const open = instructions.at(-1)
  const uri = quotedToStellar.backend.metadata.claimableBalance?.uri
  assert.ok(open !== undefined && uri !== undefined)

  await stopThose((name) => !['service', 'attester'].includes(name))
  const before = await read()
  const lamports = await solanaWallet.lamports()
  await solanaWallet.deposit(instructions)
  const balanceId = await stellarWallet.deposit(uri)
  const deposited = await read()
  const input = WHOLE * 10n ** BigInt(solana.token.decimals)
  assert.deepEqual(
    [before[0] - deposited[0], before[1] - deposited[1]],
    [input, WHOLE * 10n ** BigInt(stellar.token.decimals)],
  )
  for (const { quoteId } of [quoted, quotedToStellar])
    await eventually('the service sees the deposit', () => isPending(quoteId))

  await stopThose(() => true)
  assert.ok(world.payers.every(({ process }) => !process.isAlive()))
  await assert.rejects(fetch(`${world.url}/healthz`))
  await assert.rejects(solanaWallet.takeBack(open))
  await assert.rejects(stellarWallet.takeBack(balanceId))
  await world.moveClock(UNTIL_REFUND)

  const { signers } = await eventually('the refund', () => solanaWallet.takeBack(open).catch(() => undefined))
  assert.deepEqual(signers, [solanaWallet.address])
  assert.equal(await stellarWallet.takeBack(balanceId), 1)
  const back = await read()
  const fees = lamports - (await solanaWallet.lamports())
  context.diagnostic(
    `dollars before, deposited, back: ${before} / ${deposited} / ${back}; ${fees} lamports of fees`,
  )
  assert.deepEqual(back, before)
  assert.ok(fees > 0n && fees <= MOST_FEES, `${fees} lamports are missing`)
})
