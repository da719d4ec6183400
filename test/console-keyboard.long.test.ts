import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openConsole } from './console-page.ts'
import { tabTo } from './keyboard.ts'
import { useSandboxBrowser } from './sandbox-browser.ts'
import { accountAt } from './sandbox-service.ts'

const scene = useSandboxBrowser()

test('a transfer is made and followed by keyboard alone, and told to a screen reader', async () => {
  const { page, said, close } = await openConsole(scene.browser, scene.world)
  await tabTo(page, /^Receive: chain$/)
  await page.keyboard.type('Sandbox B')
  await tabTo(page, /^Recipient$/)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(accountAt(scene.world, 4).address)
  const quotes = page.getByRole('radio')
  await page.locator('label.quote', { hasText: 'axlUSDC' }).first().waitFor()
  await tabTo(page, /axlUSDC.*Solver Intents/)
  assert.equal(await quotes.nth(0).isChecked(), true)
  await page.keyboard.press('ArrowDown')
  assert.equal(await quotes.nth(1).isChecked(), true)
  await page.keyboard.press('ArrowUp')
  await tabTo(page, /^Sign and send/)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/t\/quote_/)
  const says = page.locator('[aria-live=polite]')
  await says.filter({ hasText: 'The recipient has the money on Sandbox B.' }).waitFor()
  await page
    .getByRole('list')
    .getByRole('listitem')
    .filter({ hasText: /Delivered on Sandbox B\s*\(done\)/ })
    .waitFor()
  await tabTo(page, /^Overview$/)
  await page.keyboard.press('ArrowRight')
  await page.getByRole('tabpanel', { name: 'Raw data' }).getByText('"state": "DONE"').waitFor()
  await page.keyboard.press('ArrowLeft')
  await tabTo(page, /^Copy the address$/)
  await tabTo(page, /^Copy the quote's id$/)
  assert.deepEqual(said, [])
  await close()
})
