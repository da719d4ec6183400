import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase58Decoder,
  getSignatureFromTransaction,
  getTransactionEncoder,
  type Instruction,
  isSolanaError,
  pipe,
  SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getAddMemoInstruction } from '@solana-program/memo'
import { getTransferSolInstruction } from '@solana-program/system'
import { getTransferInstruction } from '@solana-program/token'
import { WebSocket } from 'ws'
import { startOnNeighbouringPorts } from '../../test/neighbouring-ports.ts'
import {
  holdingOf,
  MEMO_PROGRAM,
  type SolanaFixture,
  startSolanaFixture,
  stopSolanaFixture,
} from '../../test/solana-fixture.ts'
import { startSolanaNode } from './index.ts'

const DEADLINE_MS = 120_000
const RENT_FREE = 1_000_000n

let fixture: SolanaFixture
let ending: AbortController

before(async () => {
  fixture = await startSolanaFixture()
})
after(() => stopSolanaFixture(fixture))
beforeEach(() => {
  ending = new AbortController()
})
afterEach(() => ending.abort())

const within = async <Value>(promise: Promise<Value>): Promise<Value> => {
  const deadline = new AbortController()
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error('no notification in time')), DEADLINE_MS)
    deadline.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    deadline.abort()
  }
}

/** Opens a subscription through kit. Returns a function that waits for its next notification. */
const listen = async <Notification>(pending: {
  subscribe(options: { abortSignal: AbortSignal }): Promise<AsyncIterable<Notification>>
}) => {
  const iterable = await within(pending.subscribe({ abortSignal: ending.signal }))
  const iterator = iterable[Symbol.asyncIterator]()
  // Kit drops notifications that arrive before the first request for one.
  let first: ReturnType<typeof iterator.next> | undefined = iterator.next()
  first.catch(() => undefined)
  return async (): Promise<Notification> => {
    const next = await within(first ?? iterator.next())
    first = undefined
    assert.ok(next.done !== true)
    return next.value
  }
}

const transfer = (destination: Address, amount = RENT_FREE): Instruction =>
  getTransferSolInstruction({ source: fixture.alice, destination, amount })

const newAddress = async (): Promise<Address> => (await generateKeyPairSigner()).address

test('notifies every slot with its parent, also above a fork', async () => {
  const { cluster, subscriptions } = fixture
  const next = await listen(subscriptions.slotNotifications())
  cluster.advance(3)
  const first = await next()
  assert.equal(first.parent, first.slot - 1n)
  await next()
  const third = await next()
  assert.equal(third.slot, first.slot + 2n)
  cluster.fork(2)
  cluster.advance(1)
  assert.deepEqual(await next(), { parent: first.slot, root: first.root, slot: third.slot + 1n })
})

test('notifies a signature at its commitment, also when it is already included', async () => {
  const { cluster, subscriptions, alice, bob } = fixture
  const signed = await fixture.sign(alice, [transfer(bob.address)])
  const processed = await listen(
    subscriptions.signatureNotifications(signed.signature, {
      commitment: 'processed',
      enableReceivedNotification: true,
    }),
  )
  const confirmed = await listen(
    subscriptions.signatureNotifications(signed.signature, { commitment: 'confirmed' }),
  )
  await fixture.submit(signed)
  assert.equal((await processed()).value, 'receivedSignature')
  cluster.advance(1)
  const { context, value } = await processed()
  assert.deepEqual(value, { err: null })
  cluster.advance(1)
  assert.equal((await confirmed()).context.slot, context.slot)
  const late = await listen(
    subscriptions.signatureNotifications(signed.signature, { commitment: 'processed' }),
  )
  cluster.advance(1)
  assert.deepEqual((await late()).value, { err: null })
})

test("notifies an account's changes, and its restoration by a fork", async () => {
  const { cluster, subscriptions, alice, usdc } = fixture
  const recipient = await newAddress()
  const next = await listen(
    subscriptions.accountNotifications(recipient, { commitment: 'processed', encoding: 'base64' }),
  )
  await fixture.land(alice, [transfer(recipient)])
  assert.equal((await next()).value.lamports, RENT_FREE)
  cluster.fork(1)
  assert.equal((await next()).value.lamports, 0n)
  await fixture.land(alice, [transfer(await newAddress())])
  await fixture.land(alice, [transfer(recipient, RENT_FREE + 1n)])
  assert.equal((await next()).value.lamports, RENT_FREE + 1n)

  const holding = await holdingOf(usdc, alice)
  const parsed = await listen(
    subscriptions.accountNotifications(holding, { commitment: 'finalized', encoding: 'jsonParsed' }),
  )
  const destination = await holdingOf(usdc, fixture.bob)
  await fixture.land(alice, [
    getTransferInstruction({ source: holding, destination, authority: alice, amount: 1n }),
  ])
  cluster.advance(8)
  const { data } = (await parsed()).value
  assert.ok('parsed' in data)
  assert.equal(data.parsed.type, 'account')
})

