import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type PrivateAnvil, startAnvil } from 'openrfq/test/private-anvil.ts'
import { toEventSelector } from 'viem'
import type { Action } from '../wire/action.ts'
import { type Quote, QuoteBackend } from '../wire/quote.ts'
import { connectEvm } from './connect-evm.ts'
import { readEvmBalance } from './evm-balance.ts'
import { executeEvmQuote } from './execute-evm-quote.ts'

/** Anvil's first account, whose key is public. */
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const SENDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const NOW = Date.parse('2026-01-01T00:00:00Z')
const CHAIN = 'eip155:424242'

/** Bytecode that emits a log without topics and then the gateway's event, whose first topic is the contract. */
const emitter = (event: string): string => `0x5f5fa0307f${event.slice(2)}5f5fa200`
const GATEWAY = '0x00000000000000000000000000000000000a0001'
const ITS = '0x00000000000000000000000000000000000a0002'
const REVERTING = '0x00000000000000000000000000000000000a0003'
const SILENT = '0x00000000000000000000000000000000000a0004'
const REVERT = '0x5f5ffd'

let anvil: PrivateAnvil
const wallet = () => connectEvm(KEY, anvil.rpcUrl)

before(async () => {
  anvil = await startAnvil(424242)
  const callWithToken = toEventSelector(
    'ContractCallWithToken(address,string,string,bytes32,bytes,string,uint256)',
  )
  const contractCall = toEventSelector('ContractCall(address,string,string,bytes32,bytes)')
  await anvil.rpc('anvil_setCode', GATEWAY, emitter(callWithToken))
  await anvil.rpc('anvil_setCode', ITS, emitter(contractCall))
  await anvil.rpc('anvil_setCode', REVERTING, REVERT)
  await anvil.rpc('anvil_setCode', SILENT, '0x00')
})
after(() => anvil.stop())

const action = (id: string, to: string, changes: { readonly from?: string; readonly value?: string } = {}) =>
  ({
    id,
    label: id,
    type: 'transaction',
    chain: CHAIN,
    payload: { type: 'evm_transaction', from: SENDER, to, data: '0x', value: '0', ...changes },
  }) as const satisfies Action

const quoteOf = (type: string, ...actions: readonly Action[]): Quote => {
  const fee = {
    amount: '0',
    token: { chain: CHAIN, symbol: 'ETH', type: 'native' },
    paymentMethod: 'tx_value',
    quoteTreatment: 'outside_quote',
  } as const
  return {
    quoteId: 'quote_1',
    selectionReason: 'highest_output',
    backend: QuoteBackend.parse({ type, name: type, tracking: { swapId: '0x1' }, metadata: {} }),
    estimatedTimeSeconds: 1,
    validity: { type: 'expires_at', quoteExpiresAt: '2026-01-01T00:01:00Z' },
    input: { chain: CHAIN, token: '0xa', amount: '1' },
    output: { chain: 'eip155:2', token: '0xb', amount: '1', minimumAmount: '1' },
    fees: { gas: fee, user: fee, integrator: null },
    actions: [...actions],
  }
}

test('sends every action in order with its value, and returns the message id of the last', async () => {
  const seen: string[] = []
  const started = await executeEvmQuote({
    ...wallet(),
    quote: quoteOf('gateway', action('approve', SILENT), action('transfer', GATEWAY, { value: '7' })),
    now: NOW,
    onAction: ({ action: { id }, event }) => seen.push(`${id} ${event}`),
  })
  assert.deepEqual(seen, ['approve sent', 'approve included', 'transfer sent', 'transfer included'])
  assert.deepEqual(started, {
    quoteId: 'quote_1',
    txHash: started.txHash,
    messageId: `${started.txHash}-1`,
    sourceChain: CHAIN,
    estimatedTimeSeconds: 1,
  })
  const native = { rpcUrl: anvil.rpcUrl, token: `0x${'0'.repeat(40)}`, owner: GATEWAY }
  assert.equal(await readEvmBalance(native), 7n)
})

test("the message of an its transfer is the ITS contract's call, not the user's", async () => {
  const started = await executeEvmQuote({
    ...wallet(),
    quote: quoteOf('its', action('transfer', ITS)),
    now: NOW,
  })
  assert.equal(started.messageId, `${started.txHash}-1`)
})

test('an intent needs no message id', async () => {
  const started = await executeEvmQuote({
    ...wallet(),
    quote: quoteOf('intent', action('transfer', SILENT)),
    now: NOW,
  })
  assert.equal(started.messageId, undefined)
})

