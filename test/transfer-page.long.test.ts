import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { launchChromium, listen, overflowOf, shoot } from './browser.ts'
import { startPageWorld } from './page-world.ts'

const VIEWS = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

/** Generous: the machine may be busy, and a lost stream is noticed after three heartbeats at the latest. */
const DEADLINE_MS = 300_000

let world: Awaited<ReturnType<typeof startPageWorld>>
let browser: Browser
before(async () => {
  world = await startPageWorld()
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await world?.close()
})

const open = async (name: string, view: (typeof VIEWS)[number] = VIEWS[1], url = world.url) => {
  const { width, colorScheme } = view
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
  const page = await context.newPage()
  page.setDefaultTimeout(DEADLINE_MS)
  const said = listen(page, (asked) => asked.startsWith(url))
  await page.goto(`${url}/t/${name}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByText('Loading…').waitFor({ state: 'detached' })
  return { page, said, close: () => context.close() }
}

for (const view of VIEWS)
  test(`every state fits ${view.width} pixels in the ${view.colorScheme}, and axe finds nothing`, async () => {
    const { page, said, close } = await open('unknown', view)
    for (const name of world.names) {
      await page.goto(`${world.url}/t/${name}`)
      await page.getByText('Quote given').waitFor()
      await shoot(page, `transfer-${name}-${view.width}`)
      assert.equal(await overflowOf(page), 0, name)
      const { violations } = await new AxeBuilder({ page }).analyze()
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
        [],
        name,
      )
      assert.deepEqual(said, [], name)
    }
    await close()
  })

test('a token shows the logo that the service has, and its symbol without one', async () => {
  const { page, said, close } = await open(world.names[0] ?? '')
  await page.getByText('Quote given').waitFor()
  const [paid, received] = [page.locator('.side').first(), page.locator('.side').last()]
  for (const logo of ['.token', '.chain']) {
    await paid.locator(`${logo} img`).waitFor()
    assert.equal(await paid.locator(logo).textContent(), '')
  }
  assert.match((await paid.locator('.token img').getAttribute('src')) ?? '', /\/logos\/eip155%3A[0-9]+\/0x/)
  assert.match((await paid.locator('.chain img').getAttribute('src')) ?? '', /\/logos\/eip155%3A[0-9]+$/)
  assert.equal(await received.locator('.token').textContent(), 'USDC')
  assert.equal(await received.locator('.token img').isVisible(), false)
  await shoot(page, 'transfer-logo')
  assert.deepEqual(said, [])
  await close()
})

test('amounts say what they were worth when they were quoted, and nothing where they had no price', async () => {
  const { page, said, close } = await open('done')
  await page.locator('.side').first().getByText('about $1,249.88 when quoted').waitFor()
  await page.locator('.side').last().getByText('about $1,248.61 when quoted').waitFor()
  await page.goto(`${world.url}/t/refunded`)
  await page.getByText('(about $1,249.88 when quoted)').waitFor()
  await page.goto(`${world.url}/t/deposit`)
  await page.getByText('Quote given').waitFor()
  assert.equal(await page.locator('.side').first().getByText('$').count(), 0)
  assert.deepEqual(said, [])
  await close()
})

test('the console shows the logos that the service has, and letters without one', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: 'dark' })
  const page = await context.newPage()
  page.setDefaultTimeout(DEADLINE_MS)
  const said = listen(page, (url) => url.startsWith(world.url))
  await page.goto(`${world.url}/`)
  const [paid, received] = [
    page.getByRole('group', { name: 'Pay' }),
    page.getByRole('group', { name: 'Receive' }),
  ]
  for (const logo of ['.chain img', '.token img']) await paid.locator(logo).waitFor()
  assert.deepEqual(await received.locator('.emblem').allTextContents(), ['S', 'USDC'])
  await page.getByRole('button', { name: 'Change the direction' }).click()
  await received.locator('.token img').waitFor()
  assert.deepEqual(await paid.locator('.emblem').allTextContents(), ['S', 'USDC'])
  await shoot(page, 'console-logos')
  assert.deepEqual(said, [])
  await context.close()
})

test('transactions and accounts lead to the explorer of their chain, and the title names the transfer', async () => {
  const { page, said, close } = await open('refunded')
  const hrefs = await Promise.all(
    (await page.locator('a.mono').all()).map((link) => link.getAttribute('href')),
  )
  assert.deepEqual(hrefs, [
    'https://arbiscan.io/address/0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    `https://arbiscan.io/tx/0x${'4b9e1c07'.repeat(8)}`,
    `https://arbiscan.io/tx/0x${'77a0'.repeat(16)}`,
  ])
  assert.equal(await page.title(), 'Refunded: 1,250 USDC to 1,248.73125 USDC · OpenRFQ')
  await page.goto(`${world.url}/t/refund_due`)
  await page
    .locator('a[href="https://arbiscan.io/address/0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]')
    .nth(1)
    .waitFor()
  assert.match(await page.title(), /^Refund due: /)
  assert.deepEqual(said, [])
  await close()
})

test('an unknown transfer is said to be unknown', async () => {
  const { page, said, close } = await open('quote_nothing')
  await page.getByText('We do not know this transfer').waitFor()
  await shoot(page, 'transfer-unknown')
  assert.deepEqual(said, [])
  await close()
})

