import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'

const CHROMIUM = process.env['CHROMIUM'] || '/usr/bin/chromium'
const PAGE_DEADLINE_MS = 120_000

/** Switches that keep Chromium from requesting anything but the pages it is told to open. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts Chromium without a window. Rejects when it is not installed; `CHROMIUM` names another path. */
export const launchChromium = async (): Promise<Browser> => {
  if (!existsSync(CHROMIUM))
    throw new Error(`no Chromium at ${CHROMIUM}: apt-get install chromium, or name one with CHROMIUM`)
  return chromium.launch({ executablePath: CHROMIUM, args: QUIET })
}

/** Where screenshots go, to be looked at; none without it. */
const SHOTS = process.env['SCREENSHOTS']

/** Writes a picture of a whole page into the folder that `SCREENSHOTS` names. */
export const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true })
}

/** How many pixels of a page lie beyond its right edge. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** What a page logs, throws, tells by a dialog, and asks of others than `isOurs`. */
export const listen = (page: Page, isOurs: (url: string) => boolean): readonly string[] => {
  const said: string[] = []
  page.on('console', (message) => {
    // A browser logs every 503, which is what `/readyz` answers while the service starts.
    if (!message.location().url.endsWith('/readyz')) said.push(`${message.type()} ${message.text()}`)
  })
  page.on('pageerror', (error) => said.push(String(error)))
  page.on('dialog', (dialog) => said.push(`dialog ${dialog.message()}`))
  page.on('request', (request) => {
    if (!isOurs(request.url())) said.push(`asks ${request.url()}`)
  })
  return said
}

/**
 * Runs a program as the only script of a page with its own origin, after `before`, until it logs a matching line.
 * Resolves with that line. Rejects with the page's first error, or with its whole log at the deadline.
 */
export const runInPage = async (
  browser: Browser,
  { program, before, until }: { readonly program: string; readonly before: string; readonly until: RegExp },
): Promise<string> => {
  const server = createServer(({ url }, response) => {
    const isProgram = url === '/program.js'
    response.setHeader('content-type', isProgram ? 'text/javascript' : 'text/html')
    response.end(isProgram ? program : '<!doctype html><script type="module" src="/program.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.addInitScript(before)
    const logged: string[] = []
    const line = new Promise<string>((resolve, reject) => {
      page.on('pageerror', reject)
      page.on('console', (message) => {
        logged.push(message.text())
        if (until.test(message.text())) resolve(message.text())
      })
      setTimeout(
        () => reject(new Error(`the page logged no matching line, only:\n${logged.join('\n')}`)),
        PAGE_DEADLINE_MS,
      ).unref()
    })
    // CAST: a server that listens on a port has an address of this form.
    const { port } = server.address() as AddressInfo
    await page.goto(`http://127.0.0.1:${port}/`)
    return await line
  } finally {
    await context.close()
    server.close()
  }
}
