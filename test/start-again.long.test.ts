import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Quote } from '@openrfq/sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson, follow } from 'openrfq/test/wallet.ts'
import { executeOn, type FamilyAccount, type FamilyChain, type FamilyToken } from './families-world.ts'
import { temporaryDirectory } from './sandbox-service.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

type Family = FamilyChain['chainType']
type Sandbox = {
  readonly chains: readonly FamilyChain[]
  readonly accounts: readonly FamilyAccount[]
  readonly tokens: readonly FamilyToken[]
}
type End = { readonly chain: FamilyChain; readonly token: FamilyToken; readonly account: FamilyAccount }

/** The ways in which the service ends before it is started again in the same folder. */
const LIVES = ['stop', 'kill', 'stop'] as const
const PAIRS: readonly (readonly [Family, Family])[] = [
  ['evm', 'evm'],
  ['evm', 'solana'],
  ['solana', 'evm'],
  ['evm', 'stellar'],
  ['stellar', 'evm'],
  ['solana', 'stellar'],
  ['stellar', 'solana'],
]
const WHOLE_TOKENS = 20n

/** The dollars of a family on its first chain, or on its second one if it has several. */
const endOf = (sandbox: Sandbox, family: Family, place: 'from' | 'to'): End => {
  const chain = sandbox.chains
    .filter(({ chainType }) => chainType === family)
    .slice(0, 2)
    .at(place === 'from' ? 0 : -1)
  const token = sandbox.tokens.find(
    ({ chainId, symbol }) => chainId === chain?.chainId && /USDC/.test(symbol),
  )
  const account = sandbox.accounts.filter(({ chainType }) => chainType === family)[place === 'from' ? 1 : 2]
  assert.ok(chain && token && account, `${family} ${place}`)
  return { chain, token, account }
}

/** Makes one transfer through the public interface; resolves when it is DONE. */
const transfer = async ({ url, stderr }: ServiceProcess, from: End, to: End): Promise<void> => {
  const body = {
    fromChain: from.chain.chainId,
    fromToken: from.token.address,
    toChain: to.chain.chainId,
    toToken: to.token.address,
    amount: (WHOLE_TOKENS * 10n ** BigInt(from.token.decimals)).toString(),
    orderType: 'EXACT_INPUT',
    sender: from.account.address,
    recipient: to.account.address,
  }
  const quote = await eventually(
    () => `a quote from ${from.chain.chainId} to ${to.chain.chainId}\n${stderr()}`,
    async () => {
      const answer = await fetchJson<{ quotes?: unknown[] }>(`${url}/v1/rfq/quote`, body)
      const quotes = (answer.body.quotes ?? []).map((quote) => Quote.parse(quote))
      return quotes.find(({ backend }) => backend.type === 'intent')
    },
  )
  await executeOn(from.chain, from.token, quote, from.account, Date.now())
  const { last } = await follow(url, { quoteId: quote.quoteId })
  assert.equal(last.state, 'DONE', JSON.stringify(last))
}

test('each start in one folder transfers to and from every family, also after kill -9', async (context) => {
  const { path, remove } = temporaryDirectory()
  context.after(remove)
  for (const [life, end] of LIVES.entries()) {
    const service = await startServiceProcess(
      { DATA_DIR: path, RATE_LIMIT: 'off' },
      { words: ['test/quick-sandbox.ts', 'patient'] },
    )
    context.after(service.kill)
    const { body: sandbox } = await fetchJson<Sandbox>(`${service.url}/sandbox`)
    for (const [from, to] of PAIRS)
      await transfer(service, endOf(sandbox, from, 'from'), endOf(sandbox, to, 'to'))
    context.diagnostic(`start ${life + 1}: ${PAIRS.length} transfers DONE`)
    await service[end]()
  }
})
