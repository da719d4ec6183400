import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TransferAnswer } from '@openrfq/sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson, fetchUndocumented, type WireQuote } from 'openrfq/test/wallet.ts'
import { type FamilyEnds, familyEnds } from './address-table.ts'
import { firstReason } from './judge-quotes.ts'
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

test('over all pairs and both order types superlatives are true, and every pair is quoted or refused', async () => {
  const tokens = world.tokens
  const asked = tokens.flatMap((from) =>
    tokens
      .filter(({ chainId }) => chainId !== from.chainId)
      .flatMap((to) =>
        (['EXACT_INPUT', 'EXACT_OUTPUT'] as const).map((orderType) => ({ from, to, orderType })),
      ),
  )
  const judge = async ({ from, to, orderType }: (typeof asked)[number]): Promise<boolean> => {
    const exact = orderType === 'EXACT_INPUT' ? from : to
    const trade = { from, to, orderType, amount: 10n ** BigInt(exact.decimals) }
    const partyOn = (chainId: string, evm: string): string =>
      Object.values(ends).find((end) => end.chainId === chainId)?.account ?? evm
    const parties = [partyOn(from.chainId, SENDER), partyOn(to.chainId, RECIPIENT)] as const
    const answer = await fetchUndocumented<{ readonly quotes?: readonly WireQuote[] }>(
      `${world.service.url}/v1/rfq/quote`,
      requestBody(trade, ...parties),
    )
    const [first, ...others] = answer.body.quotes ?? []
    if (first === undefined) return answer.status === 422 || answer.status === 400
    assert.equal(first.selectionReason, firstReason(first, [first, ...others], orderType))
    for (const { selectionReason } of others)
      assert.ok(['fastest', 'lowest_fee', 'alternative'].includes(selectionReason))
    return true
  }
  assert.ok(asked.length > 500)
  for (let start = 0; start < asked.length; start += 8)
    await Promise.all(
      asked
        .slice(start, start + 8)
        .map((pair) => eventually(`an answer to ${JSON.stringify(pair)}`, () => judge(pair))),
    )
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
    const { amountUsdApprox: _, ...paid } = Object(quote.input)
    const { amountUsdApprox: __, ...received } = Object(quote.output)
    assert.deepEqual([input, output, sender], [paid, received, trade['sender']])
    const { returnGas: ___, expectedSeconds: ____, ...said } = Object(quote.backend.metadata['refund'])
    const { expectedSeconds: _____, ...kept } = Object(refund)
    assert.deepEqual(kept, said, `${backend} from ${source.chainId}`)
    const payload = quote.actions.find(({ type }) => type === 'deposit_address')?.payload
    assert.deepEqual(deposit, payload ?? null)
  }
})
