import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from 'openrfq/test/eventually.ts'
import { evmWalletScript } from './browser-wallets.ts'
import { choose, connectWallet, openConsole, untilWord } from './console-page.ts'
import { useSandboxBrowser } from './sandbox-browser.ts'
import { accountAt, CHAINS } from './sandbox-service.ts'

/** The account that the wallet holds; the console itself would sign with account 0. */
const HELD = 5

const scene = useSandboxBrowser()

/** A wallet whose owner leaves each transaction unanswered until `answerWallet` is called. */
const hesitantWallet = (rpcUrl: string, address: string): string => `${evmWalletScript(rpcUrl, address)}
  window.asked = 0
  const answered = new Promise((resolve) => { window.answerWallet = resolve })
  handlers.eth_sendTransaction = async (call) => {
    window.asked += 1
    await answered
    return ask('eth_sendTransaction', [call])
  }
`

test('while a wallet is asked to sign, nothing else can be sent, however the form is used', async () => {
  const chain = scene.world.sandbox.chains.find(({ chainId }) => chainId === CHAINS.a) ?? assert.fail()
  const { address } = accountAt(scene.world, HELD)
  const { page, close } = await openConsole(scene.browser, scene.world, {
    script: hesitantWallet(chain.rpcUrl, address),
  })
  await choose(page, 'a', 'b')
  await connectWallet(page, 'Test Wallet')
  await page.getByRole('button', { name: /^Sign and send/ }).click()
  await until(async () => (await page.evaluate('window.asked')) === 1)
  for (const field of await page.locator('form.trade').locator('input, select, button').all())
    assert.equal(await field.isEnabled(), false, await field.evaluate('(element) => element.outerHTML'))
  await page.getByRole('button', { name: 'Sending…' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Sign and send/ }).count(), 0)
  await page.evaluate('window.answerWallet()')
  await untilWord(page, 'Done')
  await close()
})