test('the page shows why a malformed quote id is refused, as text', async () => {
  for (const id of [
    '%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E',
    '%00',
    'a%2Fb',
    `${'x'.repeat(100)}?messageId=%3Cb%3E`,
  ]) {
    const { page, said, close } = await open(id)
    await page.getByText(/This cannot be shown|We do not know this transfer/).waitFor()
    assert.equal(await page.locator('img, main b').count(), 0)
    assert.equal(await overflowOf(page), 0)
    assert.deepEqual(
      said.filter((line) => !line.includes('400 (Bad Request)')),
      [],
    )
    await close()
  }
})

test('the page follows the transfer to its end without being loaded again', async () => {
  const { page, said, close } = await open('awaiting')
  await page.getByText('Waiting for payment').waitFor()
  world.show('awaiting', 'pending')
  await page.getByText('Under way').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Crossing (now)' }).waitFor()
  world.show('awaiting', 'done')
  await page.getByText('The recipient has the money on Solana.').waitFor()
  await page.getByText('It took 8 seconds.').waitFor()
  assert.deepEqual(said, [])
  await close()
})

/** A way to the world's server that can be closed and opened; closing it also cuts what goes over it. */
const startWay = async () => {
  const sockets = new Set<Socket>()
  let isOpen = true
  const way = createServer((near) => {
    const far = connect(Number(new URL(world.url).port), '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        for (const one of [near, far]) sockets.delete(one.destroy())
      })
    }
    if (isOpen) near.pipe(far).pipe(near)
    else near.destroy()
  })
  way.listen(0, '127.0.0.1')
  await once(way, 'listening')
  // CAST: a server that listens on a port has an address of this form.
  const { port } = way.address() as AddressInfo
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      isOpen = false
      cut()
    },
    open: () => {
      isOpen = true
    },
    end: () => {
      way.close()
      cut()
    },
  }
}

test('a page that loses the service says so, and goes on by itself when it answers again', async () => {
  const way = await startWay()
  const { page, close } = await open('pending', VIEWS[0], way.url)
  await page.getByText('Under way').waitFor()
  way.close()
  await page.getByText('The service cannot be reached.').waitFor()
  world.show('pending', 'done')
  way.open()
  await page.getByText('The recipient has the money on Solana.').waitFor()
  await page.getByText('The service cannot be reached.').waitFor({ state: 'detached' })
  await close()
  way.end()
})

test('a deposit shows its address, its exact amount and a code that can be scanned', async () => {
  const { page, close } = await open('deposit')
  await page.getByRole('img', { name: 'QR code of the deposit address' }).waitFor()
  const card = page.getByRole('region', { name: 'Pay to this address' })
  assert.match(
    (await card.textContent()) ?? '',
    /1250 USDC.*MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJU/,
  )
  world.show('deposit', 'pending')
  await card.waitFor({ state: 'detached' })
  await close()
})

test('the raw data is reached by keyboard', async () => {
  const { page, close } = await open('done')
  await page.getByRole('tab', { name: 'Overview' }).focus()
  await page.keyboard.press('ArrowRight')
  const raw = page.getByRole('region', { name: "The service's answers" })
  const { quote, status } = JSON.parse((await raw.textContent()) ?? '')
  assert.deepEqual([quote.quoteId, status.state], [status.quoteId, 'DONE'])
  await close()
})

test('a hostile token name is text, and the page warns of the token', async () => {
  const { page, said, close } = await open('hostile')
  await page.getByText('This token is not reviewed.').waitFor()
  assert.equal(await page.locator('img:not([src*="/logos/"])').count(), 0)
  assert.deepEqual(said, [])
  await close()
})

test('a transaction can be named where the quote does not find it', async () => {
  const { page, close } = await open('unnamed')
  await page.getByRole('textbox', { name: 'Hash of the transaction' }).fill('0xab')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.waitForURL(/messageId=0xab&sourceChain=eip155%3A31337/)
  await close()
})

test('hostile names of tokens and solvers, and hostile warnings, are text in the console', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(DEADLINE_MS)
  const said = listen(page, (url) => url.startsWith(world.url))
  await page.goto(`${world.url}/`)
  await page.getByRole('textbox', { name: 'Paid from the address' }).fill(`0x${'b2'.repeat(20)}`)
  await page.getByRole('textbox', { name: 'Recipient' }).fill('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM')
  await page.getByRole('combobox', { name: 'Pay: token' }).selectOption({ index: 1 })
  await page.getByText('<script>alert(2)').first().waitFor()
  await page.getByText('A wallet has to sign this quote.').waitFor()
  await shoot(page, 'console-hostile')
  assert.equal(await page.locator('img:not([src*="/logos/"]), main script').count(), 0)
  assert.equal(await overflowOf(page), 0)
  await page.getByRole('combobox', { name: 'Pay: chain' }).selectOption({ label: 'Stellar' })
  await page.getByRole('textbox', { name: 'Paid from the address' }).fill('G')
  await page.getByRole('link', { name: 'Show how to pay' }).waitFor()
  assert.deepEqual(said, [])
  await context.close()
})
