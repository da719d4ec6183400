import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { solanaKey } from '@openrfq/sandbox/src/solana/keys.ts'
import { balanceOf, execute, setSolverMode, type WireQuote } from 'openrfq/test/wallet.ts'
import type { Page } from 'playwright-core'
import { overflowOf, shoot } from './browser.ts'
import { evmWalletScript } from './browser-wallets.ts'
import { choose, openConsole, openPage, sendUntil, untilWord } from './console-page.ts'
import { tabTo } from './keyboard.ts'
import {
  expressTrade,
  itsTrade,
  LATE_SENDER,
  makeUndeliverable,
  quoteToNew,
  refundUnfilled,
  sendShort,
  UNTIL_EVM_REFUND,
  withoutKeeper,
} from './late-transfers.ts'
import { recover } from './recovery-steps.ts'
import { useSandboxBrowser } from './sandbox-browser.ts'
import { accountAt, CHAINS, moveClock } from './sandbox-service.ts'

const SOLANA = 'solana:Bpu1Qr4aSCoq95PsfUXjxLBPQwLpWpqN'
/** An account without funds, which cannot pay for a refund. */
const POOR_KEEPER = solanaKey('a keeper without funds').privateKey
/** Deposits on Solana have no grace; a few seconds more than the deadlines. */
const UNTIL_SOLANA_REFUND = UNTIL_EVM_REFUND + 10

const scene = useSandboxBrowser({
  SANDBOX_FAMILIES: 'all',
  KEEPER_SECRETS: JSON.stringify({ [SOLANA]: POOR_KEEPER }),
})

const pageOf = ({ quoteId }: Pick<WireQuote, 'quoteId'>, view = {}) =>
  openPage(scene.browser, scene.world, `/t/${quoteId}`, view)

const card = (page: Page) => page.getByRole('region', { name: 'What you can do' })

/** Waits for a way on the card and signs it as account 0, a stranger to the transfer. */
const signAs = async (page: Page, title: string, button = 'Sign with a sandbox account'): Promise<void> => {
  const way = card(page).locator('.way', { has: page.getByRole('heading', { name: title }) })
  await way.getByRole('button', { name: button }).click()
}

for (const view of [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const)
  test(`a stranger pays for the relay on the card at ${view.width} pixels, and the transfer is done`, async () => {
    const { quote } = await quoteToNew(scene.world, 'its', itsTrade(scene.world))
    await sendShort(scene.world, quote, 1n)
    const { page, said, close } = await pageOf(quote, view)
    await card(page).waitFor()
    await shoot(page, `recovery-${view.width}`)
    assert.equal(await overflowOf(page), 0)
    const { violations } = await new AxeBuilder({ page }).analyze()
    assert.deepEqual(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      [],
    )
    await tabTo(page, /^Sign with a sandbox account$/)
    await page.keyboard.press('Enter')
    await untilWord(page, 'Done')
    await card(page).waitFor({ state: 'detached' })
    assert.deepEqual(said, [])
    await close()
  })

test('the card says what the relay costs, and a service that asks for more at the signature gets nothing', async () => {
  const { browser, world } = scene
  const { quote } = await quoteToNew(world, 'its', itsTrade(world))
  await sendShort(world, quote, 1n)
  const source = world.sandbox.chains.find(({ chainId }) => chainId === CHAINS.a) ?? assert.fail()
  const asked: string[] = []
  const { page, close } = await openPage(browser, world, `/t/${quote.quoteId}`, {
    script: evmWalletScript(source.rpcUrl, accountAt(world, 2).address),
    prepare: async (one) => {
      await one.exposeFunction('walletAsked', (method: string) => void asked.push(method))
      await one.route(/\/v1\/rfq\/recovery\?.*account=/, async (route) => {
        const response = await route.fetch()
        const text = await response.text()
        await route.fulfill({ response, body: text.replaceAll(/"value":"([0-9]+)"/g, '"value":"$100"') })
      })
    },
  })
  await card(page)
    .getByText(/It costs [0-9.]+ \S+ beside gas\./)
    .waitFor()
  await signAs(page, 'Pay for the relay', 'Sign with Test Wallet')
  await card(page).getByRole('alert').filter({ hasText: 'It costs more than this page has shown' }).waitFor()
  assert.deepEqual(
    asked.filter((method) => /sign|send/i.test(method)),
    [],
  )
  await close()
})

test('a wallet of a stranger delivers an approved transfer by hand', async () => {
  const { quote } = await quoteToNew(scene.world, 'its', itsTrade(scene.world))
  await sendShort(scene.world, quote, 500n)
  const destination = scene.world.sandbox.chains.find(({ chainId }) => chainId === CHAINS.b) ?? assert.fail()
  const script = evmWalletScript(destination.rpcUrl, accountAt(scene.world, 2).address)
  const { page, said, close } = await pageOf(quote, { script })
  await signAs(page, 'Deliver by hand', 'Sign with Test Wallet')
  await untilWord(page, 'Done')
  assert.deepEqual(said, [])
  await close()
})

test('a stranger refunds the sender of an unfilled order', async () => {
  let shown: Awaited<ReturnType<typeof pageOf>> | undefined
  await refundUnfilled(scene.world, {
    amount: 61_000_000n,
    check: async (quote) => {
      shown = await pageOf(quote)
      await untilWord(shown.page, 'Under way')
    },
    refund: async () => {
      const { page } = shown ?? assert.fail()
      await card(page).waitFor()
      await page.getByText('The service refunds you by itself.').waitFor()
      assert.equal(await page.getByText('You need to do nothing').count(), 0)
      await signAs(page, 'Refund the sender')
      await untilWord(page, 'Refunded')
    },
  })
  const { said, close } = shown ?? assert.fail()
  assert.deepEqual(said, [])
  await close()
})

test('a stranger refunds the deposit of an unfilled order at the escrow of Solana', async () => {
  await setSolverMode(scene.world.service.url, 'paused')
  const { page, said, close } = await openConsole(scene.browser, scene.world)
  await choose(page, 'solana', 'a')
  // The stranger of the card is account 0.
  await page.getByRole('combobox', { name: 'Paid by' }).selectOption({ index: 4 })
  await page.getByRole('radio').first().waitFor({ state: 'attached' })
  await sendUntil(page, 'Under way')
  await moveClock(scene.world, UNTIL_SOLANA_REFUND)
  await signAs(page, 'Refund the sender')
  await shoot(page, 'recovery-solana')
  await untilWord(page, 'Refunded')
  await setSolverMode(scene.world.service.url, 'normal')
  assert.deepEqual(said, [])
  await close()
})

test('a stranger pays the way of an express transfer that its sender gave back without paying', async () => {
  const { quote } = await quoteToNew(scene.world, 'gateway-express', expressTrade(scene.world, 43_000_000n))
  const { address, privateKey } = accountAt(scene.world, LATE_SENDER)
  const held = await balanceOf(scene.world.sandbox, quote.input, address)
  await makeUndeliverable(scene.world, quote, () =>
    withoutKeeper(scene.world, CHAINS.c, async () => {
      await execute(scene.world.sandbox, quote, privateKey)
      await recover(scene.world, quote.quoteId, 'refund', { by: LATE_SENDER, value: '0' })
      const { page, said, close } = await pageOf(quote)
      await signAs(page, 'Pay for the relay')
      await untilWord(page, 'Refunded')
      assert.deepEqual(said, [])
      await close()
    }),
  )
  assert.equal(await balanceOf(scene.world.sandbox, quote.input, address), held)
})
