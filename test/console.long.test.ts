import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, listen, overflowOf, shoot } from './browser.ts'
import { type SandboxService, startSandboxService } from './sandbox-service.ts'

/** Generous: the machine may be busy, and a transfer takes several blocks of two chains. */
const DEADLINE_MS = 300_000

let world: SandboxService
let browser: Browser
before(async () => {
  // Deposits and fills have time, as the machine may be busy.
  world = await startSandboxService({ SANDBOX_FAMILIES: 'all' }, ['patient'])
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await world?.stop()
})

const isOurs = (url: string): boolean =>
  url.startsWith(world.service.url) || /^(http|ws):\/\/127\.0\.0\.1:\d+/.test(url) || url.startsWith('data:')

/** Opens the console; `said` collects what it logs, throws, and asks of strangers. */
const open = async ({ width = 1280, script = '' } = {}) => {
  const context = await browser.newContext({ viewport: { width, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(DEADLINE_MS)
  if (script !== '') await page.addInitScript(script)
  const said = listen(page, isOurs)
  await page.goto(`${world.service.url}/`)
  await page.getByRole('group', { name: 'Pay' }).waitFor()
  return { page, said, close: () => context.close() }
}

const chainPicker = (page: Page, side: 'Pay' | 'Receive') =>
  page.getByRole('combobox', { name: `${side}: chain` })

/** Chooses chains by their labels; both tokens are dollars then. */
const choose = async (page: Page, from: string, to: string): Promise<void> => {
  await chainPicker(page, 'Pay').selectOption({ label: from })
  await chainPicker(page, 'Receive').selectOption({ label: to })
  await page.getByRole('radio').first().waitFor({ state: 'attached' })
}

/** Alerts of an execution after which nothing was sent, as on a busy machine. */
const MOST_ATTEMPTS = 10
const TRY_AGAIN = /^The (quote has expired|chain cannot be reached)/

/**
 * Sends the recommended quote, another one when it expires on the way, and follows it to the word on the transfer's page.
 * Fails with any other alert.
 */
const sendUntil = async (page: Page, word: string): Promise<void> => {
  const outcome = page.locator('.head .pill, .send [role=alert]').first()
  for (let attempt = 0; !isTransfer(page) && attempt < MOST_ATTEMPTS; attempt++) {
    await page.getByRole('button', { name: /^Sign and send/ }).click()
    await outcome.waitFor().catch(async (cause: unknown) => {
      throw new Error(`nothing came of sending: ${await page.locator('main').textContent()}`, { cause })
    })
    if (!isTransfer(page)) assert.match((await outcome.textContent()) ?? '', TRY_AGAIN)
  }
  await page.locator('.head .pill', { hasText: new RegExp(`^${word}$`) }).waitFor()
}

const isTransfer = (page: Page): boolean => /\/t\/quote_/.test(page.url())

const LABELS = { a: 'Sandbox A', b: 'Sandbox B', solana: /Solana/, stellar: /Stellar/ }

/** The label of the chain whose name fits. */
const labelOf = async (page: Page, fits: string | RegExp): Promise<string> => {
  const labels = await chainPicker(page, 'Pay').locator('option').allTextContents()
  return (
    labels.find((label) => (typeof fits === 'string' ? label === fits : fits.test(label))) ?? assert.fail()
  )
}

for (const [from, to] of [
  ['a', 'b'],
  ['a', 'solana'],
  ['solana', 'a'],
  ['stellar', 'a'],
] as const)
  test(`from ${from} to ${to}: quotes, a signature of a sandbox account, and the page of the transfer until DONE`, async () => {
    const { page, said, close } = await open()
    await choose(page, await labelOf(page, LABELS[from]), await labelOf(page, LABELS[to]))
    await shoot(page, `console-${from}-${to}`)
    await sendUntil(page, 'Done')
    await shoot(page, `done-${from}-${to}`)
    assert.deepEqual(said, [])
    await close()
  })

test('a refund: the solvers decline by the switch of the console, and the money comes back', async () => {
  const { page, said, close } = await open()
  await choose(page, await labelOf(page, LABELS.a), await labelOf(page, LABELS.solana))
  await page.getByRole('combobox', { name: 'Solvers' }).selectOption('declining')
  await sendUntil(page, 'Refunded')
  await page.getByText('The solver declined the order.').first().waitFor()
  await shoot(page, 'refunded')
  await page.goto(`${world.service.url}/`)
  const history = page.getByRole('region', { name: 'Last transfers of this payer' })
  await history.getByRole('listitem').filter({ hasText: 'Refunded' }).getByRole('link').waitFor()
  await shoot(page, 'history')
  await page.getByRole('combobox', { name: 'Solvers' }).selectOption('normal')
  assert.deepEqual(said, [])
  await close()
})

for (const width of [390, 1280])
  test(`the console fits ${width} pixels, axe finds nothing, and quotes are chosen by keyboard`, async () => {
    const { page, said, close } = await open({ width })
    await page.getByRole('radio').first().waitFor({ state: 'attached' })
    await shoot(page, `console-${width}`)
    assert.equal(await overflowOf(page), 0)
    const { violations } = await new AxeBuilder({ page }).analyze()
    assert.deepEqual(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      [],
    )
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

/** A wallet that announces itself by EIP-6963 and passes requests on to a node that signs. */
const walletScript = (rpcUrl: string, address: string): string => `
  let id = 0
  const ask = async (method, params = []) => {
    const answer = await fetch(${JSON.stringify(rpcUrl)}, {
      method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
    })
    const { result, error } = await answer.json()
    if (error) throw Object.assign(new Error(error.message), { code: error.code })
    return result
  }
  const request = async ({ method, params }) => {
    window.asked = [...(window.asked ?? []), method]
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [${JSON.stringify(address)}]
    return method === 'wallet_switchEthereumChain' ? null : ask(method, params)
  }
  const detail = Object.freeze({
    info: { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Test Wallet', icon: 'data:,', rdns: 'dev.test' },
    provider: { request, on: () => {}, removeListener: () => {} },
  })
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
`

test('a wallet of the browser signs what the console simulated, on the chain of the quote', async () => {
  const [account] = world.sandbox.accounts
  const [chain] = world.sandbox.chains
  assert.ok(account && chain)
  const { page, said, close } = await open({ script: walletScript(chain.rpcUrl, account.address) })
  await page.getByRole('button', { name: 'Connect Test Wallet' }).click()
  await page
    .getByRole('combobox', { name: 'Paid by' })
    .locator('option', { hasText: 'Test Wallet' })
    .waitFor({ state: 'attached' })
  await choose(page, await labelOf(page, LABELS.a), await labelOf(page, LABELS.b))
  await sendUntil(page, 'Done')
  assert.deepEqual(said, [])
  await close()
})
