import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { execute, fetchJson, follow, type SandboxDescription, type WireQuote } from 'openrfq/test/wallet.ts'
import type { Page } from 'playwright-core'
import { overflowOf, shoot } from './browser.ts'
import { choose, chooseBackend, chooseToken, openConsole, sendUntil } from './console-page.ts'
import { itsTrade, LATE_SENDER, quoteToNew } from './late-transfers.ts'
import { useSandboxBrowser } from './sandbox-browser.ts'
import { accountAt, CHAINS, quoteOf, requestBody, tokenOn } from './sandbox-service.ts'

const scene = useSandboxBrowser({ SANDBOX_FAMILIES: 'all' })

const open = (view = {}) => openConsole(scene.browser, scene.world, view)

/** Prints how long after the load of the page the payment was in a block, and how long after it the transfer ended. */
const tellTimes = (t: TestContext, loadedAt: number, sentAt: number, state: string): void => {
  const [sent, ended] = [sentAt, performance.now()].map((at) => ((at - loadedAt) / 1000).toFixed(1))
  t.diagnostic(`from the load of the page: in a block after ${sent} s, ${state} after ${ended} s`)
}

for (const [from, to] of [
  ['a', 'b'],
  ['a', 'solana'],
  ['solana', 'a'],
  ['stellar', 'a'],
  ['a', 'stellar'],
  ['solana', 'stellar'],
  ['stellar', 'solana'],
] as const)
  test(`from ${from} to ${to}: quotes, a signature of a sandbox account, and the page of the transfer until DONE`, async (t) => {
    const loadedAt = performance.now()
    const { page, said, close } = await open()
    await choose(page, from, to)
    await page
      .getByText(/^(Filled \d+ of \d+ orders on this pair|This solver has had no order)/)
      .first()
      .waitFor()
    await shoot(page, `console-${from}-${to}`)
    const sentAt = await sendUntil(page, 'Done')
    tellTimes(t, loadedAt, sentAt, 'DONE')
    await shoot(page, `done-${from}-${to}`)
    assert.deepEqual(said, [])
    await close()
  })

for (const [from, to] of [
  ['solana', 'a'],
  ['a', 'solana'],
  ['a', 'stellar'],
] as const)
  test(`an interchain token from ${from} to ${to} by the Interchain Token Service, until DONE`, async (t) => {
    const loadedAt = performance.now()
    const { page, said, close } = await open({ width: 390 })
    await choose(page, from, to)
    await chooseToken(page, 'HBR')
    if (to === 'stellar') {
      // Without a trustline for the token the account cannot be paid.
      await page.getByRole('region', { name: 'Quotes' }).getByRole('alert').waitFor()
      await shoot(page, 'console-no-trustline')
      assert.equal(await overflowOf(page), 0)
      await page
        .getByRole('button', { name: /^Give 1000 HBR/ })
        .last()
        .click()
    }
    await chooseBackend(page, 'Interchain Token Service')
    await shoot(page, `console-its-${from}-${to}`)
    const sentAt = await sendUntil(page, 'Done')
    tellTimes(t, loadedAt, sentAt, 'DONE')
    await page.getByText('Route: Interchain Token Service').waitFor()
    await shoot(page, `done-its-${from}-${to}`)
    assert.equal(await overflowOf(page), 0)
    // A browser logs the answer that refuses the quote.
    assert.deepEqual(
      said.filter((line) => to !== 'stellar' || !line.includes('400 (Bad Request)')),
      [],
    )
    await close()
  })

test('a refund: the solvers decline by the switch of the console, and the money comes back', async (t) => {
  const loadedAt = performance.now()
  const { page, said, close } = await open()
  await choose(page, 'a', 'solana')
  await page.getByRole('combobox', { name: 'Solvers' }).selectOption('declining')
  const sentAt = await sendUntil(page, 'Refunded')
  tellTimes(t, loadedAt, sentAt, 'REFUNDED')
  await page.getByText('The solver declined the order.').first().waitFor()
  await shoot(page, 'refunded')
  await page.goto(`${scene.world.service.url}/`)
  const history = page.getByRole('region', { name: 'Last transfers of this payer' })
  await history.getByRole('listitem').filter({ hasText: 'Refunded' }).getByRole('link').waitFor()
  await shoot(page, 'history')
  await page.getByRole('combobox', { name: 'Solvers' }).selectOption('normal')
  assert.deepEqual(said, [])
  await close()
})

