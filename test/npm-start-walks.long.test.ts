import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, type TestContext, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { eventually } from 'openrfq/test/eventually.ts'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, overflowOf, shoot } from './browser.ts'
import { choose, openConsole, sendUntil, untilWord } from './console-page.ts'
import { clear, runScript, type Started } from './npm-script.ts'
import { assetOf, linkOn, pay, scan } from './stellar-payment.ts'

// What a person gets after `npm start`: its timings, its limits of requests, its solvers. Only port and data folder are the test's own.

const WIDTHS = [390, 1280] as const
/** The sandbox pays deposits and fills within 30 seconds, or the money comes back; a busy machine may be too slow for that. */
const MOST_WALKS = 3
/** What Chromium writes to the console for the refused request that an alert shows. */
const REFUSED_AMOUNT =
  'error Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)'

let started: Started
let startedAt: number
let listeningAt: number
let world: { readonly service: { readonly url: string } }
let browser: Browser
before(async () => {
  browser = await launchChromium()
  startedAt = performance.now()
  started = runScript('start')
  const url = await eventually(
    () => `npm start listens\n${started.said()}`,
    () => /listening on (http:\S+)/.exec(started.said())?.[1],
  )
  listeningAt = performance.now()
  world = { service: { url } }
})
after(async () => {
  await browser?.close()
  if (started === undefined) return
  if (started.npm.exitCode === null) {
    started.npm.kill('SIGTERM')
    await once(started.npm, 'exit')
  }
  clear(started)
})

const seconds = (from: number, to: number): string => ((to - from) / 1_000).toFixed(1)

/** Looks at the page in both widths and both colour schemes: nothing lies beyond its edge, and axe finds nothing. */
const look = async (page: Page, name: string): Promise<void> => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await shoot(page, `start-${name}-${width}-${colorScheme}`)
      assert.equal(await overflowOf(page), 0, `${name} at ${width}`)
      const { violations } = await new AxeBuilder({ page }).analyze()
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
        [],
        `${name} at ${width}, ${colorScheme}`,
      )
    }
  }
}

/** The console, with the times of the walk: when it was asked for, and when its last transaction was sent to a node. */
const open = async () => {
  const times = { loadedAt: performance.now(), sentAt: Number.NaN }
  const opened = await openConsole(browser, world, {
    prepare: async (page) => {
      page.on('request', (request) => {
        if (/"(eth_sendRawTransaction|sendTransaction)"/.test(request.postData() ?? ''))
          times.sentAt = performance.now()
      })
    },
  })
  return { ...opened, times }
}

type Opened = Awaited<ReturnType<typeof open>>

const tell = (t: TestContext, { times: { loadedAt, sentAt } }: Opened, state: string): void => {
  const now = performance.now()
  t.diagnostic(
    `from the load of the page: sent after ${seconds(loadedAt, sentAt)} s, ${state} after ${seconds(loadedAt, now)} s; ` +
      `${seconds(startedAt, now)} s after npm start, which listened after ${seconds(startedAt, listeningAt)} s`,
  )
}

/** Walks until the word, again with a new console where a busy machine was too late for it. */
const walk = async (
  t: TestContext,
  word: string,
  steps: (opened: Opened) => Promise<void>,
): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    const opened = await open()
    const { page, said, close } = opened
    try {
      await steps(opened)
      tell(t, opened, word)
      await look(page, t.name.replaceAll(/\W+/g, '-'))
      assert.deepEqual(said, [])
      return
    } catch (error) {
      const pill = await page.locator('.head .pill').allTextContents()
      if (attempt === MOST_WALKS || word === 'Refunded' || !/Refund|Expired/.test(pill.join())) throw error
      t.diagnostic(`attempt ${attempt} was too late: ${pill.join()}`)
    } finally {
      await close()
    }
  }
}

for (const [from, to] of [
  ['a', 'b'],
  ['a', 'solana'],
  ['solana', 'a'],
  ['stellar', 'a'],
] as const)
  test(`${from} to ${to}`, async (t) => {
    await walk(t, 'Done', async ({ page }) => {
      await choose(page, from, to)
      await sendUntil(page, 'Done')
    })
  })

// Pictures and axe take seconds, so none are made between the load of a page and the end of its transfer.
test('quotes of every family', async () => {
  const { page, said, close } = await open()
  for (const [from, to] of [
    ['a', 'b'],
    ['a', 'solana'],
    ['solana', 'a'],
    ['stellar', 'a'],
  ] as const) {
    await choose(page, from, to)
    await look(page, `quotes-${from}-${to}`)
  }
  assert.deepEqual(said, [])
  await close()
})

test('stellar by address and code', async (t) => {
  await walk(t, 'Done', async ({ page, times }) => {
    await choose(page, 'stellar', 'a')
    await page.getByRole('link', { name: 'Show an address and a QR code to pay' }).click()
    await page.getByRole('region', { name: 'Pay to this address' }).waitFor()
    const link = await linkOn(page)
    const destination = await scan(browser, page.getByRole('img', { name: 'QR code of the deposit address' }))
    times.sentAt = performance.now()
    await pay(world, { destination, asset: assetOf(link), amount: link.get('amount') ?? '' })
    await untilWord(page, 'Done')
  })
})

test('stellar address to pay', async () => {
  const { page, said, close } = await open()
  await choose(page, 'stellar', 'a')
  await page.getByRole('link', { name: 'Show an address and a QR code to pay' }).click()
  await page.getByRole('region', { name: 'Pay to this address' }).waitFor()
  await look(page, 'deposit')
  assert.deepEqual(said, [])
  await close()
})

test('refund', async (t) => {
  await walk(t, 'Refunded', async ({ page }) => {
    await choose(page, 'a', 'solana')
    await page.getByRole('combobox', { name: 'Solvers' }).selectOption('declining')
    await page.getByText('The solvers follow.').waitFor()
    await sendUntil(page, 'Refunded')
  })
})

test('history, search and an alert', async () => {
  const { page, said, close } = await open()
  await page.getByRole('combobox', { name: 'Solvers' }).selectOption('normal')
  await page.getByText('Faults of one chain').click()
  await look(page, 'console-with-faults')
  const history = page.getByRole('region', { name: 'Last transfers of this payer' })
  await history.getByRole('listitem').filter({ hasText: 'Refunded' }).getByRole('link').waitFor()
  const href = await history.getByRole('link').first().getAttribute('href')
  assert.match(href ?? '', /t\/quote_/)
  await page.getByRole('searchbox', { name: 'Find a transfer' }).fill('nothing')
  await page.keyboard.press('Enter')
  await page.getByText('The service has seen no such transfer.').waitFor()
  await page.getByRole('textbox', { name: /^Pay: amount/ }).fill('999999999999')
  await page.getByRole('alert').waitFor()
  await look(page, 'history-search-alert')
  assert.deepEqual([...new Set(said)], [REFUSED_AMOUNT])
  await close()
})
