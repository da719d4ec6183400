import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium, listen, shoot } from './browser.ts'
import { startPageWorld } from './page-world.ts'

/** How far the device's clock may be off: by a wrong zone, or by minutes. */
const OFF_BY_MS = [-2 * 3_600_000, -90_000, 90_000, 2 * 3_600_000] as const
/** What is left of the quotes of the scenes. */
const LEFT_MS = { awaiting: 30_000, deposit: 3_600_000 } as const
/** Longer than a busy machine takes to show a page. */
const SHOWN_MS = 30_000
const PATIENCE_MS = 240_000

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
})

/** Puts the clock of a page off before its own scripts run. */
const clockScript = (offMs: number): string => `{
  const Real = Date
  const now = () => Real.now() + ${offMs}
  globalThis.Date = new Proxy(Real, {
    construct: (_, words) => (words.length === 0 ? new Real(now()) : new Real(...words)),
    get: (_, name) => (name === 'now' ? now : Reflect.get(Real, name)),
  })
}`

const open = async (url: string, name: string, offMs: number) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(clockScript(offMs))
  const said = listen(page, (asked) => asked.startsWith(url))
  await page.goto(`${url}/t/${name}`)
  await page.getByText('Quote given').waitFor()
  return { page, said, close: () => context.close() }
}

for (const offMs of OFF_BY_MS)
  test(`a device whose clock is ${offMs / 1_000} s off shows the time that the service's clock leaves, and has passed`, async () => {
    const startedAt = Date.now()
    const world = await startPageWorld()
    try {
      const { page, said, close } = await open(world.url, 'awaiting', offMs)
      const left = /valid for another (\d+):(\d\d)\./
      const [, minutes, seconds] = left.exec((await page.getByText(left).textContent()) ?? '') ?? []
      const shownMs = (Number(minutes) * 60 + Number(seconds)) * 1_000
      assert.ok(shownMs <= LEFT_MS.awaiting, `${shownMs} ms are shown`)
      assert.ok(Date.now() + shownMs >= startedAt + LEFT_MS.awaiting - 3_000, `${shownMs} ms are shown`)
      await page.goto(`${world.url}/t/pending`)
      await page.getByText(/^0:\d\d of about 0:20$/).waitFor()
      assert.deepEqual(said, [])
      await close()
    } finally {
      await world.close()
    }
  })

for (const offMs of [0, -3_600_000])
  test(`a page on a clock ${offMs / 1_000} s off asks for no payment once the quote is over, also without news of it`, async () => {
    // The status of the scene never changes.
    const world = await startPageWorld(Date.now() + SHOWN_MS - LEFT_MS.deposit)
    try {
      const { page, said, close } = await open(world.url, 'deposit', offMs)
      await page.getByRole('region', { name: 'Pay to this address' }).waitFor()
      await page.getByText('The time to pay is over.').waitFor({ timeout: PATIENCE_MS })
      assert.equal(await page.getByRole('img', { name: /QR code/ }).count(), 0)
      assert.equal(await page.getByText('MA7QYNF7SOWQ3GLR2BGMZ').count(), 0)
      await shoot(page, 'time-is-over-390')
      assert.deepEqual(said, [])
      await close()
    } finally {
      await world.close()
    }
  })