test('a wallet that is switched to another chain after the approval is asked to sign no transfer there', async () => {
  const { publicClient, walletClient } = wallet()
  let isElsewhere = false
  const switched = {
    ...walletClient,
    getChainId: async () => (isElsewhere ? 1 : walletClient.getChainId()),
    sendTransaction: async (call: Parameters<typeof walletClient.sendTransaction>[0]) => {
      assert.equal(isElsewhere, false, 'nothing is signed for the other chain')
      isElsewhere = true
      return walletClient.sendTransaction(call)
    },
  }
  const quote = quoteOf('gateway', action('approve', SILENT), action('transfer', GATEWAY))
  await assert.rejects(executeEvmQuote({ publicClient, walletClient: switched, quote, now: NOW }), {
    code: 'wrong_wallet',
    actionId: 'transfer',
  })
})

const nonce = () => wallet().publicClient.getTransactionCount({ address: SENDER })

const refuses = async (quote: Quote, now: number, expected: object): Promise<void> => {
  const before = await nonce()
  await assert.rejects(executeEvmQuote({ ...wallet(), quote, now }), { name: 'ExecutionError', ...expected })
  assert.equal(await nonce(), before)
}

test('sends nothing for an expired quote', () =>
  refuses(quoteOf('gateway', action('transfer', GATEWAY)), Date.parse('2026-01-01T00:01:00Z'), {
    code: 'expired',
    message: /expired at 2026-01-01T00:01:00Z/,
  }))

test('sends nothing when the expiry or the clock is not a valid time', async () => {
  const quote = quoteOf('gateway', action('transfer', GATEWAY))
  const never = { ...quote, validity: { ...quote.validity, quoteExpiresAt: '2026-13-01T00:01:00Z' } }
  await refuses(never, NOW, { code: 'expired' })
  await refuses(quote, Number.NaN, { code: 'expired' })
})

test('sends nothing for a quote of another sender', () =>
  refuses(quoteOf('gateway', action('transfer', GATEWAY, { from: ITS })), NOW, {
    code: 'wrong_wallet',
    message: new RegExp(`made for ${ITS}, the wallet is ${SENDER}`),
  }))

test('does not send the transfer of a quote that expires during its approval', async (t) => {
  const before = await nonce()
  const running = executeEvmQuote({
    ...wallet(),
    quote: quoteOf('gateway', action('approve', SILENT), action('transfer', GATEWAY)),
    now: NOW,
    onAction: ({ event }) => {
      const late = performance.now() + 60_000
      if (event === 'included') t.mock.method(performance, 'now', () => late)
    },
  })
  await assert.rejects(running, { code: 'expired', actionId: 'transfer' })
  assert.equal(await nonce(), before + 1)
})

test("sends nothing on a chain other than the quote's", () =>
  refuses(quoteOf('gateway', { ...action('transfer', GATEWAY), chain: 'eip155:5' }), NOW, {
    code: 'wrong_wallet',
    message: /runs on eip155:5, the RPC address leads to eip155:424242/,
  }))

test('sends nothing when a later action is not an EVM transaction', () => {
  const payload = { type: 'deposit_address', address: 'G', amount: '1', token: 't' } as const
  const deposit: Action = { ...action('deposit', GATEWAY), type: 'deposit_address', payload }
  return refuses(quoteOf('gateway', action('approve', SILENT), deposit), NOW, { code: 'unsupported' })
})

test('names an action that would revert, and does not send it', () =>
  refuses(quoteOf('gateway', action('transfer', REVERTING)), NOW, {
    code: 'refused',
    actionId: 'transfer',
    message: /action "transfer" cannot be sent: .*revert/i,
  }))

test('names the transaction of an action that reverted', async () => {
  await anvil.rpc('evm_setAutomine', false)
  const before = await anvil.rpc('eth_getCode', GATEWAY, 'latest')
  try {
    const running = executeEvmQuote({
      ...wallet(),
      quote: quoteOf('gateway', action('transfer', GATEWAY)),
      now: NOW,
      onAction: async () => {
        await anvil.rpc('anvil_setCode', GATEWAY, REVERT)
        await anvil.rpc('evm_mine')
      },
    })
    await assert.rejects(running, { code: 'reverted', actionId: 'transfer', txHash: /^0x[0-9a-f]{64}$/ })
  } finally {
    await anvil.rpc('anvil_setCode', GATEWAY, before)
    await anvil.rpc('evm_setAutomine', true)
  }
})

test('rejects with "uncertain" when a sent action is not mined in time', async () => {
  await anvil.rpc('evm_setAutomine', false)
  try {
    const running = executeEvmQuote({
      ...wallet(),
      quote: quoteOf('gateway', action('transfer', GATEWAY)),
      now: NOW,
      timeoutMs: 100,
    })
    await assert.rejects(running, {
      code: 'uncertain',
      txHash: /^0x/,
      message: /not seen mined within 100 ms/,
    })
  } finally {
    await anvil.rpc('evm_mine')
    await anvil.rpc('evm_setAutomine', true)
  }
})

