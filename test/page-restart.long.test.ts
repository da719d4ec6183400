import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Sandbox, startSandbox } from '@openrfq/sandbox/src/index.ts'
import { USERS } from '@openrfq/sandbox/src/keys.ts'
import { freePort } from 'openrfq/src/lib/free-port.ts'
import { execute, follow, type SandboxDescription, type WireQuote } from 'openrfq/test/wallet.ts'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, shoot } from './browser.ts'
import { evmWalletScript } from './browser-wallets.ts'
import { connectWallet, openConsole, openPage, untilWord } from './console-page.ts'
import { listTokens, quoteOf, requestBody, temporaryDirectory } from './sandbox-service.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

const directory = temporaryDirectory()
let sandbox: Sandbox
let service: ServiceProcess
let wallet: SandboxDescription
let browser: Browser
before(async () => {
  sandbox = await startSandbox({ log: () => undefined, now: Date.now, withPaymentChains: false })
  writeFileSync(join(directory.path, 'network.json'), JSON.stringify(sandbox.network))
  service = await start()
  const described = sandbox.endpoints.find(({ method, path }) => method === 'GET' && path === '/sandbox')
  // CAST: wallets ask the nodes that the sandbox describes.
  wallet = (await described?.handle(undefined)) as SandboxDescription
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await service?.stop()
  await sandbox?.stop()
  directory.remove()
})

/** Starts the service, again on the same port, which no connection is given while the service is down. */
const start = async (port?: string): Promise<ServiceProcess> =>
  startServiceProcess({
    RFQ_CONFIG: join(directory.path, 'network.json'),
    DATA_DIR: directory.path,
    RATE_LIMIT: 'off',
    PORT: port ?? String(await freePort()),
  })

const [sender, recipient] = USERS

const makeQuote = async (): Promise<WireQuote> => {
  const tokens = await listTokens(service.url)
  const find = (chainId: string, symbol: string) =>
    tokens.find(
      (token) => token.chainId === chainId && token.symbol === symbol && token.backends.includes('its'),
    )
  const [from, to] = [find('eip155:31337', 'WETH'), find('eip155:31338', 'axlWETH')]
  assert.ok(from && to && sender && recipient)
  return quoteOf(
    { service },
    'its',
    requestBody({ from, to, amount: 10n ** 16n }, sender.address, recipient.address),
  )
}

const send = (quote: WireQuote) => execute(wallet, quote, sender?.privateKey ?? assert.fail())

/** That a page asked for its document once: it was not loaded again. */
const countLoads = (page: Page): { readonly loads: () => number } => {
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  return { loads: () => loads }
}

const isLost = (line: string): boolean =>
  /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/.test(line)

for (const how of ['kill', 'stop'] as const)
  test(`a page that is open while the service ${how === 'kill' ? 'is killed' : 'is stopped'} and started again shows what happened meanwhile, without being loaded again`, async () => {
    const quote = await makeQuote()
    const { page, said, close } = await openPage(browser, { service }, `/t/${quote.quoteId}`)
    const { loads } = countLoads(page)
    await untilWord(page, 'Waiting for payment')
    const port = new URL(service.url).port
    await service[how]()
    await page.getByText('The service cannot be reached.').waitFor()
    await send(quote)
    await shoot(page, `restart-${how}`)
    service = await start(port)
    await page.getByText('The service cannot be reached.').waitFor({ state: 'detached' })
    await untilWord(page, 'Done')
    await follow(service.url, { quoteId: quote.quoteId })
    assert.equal(loads(), 0)
    assert.deepEqual(
      said.filter((line) => !isLost(line)),
      [],
    )
    await close()
  })

test('a page that shows the end of a transfer asks nothing more when the service comes back', async () => {
  const quote = await makeQuote()
  await send(quote)
  const { page, close } = await openPage(browser, { service }, `/t/${quote.quoteId}`)
  await untilWord(page, 'Done')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const port = new URL(service.url).port
  await service.stop()
  service = await start(port)
  await untilWord(page, 'Done')
  assert.deepEqual(asked, [])
  await close()
})

test('a console that is open over a restart goes on with quotes', async () => {
  const [{ address }, chain] = [sender ?? assert.fail(), wallet.chains[0] ?? assert.fail()]
  const { page, close } = await openConsole(
    browser,
    { service },
    { script: evmWalletScript(chain.rpcUrl, address) },
  )
  const { loads } = countLoads(page)
  await connectWallet(page, 'Test Wallet')
  const port = new URL(service.url).port
  await service.kill()
  await page.getByText(/cannot be reached/).waitFor()
  service = await start(port)
  await page.getByRole('radio').first().waitFor({ state: 'attached' })
  await page.getByText(/cannot be reached/).waitFor({ state: 'detached' })
  assert.equal(loads(), 0)
  await close()
})

test('a console of before an upgrade, whose parts are gone, says that it has to be loaded again', async () => {
  const [{ address }, chain] = [sender ?? assert.fail(), wallet.chains[0] ?? assert.fail()]
  const { page, close } = await openConsole(
    browser,
    { service },
    { script: evmWalletScript(chain.rpcUrl, address) },
  )
  await connectWallet(page, 'Test Wallet')
  // What an upgraded service answers for a part of the page of before.
  await page.route(/\/assets\/part-/, (route) => route.fulfill({ status: 404, body: '' }))
  await page.getByRole('button', { name: /^Sign and send/ }).click()
  await page.getByRole('alert').filter({ hasText: 'Load the page again' }).waitFor()
  await close()
})
