import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { RfqError } from '@openrfq/sdk'
import { Asset, Keypair, Operation, rpc, TransactionBuilder } from '@stellar/stellar-sdk'
import { codesOf, muxed, type StellarFixture, startStellarFixture, UNIT } from '../../test/stellar-fixture.ts'
import { startStellarNode } from './index.ts'

let world: StellarFixture
before(async () => {
  world = await startStellarFixture()
})
after(() => world.ledger.stop())

const { SUCCESS, FAILED, NOT_FOUND } = rpc.Api.GetTransactionStatus

const pay = (destination: string, amount: string, asset = Asset.native(), source?: string) =>
  Operation.payment({ destination, asset, amount, ...(source === undefined ? {} : { source }) })

const contractOf = (asset: Asset): string => asset.contractId(world.ledger.networkPassphrase)
const isRefusal =
  (code: string, text: RegExp) =>
  (error: unknown): boolean =>
    error instanceof RfqError && error.code === code && text.test(error.message)

test('the chain has its own id, and its tokens are the contracts of its assets', async () => {
  const { ledger, server } = world
  assert.equal(ledger.chainId, 'stellar:sandbox')
  assert.equal((await server.getNetwork()).passphrase, ledger.networkPassphrase)
  assert.equal((await server.getHealth()).status, 'healthy')
  assert.ok((await server.getVersionInfo()).version.length > 0)
  assert.equal((await server.getFeeStats()).inclusionFee.mode, '100')
  assert.deepEqual(
    ledger.assets.map(({ symbol: name, address, decimals }) => [name, address, decimals]),
    [
      ['XLM', contractOf(world.native), 7],
      ['USDC', contractOf(world.usdc), 7],
      ['EURC', contractOf(world.eurc), 7],
      ['HBR', contractOf(world.hbr), 7],
    ],
  )
  assert.equal(ledger.accounts.length, 10)
  for (const { address, privateKey } of ledger.accounts) {
    assert.equal(Keypair.fromSecret(privateKey).publicKey(), address)
    assert.ok((await world.balance(address, world.native)) >= 100_000n * UNIT)
    assert.ok((await world.balance(address, world.usdc)) >= 100_000n * UNIT)
  }
})

test('the friendbot opens each account once, as the SDK asks it to', async () => {
  const { server, ledger } = world
  const { friendbotUrl = '' } = await server.getNetwork()
  assert.equal(friendbotUrl, `${ledger.rpcUrl}/friendbot`)
  const address = Keypair.random().publicKey()
  const opened = await server.requestAirdrop(address)
  assert.equal(opened.sequenceNumber(), (await server.getAccount(address)).sequenceNumber())
  assert.equal(await world.balance(address, world.native), 10_000n * UNIT)
  assert.equal((await server.requestAirdrop(address)).accountId(), address)
  assert.equal(await world.balance(address, world.native), 10_000n * UNIT)
  const fresh = await fetch(`${friendbotUrl}?addr=${Keypair.random().publicKey()}`)
  assert.deepEqual([fresh.status, fresh.headers.get('access-control-allow-origin')], [200, '*'])
  for (const addr of ['', '?addr=', `?addr=${world.usdc.contractId('x')}`, '?addr=G'])
    assert.equal((await fetch(friendbotUrl + addr)).status, 400, addr)
})

test('every ledger contains the hash of the previous one', async () => {
  const { server, ledger } = world
  ledger.closeLedger()
  const before = (await server.getLatestLedger()).sequence
  await world.run([pay(world.user(1).publicKey(), '1')], { by: [world.user(0)] })
  ledger.closeLedger()
  const { ledgers } = await server.getLedgers({ startLedger: before, pagination: { limit: 10 } })
  assert.equal(ledgers.length, 3)
  for (const [index, { hash, headerXdr, metadataXdr, sequence }] of ledgers.entries()) {
    assert.equal(sequence, before + index)
    assert.equal(createHash('sha256').update(headerXdr.header.toXdr()).digest('hex'), hash)
    const earlier = ledgers[index - 1]?.hash
    const named = Buffer.from(headerXdr.header.previousLedgerHash.value).toString('hex')
    if (earlier !== undefined) assert.equal(named, earlier)
    assert.ok(metadataXdr.type === 'v2')
    assert.equal(metadataXdr.v2.txProcessing.length, index === 1 ? 1 : 0)
  }
  const latest = await server.getLatestLedger()
  assert.equal(latest.id, ledgers.at(-1)?.hash)
  assert.equal(latest.headerXdr.ledgerSeq, latest.sequence)
})

