import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateKeyPairSigner } from '@solana/kit'
import { Keypair } from '@stellar/stellar-sdk'
import type { Page } from 'playwright-core'
import { numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { evmWalletScript, freighterScript, solanaWalletScript } from './browser-wallets.ts'
import { choose, connectWallet, openConsole, sendUntil } from './console-page.ts'
import { useSandboxBrowser } from './sandbox-browser.ts'
import { accountAt, CHAINS } from './sandbox-service.ts'

const HELD = 5

const scene = useSandboxBrowser({ SANDBOX_FAMILIES: 'all' })

type Asked = { readonly method: string; readonly call: string; readonly chainId: string | undefined }

const callOf = (call: unknown): string => {
  const { to, data, value = '0x0' } = Object(call)
  return JSON.stringify([to, data, BigInt(value).toString()]).toLowerCase()
}

/** The console with a wallet that is on chain B; `asked` are the calls that it was asked for, with the chain that it was on. */
const openWithEvm = async (address: string) => {
  const asked: Asked[] = []
  let chainId: string | undefined
  const rpcOf = (id: string): string =>
    (scene.world.sandbox.chains.find((chain) => chain.chainId === id) ?? assert.fail()).rpcUrl
  const numbers = [CHAINS.a, CHAINS.b].map((id) => [numberToHex(Number(id.split(':')[1])), rpcOf(id)])
  const opened = await openConsole(scene.browser, scene.world, {
    script: evmWalletScript(rpcOf(CHAINS.b), address, Object.fromEntries(numbers)),
    prepare: (page) =>
      page.exposeFunction('walletAsked', (method: string, params: readonly unknown[]) => {
        if (method === 'wallet_switchEthereumChain') chainId = Object(params[0]).chainId
        if (/^eth_(estimateGas|sendTransaction)$/.test(method))
          asked.push({ method, call: callOf(params[0]), chainId })
      }),
  })
  await choose(opened.page, 'a', 'b')
  await connectWallet(opened.page, 'Test Wallet')
  return { ...opened, asked }
}

test('a wallet of the browser is asked only for what its chain has simulated, on the chain of the quote', async () => {
  const { page, said, asked, close } = await openWithEvm(accountAt(scene.world, HELD).address)
  await sendUntil(page, 'Done')
  const sent = asked.filter(({ method }) => method === 'eth_sendTransaction')
  assert.ok(sent.length >= 2, 'an approval and a transfer')
  for (const [index, { method, call }] of asked.entries()) {
    if (method !== 'eth_sendTransaction') continue
    assert.deepEqual(asked[index - 1], { method: 'eth_estimateGas', call, chainId: '0x7a69' })
    assert.equal(asked[index]?.chainId, '0x7a69')
  }
  assert.deepEqual(said, [])
  await close()
})

/** Sends, and expects that the page says what the account lacks. */
const expectLacking = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Sign and send/ }).click()
  await page.locator('.send [role=alert]').waitFor()
  const said = (await page.locator('.send [role=alert]').textContent()) ?? ''
  assert.match(said, /holds|would fail/, said)
  assert.ok(page.url().endsWith('/'), page.url())
}

test('a wallet of an EVM chain that holds nothing is asked for no signature, and the page says why', async () => {
  const { page, asked, close } = await openWithEvm(privateKeyToAddress(generatePrivateKey()))
  await expectLacking(page)
  assert.deepEqual(
    asked.filter(({ method }) => method === 'eth_sendTransaction'),
    [],
  )
  await close()
})

test('a Solana wallet that holds nothing is asked for no signature, and the page says why', async () => {
  const { address } = await generateKeyPairSigner()
  const signed: string[] = []
  const { page, close } = await openConsole(scene.browser, scene.world, {
    script: solanaWalletScript(address),
    prepare: (page) =>
      page.exposeFunction('signSolana', (_bytes: readonly number[], chain: string) => {
        signed.push(chain)
        throw new Error('was asked to sign')
      }),
  })
  await choose(page, 'solana', 'a')
  await connectWallet(page, 'Test Solana Wallet')
  await expectLacking(page)
  assert.deepEqual(signed, [])
  await close()
})

test('Freighter of an account that does not exist is asked for no signature, and the page says why', async () => {
  const signed: string[] = []
  const { page, close } = await openConsole(scene.browser, scene.world, {
    script: freighterScript(Keypair.random().publicKey()),
    prepare: (page) =>
      page.exposeFunction('signStellar', (xdr: string) => {
        signed.push(xdr)
        return null
      }),
  })
  await choose(page, 'stellar', 'a')
  await connectWallet(page, 'Freighter')
  await expectLacking(page)
  assert.deepEqual(signed, [])
  await close()
})
