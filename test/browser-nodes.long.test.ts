import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { type Sandbox, startSandbox } from '@openrfq/sandbox/src/index.ts'
import { USERS } from '@openrfq/sandbox/src/keys.ts'
import { QUICK_BLOCK_MS } from '@openrfq/sandbox/test/quick-blocks.ts'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, overflowOf, shoot } from './browser.ts'
import { freighterScript, signSolanaBytes, signStellarXdr, solanaWalletScript } from './browser-wallets.ts'
import { choose, openConsole, sendUntil, untilWord } from './console-page.ts'
import { PATIENT_SECONDS } from './intent-seconds.ts'
import { temporaryDirectory } from './sandbox-service.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

/** The account of each family that the wallets hold. */
const HELD = 5
const SECRET = 'a key of the operator'
const { quoteLifetimeSeconds, fillWindowSeconds, refundDelaySeconds } = PATIENT_SECONDS
const UNTIL_REFUND = quoteLifetimeSeconds + fillWindowSeconds + refundDelaySeconds + 10

const stops: (() => unknown)[] = []
let sandbox: Sandbox
let service: ServiceProcess
let browser: Browser
/** What a browser must never hear of. */
let hidden: readonly string[]

/** A service with a network file, as operators run it, over the chains of a sandbox: its pages know no sandbox. */
before(async () => {
  const directory = temporaryDirectory()
  stops.push(directory.remove)
  sandbox = await startSandbox({
    ...{ log: () => undefined, now: Date.now, withPaymentChains: true },
    ...{ blockMs: QUICK_BLOCK_MS, intentSeconds: PATIENT_SECONDS },
  })
  stops.push(sandbox.stop)
  const { network, simulatedChains } = sandbox
  hidden = [SECRET, ...network.chains.flatMap(({ rpcUrls }) => rpcUrls)]
  const chains = network.chains.map((chain) => {
    const rpcHeaders = Object.fromEntries(chain.rpcUrls.map((url) => [url, { 'x-api-key': SECRET }]))
    const node = simulatedChains.find((one) => one.chain.chainId === chain.chainId)
    if (node === undefined) return { ...chain, rpcHeaders }
    const { rpcUrl: browserRpcUrl, subscriptionsUrl: browserSubscriptionsUrl } = node
    return { ...chain, rpcHeaders, browserRpcUrl, browserSubscriptionsUrl }
  })
  const file = join(directory.path, 'network.json')
  writeFileSync(file, JSON.stringify({ ...network, chains }))
  service = await startServiceProcess({
    RFQ_CONFIG: file,
    DATA_DIR: join(directory.path, 'data'),
    VAULT_SECRETS: JSON.stringify(Object.fromEntries(sandbox.vaultSecrets)),
    RATE_LIMIT: 'off',
  })
  stops.push(service.stop)
  await sandbox.connect(service.url)
  browser = await launchChromium()
  stops.push(() => browser.close())
})
after(async () => {
  for (const stop of stops.reverse()) await stop()
})

const control = async (path: string, body: unknown): Promise<void> => {
  await sandbox.endpoints.find((endpoint) => endpoint.path === `/sandbox/${path}`)?.handle(body)
}

const accountOf = (family: string) =>
  sandbox.simulatedChains.find(({ chain }) => chain.chainType === family)?.accounts[HELD] ?? assert.fail()

/** Connects the wallet of a name and gives the address that receives on chain A. */
const pay = async (page: Page, from: 'solana' | 'stellar', wallet: string): Promise<void> => {
  const [, recipient] = USERS
  await choose(page, from, 'a', async () => {
    await page.getByRole('button', { name: `Connect ${wallet}` }).click()
    await page.getByRole('textbox', { name: 'Recipient' }).fill(recipient?.address ?? '')
  })
}

const openWithSolana = async (width: number) => {
  const { address, privateKey } = accountOf('solana')
  const opened = await openConsole(
    browser,
    { service },
    {
      width,
      script: solanaWalletScript(address),
      prepare: (page) =>
        page.exposeFunction('signSolana', (bytes: readonly number[]) => signSolanaBytes(privateKey, bytes)),
    },
  )
  await pay(opened.page, 'solana', 'Test Solana Wallet')
  return opened
}

test('the pages are told the nodes for browsers, and neither the endpoints of the service nor their headers', async () => {
  const { page, said, close } = await openConsole(browser, { service })
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`))
  const answer = await page.reload()
  const html = (await answer?.text()) ?? ''
  await page.getByRole('group', { name: 'Pay' }).waitFor()
  assert.match(html, /<html data-nodes=/)
  assert.doesNotMatch(html, /data-sandbox/)
  const told = [html, JSON.stringify(answer?.headers()), ...asked].join()
  for (const text of hidden) assert.ok(!told.includes(text), text)
  assert.equal(await page.getByRole('region', { name: 'Sandbox' }).count(), 0)
  assert.deepEqual(said, [])
  await close()
})

for (const width of [390, 1280])
  test(`a Solana wallet pays on the pages of an operator at ${width} pixels, and the transfer is delivered`, async () => {
    const { page, said, close } = await openWithSolana(width)
    await shoot(page, `operator-solana-${width}`)
    assert.equal(await overflowOf(page), 0)
    await sendUntil(page, 'Done')
    await shoot(page, `operator-solana-done-${width}`)
    assert.equal(await overflowOf(page), 0)
    const { violations } = await new AxeBuilder({ page }).analyze()
    assert.deepEqual(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      [],
    )
    assert.deepEqual(said, [])
    await close()
  })

test('Freighter pays on the pages of an operator, and the transfer is delivered', async () => {
  const { address, privateKey } = accountOf('stellar')
  const { page, said, close } = await openConsole(
    browser,
    { service },
    {
      script: freighterScript(address),
      prepare: (page) =>
        page.exposeFunction('signStellar', (xdr: string, passphrase: string) =>
          signStellarXdr(privateKey, xdr, passphrase),
        ),
    },
  )
  await pay(page, 'stellar', 'Freighter')
  await shoot(page, 'operator-freighter')
  await sendUntil(page, 'Done')
  assert.deepEqual(said, [])
  await close()
})

test('a Solana wallet signs the refund of an unfilled order on the page of the transfer', async () => {
  await control('solver', { mode: 'paused' })
  const { page, said, close } = await openWithSolana(1280)
  await sendUntil(page, 'Under way')
  await control('clock', { seconds: UNTIL_REFUND })
  const card = page.getByRole('region', { name: 'What you can do' })
  await card.getByRole('button', { name: 'Sign with Test Solana Wallet' }).click()
  await shoot(page, 'operator-refund')
  await untilWord(page, 'Refunded')
  assert.deepEqual(said, [])
  await close()
})
