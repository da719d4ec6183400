import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { readPermit2 } from '@openrfq/sandbox/src/deploy/permit2.ts'
import { OPENER } from '@openrfq/sandbox/src/keys.ts'
import { createClient, OpeningAnswer, Quote } from '@openrfq/sdk'
import { connectEvm, gaslessPayer } from '@openrfq/sdk/evm'
import { eventually } from 'openrfq/test/eventually.ts'
import { balanceOf, chainClients, fetchJson } from 'openrfq/test/wallet.ts'
import {
  type Address,
  createWalletClient,
  domainSeparator,
  type Hex,
  http,
  maxUint256,
  parseAbi,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { settlerEvent } from './intent-chain.ts'
import {
  accountAt,
  CHAINS,
  quotesOf,
  requestBody,
  type SandboxService,
  startSandboxService,
  type Trade,
  tokenOn,
} from './sandbox-service.ts'

let world: SandboxService
before(async () => {
  world = await startSandboxService({ OPENER_PRIVATE_KEY: OPENER.privateKey }, ['patient'])
})
after(() => world.stop())

const ERC20 = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function nonces(address owner) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])

/** A quote that may be opened by a method. */
const quoteWith = async (trade: Trade, method: string, from: number, to: number): Promise<Quote> => {
  const body = requestBody(trade, accountAt(world, from).address, accountAt(world, to).address)
  return eventually(`a quote offers ${method}`, async () => {
    const [best] = await quotesOf(world, 'intent', body)
    const quote = Quote.parse(best)
    return openingOf(quote, method) !== undefined && quote
  })
}

const openingOf = ({ backend }: Quote, method: string) =>
  backend.type === 'intent' ? backend.metadata.openings?.find((one) => one.method === method) : undefined

const post = (body: unknown) => fetchJson<unknown>(`${world.service.url}/v1/rfq/orders`, body)

/** The sender's native balance and input, and the recipient's output, in base units. */
const amounts = ({ input, output }: Quote, sender: Hex, recipient: Hex) =>
  Promise.all([
    balanceOf(world.sandbox, { chain: input.chain, token: zeroAddress }, sender),
    // CAST: addresses of EVM tokens.
    balanceOf(world.sandbox, { chain: input.chain, token: input.token as Hex }, sender),
    balanceOf(world.sandbox, { chain: output.chain, token: output.token as Hex }, recipient),
  ])

/** The sender's wallet of the SDK, through whose client a test sees what is posted. */
const payerOf = (from: number, chainId: string) => {
  const client = createClient({ baseUrl: world.service.url })
  const posted: unknown[] = []
  const openOrder: typeof client.openOrder = (body, options) => {
    posted.push(body)
    return client.openOrder(body, options)
  }
  const wallet = connectEvm(accountAt(world, from).privateKey, rpcUrlOf(chainId))
  return { payer: gaslessPayer(wallet, { openOrder }), posted, client }
}

