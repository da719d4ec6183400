import assert from 'node:assert/strict'
import { Asset, Keypair, Memo, Operation, rpc, TransactionBuilder } from '@stellar/stellar-sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson, type SandboxDescription } from 'openrfq/test/wallet.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import decodeQr from 'qr/decode.js'
import type { Opened } from './console-page.ts'

const VALID_SECONDS = 300
const FEE = '1000'

/** What a QR code on a page says to a camera: its picture, decoded. */
export const scan = async (browser: Browser, code: Locator): Promise<string> => {
  const picture = (await code.screenshot()).toString('base64')
  const blank = await browser.newPage()
  const [width, height, pixels]: readonly [number, number, readonly number[]] =
    await blank.evaluate(`(async () => {
    const image = await createImageBitmap(await (await fetch('data:image/png;base64,${picture}')).blob())
    const { width, height } = image
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
    context.drawImage(image, 0, 0)
    return [width, height, [...context.getImageData(0, 0, width, height).data]]
  })()`)
  await blank.close()
  return decodeQr({ width, height, data: Uint8Array.from(pixels) })
}

type Ledger = { readonly rpcUrl: string; readonly networkPassphrase: string; readonly secret: string }

/** The sandbox's Stellar, and the secret of its first account. */
export const findLedger = async ({ service }: Opened): Promise<Ledger> => {
  const { body } = await fetchJson<SandboxDescription>(`${service.url}/sandbox`)
  const chain = body.chains.find(({ chainId }) => chainId.startsWith('stellar:')) ?? assert.fail()
  const account = body.accounts.find(({ chainType }) => chainType === 'stellar') ?? assert.fail()
  // CAST: a Stellar chain has a passphrase.
  return { ...(chain as unknown as Ledger), secret: account.privateKey }
}

type Payment = {
  readonly destination: string
  readonly amount: string
  readonly asset: Asset
  readonly memo?: string
}

/** Pays as the first account by the Stellar SDK alone. */
export const pay = async (world: Opened, { destination, amount, asset, memo }: Payment): Promise<void> => {
  const { rpcUrl, networkPassphrase, secret } = await findLedger(world)
  const server = new rpc.Server(rpcUrl, { allowHttp: true })
  const keys = Keypair.fromSecret(secret)
  const builder = new TransactionBuilder(await server.getAccount(keys.publicKey()), {
    fee: FEE,
    networkPassphrase,
  })
    .addOperation(Operation.payment({ destination, asset, amount }))
    .setTimeout(VALID_SECONDS)
  const transaction = (memo === undefined ? builder : builder.addMemo(Memo.id(memo))).build()
  transaction.sign(keys)
  const sent = await server.sendTransaction(transaction)
  assert.equal(sent.status, 'PENDING', JSON.stringify(sent))
  const isIn = async () => (await server.getTransaction(sent.hash)).status === 'SUCCESS'
  await eventually('the payment is in a ledger', isIn)
}

/** The link for wallets on the page of a deposit, taken apart. */
export const linkOn = async (page: Page): Promise<URLSearchParams> => {
  const href = await page.getByRole('link', { name: 'Open in a Stellar wallet' }).getAttribute('href')
  assert.match(href ?? '', /^web\+stellar:pay\?/)
  return new URLSearchParams(href?.split('?')[1])
}

/** The asset that the link for wallets asks for. */
export const assetOf = (link: URLSearchParams): Asset =>
  new Asset(link.get('asset_code') ?? '', link.get('asset_issuer') ?? '')