test('an account has one pending transaction, which only a higher fee bump replaces', async () => {
  const { server, ledger } = world
  const [from, to] = [world.user(6), world.user(7).publicKey()]
  const one = await world.build([pay(to, '1')], { by: [from] })
  const other = await world.build([pay(to, '2')], { by: [from] })
  assert.equal((await server.sendTransaction(one)).status, 'PENDING')
  assert.equal((await server.sendTransaction(one)).status, 'DUPLICATE')
  assert.equal((await server.sendTransaction(other)).status, 'TRY_AGAIN_LATER')
  const bump = (fee: string) => {
    const built = TransactionBuilder.buildFeeBumpTransaction(from, fee, other, ledger.networkPassphrase)
    built.sign(from)
    return built
  }
  assert.equal((await server.sendTransaction(bump('400'))).status, 'TRY_AGAIN_LATER')
  const taken = await server.sendTransaction(bump('1000'))
  assert.equal(taken.status, 'PENDING')
  ledger.closeLedger()
  assert.equal((await server.getTransaction(taken.hash)).status, SUCCESS)
  const hashOf = (transaction: { hash: () => Uint8Array }) => Buffer.from(transaction.hash()).toString('hex')
  assert.equal((await server.getTransaction(hashOf(one))).status, NOT_FOUND)
  assert.deepEqual(await world.refusal(one), ['txBadSeq'])
})

test('getTransactions lists transactions with their results, page by page', async () => {
  const { server } = world
  const first = (await server.getLatestLedger()).sequence + 1
  const to = world.user(1).publicKey()
  const sent: string[] = []
  for (const amount of ['1', '999999999', '3'])
    sent.push((await world.run([pay(to, amount)], { by: [world.user(8)] })).txHash)
  const one = await server.getTransactions({ startLedger: first, pagination: { limit: 2 } })
  const two = await server.getTransactions({ pagination: { cursor: one.cursor, limit: 2 } })
  const listed = [...one.transactions, ...two.transactions]
  assert.deepEqual(
    listed.map(({ txHash }) => txHash),
    sent,
  )
  assert.deepEqual(
    listed.map(({ status }) => status),
    [SUCCESS, FAILED, SUCCESS],
  )
})

test('no ledger closes while paused; pending transactions are included after resume', async () => {
  const clocked = await startStellarNode({ log: () => undefined, now: Date.now, closeMs: 20 })
  try {
    const server = new rpc.Server(clocked.rpcUrl, { allowHttp: true })
    const [account] = clocked.accounts
    assert.ok(account !== undefined)
    clocked.pause()
    const frozen = (await server.getLatestLedger()).sequence
    const transaction = new TransactionBuilder(await server.getAccount(account.address), {
      fee: '100',
      networkPassphrase: clocked.networkPassphrase,
    })
      .addOperation(pay(world.user(1).publicKey(), '1'))
      .setTimeout(300)
      .build()
    transaction.sign(Keypair.fromSecret(account.privateKey))
    const { hash, status } = await server.sendTransaction(transaction)
    assert.equal(status, 'PENDING')
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.equal((await server.getLatestLedger()).sequence, frozen)
    assert.equal((await server.getTransaction(hash)).status, NOT_FOUND)
    const xlm = clocked.assets[0]?.address ?? ''
    assert.throws(() => clocked.faucet(xlm, account.address, 1n), isRefusal('INVALID_REQUEST', /paused/))
    clocked.resume()
    const got = await server.pollTransaction(hash, { attempts: 600, sleepStrategy: () => 50 })
    assert.equal(got.status, SUCCESS)
  } finally {
    await clocked.stop()
  }
})