test('notifies logs of all transactions or of those that mention an address', async () => {
  const { cluster, subscriptions, alice, bob } = fixture
  const all = await listen(subscriptions.logsNotifications('all', { commitment: 'confirmed' }))
  const ofBob = await listen(
    subscriptions.logsNotifications({ mentions: [bob.address] }, { commitment: 'processed' }),
  )
  const elsewhere = await fixture.land(alice, [transfer(await newAddress())])
  const toBob = await fixture.land(alice, [
    transfer(bob.address),
    getAddMemoInstruction({ memo: 'hello' }, { programAddress: MEMO_PROGRAM }),
  ])
  cluster.advance(1)
  assert.equal((await all()).value.signature, elsewhere.signature)
  assert.equal((await all()).value.signature, toBob.signature)
  const { value } = await ofBob()
  assert.equal(value.signature, toBob.signature)
  assert.equal(value.err, null)
  assert.ok(value.logs.some((line) => line.includes('hello')))
})

test("notifies changes of a program's accounts, and roots", async () => {
  const { cluster, subscriptions, alice } = fixture
  const recipient = await newAddress()
  const owned = await listen(
    subscriptions.programNotifications(address('1'.repeat(32)), {
      commitment: 'confirmed',
      encoding: 'base64',
    }),
  )
  const roots = await listen(subscriptions.rootNotifications())
  await fixture.land(alice, [transfer(recipient)])
  cluster.advance(1)
  const seen = [(await owned()).value.pubkey, (await owned()).value.pubkey]
  assert.deepEqual(seen.sort(), [alice.address, recipient].sort())
  const first = await roots()
  assert.equal(await roots(), first + 1n)
})

test('ends a subscription and rejects unknown ones', async () => {
  const socket = new WebSocket(fixture.cluster.subscriptionsUrl)
  const next = () =>
    within(
      new Promise<unknown>((resolve) => socket.once('message', (text) => resolve(JSON.parse(String(text))))),
    )
  await within(new Promise((resolve) => socket.once('open', resolve)))
  const ask = (method: string, params: readonly unknown[]) => {
    const answer = next()
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    return answer
  }
  assert.deepEqual(await ask('slotSubscribe', []), { jsonrpc: '2.0', result: 1, id: 1 })
  assert.deepEqual(await ask('slotUnsubscribe', [1]), { jsonrpc: '2.0', result: true, id: 1 })
  fixture.cluster.advance(1)
  for (const [method, params, code] of [
    ['slotUnsubscribe', [1], -32602],
    ['voteSubscribe', [], -32601],
    ['accountSubscribe', ['nonsense'], -32602],
  ] as const)
    assert.match(JSON.stringify(await ask(method, params)), new RegExp(`"code":${code}`))
  socket.terminate()
})

