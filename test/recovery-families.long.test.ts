import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { solanaKey } from '@openrfq/sandbox/src/solana/keys.ts'
import { createClient } from '@openrfq/sdk'
import { connectSolana, executeSolanaQuote } from '@openrfq/sdk/solana'
import { eventually } from 'openrfq/test/eventually.ts'
import { follow } from 'openrfq/test/wallet.ts'
import { type FamiliesWorld, startFamiliesWorld, UNTIL_REFUND } from './families-world.ts'

const SOLANA = 'solana:Bpu1Qr4aSCoq95PsfUXjxLBPQwLpWpqN'
/** An account without funds, which cannot pay for a refund. */
const POOR_KEEPER = solanaKey('a keeper without funds').privateKey

let world: FamiliesWorld
before(async () => {
  world = await startFamiliesWorld({ KEEPER_SECRETS: JSON.stringify({ [SOLANA]: POOR_KEEPER }) })
})
after(() => world?.stop())

test('a stranger refunds a deposit on Solana that no solver filled and the keeper cannot pay for', async () => {
  const { url, now } = world
  const [solana, evm] = [world.chainOf('solana'), world.chainOf('evm')]
  assert.equal(solana.chainId, SOLANA)
  const [input, output] = [world.tokenOf(solana, /^USDC$/), world.tokenOf(evm, /USDC/)]
  const [sender, stranger] = [world.accountOf(solana, 0), world.accountOf(solana, 1)]
  await world.control('/sandbox/solver', { mode: 'paused' })
  const quote = await world.quote({
    fromChain: solana.chainId,
    fromToken: input.address,
    toChain: evm.chainId,
    toToken: output.address,
    amount: '25000000',
    orderType: 'EXACT_INPUT',
    sender: sender.address,
    recipient: world.accountOf(evm, 1).address,
  })
  const { quoteId } = quote
  const held = await world.balanceOf(solana, input, sender.address)
  await world.execute(quote, sender)
  await follow(url, { quoteId }, ({ state }) => state === 'PENDING')
  assert.equal(await world.balanceOf(solana, input, sender.address), held - 25_000_000n)
  await world.moveClock(UNTIL_REFUND)
  const recovery = await eventually('the refund is offered', async () => {
    const { recoveries } = await createClient({ baseUrl: url }).getRecovery({
      quoteId,
      account: stranger.address,
    })
    return recoveries[0]
  })
  assert.deepEqual([recovery.kind, recovery.leadsTo], ['refund', 'REFUNDED'])
  const wallet = await connectSolana(stranger.privateKey, solana.rpcUrl, solana.subscriptionsUrl)
  const validity = { ...quote.validity, quoteExpiresAt: '9999-12-31T23:59:59Z' }
  await executeSolanaQuote({
    ...wallet,
    quote: { ...quote, actions: [...recovery.actions], validity },
    now: now(),
  })
  const { last } = await follow(url, { quoteId }, ({ state }) => state === 'REFUNDED')
  assert.equal(last.refund?.amount, '25000000')
  assert.equal(await world.balanceOf(solana, input, sender.address), held)
})
