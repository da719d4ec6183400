import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import {
  askNode,
  balanceOf,
  chainClients,
  execute,
  fetchJson,
  follow,
  type SandboxDescription,
  type WireQuote,
} from 'openrfq/test/wallet.ts'
import type { Locator, Page } from 'playwright-core'
import { type Hex, parseAbiItem } from 'viem'
import { shoot } from './browser.ts'
import { choose, openConsole } from './console-page.ts'
import { expressTrade, itsTrade, LATE_SENDER, quoteToNew } from './late-transfers.ts'
import { useSandboxBrowser } from './sandbox-browser.ts'
import { accountAt, CHAINS } from './sandbox-service.ts'

// Each switch is turned in the page, and its effect is read from the chains and the service, not from what the page says of it.

/** Long enough for a transfer that is not held up. */
const HELD_UP_MS = 6_000

let page: Page
let said: readonly string[]
let panel: Locator
const scene = useSandboxBrowser({ SANDBOX_FAMILIES: 'all' }, async (world, browser) => {
  ;({ page, said } = await openConsole(browser, world))
  await page.getByRole('radio').first().waitFor({ state: 'attached' })
  panel = page.getByRole('region', { name: 'Sandbox' })
  await panel.getByText('Faults of one chain').click()
  await shoot(page, 'sandbox-faults')
})

const turn = async (name: string, option: string, says: string): Promise<void> => {
  await panel.getByRole('combobox', { name }).selectOption(option)
  await panel.getByText(says).waitFor()
}

const describeSandbox = async (): Promise<SandboxDescription> =>
  (await fetchJson<SandboxDescription>(`${scene.world.service.url}/sandbox`)).body

const isDone = async ({ quoteId }: WireQuote): Promise<boolean> =>
  (await fetchJson<{ state: string }>(`${scene.world.service.url}/v1/rfq/status?quoteId=${quoteId}`)).body
    .state === 'DONE'

const pay = async (quote: WireQuote): Promise<WireQuote> => {
  await execute(scene.world.sandbox, quote, accountAt(scene.world, LATE_SENDER).privateKey)
  return quote
}

/** That a transfer does not end while the switch is turned, and ends after it is turned back. */
const expectHeldUp = async (quote: WireQuote, release: () => Promise<void>): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, HELD_UP_MS))
  assert.equal(await isDone(quote), false)
  await release()
  await follow(scene.world.service.url, { quoteId: quote.quoteId })
}

test('the faucet gives the payer what it says', async () => {
  const payer = panel.getByRole('listitem').filter({ hasText: 'Payer' })
  const held = async (): Promise<number> =>
    Number((/[0-9][0-9,.]*/.exec((await payer.textContent()) ?? '')?.[0] ?? '').replaceAll(',', ''))
  await payer
    .getByText(/[0-9] USDC/)
    .first()
    .waitFor()
  const before = await held()
  await panel
    .getByRole('button', { name: /^Give 1000 USDC/ })
    .first()
    .click()
  await panel.getByText('The payer got 1000 USDC.').waitFor()
  await eventually('the balance grows', async () => (await held()) === before + 1_000)
})

test('the solvers take the mode that is chosen', async () => {
  for (const mode of ['late', 'normal']) {
    await turn('Solvers', mode, 'The solvers follow.')
    for (const solver of (await describeSandbox()).solvers) assert.equal(solver.mode, mode)
  }
})

test('a paused relayer delivers nothing, and then what waited', async () => {
  await turn("Axelar's relayer", 'paused', 'The relayer is paused.')
  const { quote } = await quoteToNew(scene.world, 'its', itsTrade(scene.world))
  await expectHeldUp(await pay(quote), () => turn("Axelar's relayer", 'running', 'The relayer runs.'))
})

const EXPRESS_EXECUTED = parseAbiItem(
  'event ExpressExecutedWithToken(bytes32 indexed commandId, string sourceChain, string sourceAddress, bytes32 payloadHash, string symbol, uint256 indexed amount, address indexed expressExecutor)',
)