test('a held transaction is pending, blocks its account, and expires at its time bound', async () => {
  const { server, ledger } = world
  const [from, to] = [world.user(9), world.user(1).publicKey()]
  const maxTime = world.nowSeconds() + 30
  const bounded = await world.build([pay(to, '1')], {
    by: [from],
    shape: (builder) => builder.setTimebounds(0, maxTime),
  })
  ledger.holdNext(1)
  const { hash, status } = await server.sendTransaction(bounded)
  assert.equal(status, 'PENDING')
  for (let count = 0; count < 3; count += 1) ledger.closeLedger()
  assert.equal((await server.getTransaction(hash)).status, NOT_FOUND)
  assert.equal((await server.sendTransaction(bounded)).status, 'DUPLICATE')
  const next = await world.build([pay(to, '2')], { by: [from] })
  assert.equal((await server.sendTransaction(next)).status, 'TRY_AGAIN_LATER')
  world.advanceSeconds(31)
  ledger.closeLedger()
  assert.equal((await server.getTransaction(hash)).status, NOT_FOUND)
  assert.deepEqual(await world.refusal(bounded), ['txTooLate'])
  assert.equal((await world.include(next)).status, SUCCESS)
})

test('a held transaction can be released, and a lost one sent again', async () => {
  const { server, ledger } = world
  const [from, to] = [world.user(9), world.user(1).publicKey()]
  ledger.holdNext(1)
  const held = await server.sendTransaction(await world.build([pay(to, '1')], { by: [from] }))
  ledger.closeLedger()
  ledger.releaseHeld()
  ledger.closeLedger()
  assert.equal((await server.getTransaction(held.hash)).status, SUCCESS)
  const lost = await world.build([pay(to, '1')], { by: [from] })
  ledger.dropNext(1)
  const first = await server.sendTransaction(lost)
  assert.equal(first.status, 'PENDING')
  ledger.closeLedger()
  assert.equal((await server.getTransaction(first.hash)).status, NOT_FOUND)
  assert.equal((await world.include(lost)).status, SUCCESS)
})

test('the RPC can be switched off and on', async () => {
  const { server, ledger } = world
  ledger.setUp(false)
  await assert.rejects(server.getHealth())
  ledger.setUp(true)
  assert.equal((await server.getHealth()).status, 'healthy')
})

test('a page of any origin may call the RPC', async () => {
  const headers = {
    origin: 'https://a.example',
    'access-control-request-headers': 'content-type, x-client-name',
  }
  const preflight = await fetch(world.ledger.rpcUrl, { method: 'OPTIONS', headers })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-headers'), '*')
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' })
  const answer = await fetch(world.ledger.rpcUrl, { method: 'POST', body })
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
})

test('ledgers beyond the retention window are dropped, and the answer states the window', async () => {
  const short = await startStellarFixture(5)
  try {
    const { server, ledger } = short
    const included = await short.run([pay(short.user(1).publicKey(), '1')], { by: [short.user(0)] })
    for (let count = 0; count < 5; count += 1) ledger.closeLedger()
    const gone = await server.getTransaction(included.txHash)
    assert.equal(gone.status, NOT_FOUND)
    assert.ok(gone.oldestLedger > included.ledger)
    await assert.rejects(
      server.getEvents({ startLedger: included.ledger, filters: [] }),
      ({ code, message }) => code === -32600 && /within the ledger range: 4 - 8/.test(message),
    )
    assert.equal((await server.getHealth()).oldestLedger, 4)
  } finally {
    await short.ledger.stop()
  }
})