test('the simulated chain makes no block while paused and answers nothing while down', async () => {
  const running = await startSolanaFixture(20)
  const { cluster, rpc } = running
  try {
    const slot = () => rpc.getSlot({ commitment: 'processed' }).send()
    const waitPast = async (known: bigint): Promise<void> => {
      for (const end = Date.now() + DEADLINE_MS; (await slot()) <= known; ) assert.ok(Date.now() < end)
    }
    await waitPast(await slot())
    cluster.pause()
    const recipient = await newAddress()
    await rpc.requestAirdrop(recipient, 5_000_000n as never).send()
    const paused = await slot()
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.equal(await slot(), paused)
    assert.equal(await running.lamportsOf(recipient), 0n)
    cluster.resume()
    await waitPast(paused + 1n)
    assert.equal(await running.lamportsOf(recipient), 5_000_000n)
    for (const token of cluster.tokens) await cluster.faucet(token.address, recipient, 1_000_000n)
    assert.equal(await running.lamportsOf(recipient), 6_000_000n)
    const { value } = await rpc
      .getTokenAccountBalance(await holdingOf(running.token2022, { address: recipient }), {
        commitment: 'processed',
      })
      .send()
    assert.equal(value.amount, '1000000')
    await assert.rejects(cluster.faucet(recipient, recipient, 1n), /is not a token of the sandbox's Solana/)
    const sol = '11111111111111111111111111111111'
    const stranger = await newAddress()
    for (const [payee, amount, code] of [
      [stranger, 1n, 'AMOUNT_OUT_OF_RANGE'],
      [stranger, 890_879n, 'AMOUNT_OUT_OF_RANGE'],
      [stranger, (1n << 64n) - 1n, 'AMOUNT_OUT_OF_RANGE'],
      [sol, 1_000_000n, 'INVALID_REQUEST'],
      ['ComputeBudget111111111111111111111111111111', 1_000_000n, 'INVALID_REQUEST'],
      ['Vote111111111111111111111111111111111111111', 1_000_000n, 'INVALID_REQUEST'],
    ] as const)
      await assert.rejects(cluster.faucet(sol, payee, amount), { code }, `${amount} to ${payee}`)
    for (const token of cluster.tokens)
      for (const amount of [(1n << 64n) - 1n, 1n << 64n, 10n ** 40n])
        await assert.rejects(cluster.faucet(token.address, recipient, amount), ({ code, details }) => {
          assert.equal(code, 'AMOUNT_OUT_OF_RANGE')
          assert.match(details.maximum, /^[1-9]\d*$/)
          return BigInt(details.maximum) < amount
        })
    await cluster.faucet(sol, stranger, 890_880n)
    cluster.setUp(false)
    await assert.rejects(slot())
    cluster.setUp(true)
    await slot()
  } finally {
    await stopSolanaFixture(running)
  }
})

test('accepts legacy transactions and base58, and returns them without a version', async () => {
  const { rpc, cluster, alice, bob } = fixture
  const until = await fixture.lifetime()
  const transaction = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 'legacy' }),
      (message) => setTransactionMessageFeePayerSigner(alice, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(until, message),
      (message) => appendTransactionMessageInstructions([transfer(bob.address, 31n)], message),
    ),
  )
  const bytes = getTransactionEncoder().encode(transaction)
  // CAST: the API's brand, which it uses for base58 text as well.
  const text = getBase58Decoder().decode(bytes) as unknown as Parameters<typeof rpc.sendTransaction>[0]
  const signature = await rpc.sendTransaction(text, { preflightCommitment: 'processed' }).send()
  assert.equal(signature, getSignatureFromTransaction(transaction))
  cluster.advance(2)
  const landed = await rpc.getTransaction(signature, { encoding: 'json', commitment: 'confirmed' }).send()
  assert.equal(landed?.meta?.err, null)
  assert.ok(!('version' in landed))
  assert.ok(!('addressTableLookups' in landed.transaction.message))
})

test("kit's sendAndConfirmTransaction rejects when the blockhash expires", async () => {
  const { rpc, subscriptions, cluster, alice, bob } = fixture
  const { transaction, signature } = await fixture.sign(alice, [transfer(bob.address, 32n)])
  // Kit checks it at `confirmed`, which does not know a blockhash of the tip.
  cluster.advance(1)
  assertIsTransactionWithBlockhashLifetime(transaction)
  const accepted = await listen(
    subscriptions.signatureNotifications(signature, { enableReceivedNotification: true }),
  )
  cluster.dropNext(1)
  const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions: subscriptions })
  const outcome = sendAndConfirm(transaction, { commitment: 'confirmed' }).catch((error: unknown) => error)
  await accepted()
  const slots = setInterval(() => cluster.advance(5), 10)
  const error = await within(outcome).finally(() => clearInterval(slots))
  assert.ok(isSolanaError(error, SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED), String(error))
})

test('the node takes the wanted port and the next one for PubSub, and other ones where they are taken', async () => {
  const options = { log: () => undefined, now: Date.now, startPaused: true }
  const { node: first, port: wanted } = await startOnNeighbouringPorts(options)
  const second = await startSolanaNode({ ...options, port: wanted })
  try {
    assert.deepEqual(
      [first.rpcUrl, first.subscriptionsUrl],
      [`http://127.0.0.1:${wanted}`, `ws://127.0.0.1:${wanted + 1}`],
    )
    assert.notEqual(second.rpcUrl, first.rpcUrl)
    for (const { rpcUrl } of [first, second])
      assert.equal(await (await fetch(`${rpcUrl}/health`)).text(), 'ok')
    for (const url of [first.rpcUrl.replace('http', 'ws'), first.subscriptionsUrl, second.subscriptionsUrl]) {
      const socket = new WebSocket(url)
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
      socket.close()
    }
  } finally {
    await Promise.all([first.stop(), second.stop()])
  }
})
