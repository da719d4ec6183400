import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TransferAnswer } from '@openrfq/sdk'
import { fetchJson } from 'openrfq/test/wallet.ts'
import { type FamilyEnds, familyEnds } from './address-table.ts'
import { judgePairs, pairsBetween } from './judge-pairs.ts'
import {
  CHAINS,
  fullService,
  quotesOf,
  requestBody,
  type SandboxService,
  tokenOn,
} from './sandbox-service.ts'

const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const RECIPIENT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

let world: SandboxService
let ends: FamilyEnds
before(async () => {
  world = await fullService.start()
  ends = await familyEnds(world.service.url)
})
after(fullService.stop)

test('a tolerance that gives nearly everything away carries the warning high_slippage', async () => {
  const [from, to] = [
    tokenOn(world, CHAINS.a, 'gateway', /USDC/),
    tokenOn(world, CHAINS.b, 'gateway-express', /WETH/),
  ]
  const trade = requestBody({ from, to, amount: 50_000_000n }, SENDER, RECIPIENT)
  const quotes = await quotesOf(world, 'gateway-express', { ...trade, slippageTolerance: 9_999 })
  assert.match(JSON.stringify(quotes[0].backend.metadata['warnings']), /high_slippage/)
})

test('superlatives are true, and a pair is quoted or refused, for every token as source and as destination', async () => {
  const pairs = pairsBetween(world.tokens)
  const sources = new Map(pairs.map((pair) => [pair.from, pair]))
  const destinations = new Map(pairs.toReversed().map((pair) => [pair.to, pair]))
  const sample = [...new Set([...sources.values(), ...destinations.values()])]
  assert.ok(sample.length >= world.tokens.length)
  await judgePairs(world, ends, sample)
})

test('what is kept of a quote has its amounts, its refund terms and its deposit address', async () => {
  const usdcOf = (chainId: string, backend: string) => tokenOn(world, chainId, backend, /^(axl)?USDC$/)
  const { evm, solana, stellar } = ends
  for (const [backend, source, destination] of [
    ['intent', evm, solana],
    ['intent', solana, evm],
    ['intent', stellar, evm],
    ['gateway', evm, { ...evm, chainId: CHAINS.b }],
    ['gateway-express', evm, { ...evm, chainId: CHAINS.b }],
  ] as const) {
    const [from, to] = [usdcOf(source.chainId, backend), usdcOf(destination.chainId, backend)]
    const trade = requestBody({ from, to, amount: 50_000_000n }, source.account, destination.account)
    const [quote] = await quotesOf(world, backend, trade)
    const { body } = await fetchJson<TransferAnswer>(
      `${world.service.url}/v1/rfq/transfer?quoteId=${quote.quoteId}`,
    )
    const { refund, deposit, input, output, sender } = body.quote ?? assert.fail('the quote is not kept')
    assert.deepEqual([input, output, sender], [quote.input, quote.output, trade['sender']])
    const { returnGas: _, expectedSeconds: __, ...said } = Object(quote.backend.metadata['refund'])
    const { expectedSeconds: ___, ...kept } = Object(refund)
    assert.deepEqual(kept, said, `${backend} from ${source.chainId}`)
    const payload = quote.actions.find(({ type }) => type === 'deposit_address')?.payload
    assert.deepEqual(deposit, payload ?? null)
  }
})
