import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { TOKEN_SERVICE } from '@openrfq/sandbox/src/solana/token-service.ts'
import { createClient, type Guards, type Payer, type Quote, type SwapProgress, swap } from '@openrfq/sdk'
import { connectEvm, evmPayer } from '@openrfq/sdk/evm'
import { connectSolana, solanaPayer } from '@openrfq/sdk/solana'
import { eventually } from 'openrfq/test/eventually.ts'
import { assertInOrder, fetchJson, follow } from 'openrfq/test/wallet.ts'
import { type FamiliesWorld, type FamilyChain, type FamilyToken, familiesWorld } from './families-world.ts'
import { payingPart } from './late-transfers.ts'
import { STRANGER } from './recovery-steps.ts'

let world: FamiliesWorld
before(async () => {
  world = await familiesWorld.start()
})
after(familiesWorld.stop)

type Family = FamilyChain['chainType']
type End = { readonly chain: FamilyChain; readonly token: FamilyToken }

/** The interchain token of the sandbox on the first chain of a family. */
const endOf = (family: Family): End => {
  const chain = world.chainOf(family)
  return { chain, token: world.tokenOf(chain, /^HBR$/) }
}

const SENDER = 7
const RECIPIENT = 3
/** Enough that the fees of the way are a small loss. */
const WHOLE_TOKENS = 1_000n

const payerOn = async ({ chain }: End): Promise<Payer> => {
  const { privateKey } = world.accountOf(chain, SENDER)
  return chain.chainType === 'evm'
    ? evmPayer(connectEvm(privateKey, chain.rpcUrl))
    : solanaPayer(await connectSolana(privateKey, chain.rpcUrl, chain.subscriptionsUrl))
}

const swapBetween = async (from: End, to: End, guards: Guards, onProgress?: (one: SwapProgress) => void) =>
  swap({
    client: createClient({ baseUrl: world.url }),
    payer: await payerOn(from),
    recipient: world.accountOf(to.chain, RECIPIENT).address,
    amount: WHOLE_TOKENS * 10n ** BigInt(from.token.decimals),
    fromChain: from.chain.chainId,
    fromToken: from.token.address,
    toChain: to.chain.chainId,
    toToken: to.token.address,
    guards,
    choose: (quotes) => quotes.find(({ backend }) => backend.type === 'its'),
    ...(onProgress === undefined ? {} : { onProgress }),
  })

/** Waits until the chains' limits are read, so that a quote is there. */
const untilQuoted = (from: End, to: End) =>
  eventually(`its from ${from.chain.chainId} to ${to.chain.chainId}`, async () => {
    const quotes = await createClient({ baseUrl: world.url }).getQuotes({
      fromChain: from.chain.chainId,
      fromToken: from.token.address,
      toChain: to.chain.chainId,
      toToken: to.token.address,
      amount: 10n ** BigInt(from.token.decimals),
      orderType: 'EXACT_INPUT',
      sender: world.accountOf(from.chain, SENDER).address,
      recipient: world.accountOf(to.chain, RECIPIENT).address,
    })
    return quotes.some(({ backend }) => backend.type === 'its')
  })

const held = (end: End, index: number): Promise<bigint> =>
  world.balanceOf(end.chain, end.token, world.accountOf(end.chain, index).address)

/** Gives an account of a chain some of the token; on Stellar that opens its trustline. */
const give = async (end: End, index: number): Promise<void> => {
  const { chain, token } = end
  const before = await held(end, index)
  const { address } = world.accountOf(chain, index)
  const amount = WHOLE_TOKENS * 10n ** BigInt(token.decimals)
  const asked = { chainId: chain.chainId, token: token.address, address, amount: amount.toString() }
  const { status, body } = await fetchJson(`${world.url}/sandbox/faucet`, asked)
  assert.equal(status, 200, JSON.stringify(body))
  await eventually('the gift is in a block', async () => (await held(end, index)) === before + amount)
}

