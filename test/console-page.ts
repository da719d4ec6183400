import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { listen } from './browser.ts'

/** Generous: the machine may be busy, and a transfer takes several blocks of two chains. */
const DEADLINE_MS = 120_000

/** How the labels of the sandbox's chains begin. */
export const LABELS = { a: /^Sandbox A/, b: /^Sandbox B/, solana: /Solana/, stellar: /Stellar/ } as const

/** A service whose pages are opened. */
export type Opened = { readonly service: { readonly url: string } }

const isOf =
  ({ service }: Opened) =>
  (url: string): boolean =>
    url.startsWith(service.url) || /^(http|ws):\/\/127\.0\.0\.1:\d+/.test(url) || url.startsWith('data:')

type View = {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  /** Runs in the page before its own scripts. */
  readonly script?: string
  /** Prepares the page before it is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

/** Opens a page of the service by its path; `said` collects what it logs, throws, and asks of strangers. */
export const openPage = async (
  browser: Browser,
  world: Opened,
  path: string,
  { width = 1280, colorScheme = 'light', script = '', prepare }: View = {},
) => {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
  const page = await context.newPage()
  page.setDefaultTimeout(DEADLINE_MS)
  if (script !== '') await page.addInitScript(script)
  await prepare?.(page)
  const said = listen(page, isOf(world))
  await page.goto(`${world.service.url}${path}`)
  return { page, said, close: () => context.close() }
}

/** Opens the console. */
export const openConsole = async (browser: Browser, world: Opened, view: View = {}) => {
  const opened = await openPage(browser, world, '/', view)
  await opened.page.getByRole('group', { name: 'Pay' }).waitFor()
  return opened
}

const chainPicker = (page: Page, side: 'Pay' | 'Receive') =>
  page.getByRole('combobox', { name: `${side}: chain` })

const labelOf = async (page: Page, fits: RegExp): Promise<string> => {
  const labels = await chainPicker(page, 'Pay').locator('option').allTextContents()
  return labels.find((label) => fits.test(label)) ?? assert.fail(`no ${fits} among ${labels}`)
}

/** Chooses chains by their labels, both tokens being dollars then, and waits for quotes; `complete` fills in what the page does not. */
export const choose = async (
  page: Page,
  from: keyof typeof LABELS,
  to: keyof typeof LABELS,
  complete?: () => Promise<void>,
): Promise<void> => {
  await chainPicker(page, 'Pay').selectOption({ label: await labelOf(page, LABELS[from]) })
  await chainPicker(page, 'Receive').selectOption({ label: await labelOf(page, LABELS[to]) })
  await complete?.()
  await page.getByRole('radio').first().waitFor({ state: 'attached' })
}

/** Chooses the token of a symbol on both sides. */
export const chooseToken = async (page: Page, symbol: string): Promise<void> => {
  for (const side of ['Pay', 'Receive'])
    await page.getByRole('combobox', { name: `${side}: token` }).selectOption({ label: symbol })
}

/** Chooses the quote of a backend by its name, once there is one. */
export const chooseBackend = async (page: Page, backend: string): Promise<void> => {
  await page.locator('label.quote', { hasText: backend }).click()
  await page.locator('label.quote.chosen', { hasText: backend }).waitFor()
}

/** Connects the wallet of a name, which pays then, and waits for quotes. */
export const connectWallet = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: `Connect ${name}` }).click()
  await page
    .getByRole('combobox', { name: 'Paid by' })
    .locator('option:checked', { hasText: name })
    .waitFor({ state: 'attached' })
  await page.getByRole('radio').first().waitFor({ state: 'attached' })
}

/** Alerts of an execution after which nothing was sent, as on a busy machine. */
const MOST_ATTEMPTS = 10
const TRY_AGAIN = /^The (quote has expired|chain cannot be reached)/

const isTransfer = (page: Page): boolean => /\/t\/quote_/.test(page.url())

/**
 * Sends the recommended quote, another one when it expires on the way, and follows it to the word on the transfer's page.
 * Fails with any other alert. Resolves with when it was sent, on the clock of `performance`.
 */
export const sendUntil = async (page: Page, word: string): Promise<number> => {
  const outcome = page.locator('.head .pill, .send [role=alert]').first()
  for (let attempt = 0; !isTransfer(page) && attempt < MOST_ATTEMPTS; attempt++) {
    await page.getByRole('button', { name: /^Sign and send/ }).click()
    await outcome.waitFor().catch(async (cause: unknown) => {
      throw new Error(`nothing came of sending: ${await page.locator('main').textContent()}`, { cause })
    })
    if (!isTransfer(page)) assert.match((await outcome.textContent()) ?? '', TRY_AGAIN)
  }
  const sentAt = performance.now()
  await untilWord(page, word)
  return sentAt
}

/** Waits until the page of a transfer says a word of its state. Rejects with the whole page. */
export const untilWord = async (page: Page, word: string): Promise<void> => {
  const pill = page.locator('.head .pill', { hasText: new RegExp(`^${word}$`) })
  await pill.waitFor().catch(async (cause: unknown) => {
    throw new Error(`the page does not say ${word}: ${await page.locator('main').textContent()}`, { cause })
  })
}
