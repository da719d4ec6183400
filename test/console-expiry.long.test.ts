import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shoot } from './browser.ts'
import { choose, openConsole, sendUntil } from './console-page.ts'
import { useSandboxBrowser } from './sandbox-browser.ts'

const scene = useSandboxBrowser()

/** The machine sleeps: its time of day goes on, and what counts from its start stands still. */
const SLEEP_MS = 15 * 60_000
const SLEEPER = `{
  let slept = 0
  const real = Date.now.bind(Date)
  Date.now = () => real() + slept
  globalThis.sleepNow = () => { slept += ${SLEEP_MS} }
}`

for (const how of ['sleeps', 'loses the service'] as const)
  test(`a console whose device ${how} until its quotes expire lets none of them be signed, and asks for new ones`, async () => {
    let asked = 0
    const { page, said, close } = await openConsole(scene.browser, scene.world, {
      script: SLEEPER,
      prepare: async (one) => {
        one.on('request', (request) => {
          if (request.url().includes('/v1/rfq/quote')) asked += 1
        })
      },
    })
    await choose(page, 'a', 'b')
    const button = page.locator('.send button')
    await button.filter({ hasText: /^Sign and send/ }).waitFor()
    assert.equal(await button.isEnabled(), true)
    const askedBefore = asked
    await page.route('**/v1/rfq/**', (route) => route.abort())
    await page.evaluate('sleepNow()')
    await button.filter({ hasText: 'This quote has expired' }).waitFor()
    assert.equal(await button.isDisabled(), true)
    await page.getByText('Asking for a new quote…').waitFor()
    await shoot(page, `console-expired-${how.replaceAll(' ', '-')}`)
    if (how === 'loses the service') {
      await page.waitForTimeout(6_000)
      assert.equal(await button.isDisabled(), true)
    }
    await page.unroute('**/v1/rfq/**')
    await button.filter({ hasText: /^Sign and send/ }).waitFor()
    assert.equal(await button.isEnabled(), true)
    assert.ok(asked > askedBefore, 'the page requested new quotes')
    await sendUntil(page, 'Done')
    // Chromium logs each request that was cut.
    assert.deepEqual(
      said.filter((line) => !line.includes('ERR_FAILED')),
      [],
    )
    await close()
  })