/** Signs, sends and follows one order to DONE by the SDK; the sender pays the input and nothing else. */
const walk = async (
  context: TestContext,
  trade: Trade,
  method: string,
  [from, to]: readonly [number, number],
): Promise<void> => {
  // CAST: EVM addresses of the sandbox.
  const [sender, recipient] = [accountAt(world, from).address as Hex, accountAt(world, to).address as Hex]
  const quote = await quoteWith(trade, method, from, to)
  const before = await amounts(quote, sender, recipient)
  const { payer, posted, client } = payerOf(from, quote.input.chain)
  const payload = quote.actions.at(-1)?.payload
  const settler = payload?.type === 'evm_transaction' ? payload.to : assert.fail('no settler')
  const guards = { contracts: { [quote.input.chain]: [settler] } }
  const { amount, orderType } = { amount: trade.amount, orderType: 'EXACT_INPUT' } as const
  const ends = { fromChain: quote.input.chain, toChain: quote.output.chain, sender, recipient }
  const request = { ...ends, fromToken: quote.input.token, toToken: quote.output.token, amount, orderType }
  const now = Date.parse(quote.validity.quoteExpiresAt) - 1_000
  await payer.guard({ quote, request, guards, now, lacks: () => undefined })
  await payer.simulate(quote)
  const started = await payer.execute({ quote, now })
  const answer = OpeningAnswer.parse((await post(posted[0])).body)
  assert.equal(answer.txHash, started.txHash, 'the same signatures sent again open nothing else')
  assert.equal(Object(posted[0]).method, method)
  const { status: last } = await client.waitForTransfer(started)
  assert.equal(last?.state, 'DONE')
  assert.equal(last?.source?.txHash, answer.txHash)
  const opened = await settlerEvent(world.sandbox, quote.input.chain, 'Open', answer.swapId)
  const { reader } = chainClients(world.sandbox, quote.input.chain)
  const receipt = await reader.getTransactionReceipt({ hash: opened.txHash })
  assert.equal(receipt.from.toLowerCase(), OPENER.address.toLowerCase())
  const after = await amounts(quote, sender, recipient)
  assert.equal(after[0], before[0], 'the sender paid gas')
  assert.equal(before[1] - after[1], BigInt(quote.input.amount))
  assert.equal(after[2] - before[2], BigInt(quote.output.amount))
  await settlerEvent(world.sandbox, quote.input.chain, 'Released', answer.swapId)
  context.diagnostic(
    `${method}: DONE, ${receipt.gasUsed} gas by the opener, 0 by the sender; ${quote.input.amount} paid, ${quote.output.amount} received`,
  )
}

test('an order opened by ERC-3009 is DONE, and its sender paid no gas', async (context) => {
  const trade = {
    from: tokenOn(world, CHAINS.a, 'intent', /^USDC$/),
    to: tokenOn(world, CHAINS.b, 'intent', /USDC/),
    amount: 125_000_000n,
  }
  await walk(context, trade, 'erc3009', [0, 1])
})

test('an order opened by Permit2 is DONE, and its sender paid no gas', async (context) => {
  const from = tokenOn(world, CHAINS.a, 'intent', /^HBR$/)
  const { reader, rpcUrl } = { ...chainClients(world.sandbox, CHAINS.a), rpcUrl: rpcUrlOf(CHAINS.a) }
  const { address: permit2 } = readPermit2()
  const account = privateKeyToAccount(accountAt(world, 2).privateKey as Hex)
  const wallet = createWalletClient({ account, transport: http(rpcUrl) })
  const hash = await wallet.writeContract({
    address: from.address,
    abi: ERC20,
    functionName: 'approve',
    args: [permit2 as Address, maxUint256],
    chain: null,
  })
  // The service's endpoints are up to two blocks behind.
  await reader.waitForTransactionReceipt({ hash, confirmations: 4 })
  await walk(
    context,
    { from, to: tokenOn(world, CHAINS.b, 'intent', /^HBR$/), amount: 10n ** 19n },
    'permit2',
    [2, 3],
  )
})

test('an order opened by ERC-2612 is DONE, and its sender paid no gas', async (context) => {
  const trade = {
    from: tokenOn(world, CHAINS.b, 'intent', /USDC/),
    to: tokenOn(world, CHAINS.a, 'intent', /^USDC$/),
    amount: 77_000_000n,
  }
  await walk(context, trade, 'erc2612', [4, 5])
})

test("the sandbox's Permit2 has the domain of its chain and its address", async () => {
  const { address } = readPermit2()
  for (const chainId of Object.values(CHAINS)) {
    const { reader } = chainClients(world.sandbox, chainId)
    const domain = {
      name: 'Permit2',
      chainId: BigInt(chainId.slice(7)),
      verifyingContract: address as Address,
    }
    const told = await reader.readContract({
      address: address as Address,
      abi: ERC20,
      functionName: 'DOMAIN_SEPARATOR',
    })
    assert.equal(told, domainSeparator({ domain }))
  }
})

const rpcUrlOf = (chainId: string): string => {
  const found = world.sandbox.chains.find((chain) => chain.chainId === chainId)
  assert.ok(found !== undefined)
  return found.rpcUrl
}
