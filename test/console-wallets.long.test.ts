import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fetchJson, type SandboxDescription } from 'openrfq/test/wallet.ts'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, shoot } from './browser.ts'
import {
  evmWalletScript,
  freighterScript,
  signSolanaBytes,
  signStellarXdr,
  solanaWalletScript,
} from './browser-wallets.ts'
import { choose, openConsole, sendUntil } from './console-page.ts'
import { accountAt, CHAINS, type SandboxService, startSandboxService } from './sandbox-service.ts'

/** The account of a family that the wallets hold; the console itself would sign with account 0. */
const HELD = 5

let world: SandboxService
let browser: Browser
before(async () => {
  world = await startSandboxService({ SANDBOX_FAMILIES: 'all' }, ['patient'])
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await world?.stop()
})

const accountOf = async (family: string) => {
  const { body } = await fetchJson<SandboxDescription>(`${world.service.url}/sandbox`)
  return body.accounts.filter(({ chainType }) => chainType === family)[HELD] ?? assert.fail()
}

/** Connects the wallet of a name, which pays then. */
const connect = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: `Connect ${name}` }).click()
  await page
    .getByRole('combobox', { name: 'Paid by' })
    .locator('option:checked', { hasText: name })
    .waitFor({ state: 'attached' })
  await page.getByRole('radio').first().waitFor({ state: 'attached' })
}

/** The console with a Solana wallet, and what happens in it: what the node is asked, and what the wallet signs. */
const openWithSolana = async (refuses: boolean) => {
  const { address, privateKey } = await accountOf('solana')
  const happened: string[] = []
  const opened = await openConsole(browser, world, {
    script: solanaWalletScript(address),
    prepare: async (page) => {
      page.on('request', (request) => {
        const [method] = /(simulate|send)Transaction/.exec(request.postData() ?? '') ?? []
        if (method !== undefined && happened.at(-1) !== method) happened.push(method)
      })
      await page.exposeFunction('signSolana', async (bytes: readonly number[], chain: string) => {
        happened.push(`sign on ${chain}`)
        if (refuses) throw new Error('The person declined.')
        return signSolanaBytes(privateKey, bytes)
      })
    },
  })
  await choose(opened.page, 'solana', 'a')
  await connect(opened.page, 'Test Solana Wallet')
  return { ...opened, happened }
}

test('a wallet of the Wallet Standard signs what was simulated before, and the transfer is delivered', async () => {
  const { page, said, happened, close } = await openWithSolana(false)
  await shoot(page, 'wallet-solana')
  await sendUntil(page, 'Done')
  const [simulated, signed, sent] = happened.slice(-3)
  assert.deepEqual(
    [simulated, signed, sent],
    ['simulateTransaction', 'sign on solana:localnet', 'sendTransaction'],
  )
  assert.deepEqual(said, [])
  await close()
})

test('a Solana wallet whose owner declines sends nothing, and the page says so', async () => {
  const { page, happened, close } = await openWithSolana(true)
  await page.getByRole('button', { name: /^Sign and send/ }).click()
  await page.getByRole('alert').filter({ hasText: 'refused' }).waitFor()
  assert.deepEqual(happened, ['simulateTransaction', 'sign on solana:localnet'])
  assert.ok(page.url().endsWith('/'))
  await close()
})

/** The console with Freighter; `signed` counts what it was asked to sign. */
const openWithFreighter = async (refuses: boolean) => {
  const { address, privateKey } = await accountOf('stellar')
  const signed: string[] = []
  const opened = await openConsole(browser, world, {
    script: freighterScript(address),
    prepare: (page) =>
      page.exposeFunction('signStellar', (xdr: string, passphrase: string, account: string) => {
        signed.push(account)
        return refuses ? null : signStellarXdr(privateKey, xdr, passphrase)
      }),
  })
  await choose(opened.page, 'stellar', 'a')
  await connect(opened.page, 'Freighter')
  return { ...opened, signed, address }
}

test('Freighter signs a deposit on Stellar, and the transfer is delivered', async () => {
  const { page, said, signed, address, close } = await openWithFreighter(false)
  await sendUntil(page, 'Done')
  assert.equal(signed.at(-1), address)
  assert.deepEqual(said, [])
  await close()
})

test('a refusal in Freighter sends nothing, and the page says so', async () => {
  const { page, signed, close } = await openWithFreighter(true)
  await page.getByRole('button', { name: /^Sign and send/ }).click()
  await page.getByRole('alert').filter({ hasText: 'The user rejected this request.' }).waitFor()
  assert.equal(signed.length, 1)
  assert.ok(page.url().endsWith('/'))
  await close()
})

/** Makes the page's steady clock jump over the life of a quote when the wallet is asked for its first transaction. */
const SLOW_OWNER = `
  const steady = performance.now.bind(performance)
  let ahead = 0
  performance.now = () => steady() + ahead
  window.beforeSending = (count) => { if (count === 1) ahead = 3_600_000 }
`

test('a quote that expires while its approval is signed is not sent: a new one is asked for, and that is sent', async () => {
  const chain = world.sandbox.chains.find(({ chainId }) => chainId === CHAINS.a) ?? assert.fail()
  const { address } = accountAt(world, HELD)
  const asked: string[] = []
  const { page, said, close } = await openConsole(browser, world, {
    script: SLOW_OWNER + evmWalletScript(chain.rpcUrl, address),
    prepare: async (page) => {
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/v1/rfq/quote')) asked.push('quote')
        if (/"eth_sendTransaction"/.test(request.postData() ?? '')) asked.push('send')
      })
    },
  })
  await choose(page, 'a', 'b')
  await connect(page, 'Test Wallet')
  await sendUntil(page, 'Done')
  // A service whose nodes are a block behind asks for the approval again.
  assert.match(asked.join(' '), /^send quote send( send)?$/)
  assert.deepEqual(said, [])
  await close()
})
