import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import { QUICK_BLOCK_MS } from '@openrfq/sandbox/test/quick-blocks.ts'
import { baseUnits } from 'openrfq/src/core/amount.ts'
import type { StandingQuote } from 'openrfq/src/intents/solver-api/protocol.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { KEYS } from 'openrfq/test/test-solver.ts'
import { fetchJson, type SandboxDescription } from 'openrfq/test/wallet.ts'
import { connectHandmadeSolver, type HandmadeSolver } from './handmade-solver.ts'
import { judgeByPrices, type RankedQuote } from './judge-quotes.ts'
import {
  CHAINS,
  listTokens,
  requestBody,
  temporaryDirectory,
  tokenOn,
  type WireToken,
} from './sandbox-service.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

const [account] = KEYS
assert.ok(account)
const ONE = 10n ** 18n
const HELD = 100n * ONE
/** Standing quotes outlive a test on a busy machine. */
const VALID_MS = 60_000
/** A millionth of a token, far below the expected cost of one failure in a hundred. */
const NEARLY_EQUAL = 10n ** 12n

/** A pair that a test quotes. */
type Pair = { readonly from: WireToken; readonly to: WireToken }
type World = {
  readonly service: ServiceProcess
  readonly sandbox: SandboxDescription
  readonly solver: HandmadeSolver
  /** A pair that gateways serve, and one that its serves. */
  readonly pairs: { readonly gateway: Pair; readonly its: Pair }
  /** The network's tokens with their prices. */
  readonly priced: Parameters<typeof judgeByPrices>[0]
}
let world: World
const stops: (() => unknown)[] = []

before(async () => {
  const directory = temporaryDirectory()
  stops.push(directory.remove)
  const running = await startSandbox({
    log: () => undefined,
    now: Date.now,
    withPaymentChains: false,
    blockMs: QUICK_BLOCK_MS,
    endpointSeed: undefined,
  })
  stops.push(running.stop)
  const file = join(directory.path, 'network.json')
  const intent = { ...running.network.intent, solvers: [{ name: 'handmade', address: account.address }] }
  writeFileSync(file, JSON.stringify({ ...running.network, intent }))
  const service = await startServiceProcess({
    RFQ_CONFIG: file,
    DATA_DIR: join(directory.path, 'data'),
    RATE_LIMIT: 'off',
  })
  stops.push(service.stop)
  const control = (path: string, body: unknown): unknown =>
    running.endpoints.find((endpoint) => endpoint.path === path)?.handle(body)
  // CAST: the sandbox describes itself as docs/sandbox.md says; the test uses nothing else of it.
  const sandbox = (await control('/sandbox', undefined)) as SandboxDescription
  const tokens = await listTokens(service.url)
  const pairOf = (backend: string, symbol: RegExp): Pair => ({
    from: tokenOn({ tokens }, CHAINS.a, backend, symbol),
    to: tokenOn({ tokens }, CHAINS.b, backend, symbol),
  })
  const pairs = { gateway: pairOf('gateway', /WETH/), its: pairOf('its', /HBR/) }
  for (const { to } of Object.values(pairs))
    await control('/sandbox/faucet', {
      chainId: to.chainId,
      token: to.address,
      address: account.address,
      amount: `${HELD}`,
    })
  const solver = await connectHandmadeSolver(service.url, account)
  stops.push(solver.stop)
  world = { service, sandbox, solver, pairs, priced: running.network.tokens }
})
after(async () => {
  for (const stop of stops.reverse()) await stop()
})

/** Declares so much of the output. */
const declare = (available: bigint, { to } = world.pairs.gateway): Promise<void> =>
  world.solver.declare([{ chain: to.chainId, token: to.address, available: baseUnits(available), block: 0 }])

/** Offers so many outputs for an input, one by default, with a rung above it at the same price. */
const offer = (output: bigint, { from, to } = world.pairs.gateway, input = ONE): Promise<void> => {
  const rung = (times: bigint): StandingQuote['ladder'][number] => ({
    input: baseUnits(input * times),
    output: baseUnits(output * times),
    fee: baseUnits(0n),
  })
  return world.solver.quote([
    {
      fromChain: from.chainId,
      fromToken: from.address,
      toChain: to.chainId,
      toToken: to.address,
      ladder: [rung(1n), rung(1_000n)],
      validForMs: VALID_MS,
    },
  ])
}

const askFrom = async (
  sender: string,
  amount: bigint,
  pair = world.pairs.gateway,
): Promise<readonly RankedQuote[]> => {
  const recipient = world.sandbox.accounts[1]
  assert.ok(recipient)
  const body = requestBody({ ...pair, amount }, sender, recipient.address)
  const answer = await fetchJson<{ quotes?: RankedQuote[] }>(`${world.service.url}/v1/rfq/quote`, body)
  return answer.body.quotes ?? []
}