test('says why a sent action cannot be followed', async () => {
  const cause = new TypeError('the connection broke')
  const deaf = { ...wallet().publicClient, waitForTransactionReceipt: () => Promise.reject(cause) }
  const quote = quoteOf('gateway', action('transfer', GATEWAY))
  await assert.rejects(executeEvmQuote({ ...wallet(), publicClient: deaf, quote, now: NOW }), {
    code: 'uncertain',
    txHash: /^0x/,
    message: /cannot be followed: the connection broke$/,
  })
})

test("rejects with the transaction's hash when a mined transfer lacks its event", async () => {
  const running = executeEvmQuote({
    ...wallet(),
    quote: quoteOf('gateway', action('transfer', SILENT)),
    now: NOW,
  })
  await assert.rejects(running, { code: 'no_message', txHash: /^0x/ })
})

test('distinguishes an RPC that does not answer from a chain that rejects the action', async () => {
  const running = executeEvmQuote({
    ...connectEvm(KEY, 'http://127.0.0.1:1'),
    quote: quoteOf('gateway', action('transfer', GATEWAY)),
    now: NOW,
  })
  await assert.rejects(running, { code: 'unreachable' })
})

test('sends nothing when wallet and node are on different chains', async () => {
  const elsewhere = { ...wallet().walletClient, getChainId: async () => 1 }
  const quote = quoteOf('gateway', action('transfer', GATEWAY))
  await assert.rejects(executeEvmQuote({ ...wallet(), walletClient: elsewhere, quote, now: NOW }), {
    code: 'wrong_wallet',
    message: /runs on eip155:424242, the wallet is on eip155:1/,
  })
})

test("a wallet's own error while it sends leaves the outcome open, and before that nothing was sent", async () => {
  const fault = new TypeError('x is not a function')
  const quote = quoteOf('gateway', action('transfer', GATEWAY))
  const failing = { ...wallet().walletClient, sendTransaction: () => Promise.reject(fault) }
  const open = { code: 'uncertain', message: /the wallet failed .* nonce \d+/, cause: fault }
  await assert.rejects(executeEvmQuote({ ...wallet(), walletClient: failing, quote, now: NOW }), open)
  const blind = { ...wallet().publicClient, getChainId: () => Promise.reject(fault) }
  await assert.rejects(executeEvmQuote({ ...wallet(), publicClient: blind, quote, now: NOW }), {
    code: 'unreachable',
    message: 'the chain cannot be read: x is not a function',
    cause: fault,
  })
})

test('a replacement by another call rejects, and one with a higher fee continues', async (context) => {
  for (const isCopy of [false, true]) {
    await anvil.rpc('evm_setAutomine', false)
    const { walletClient, publicClient } = wallet()
    const nonce = await publicClient.getTransactionCount({ address: SENDER })
    let sentHash = ''
    // viem recognises a replacement only of a transaction it has seen pending.
    const seenPending = Promise.withResolvers<void>()
    const { fetch } = globalThis
    const { mock } = context.mock.method(
      globalThis,
      'fetch',
      async (...request: Parameters<typeof fetch>) => {
        const response = await fetch(...request)
        if (String(request[1]?.body).includes('eth_getTransactionByHash')) seenPending.resolve()
        return response
      },
    )
    const running = executeEvmQuote({
      walletClient,
      publicClient,
      quote: quoteOf('gateway', action('transfer', GATEWAY)),
      now: NOW,
      onAction: async ({ event, txHash }) => {
        if (event !== 'sent') return
        sentHash = txHash
        await seenPending.promise
        mock.restore()
        const dear = { nonce, gas: 200_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 10n }
        const call = isCopy
          ? ({ to: GATEWAY, data: '0x', value: 0n } as const)
          : ({ to: SENDER, value: 1n } as const)
        await walletClient.sendTransaction({ ...call, ...dear, chain: null })
        await anvil.rpc('anvil_mine', '0x2')
        await anvil.rpc('evm_setAutomine', true)
      },
    })
    if (isCopy) assert.notEqual((await running).txHash, sentHash)
    else
      await assert.rejects(running, { code: 'refused', actionId: 'transfer', message: /the wallet replaced/ })
  }
})

test('rejects an invalid private key without repeating it', () => {
  const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
  for (const digits of ['secret', '0'.repeat(64), order, order.toUpperCase(), 'f'.repeat(64)])
    assert.throws(
      () => connectEvm(`0x${digits}`, 'http://127.0.0.1:1'),
      ({ name, message }: Error) =>
        name === 'RangeError' && !message.includes(digits) && !/[0-9]{10}/.test(message),
    )
})
