import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RfqError } from '@openrfq/sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import { type Sandbox, startSandbox } from '../index.ts'
import { FUTURE_SECONDS, type Lie } from './lie.ts'
import { itemsOf, membersOf } from './rpc-message.ts'

const EVM = 'eip155:31337'
const SOLANA = 'solana:Bpu1Qr4aSCoq95PsfUXjxLBPQwLpWpqN'
const STELLAR = 'stellar:sandbox'
const RECIPIENT = '0x00000000000000000000000000000000000000D1'

let sandbox: Sandbox
before(async () => {
  sandbox = await startSandbox({ log: () => undefined, now: Date.now, endpointSeed: undefined })
})
after(() => sandbox.stop())

const call = async (path: string, body?: unknown): Promise<unknown> => {
  const endpoint = sandbox.endpoints.find((candidate) => candidate.path === path)
  assert.ok(endpoint, path)
  return endpoint.handle(body)
}

const urlOf = (chainId: string, endpoint: number): string => {
  const chain = sandbox.network.chains.find((one) => one.chainId === chainId)
  return chain?.rpcUrls[endpoint] ?? assert.fail(chainId)
}

const post = (chainId: string, endpoint: number, payload: unknown): Promise<Response> =>
  fetch(urlOf(chainId, endpoint), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  })

const ask = async (chainId: string, endpoint: number, method: string, params: unknown): Promise<unknown> => {
  const response = await post(chainId, endpoint, { jsonrpc: '2.0', id: 1, method, params })
  const answer: unknown = await response.json()
  const { error, result } = membersOf(answer)
  assert.equal(error, undefined, JSON.stringify(error))
  return result
}

/** What the second endpoint answers while it lies, and what the first answers meanwhile. */
const compared = async (chainId: string, lie: Lie, method: string, params: unknown) => {
  await call('/sandbox/rpc', { chainId, endpoint: 1, lie })
  try {
    return { honest: await ask(chainId, 0, method, params), lied: await ask(chainId, 1, method, params) }
  } finally {
    await call('/sandbox/rpc', { chainId, endpoint: 1, lie: 'none' })
  }
}

const tokenOf = (chainId: string, symbol: string): string =>
  sandbox.network.tokens.find((token) => token.chainId === chainId && token.symbol === symbol)?.address ??
  assert.fail(symbol)

/** A block with one transfer of a token, and its transaction. */
const transfer = async () => {
  const token = tokenOf(EVM, 'USDC')
  await call('/sandbox/faucet', { chainId: EVM, token, address: RECIPIENT, amount: '77' })
  const blockNumber = await ask(EVM, 0, 'eth_blockNumber', [])
  const range = { fromBlock: '0x40', toBlock: blockNumber, address: token }
  const logs = itemsOf(await ask(EVM, 0, 'eth_getLogs', [range])).map(membersOf)
  const { transactionHash, blockHash } = logs.at(-1) ?? {}
  return { token, transactionHash, blockHash, range }
}

test('an endpoint that hides logs leaves them out of queries, receipts and blooms', async () => {
  const { transactionHash, blockHash } = await transfer()
  const logs = await compared(EVM, 'hide_logs', 'eth_getLogs', [{ blockHash }])
  assert.deepEqual([itemsOf(logs.honest).length > 0, logs.lied], [true, []])
  const receipt = await compared(EVM, 'hide_logs', 'eth_getTransactionReceipt', [transactionHash])
  assert.deepEqual(membersOf(receipt.lied)['logs'], [])
  assert.equal(membersOf(receipt.lied)['status'], '0x1')
  const block = await compared(EVM, 'hide_logs', 'eth_getBlockByHash', [blockHash, false])
  assert.match(String(membersOf(block.lied)['logsBloom']), /^0x0+$/)
})

test('an endpoint lies about receipts: they failed, are missing, or moved more', async () => {
  const { transactionHash } = await transfer()
  const about = (lie: Lie) => compared(EVM, lie, 'eth_getTransactionReceipt', [transactionHash])
  assert.equal(membersOf((await about('failed_receipts')).lied)['status'], '0x0')
  assert.equal((await about('null_receipts')).lied, null)
  const { honest, lied } = await about('fake_receipts')
  const amount = (receipt: unknown): bigint =>
    BigInt(String(membersOf(itemsOf(membersOf(receipt)['logs'])[0])['data']))
  assert.equal(amount(lied), amount(honest) * 1000n)
})