test('the executor delivers early where it is on, and not where it is off', async () => {
  const { reader } = chainClients(scene.world.sandbox, CHAINS.c)
  const early = async (): Promise<number> =>
    (await reader.getLogs({ event: EXPRESS_EXECUTED, fromBlock: 'earliest' })).length
  for (const [option, says, count] of [
    ['off', 'The executor is off.', 0],
    ['on', 'The executor delivers early.', 1],
  ] as const) {
    await turn('Express executor', option, says)
    const before = await early()
    const { quote } = await quoteToNew(
      scene.world,
      'gateway-express',
      expressTrade(scene.world, 500_000_000n),
    )
    await follow(scene.world.service.url, { quoteId: (await pay(quote)).quoteId })
    assert.equal((await early()) - before, count)
  }
})

test('without the attester there are no quotes to Solana, and with it there are again', async () => {
  await choose(page, 'a', 'solana')
  await turn('Attester', 'stopped', 'The attester is stopped.')
  await page.getByRole('radio').first().waitFor({ state: 'detached' })
  await page.getByText('No backend can price this pair at the moment.').waitFor()
  await turn('Attester', 'running', 'The attester runs.')
  await page.getByRole('radio').first().waitFor({ state: 'attached' })
  await choose(page, 'a', 'b')
})

const blockAt = async (number: string): Promise<{ readonly number: string; readonly hash: string }> =>
  // CAST: a block of a node.
  (await askNode(scene.world.sandbox, CHAINS.a, 'eth_getBlockByNumber', number, false)) as {
    readonly number: string
    readonly hash: string
  }

test('the last blocks that are dropped are others afterwards', async () => {
  await panel.getByRole('spinbutton', { name: 'Blocks' }).fill('60')
  const before = await blockAt('latest')
  await panel.getByRole('button', { name: 'Drop them' }).click()
  await panel.getByText('The last 60 blocks are gone.').waitFor()
  const isAnother = async () => {
    const block = await blockAt(before.number)
    return block !== null && block.hash !== before.hash
  }
  await eventually('another block has the number', isAnother)
})

test('the pools move by what is chosen', async () => {
  const described = await describeSandbox()
  const exchange = described.chains.find(({ chainId }) => chainId === CHAINS.a)?.exchange
  // CAST: the sandbox describes the pools of a chain.
  const pools = Object(exchange).pools as readonly { address: Hex; token0: Hex; token1: Hex }[]
  const first = pools[0] ?? assert.fail()
  const inPools = () =>
    Promise.all(
      pools
        .filter(({ token0, token1 }) => token0 === first.token0 && token1 === first.token1)
        .map(({ address, token0 }) =>
          balanceOf(scene.world.sandbox, { chain: CHAINS.a, token: token0 }, address).then(String),
        ),
    )
  const before = await inPools()
  await panel.getByRole('combobox', { name: 'Price' }).selectOption('100')
  await panel.getByRole('button', { name: 'Move it' }).click()
  await panel.getByText('The pools have moved.').waitFor()
  for (const [index, amount] of (await inPools()).entries()) assert.notEqual(amount, before[index])
})

const readiness = async (): Promise<string> =>
  JSON.stringify(await fetchJson(`${scene.world.service.url}/readyz`))

test('endpoints that are gone are missed by the service, and liars are reported', async () => {
  await panel.getByRole('combobox', { name: 'Of its endpoints' }).selectOption('0')
  await turn('They', 'gone', 'all three are gone.')
  await eventually('the chain is missed', async () => (await readiness()).includes(CHAINS.a))
  await turn('They', 'none', 'all three tell the truth.')
  await eventually('the chain is read again', async () => !(await readiness()).includes(CHAINS.a))
  const log = () => scene.world.service.stderr()
  const before = log().length
  await panel.getByRole('combobox', { name: 'Of its endpoints' }).selectOption('1')
  await turn('They', 'rate_limited', 'the first refuse by rate limit.')
  await eventually('the endpoint is put aside', () => /endpoint/.test(log().slice(before)))
  await turn('They', 'none', 'the first tell the truth.')
})

test('what a chain cannot do is said by an alert', async () => {
  await panel.getByRole('combobox', { name: 'Chain', exact: true }).selectOption({ label: 'Sandbox Stellar' })
  await panel.getByRole('button', { name: 'Drop them' }).click()
  await panel.getByRole('alert').filter({ hasText: 'is final' }).waitFor()
  assert.deepEqual(
    said.filter((line) => !/400 \(Bad Request\)|503 \(Service Unavailable\)/.test(line)),
    [],
  )
})