test("the faucet creates accounts and requires a trustline for issued assets, except for the sandbox's users", async () => {
  const { ledger } = world
  const [xlm, usdc] = [contractOf(world.native), contractOf(world.usdc)]
  const key = Keypair.random()
  const address = key.publicKey()
  assert.throws(() => ledger.faucet(usdc, address, 1n), isRefusal('INVALID_REQUEST', /XLM first/))
  assert.throws(
    () => ledger.faucet(xlm, address, 1n),
    isRefusal('INVALID_REQUEST', /at least 10000000 stroops/),
  )
  ledger.faucet(xlm, muxed(address, '1'), 3n * UNIT)
  ledger.faucet(xlm, address, UNIT)
  assert.equal(await world.balance(address, world.native), 4n * UNIT)
  assert.throws(() => ledger.faucet(usdc, address, 1n), isRefusal('INVALID_REQUEST', /no trustline/))
  await world.run([Operation.changeTrust({ asset: world.usdc, limit: '2' })], { by: [key] })
  ledger.faucet(usdc, address, UNIT)
  assert.equal(await world.balance(address, world.usdc), UNIT)
  assert.throws(
    () => ledger.faucet(usdc, address, 2n * UNIT),
    isRefusal('AMOUNT_OUT_OF_RANGE', /10000000 base units more/),
  )
  assert.throws(() => ledger.faucet(address, address, 1n), isRefusal('UNSUPPORTED_TOKEN', /no token/))
  assert.throws(
    () => ledger.faucet(xlm, 'GABC', 1n),
    isRefusal('INVALID_REQUEST', /expected a G or M address/),
  )
  const user = world.user(9)
  const issuer = world.eurc.getIssuer() ?? ''
  const held = (await world.balance(user.publicKey(), world.eurc)) / UNIT
  await world.run(
    [pay(issuer, held.toString(), world.eurc), Operation.changeTrust({ asset: world.eurc, limit: '0' })],
    { by: [user] },
  )
  ledger.faucet(contractOf(world.eurc), user.publicKey(), UNIT)
  assert.equal(await world.balance(user.publicKey(), world.eurc), UNIT)
})

test("an operator's account is created with trustlines and funds, and topped up when opened again", async () => {
  const account = world.ledger.keyNamed('operator')
  assert.deepEqual(world.ledger.keyNamed('operator'), account)
  for (const times of [1n, 2n]) {
    world.ledger.openAccount(account, { lumens: 100n * UNIT, tokens: 7n * UNIT })
    assert.equal(await world.balance(account.address, world.native), times * 100n * UNIT)
    assert.equal(await world.balance(account.address, world.usdc), times * 7n * UNIT)
    assert.equal(await world.balance(account.address, world.eurc), times * 7n * UNIT)
  }
})

test('an invalid call gets the error code of its kind', async () => {
  const call = async (body: string) => {
    const response = await fetch(world.ledger.rpcUrl, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(30_000),
    })
    return JSON.parse(await response.text()).error?.code
  }
  const ask = (method: string, params: unknown) =>
    call(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  assert.equal(await call('{'), -32700)
  assert.equal(await call('[]'), -32600)
  assert.equal(await ask('getAccount', {}), -32601)
  assert.equal(await ask('sendTransaction', { transaction: 'AAAA' }), -32602)
  assert.equal(await ask('getTransaction', { hash: 'x' }), -32602)
  assert.equal(await ask('getLedgerEntries', { keys: ['AAAA!'] }), -32602)
  assert.equal(await ask('getEvents', { startLedger: 1, pagination: { cursor: 'x' } }), -32602)
  assert.equal(await ask('getEvents', { startLedger: 10_000_000 }), -32600)
  const built = await world.build([pay(world.user(1).publicKey(), '1')], { by: [world.user(0)] })
  const simulated = await world.server.simulateTransaction(built)
  assert.ok(rpc.Api.isSimulationError(simulated) && /runs no contract but/.test(simulated.error))
  assert.deepEqual(codesOf((await world.include(built)).resultXdr), ['txSuccess', 'paymentSuccess'])
})