test('an endpoint lies about balances and the statuses of orders', async () => {
  const { token } = await transfer()
  const balanceOf = { to: token, data: `0x70a08231${RECIPIENT.slice(2).padStart(64, '0')}` }
  const balance = await compared(EVM, 'fake_calls', 'eth_call', [balanceOf, 'latest'])
  assert.equal(BigInt(String(balance.lied)), BigInt(String(balance.honest)) * 1000n)
  const { intent, attested } = sandbox.network.chains[0] ?? {}
  const statusIn = async (settler: string | undefined, selector: string) => {
    const read = { to: settler, data: `${selector}${'11'.repeat(32)}` }
    const { honest, lied } = await compared(EVM, 'fake_calls', 'eth_call', [read, 'latest'])
    return [honest, lied].map((answer) => BigInt(String(answer).slice(0, 66)))
  }
  assert.deepEqual(await statusIn(intent?.settler, '0xb5c645bd'), [0n, 3n])
  assert.deepEqual(await statusIn(attested?.settler, '0xb5c645bd'), [0n, 3n])
})

test('an endpoint stays at its block, or is of another chain', async () => {
  await call('/sandbox/rpc', { chainId: EVM, endpoint: 1, lie: 'stale_head' })
  const before = await ask(EVM, 1, 'eth_blockNumber', [])
  await transfer()
  assert.equal(await ask(EVM, 1, 'eth_blockNumber', []), before)
  assert.notEqual(await ask(EVM, 0, 'eth_blockNumber', []), before)
  const { lied } = await compared(EVM, 'wrong_chain', 'eth_chainId', [])
  assert.equal(lied, '0x270f')
  const { lied: genesis, honest } = await compared(SOLANA, 'wrong_chain', 'getGenesisHash', [])
  assert.notEqual(genesis, honest)
  const network = await compared(STELLAR, 'wrong_chain', 'getNetwork', {})
  assert.notDeepEqual(network.lied, network.honest)
})

test('new blocks of an endpoint are an hour ahead', async () => {
  const from = Date.now() / 1000
  await call('/sandbox/rpc', { chainId: EVM, endpoint: 1, lie: 'future_time' })
  const { blockHash } = await transfer()
  const timeOf = async (endpoint: number): Promise<number> =>
    Number(membersOf(await ask(EVM, endpoint, 'eth_getBlockByHash', [blockHash, false]))['timestamp'])
  assert.equal((await timeOf(1)) - (await timeOf(0)), FUTURE_SECONDS)
  await call('/sandbox/rpc', { chainId: EVM, endpoint: 1, lie: 'none' })
  assert.equal(await timeOf(1), await timeOf(0))
  const { lied } = await compared(STELLAR, 'future_time', 'getTransaction', { hash: '0'.repeat(64) })
  assert.ok(Number(membersOf(lied)['latestLedgerCloseTime']) > from + FUTURE_SECONDS - 60)
})

/** A payment of the faucet, and the history of the account that it went to. */
const solanaHistory = async () => {
  const { address = '' } = sandbox.simulatedChains.find(({ chain }) => chain.chainId === SOLANA)?.keeper ?? {}
  const token = '11111111111111111111111111111111'
  await call('/sandbox/faucet', { chainId: SOLANA, token, address, amount: '1000000000' })
  const params = [address, { commitment: 'confirmed' }]
  await eventually(
    'the payment is confirmed',
    async () => itemsOf(await ask(SOLANA, 1, 'getSignaturesForAddress', params)).length > 0,
  )
  return params
}

test('an endpoint of Solana hides payments, tells them five times, and makes some up', async () => {
  const params = await solanaHistory()
  const method = 'getSignaturesForAddress'
  const hidden = await compared(SOLANA, 'hidden_payments', method, params)
  assert.deepEqual(hidden.lied, [])
  const repeated = await compared(SOLANA, 'repeated_payments', method, params)
  assert.equal(itemsOf(repeated.lied).length, itemsOf(repeated.honest).length * 5)
  await call('/sandbox/rpc', { chainId: SOLANA, endpoint: 1, lie: 'fake_payments' })
  const page = itemsOf(await ask(SOLANA, 1, method, params)).map(membersOf)
  const { signature } = page[1] ?? {}
  const config = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
  const forged = membersOf(await ask(SOLANA, 1, 'getTransaction', [signature, config]))
  assert.deepEqual(membersOf(forged['transaction'])['signatures'], [signature])
  assert.equal(await ask(SOLANA, 0, 'getTransaction', [signature, config]), null)
  await call('/sandbox/rpc', { chainId: SOLANA, endpoint: 1, lie: 'none' })
})

