import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listen, overflowOf, shoot } from './browser.ts'
import { useSandboxBrowser } from './sandbox-browser.ts'

const HEIGHT = 900
const VIEWS = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

const scene = useSandboxBrowser()

/** Sends the form of an endpoint and resolves with the answer that the page shows. */
const send = async (page: Page, path: string): Promise<unknown> => {
  const form = page.locator(`form[data-path="${path}"]`)
  await form.getByRole('button', { name: 'Send' }).click()
  await form.locator('output', { hasText: /^200 after \d+ ms$/ }).waitFor()
  return JSON.parse((await form.locator('.answer').textContent()) ?? '')
}

for (const { width, colorScheme } of VIEWS)
  test(`/docs opens every type and tries requests, ${width} pixels wide in the ${colorScheme}`, async () => {
    const { url } = scene.world.service
    const context = await scene.browser.newContext({ viewport: { width, height: HEIGHT }, colorScheme })
    const page = await context.newPage()
    const said = listen(page, (asked) => asked.startsWith(url))
    await page.goto(`${url}/docs`)
    assert.equal(await overflowOf(page), 0)
    await shoot(page, `docs-closed-${width}-${colorScheme}`)

    const deposit = page.getByText('Base units; equal to input.amount.', { exact: true }).first()
    assert.equal(await deposit.isVisible(), false)
    for (const type of ['Quote', 'Action', 'ActionPayload', 'DepositAddress'])
      await page
        .locator('summary', { hasText: new RegExp(`^${type}$`) })
        .first()
        .click()
    assert.equal(await deposit.isVisible(), true)
    assert.equal(await overflowOf(page), 0)

    const { quotes } = Object(await send(page, '/v1/rfq/quote'))
    assert.ok(quotes.length > 0)
    const [{ quoteId }] = quotes
    await page.locator('#getStatus-quoteId').fill(quoteId)
    const status = Object(await send(page, '/v1/rfq/status'))
    assert.deepEqual([status.quoteId, status.state], [quoteId, 'AWAITING_DEPOSIT'])
    await shoot(page, `docs-used-${width}-${colorScheme}`)

    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert.equal(await overflowOf(page), 0)
    assert.deepEqual(said, [])
    await context.close()
  })