for (const [source, destination] of [
  ['solana', 'evm'],
  ['evm', 'solana'],
  ['evm', 'stellar'],
] as const)
  test(`swap moves an interchain token from ${source} to ${destination}, and the balances say so`, async (context) => {
    const [from, to] = [endOf(source), endOf(destination)]
    await give(from, SENDER)
    await give(to, RECIPIENT)
    await untilQuoted(from, to)
    const before = [await held(from, SENDER), await held(to, RECIPIENT)] as const
    const states: string[] = []
    const startedAt = Date.now()
    const bridge = { [from.chain.chainId]: { name: source, its: TOKEN_SERVICE } }
    const { quote, status, started } = await swapBetween(
      from,
      to,
      source === 'solana' ? { bridge } : { maximumNativeFee: 10n ** 18n },
      (progress) => {
        if (progress.step === 'status' && states.at(-1) !== progress.status.state)
          states.push(progress.status.state)
      },
    )
    context.diagnostic(`${status?.state} ${Date.now() - startedAt} ms after the request`)
    assertInOrder(states, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
    assert.equal(status?.state, 'DONE')
    assert.equal(status.source?.txHash, started.txHash)
    assert.equal(status.output?.amount, quote.output.amount)
    assert.equal(before[0] - (await held(from, SENDER)), BigInt(quote.input.amount))
    assert.equal((await held(to, RECIPIENT)) - before[1], BigInt(quote.output.amount))
  })

test('swap signs no interchain transfer from Solana for which the guards name no token service, or another one', async () => {
  const [from, to] = [endOf('solana'), endOf('evm')]
  await untilQuoted(from, to)
  const before = await held(from, SENDER)
  const { address: stranger } = world.accountOf(from.chain, 1)
  for (const guards of [{}, { contracts: { [from.chain.chainId]: [stranger] } }])
    await assert.rejects(swapBetween(from, to, guards), { code: 'unsafe', guard: 'unknown_contract' })
  assert.equal(await held(from, SENDER), before)
})

/** The quote of the token service between two ends, whose last action pays next to nothing for the way. */
const unpaidQuote = async (from: End, to: End): Promise<Quote> => {
  const quotes = await createClient({ baseUrl: world.url }).getQuotes({
    ...{ fromChain: from.chain.chainId, fromToken: from.token.address },
    ...{ toChain: to.chain.chainId, toToken: to.token.address },
    ...{ amount: WHOLE_TOKENS * 10n ** BigInt(from.token.decimals), orderType: 'EXACT_INPUT' },
    sender: world.accountOf(from.chain, SENDER).address,
    recipient: world.accountOf(to.chain, RECIPIENT).address,
  })
  const quote = quotes.find(({ backend }) => backend.type === 'its') ?? assert.fail('no its')
  const actions = quote.actions.map((action) =>
    action.type === 'transaction' && action.payload.type === 'evm_transaction'
      ? { ...action, payload: payingPart(action.payload, 1n) }
      : action,
  )
  return { ...quote, actions }
}

for (const destination of ['solana', 'stellar'] as const)
  test(`a stranger pays for the relay of an interchain token to ${destination}, and it is delivered`, async () => {
    const [from, to] = [endOf('evm'), endOf(destination)]
    await give(from, SENDER)
    await give(to, RECIPIENT)
    await untilQuoted(from, to)
    const quote = await unpaidQuote(from, to)
    const before = await held(to, RECIPIENT)
    await world.execute(quote, world.accountOf(from.chain, SENDER))
    const { quoteId } = quote
    const stranger = world.accountOf(from.chain, STRANGER)
    const client = createClient({ baseUrl: world.url })
    const recovery = await eventually('gas can be paid', async () => {
      const { recoveries } = await client.getRecovery({ quoteId, account: stranger.address })
      return recoveries.find(({ kind }) => kind === 'add_gas')
    })
    assert.deepEqual([recovery.chain, recovery.leadsTo], [from.chain.chainId, 'DONE'])
    assert.equal(await held(to, RECIPIENT), before)
    const validity = { ...quote.validity, quoteExpiresAt: '9999-12-31T23:59:59Z' }
    // Paying for the relay starts no transfer of its own.
    const backend = { type: 'intent', name: 'recovery', tracking: { swapId: '' }, metadata: {} } as const
    await world.execute({ ...quote, backend, actions: [...recovery.actions], validity }, stranger)
    const { last } = await follow(world.url, { quoteId })
    assert.equal(last.state, 'DONE')
    assert.equal(last.output?.amount, quote.output.amount)
    assert.equal((await held(to, RECIPIENT)) - before, BigInt(quote.output.amount))
    assert.deepEqual((await client.getRecovery({ quoteId, account: stranger.address })).recoveries, [])
  })