/** Asks for an account that holds the input. */
const ask = (amount = ONE, pair = world.pairs.gateway): Promise<readonly RankedQuote[]> => {
  const [sender] = world.sandbox.accounts
  assert.ok(sender)
  return askFrom(sender.address, amount, pair)
}

const isIntent = ({ backend }: RankedQuote): boolean => backend.type === 'intent'

/** Waits until the solver's offer, and those of another backend, are shown; returns the solver's output. */
const shownOutput = (): Promise<bigint> =>
  eventually('the offer is shown', async () => {
    const quotes = await ask()
    const shown = quotes.find(isIntent)
    return quotes.length > 1 && shown !== undefined && BigInt(shown.output.amount)
  })

test('what a solver declares beyond its balance is not quoted, and GET /v1/solvers names the asset', async () => {
  await declare(2n ** 200n)
  await offer(ONE)
  await shownOutput()
  assert.ok(!(await ask(200n * ONE)).some(isIntent))
  const { chainId: chain, address: token } = world.pairs.gateway.to
  const exceeded = (): Promise<unknown> =>
    fetchJson<{ solvers: { inventoryExceedsBalance: unknown }[] }>(`${world.service.url}/v1/solvers`).then(
      ({ body }) => body.solvers.map(({ inventoryExceedsBalance }) => inventoryExceedsBalance),
    )
  await eventually('the asset is named', async () => JSON.stringify(await exceeded()).includes(token))
  assert.deepEqual(await exceeded(), [[{ chain, token }]])
  await declare(HELD)
  await eventually('no asset is named', async () => JSON.stringify(await exceeded()) === '[[]]')
  await shownOutput()
})

test('an offer with a mistyped price is not shown, and is shown again once its solver mended it', async () => {
  await declare(HELD)
  await offer(ONE)
  await shownOutput()
  await offer(10n * ONE)
  await eventually('the offer at ten times the price is not shown', async () => !(await ask()).some(isIntent))
  for (let time = 0; time < 5; time += 1) assert.ok(!(await ask()).some(isIntent))
  const counts = await (await fetch(`${world.service.url}/metrics`)).text()
  assert.match(counts, /^openrfq_solver_offers_too_good_total\{solver="handmade"\} [1-9]/m)
  assert.match(world.service.stderr(), /offer_too_good/)
  await offer(ONE)
  assert.equal(await shownOutput(), ONE)
})

test('free requests for all that is offered leave an honest sender its offer', async () => {
  await declare(HELD)
  await offer(ONE)
  await shownOutput()
  for (let number = 1; number <= 30; number += 1) {
    const stranger = `0x${`${number}`.padStart(40, '5')}`
    for (const part of [2n, 8n, 64n, 512n]) if ((await askFrom(stranger, HELD / part)).some(isIntent)) break
    // As solvers do: an offer is valid for a minute at most.
    await offer(ONE)
  }
  assert.ok((await ask()).some(isIntent))
})

test('a perfect solver beside its at equal cost is index 0', async () => {
  const pair = world.pairs.its
  const { netOf } = judgeByPrices(world.priced)
  const input = HELD / 2n
  let output = input
  await declare(HELD, pair)
  await eventually('the costs are equal, and the solver is the first', async () => {
    await offer(output, pair, input)
    const quotes = await ask(input, pair)
    const intent = quotes.find(isIntent)
    const its = quotes.find(({ backend }) => backend.type === 'its')
    // The book may answer with the offer before, and a busy machine reads a gas price late.
    if (intent?.output.amount !== `${output}` || its === undefined) return false
    const more = { ...intent, output: { ...intent.output, amount: `${output + 1n}` } }
    const unit = netOf(more) - netOf(intent)
    const ahead = netOf(intent) - netOf(its)
    // Gas prices move between the answers.
    if (ahead >= 0n && ahead < unit * NEARLY_EQUAL) return quotes[0] === intent
    output -= ahead / unit
    if (ahead < 0n) output += 1n
    return false
  })
})

test('a solver of version 2 is told how often its offers are answered', async () => {
  await declare(HELD)
  await offer(ONE)
  await shownOutput()
  await eventually('the message', async () => {
    const { from, to } = world.pairs.gateway
    return world.solver.heard.some(
      (message) =>
        message.type === 'quoted' &&
        message.pairs.some(
          ({ fromToken, toToken, offers }) =>
            fromToken === from.address && toToken === to.address && offers > 0,
        ),
    )
  })
})