test('an endpoint of Stellar hides payments, tells them five times, and makes some up', async () => {
  const { address = '' } = sandbox.simulatedChains.find(({ chain }) => chain.chainId === STELLAR)?.vault ?? {}
  const latest = membersOf(await ask(STELLAR, 0, 'getLatestLedger', {}))
  await call('/sandbox/faucet', {
    chainId: STELLAR,
    token: tokenOf(STELLAR, 'XLM'),
    address,
    amount: '70000000',
  })
  const params = { startLedger: latest['sequence'], filters: [], pagination: { limit: 100 } }
  const eventsOf = (page: unknown) => itemsOf(membersOf(page)['events']).map(membersOf)
  await eventually('the payment is in a ledger', async () => {
    return eventsOf(await ask(STELLAR, 0, 'getEvents', params)).length > 0
  })
  const about = async (lie: Lie) => {
    const { honest, lied } = await compared(STELLAR, lie, 'getEvents', params)
    return [eventsOf(honest).length, eventsOf(lied).length]
  }
  const [real = 0, hidden] = await about('hidden_payments')
  assert.equal(hidden, 0)
  assert.deepEqual(await about('repeated_payments'), [real, real * 5])
  await call('/sandbox/rpc', { chainId: STELLAR, endpoint: 1, lie: 'fake_payments' })
  const [original, forged] = eventsOf(await ask(STELLAR, 1, 'getEvents', params))
  assert.notEqual(forged?.['txHash'], original?.['txHash'])
  assert.notEqual(forged?.['value'], original?.['value'])
  const found = membersOf(await ask(STELLAR, 1, 'getTransaction', { hash: forged?.['txHash'] }))
  assert.deepEqual([found['status'], found['txHash']], ['SUCCESS', forged?.['txHash']])
  await call('/sandbox/rpc', { chainId: STELLAR, endpoint: 1, lie: 'none' })
})

test('an endpoint of a ledger claims more balance than an account has', async () => {
  const solana = sandbox.simulatedChains.find(({ chain }) => chain.chainId === SOLANA)?.keeper?.address
  const lamportsIn = (result: unknown): number =>
    Number(membersOf(itemsOf(membersOf(result)['value'])[0])['lamports'])
  const params = [[solana], { encoding: 'base64' }]
  // A payment may land between the two answers.
  await eventually('the lie is a thousand times the truth', async () => {
    const { honest, lied } = await compared(SOLANA, 'fake_calls', 'getMultipleAccounts', params)
    return lamportsIn(honest) > 0 && lamportsIn(lied) === lamportsIn(honest) * 1000
  })
})

test('an endpoint is overloaded, answers a page, or takes small batches alone', async () => {
  const batch = Array.from({ length: 4 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }))
  const answerTo = async (lie: Lie): Promise<Response> => {
    await call('/sandbox/rpc', { chainId: EVM, endpoint: 2, lie })
    return post(EVM, 2, batch)
  }
  assert.equal((await answerTo('rate_limited')).status, 429)
  assert.match(await (await answerTo('html')).text(), /^<html>/)
  assert.ok('error' in membersOf(await (await answerTo('small_batches')).json()))
  assert.equal(itemsOf(await (await answerTo('none')).json()).length, 4)
})

test('one endpoint can be taken away from the service alone, while solvers reach it', async () => {
  await call('/sandbox/rpc', { chainId: EVM, endpoint: 2, up: false })
  await assert.rejects(ask(EVM, 2, 'eth_chainId', []))
  assert.equal(await ask(EVM, 0, 'eth_chainId', []), '0x7a69')
  const others = await fetch(`${urlOf(EVM, 2)}/others`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
  })
  assert.deepEqual(membersOf(await others.json())['result'], '0x7a69')
  await call('/sandbox/rpc', { chainId: EVM, up: true })
  assert.equal(await ask(EVM, 2, 'eth_chainId', []), '0x7a69')
})

for (const [body, field] of [
  [{ chainId: EVM }, 'up'],
  [{ chainId: EVM, lie: 'fake_payments' }, 'lie'],
  [{ chainId: SOLANA, lie: 'hide_logs' }, 'lie'],
  [{ chainId: STELLAR, lie: 'small_batches' }, 'lie'],
  [{ chainId: EVM, lie: 'something' }, 'lie'],
  [{ chainId: EVM, up: true, endpoint: 3 }, 'endpoint'],
  [{ chainId: EVM, lie: 'fake_logs', orderId: '0x1' }, 'orderId'],
] as const)
  test(`the control refuses ${JSON.stringify(body)}`, () =>
    assert.rejects(
      call('/sandbox/rpc', body),
      (error) =>
        error instanceof RfqError && error.code === 'INVALID_REQUEST' && error.details['field'] === field,
    ))