for (const view of [
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const)
  test(`the console fits ${view.width} pixels in the ${view.colorScheme}, and axe finds nothing`, async () => {
    const { page, said, close } = await open(view)
    await page.getByRole('radio').first().waitFor({ state: 'attached' })
    await page.getByText('Faults of one chain').click()
    await shoot(page, `console-${view.width}-${view.colorScheme}`)
    assert.equal(await overflowOf(page), 0)
    const { violations } = await new AxeBuilder({ page }).analyze()
    assert.deepEqual(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      [],
    )
    assert.deepEqual(said, [])
    await close()
  })

const searchFor = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('searchbox', { name: 'Find a transfer' }).fill(text)
  await page.keyboard.press('Enter')
}

test('a transfer is found by its hashes, its message id, its quote, its recipient and its deposit address', async () => {
  const { quote, recipient } = await quoteToNew(scene.world, 'its', itsTrade(scene.world))
  await execute(scene.world.sandbox, quote, accountAt(scene.world, LATE_SENDER).privateKey)
  const { last } = await follow(scene.world.service.url, { quoteId: quote.quoteId })
  const awaited = await stellarQuote()
  const [action] = awaited.actions
  // CAST: a quote from Stellar asks for a payment to an address.
  const { address } = (action?.payload ?? assert.fail()) as unknown as { readonly address: string }
  const { page, said, close } = await open()
  for (const [text, quoteId] of [
    [quote.quoteId, quote.quoteId],
    [last.source?.txHash, quote.quoteId],
    [last.source?.messageId, quote.quoteId],
    [` ${last.destination?.txHash.toUpperCase().replace('0X', '0x')} `, quote.quoteId],
    [recipient, quote.quoteId],
    [address, awaited.quoteId],
  ] as const) {
    // Two searches for one transfer end at one address.
    await page.goto(`${scene.world.service.url}/`)
    await searchFor(page, text ?? assert.fail())
    await page.waitForURL(new RegExp(`/t/${quoteId}$`))
    await page.locator('.head .pill').waitFor()
  }
  assert.deepEqual(said, [])
  await close()
})

/** A quote from Stellar to the first chain, which is paid by a plain payment. */
const stellarQuote = async (): Promise<WireQuote> => {
  const { body } = await fetchJson<SandboxDescription>(`${scene.world.service.url}/sandbox`)
  const stellar = body.chains.find(({ chainId }) => chainId.startsWith('stellar:')) ?? assert.fail()
  const sender = body.accounts.find(({ chainType }) => chainType === 'stellar') ?? assert.fail()
  const trade = {
    from: tokenOn(scene.world, stellar.chainId, 'intent', /^USDC$/),
    to: tokenOn(scene.world, CHAINS.a, 'intent', /USDC/),
    amount: 120_000_000n,
  }
  return quoteOf(scene.world, 'intent', requestBody(trade, sender.address, accountAt(scene.world, 1).address))
}

test('the search lists several transfers, and says in words that it finds none or cannot search', async () => {
  for (const _ of ['one', 'another']) await stellarQuote()
  const { page, said, close } = await open({ width: 390 })
  await searchFor(page, accountAt(scene.world, 1).address)
  const found = page.locator('.found')
  await found.getByRole('link').nth(1).waitFor()
  await shoot(page, 'search-several-390')
  assert.equal(await overflowOf(page), 0)
  for (const [text, says] of [
    [`quote_${'0'.repeat(26)}`, 'The service has seen no such transfer.'],
    ['nothing', 'The service has seen no such transfer.'],
    ['<img src=x onerror=alert(1)>', 'Give a hash, a message id, an address or the id of a quote.'],
    ['x'.repeat(300), 'Give a hash, a message id, an address or the id of a quote.'],
    ['', 'Give a hash, a message id, an address or the id of a quote.'],
  ] as const) {
    await searchFor(page, text)
    await found.filter({ hasText: says }).waitFor()
  }
  assert.equal(await page.locator('img').count(), 0)
  await searchFor(page, accountAt(scene.world, 1).address)
  await found.getByRole('link').nth(1).click()
  await page.waitForURL(/\/t\/quote_/)
  assert.deepEqual(said, [])
  await close()
})

test('a refusal of the service is said in its words, and a wrong amount before anything is asked', async () => {
  const { page, close } = await open()
  const amount = page.getByRole('textbox', { name: /^Pay: amount/ })
  await amount.fill('999999999999')
  await page.getByRole('alert').waitFor()
  await shoot(page, 'refused')
  await amount.fill('1.0000001')
  await page.getByText('This token has 6 decimals; the amount has more.').waitFor()
  await close()
})
