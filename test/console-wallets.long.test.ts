import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askNode, chainClients, fetchJson, type SandboxDescription } from 'openrfq/test/wallet.ts'
import { getAddress } from 'viem'
import { shoot } from './browser.ts'
import {
  BATCH_CODE,
  type BatchAnswer,
  batchingWalletScript,
  evmWalletScript,
  freighterScript,
  signSolanaBytes,
  signStellarXdr,
  solanaWalletScript,
} from './browser-wallets.ts'
import { choose, connectWallet, openConsole, sendUntil } from './console-page.ts'
import { useSandboxBrowser } from './sandbox-browser.ts'
import { accountAt, CHAINS, tokenOn } from './sandbox-service.ts'

/** The account of a family that the wallets hold; the console itself would sign with account 0. */
const HELD = 5

const scene = useSandboxBrowser({ SANDBOX_FAMILIES: 'all' })

const accountOf = async (family: string) => {
  const { body } = await fetchJson<SandboxDescription>(`${scene.world.service.url}/sandbox`)
  return body.accounts.filter(({ chainType }) => chainType === family)[HELD] ?? assert.fail()
}

/** The console with a Solana wallet, and what happens in it: what the node is asked, and what the wallet signs. */
const openWithSolana = async (refuses: boolean) => {
  const { address, privateKey } = await accountOf('solana')
  const happened: string[] = []
  const opened = await openConsole(scene.browser, scene.world, {
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
  await connectWallet(opened.page, 'Test Solana Wallet')
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
  const opened = await openConsole(scene.browser, scene.world, {
    script: freighterScript(address),
    prepare: (page) =>
      page.exposeFunction('signStellar', (xdr: string, passphrase: string, account: string) => {
        signed.push(account)
        return refuses ? null : signStellarXdr(privateKey, xdr, passphrase)
      }),
  })
  await choose(opened.page, 'stellar', 'a')
  await connectWallet(opened.page, 'Freighter')
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
  const chain = scene.world.sandbox.chains.find(({ chainId }) => chainId === CHAINS.a) ?? assert.fail()
  const { address } = accountAt(scene.world, HELD)
  const asked: string[] = []
  const { page, said, close } = await openConsole(scene.browser, scene.world, {
    script: SLOW_OWNER + evmWalletScript(chain.rpcUrl, address),
    prepare: async (page) => {
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/v1/rfq/quote')) asked.push('quote')
        if (/"eth_sendTransaction"/.test(request.postData() ?? '')) asked.push('send')
      })
    },
  })
  await choose(page, 'a', 'b')
  await connectWallet(page, 'Test Wallet')
  await sendUntil(page, 'Done')
  // A service whose nodes are a block behind asks for the approval again.
  assert.match(asked.join(' '), /^send quote send( send)?$/)
  assert.deepEqual(said, [])
  await close()
})

const rpcOf = (chainId: string): string =>
  (scene.world.sandbox.chains.find((chain) => chain.chainId === chainId) ?? assert.fail()).rpcUrl

/** A smart wallet on chain A with a dollar token, of an owner that pays its gas. */
const fundedWallet = async (index: number) => {
  const { address: owner } = accountAt(scene.world, HELD)
  const address = getAddress(`0x${'5b'.repeat(19)}0${index}`)
  await askNode(scene.world.sandbox, CHAINS.a, 'anvil_setCode', address, BATCH_CODE)
  const token = tokenOn(scene.world, CHAINS.a, 'intent', /USD/)
  const amount = 100n * 10n ** BigInt(token.decimals)
  const asked = { chainId: CHAINS.a, token: token.address, address, amount: amount.toString() }
  const { status, body } = await fetchJson(`${scene.world.service.url}/sandbox/faucet`, asked)
  assert.equal(status, 200, JSON.stringify(body))
  const { reader } = chainClients(scene.world.sandbox, CHAINS.a)
  return { address, owner, nonce: () => reader.getTransactionCount({ address: owner }) }
}

/** The console with a smart wallet that answers a batch in this way; `asked` tells what the page asked it to send. */
const openWithBatches = async (index: number, answer: BatchAnswer) => {
  const wallet = await fundedWallet(index)
  const script = batchingWalletScript(rpcOf(CHAINS.a), wallet.address, wallet.owner, answer)
  const asked: string[] = []
  const opened = await openConsole(scene.browser, scene.world, {
    script,
    prepare: (page) =>
      page.exposeFunction('walletAsked', (method: string) => {
        if (/^(wallet_sendCalls|eth_sendTransaction)$/.test(method)) asked.push(method)
      }),
  })
  await choose(opened.page, 'a', 'b')
  await connectWallet(opened.page, 'Test Wallet')
  return { ...opened, ...wallet, asked, nonceBefore: await wallet.nonce() }
}

test('a wallet that batches signs approval and transfer as one transaction, and the transfer is delivered', async () => {
  const { page, said, asked, nonce, nonceBefore, close } = await openWithBatches(1, 'executes')
  await page.getByRole('button', { name: /^Sign and send/ }).waitFor()
  await shoot(page, 'wallet-batch')
  await sendUntil(page, 'Done')
  assert.deepEqual(asked, ['wallet_sendCalls'])
  assert.equal((await nonce()) - nonceBefore, 1)
  assert.deepEqual(said, [])
  await close()
})

test('a wallet that turns out to be unable to batch is asked for one transaction after the other', async () => {
  const { page, said, asked, nonce, nonceBefore, close } = await openWithBatches(2, 'unable')
  await sendUntil(page, 'Done')
  assert.deepEqual(asked, ['wallet_sendCalls', 'eth_sendTransaction', 'eth_sendTransaction'])
  assert.equal((await nonce()) - nonceBefore, 2)
  assert.deepEqual(said, [])
  await close()
})

for (const [index, answer, text] of [
  [3, 'refused', 'This step was not sent.'],
  [4, 'reverts', 'nothing but gas was spent'],
] as const)
  test(`a batch that ${answer === 'refused' ? 'the person refuses' : 'reverts'} moves nothing, and the page says so`, async () => {
    const { page, asked, nonce, nonceBefore, close } = await openWithBatches(index, answer)
    await page.getByRole('button', { name: /^Sign and send/ }).click()
    await page.getByRole('alert').filter({ hasText: text }).waitFor()
    assert.deepEqual(asked, ['wallet_sendCalls'])
    assert.equal((await nonce()) - nonceBefore, answer === 'refused' ? 0 : 1)
    await close()
  })
