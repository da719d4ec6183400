import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Keypair, rpc } from '@stellar/stellar-sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import { overflowOf, shoot } from './browser.ts'
import { choose, openConsole, untilWord } from './console-page.ts'
import { useSandboxBrowser } from './sandbox-browser.ts'
import { assetOf, findLedger, linkOn, pay, scan } from './stellar-payment.ts'

/** What the vault may keep of a payment of 25 USDC that it returns, in base units: a hundredth. */
const HIGHEST_RETURN_COST = 2_500_000

const scene = useSandboxBrowser({ SANDBOX_FAMILIES: 'all' })

/** Asks for a quote from Stellar in the console, and opens the page that says how to pay it. */
const openDeposit = async (view = {}) => {
  const opened = await openConsole(scene.browser, scene.world, view)
  const { page } = opened
  await choose(page, 'stellar', 'a')
  await page.getByRole('link', { name: 'Show an address and a QR code to pay' }).click()
  const card = page.getByRole('region', { name: 'Pay to this address' })
  await card.waitFor()
  return { ...opened, card }
}

test('a payment as the link for wallets says, to the address of the QR code, is delivered', async () => {
  const { page, said, card, close } = await openDeposit({ width: 390 })
  const link = await linkOn(page)
  await shoot(page, 'deposit-390')
  assert.equal(await overflowOf(page), 0)
  const destination = link.get('destination') ?? ''
  assert.match(destination, /^M[A-Z2-7]{68}$/)
  assert.equal(
    await scan(scene.browser, page.getByRole('img', { name: 'QR code of the deposit address' })),
    destination,
  )
  assert.match((await card.textContent()) ?? '', new RegExp(`25 USDC .*${destination}`))
  const { networkPassphrase } = await findLedger(scene.world)
  assert.deepEqual([link.get('amount'), link.get('network_passphrase')], ['25', networkPassphrase])
  const asset = assetOf(link)
  await pay(scene.world, { destination, asset, amount: link.get('amount') ?? '' })
  await untilWord(page, 'Done')
  await card.waitFor({ state: 'detached' })
  await shoot(page, 'deposit-done-390')
  assert.deepEqual(said, [])
  await close()
})

test('a payment to the account with the memo, as wallets without muxed addresses make it, is delivered', async () => {
  const { page, said, card, close } = await openDeposit({ colorScheme: 'dark' })
  await card.getByText('My wallet does not know addresses that begin with M').click()
  await shoot(page, 'deposit-memo-1280')
  const [account, memo] = await card.locator('details dd').all()
  const destination = (await account?.locator('[title]').first().getAttribute('title')) ?? ''
  assert.match(destination, /^G[A-Z2-7]{55}$/)
  const link = await linkOn(page)
  const asset = assetOf(link)
  await pay(scene.world, {
    destination,
    asset,
    amount: '25',
    memo: /^[0-9]+/.exec((await memo?.textContent()) ?? '')?.[0] ?? '',
  })
  await untilWord(page, 'Done')
  assert.deepEqual(said, [])
  await close()
})

test('a payment without the memo goes back less the cost of its return, as the page says, and the transfer stays unpaid', async () => {
  const { page, card, close } = await openDeposit()
  await card.getByText('My wallet does not know addresses that begin with M').click()
  await card.getByText('without it, the payment goes back to you, less').waitFor()
  const [account] = await card.locator('details dd').all()
  const destination = (await account?.locator('[title]').first().getAttribute('title')) ?? ''
  const { rpcUrl, secret } = await findLedger(scene.world)
  const link = await linkOn(page)
  const asset = assetOf(link)
  const balance = async () => {
    const server = new rpc.Server(rpcUrl, { allowHttp: true })
    const owner = Keypair.fromSecret(secret).publicKey()
    return Number((await server.getAssetBalance(owner, asset)).balanceEntry?.amount)
  }
  const held = await balance()
  await pay(scene.world, { destination, asset, amount: '25' })
  assert.notEqual(await balance(), held)
  await eventually('the payment goes back', async () => held - (await balance()) <= HIGHEST_RETURN_COST)
  const kept = held - (await balance())
  assert.ok(kept > 0, `${kept} base units are kept`)
  await untilWord(page, 'Waiting for payment')
  await close()
})
