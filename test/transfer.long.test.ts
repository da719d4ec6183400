import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import {
  askNode,
  assertInOrder,
  balanceOf,
  chainClients,
  execute,
  fetchJson,
  follow,
  messageIdOf,
  sendAction,
  type WireQuote,
  type WireStatus,
} from 'openrfq/test/wallet.ts'
import { erc20Abi, type Hex, maxUint256 } from 'viem'
import {
  CHAINS,
  evmService,
  quoteOf,
  requestBody,
  type SandboxService,
  type Trade,
  tokenOn,
} from './sandbox-service.ts'

let world: SandboxService
before(async () => {
  world = await evmService.start()
})
after(evmService.stop)

const account = (index: number): { address: Hex; privateKey: Hex } => {
  const found = world.sandbox.accounts[index]
  assert.ok(found)
  return found
}

const statusOf = async (quoteId: string, lookup: Record<string, string> = {}): Promise<WireStatus> =>
  (
    await fetchJson<WireStatus>(
      `${world.service.url}/v1/rfq/status?${new URLSearchParams({ quoteId, ...lookup })}`,
    )
  ).body

/** Quotes, executes and follows one transfer. Asserts its states and both exact balances. */
const walk = async (backend: string, trade: Trade, from: number, to: number): Promise<WireQuote> => {
  const [sender, recipient] = [account(from), account(to)]
  const quote = await quoteOf(world, backend, requestBody(trade, sender.address, recipient.address))
  const before = await statusOf(quote.quoteId)
  assert.deepEqual([before.state, before.source, before.output], ['AWAITING_DEPOSIT', null, null])
  const sourceBefore = await balanceOf(world.sandbox, quote.input, sender.address)
  const destinationBefore = await balanceOf(world.sandbox, quote.output, recipient.address)
  const messageId = await execute(world.sandbox, quote, sender.privateKey)
  const lookup = { quoteId: quote.quoteId, messageId, sourceChain: quote.input.chain }
  const { states, last } = await follow(world.service.url, lookup)
  assertInOrder(states, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
  assert.equal(last.source?.messageId, messageId)
  assert.equal(last.destination?.chain, quote.output.chain)
  assert.deepEqual(last.output, {
    chain: quote.output.chain,
    token: quote.output.token,
    amount: quote.output.amount,
  })
  assert.equal(last.refund, null)
  const sourceAfter = await balanceOf(world.sandbox, quote.input, sender.address)
  const destinationAfter = await balanceOf(world.sandbox, quote.output, recipient.address)
  assert.equal(sourceBefore - sourceAfter, BigInt(quote.input.amount))
  assert.equal(destinationAfter - destinationBefore, BigInt(quote.output.amount))
  return quote
}

const usdcTrade = (amount: bigint): Trade => ({
  from: tokenOn(world, CHAINS.a, 'gateway', /USDC/),
  to: tokenOn(world, CHAINS.b, 'gateway', /USDC/),
  amount,
})

/** An ITS token that its holder must approve; its decimals differ between chains, unlike the native one's. */
const lockedTrade = (to: string, amount: bigint): Trade => {
  const onC = world.tokens.filter(({ chainId, backends }) => chainId === CHAINS.c && backends.includes('its'))
  const scaled = onC.find(({ symbol, decimals }) =>
    world.tokens.some(
      (token) => token.chainId === CHAINS.a && token.symbol === symbol && token.decimals > decimals,
    ),
  )
  assert.ok(scaled)
  const name = new RegExp(`^${scaled.symbol}$`)
  return { from: tokenOn(world, CHAINS.a, 'its', name), to: tokenOn(world, to, 'its', name), amount }
}

test('a wallet that uses only the public API executes a gateway transfer', async () => {
  const quote = await walk('gateway', usdcTrade(25_000_000n), 0, 1)
  assert.deepEqual(
    quote.actions.map(({ id }) => id),
    ['approve', 'transfer'],
  )
})

test('a wallet that uses only the public API executes an its transfer', async () => {
  const quote = await walk('its', lockedTrade(CHAINS.b, 3_000_000_000_000_000_001n), 1, 2)
  assert.deepEqual(
    quote.actions.map(({ id }) => id),
    ['approve', 'transfer'],
  )
  assert.equal(quote.output.minimumAmount, quote.output.amount)
})

test('a transfer to a chain with fewer decimals delivers exactly output.amount', async () => {
  const quote = await walk('its', lockedTrade(CHAINS.c, 1_234_567_890_123_456_789n), 2, 3)
  assert.equal(quote.output.amount, '1234567')
})

test('EXACT_OUTPUT delivers exactly the requested amount', async () => {
  const gateway = await walk('gateway', { ...usdcTrade(7_000_001n), orderType: 'EXACT_OUTPUT' }, 3, 4)
  assert.equal(gateway.output.amount, '7000001')
  const its = await walk('its', { ...lockedTrade(CHAINS.c, 42n), orderType: 'EXACT_OUTPUT' }, 3, 4)
  assert.equal(its.output.amount, '42')
})

test('MAX leaves an unlimited allowance, and a sender whose allowance suffices gets no approval action', async () => {
  const trade = { ...usdcTrade(9_000_000n), approvalMode: 'MAX' as const }
  const first = await walk('gateway', trade, 5, 6)
  const spender = first.actions.at(-1)?.payload.to
  assert.ok(spender)
  const allowance = await chainClients(world.sandbox, first.input.chain).reader.readContract({
    address: first.input.token,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [account(5).address, spender],
  })
  assert.ok(allowance >= maxUint256 - BigInt(first.input.amount))
  const second = await walk('gateway', usdcTrade(8_000_000n), 5, 6)
  assert.deepEqual(
    second.actions.map(({ id }) => id),
    ['transfer'],
  )
})

test('a reorg that removes the source transaction moves PENDING back to AWAITING_DEPOSIT', async () => {
  const { url } = world.service
  assert.equal((await fetchJson(`${url}/sandbox/relayer`, { paused: true })).status, 200)
  const quote = await quoteOf(
    world,
    'gateway',
    requestBody(usdcTrade(5_000_000n), account(5).address, account(9).address),
  )
  const { reader } = chainClients(world.sandbox, CHAINS.a)
  const rpc = (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    askNode(world.sandbox, CHAINS.a, method, ...params)
  const send = (action: WireQuote['actions'][number] | undefined): Promise<Hex> =>
    sendAction(world.sandbox, action ?? assert.fail(), account(5).privateKey, { gas: 300_000n })
  for (const approval of quote.actions.slice(0, -1))
    await reader.waitForTransactionReceipt({ hash: await send(approval) })
  // The chain mines no block after the transaction's, so that it does not become final.
  await rpc('evm_setAutomine', false)
  const hash = await send(quote.actions.at(-1))
  await rpc('evm_mine')
  const messageId = messageIdOf(quote, await reader.waitForTransactionReceipt({ hash }))
  const lookup = { quoteId: quote.quoteId, messageId, sourceChain: CHAINS.a }
  const pending = await follow(url, lookup, ({ state }) => state === 'PENDING')
  assert.ok(pending.last.source)
  assert.equal((await fetchJson(`${url}/sandbox/reorg`, { chainId: CHAINS.a, depth: 40 })).status, 200)
  await rpc('evm_setAutomine', true)
  const back = await follow(url, lookup, ({ state }) => state === 'AWAITING_DEPOSIT')
  assert.equal(back.last.source, null)
  assert.equal((await fetchJson(`${url}/sandbox/relayer`, { paused: false })).status, 200)
})

test('while one chain is unreachable others are quoted, and it is quoted again when it returns', async () => {
  const { url } = world.service
  const away = requestBody(usdcTrade(30_000_000n), account(0).address, account(1).address)
  const elsewhere = requestBody(
    {
      ...usdcTrade(30_000_000n),
      from: tokenOn(world, CHAINS.b, 'gateway', /USDC/),
      to: tokenOn(world, CHAINS.c, 'gateway', /USDC/),
    },
    account(0).address,
    account(1).address,
  )
  assert.equal((await fetchJson(`${url}/sandbox/rpc`, { chainId: CHAINS.a, up: false })).status, 200)
  const during = await fetchJson<{ quotes: WireQuote[] }>(`${url}/v1/rfq/quote`, away)
  assert.equal(during.status, 200)
  assert.ok(await quoteOf(world, 'gateway', elsewhere))
  assert.equal((await fetchJson(`${url}/sandbox/rpc`, { chainId: CHAINS.a, up: true })).status, 200)
  await eventually('the chain is quoted again', async () => {
    const again = await fetchJson<{ quotes: WireQuote[] }>(`${url}/v1/rfq/quote`, away)
    return again.body.quotes.length > 0
  })
})

test('SIGTERM ends the service cleanly', async () => {
  // A reorg above was deeper than finality, which is an error that may be noticed later.
  const errors = (): readonly string[] =>
    world.service
      .stderr()
      .split('\n')
      .filter((line) => line.includes('"level":50') && !line.includes('finality_violated'))
  const before = new Set(errors())
  assert.equal(await world.service.stop(), 0)
  assert.deepEqual(
    errors().filter((line) => !before.has(line)),
    [],
  )
})
