import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { createWalletClient, http, parseGwei, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { until } from '../../test/eventually.ts'
import { type Call, startLyingNode } from '../../test/lying-node.ts'
import {
  CHAIN_NUMBER,
  connectChain,
  counted,
  KEEPER_KEY,
  openOutbox,
  openOwnStore,
  REFUSER,
  startOutboxWorld,
} from '../../test/outbox-world.ts'
import type { EvmChain } from '../chains/evm/evm-chain.ts'
import { l1Gas } from '../chains/evm/l1-fee.ts'
import type { StoredTransaction } from '../store/store.ts'

let world: Awaited<ReturnType<typeof startOutboxWorld>>
let files: Awaited<ReturnType<typeof openOwnStore>>
let chain: EvmChain
let cleanup: (() => Promise<void> | void)[]

before(async () => {
  world = await startOutboxWorld()
})
after(() => world.anvil.stop())
beforeEach(async () => {
  cleanup = []
  files = await openOwnStore()
  chain = await follow(0)
})
afterEach(async () => {
  for (const step of cleanup.toReversed()) await step()
  await files.remove()
  await world.anvil.rpc('anvil_dropAllTransactions')
  await world.anvil.rpc('evm_setAutomine', true)
})

const follow = async (finality: number): Promise<EvmChain> => {
  const followed = connectChain(world.anvil.rpcUrl, finality)
  await followed.start()
  cleanup.push(followed.stop)
  return followed
}

const start = (on: EvmChain = chain, lines: string[] = []) => {
  const outbox = openOutbox(files.store(), on, lines)
  outbox.start()
  cleanup.push(outbox.stop)
  return outbox
}

const outcomeOf = async (key: string): Promise<StoredTransaction['outcome'] | undefined> =>
  (await files.store().findTransaction(key))?.outcome

const settled = async (key: string): Promise<StoredTransaction> => {
  await until(async () => (await outcomeOf(key)) !== 'open')
  const entry = await files.store().findTransaction(key)
  assert(entry !== undefined)
  return entry
}

const wallet = () =>
  createWalletClient({
    account: privateKeyToAccount(KEEPER_KEY),
    chain: { ...foundry, id: CHAIN_NUMBER },
    transport: http(world.anvil.rpcUrl, { timeout: 60_000 }),
  })

test('makes a call once that is submitted many times at once', async () => {
  const [one, other] = [start(), start()]
  const before = await world.transactionsOfSender()
  const entries = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other).submit(counted('often'))),
  )
  assert.equal(new Set(entries.map(({ txHash }) => txHash)).size, 1)
  assert.equal((await settled('often')).outcome, 'succeeded')
  assert.equal((await one.submit(counted('often'))).outcome, 'succeeded')
  assert.equal(await world.callsOf('often'), 1)
  assert.equal(await world.transactionsOfSender(), before + 1)
})

test('makes concurrent calls under separate nonces', async () => {
  const [one, other] = [start(), start()]
  const before = await world.transactionsOfSender()
  const keys = Array.from({ length: 30 }, (_, index) => `together ${index}`)
  const entries = await Promise.all(
    keys.map((key, index) => (index % 3 === 0 ? one : other).submit(counted(key))),
  )
  assert.deepEqual(
    entries.map(({ nonce }) => nonce).sort((a, b) => a - b),
    keys.map((_, index) => before + index),
  )
  for (const key of keys) {
    assert.equal((await settled(key)).outcome, 'succeeded')
    assert.equal(await world.callsOf(key), 1)
  }
})

test('sends a stored call after a restart with the same signature', async () => {
  const silent = { ...chain, sendRawTransaction: () => Promise.reject(new Error('killed')) }
  const before = openOutbox(files.store(), silent)
  const signed = await before.submit(counted('kept'))
  assert.equal((await before.submit(counted('kept too'))).nonce, signed.nonce + 1)
  await before.stop()
  assert.equal(await world.callsOf('kept'), 0)
  await files.reopen()
  const outbox = start()
  const again = await outbox.submit(counted('kept'))
  assert.equal(again.txHash, signed.txHash)
  assert.equal((await settled('kept')).txHash, signed.txHash)
  assert.equal((await settled('kept too')).outcome, 'succeeded')
  assert.equal(await world.callsOf('kept'), 1)
})

test('sends a call again that a reorg dropped, and keeps it open until it is final', async () => {
  const slow = await follow(3)
  const { txHash, sender, nonce } = await start(slow).submit(counted('dropped'))
  await until(async () => (await world.callsOf('dropped')) === 1)
  await openOutbox(files.store(), slow).round()
  assert.equal(await outcomeOf('dropped'), 'open')
  await world.mine(1)
  // The call that is sent again waits until this test mines it.
  await world.anvil.rpc('evm_setAutomine', false)
  await world.anvil.rpc('anvil_reorg', 2, [])
  assert.equal(await world.callsOf('dropped'), 0)
  await until(
    async () => Number(await world.anvil.rpc('eth_getTransactionCount', sender, 'pending')) === nonce + 1,
  )
  await world.mine(1)
  assert.equal(await world.callsOf('dropped'), 1)
  assert.equal(await outcomeOf('dropped'), 'open')
  await world.mine(3)
  assert.deepEqual(await settled('dropped').then((entry) => [entry.outcome, entry.txHash]), [
    'succeeded',
    txHash,
  ])
})

/** Drops the newest blocks, and mines nothing until the chain shows the new ones. */
const dropBlocks = async (count: number): Promise<void> => {
  await world.anvil.rpc('evm_setAutomine', false)
  await world.anvil.rpc('anvil_reorg', count, [])
  await world.anvil.rpc('evm_setAutomine', true)
}

test('sends calls again whose final transactions left the chain, without a new submission', async () => {
  const lines: string[] = []
  const outbox = start(chain, lines)
  const keys = ['lost', 'lost too']
  for (const key of keys) await outbox.submit(counted(key))
  const [lost] = [await settled('lost'), await settled('lost too')]
  await dropBlocks(2)
  assert.equal(await world.callsOf('lost'), 0)
  for (const key of keys) await until(async () => (await world.callsOf(key)) === 1)
  assert.equal((await settled('lost')).nonce, lost.nonce)
  assert.deepEqual(
    lines.filter((line) => line.startsWith('error')),
    ['error final_transaction_lost', 'error final_transaction_lost'],
  )
})

test('mines calls behind a final one that left the chain, once each', async () => {
  const outbox = start()
  await outbox.submit(counted('final'))
  await settled('final')
  await dropBlocks(1)
  await outbox.submit(counted('behind it'))
  for (const key of ['final', 'behind it']) {
    await until(async () => (await world.callsOf(key)) === 1)
    assert.equal((await settled(key)).outcome, 'succeeded')
  }
})

test('does not repeat a reverted call that left the chain, and mines the calls behind it', async () => {
  const lines: string[] = []
  const outbox = start(chain, lines)
  await outbox.submit(counted('reverted once', { to: REFUSER }))
  const reverted = await settled('reverted once')
  await dropBlocks(1)
  await outbox.submit(counted('behind the reverted'))
  assert.equal((await settled('behind the reverted')).outcome, 'succeeded')
  assert.equal(await world.anvil.rpc('eth_getTransactionReceipt', reverted.txHash), null)
  assert.equal((await settled('reverted once')).outcome, 'reverted')
  // The node may refuse the call behind it until the nonce before it is filled.
  assert.deepEqual(
    lines.filter((line) => !line.includes('transaction_broadcast_failed')),
    ['warn unused_nonce_filled'],
  )
})

test('does not send a final call again because endpoints count fewer transactions while they have it', async () => {
  const lines: string[] = []
  let late = 0
  const counting = {
    ...chain,
    transactionCount: async (address: string) => (await chain.transactionCount(address)) - late,
  }
  await start(counting, lines).submit(counted('counted late'))
  await settled('counted late')
  late = 1
  await until(() => lines.includes('error nonce_below_final'))
  assert.equal((await settled('counted late')).outcome, 'succeeded')
  assert.deepEqual(lines, ['error nonce_below_final'])
})

test('sends a call again that a node refused while its nonce was ahead', async () => {
  let refusals = 3
  const ahead: EvmChain = {
    ...chain,
    sendRawTransaction: async (raw) => {
      refusals -= 1
      return refusals < 0 ? chain.sendRawTransaction(raw) : { refused: 'nonce too low' }
    },
  }
  const lines: string[] = []
  await start(ahead, lines).submit(counted('refused at first'))
  assert.equal((await settled('refused at first')).outcome, 'succeeded')
  assert.deepEqual(lines, ['warn transaction_broadcast_failed'])
})

test('settles a reverted call as reverted, without a repetition', async () => {
  const outbox = start()
  const before = await world.transactionsOfSender()
  await outbox.submit(counted('refused', { to: REFUSER }))
  assert.equal((await settled('refused')).outcome, 'reverted')
  assert.equal((await outbox.submit(counted('refused', { to: REFUSER }))).outcome, 'reverted')
  assert.equal(await world.transactionsOfSender(), before + 1)
})

test('replaces a call with outdated fees under the same nonce', async () => {
  await world.anvil.rpc('evm_setAutomine', false)
  const lines: string[] = []
  const first = await start(chain, lines).submit(counted('cheap'))
  await until(async () => {
    const waiting = await world.anvil.rpc('eth_getTransactionCount', first.sender, 'pending')
    return Number(waiting) === first.nonce + 1
  })
  await world.anvil.rpc('anvil_setNextBlockBaseFeePerGas', `0x${parseGwei('90').toString(16)}`)
  await world.mine()
  assert.equal(await world.callsOf('cheap'), 0)
  await until(
    async () => ((await files.store().findTransaction('cheap'))?.earlierTxHashes ?? []).length === 1,
  )
  await until(async () => {
    await world.mine()
    return (await world.callsOf('cheap')) === 1
  })
  const entry = await settled('cheap')
  assert.equal(entry.outcome, 'succeeded')
  assert.equal(entry.nonce, first.nonce)
  assert.notEqual(entry.txHash, first.txHash)
  assert.deepEqual(entry.earlierTxHashes, [first.txHash])
  assert.deepEqual(
    lines.filter((line) => !line.startsWith('warn')),
    ['info transaction_replaced'],
  )
  await world.anvil.rpc('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00')
  await world.mine()
})

test('settles a call by the earlier of two signatures when that one is mined', async () => {
  await world.anvil.rpc('evm_setAutomine', false)
  const outbox = openOutbox(files.store(), chain)
  const first = await outbox.submit(counted('earlier'))
  await outbox.stop()
  const { nonce, rawTransaction } = first
  const next = { txHash: `0x${'ab'.repeat(32)}`, rawTransaction, nonce, signedAt: Date.now() }
  assert.equal(await files.store().resignTransaction(first, next), true)
  await world.mine()
  start()
  const entry = await settled('earlier')
  assert.deepEqual([entry.outcome, entry.txHash], ['succeeded', first.txHash])
})

test('settles a call as replaced when a foreign transaction used its nonce', async () => {
  await world.anvil.rpc('evm_setAutomine', false)
  const silent = { ...chain, sendRawTransaction: async () => 'taken' as const }
  const lines: string[] = []
  const entry = await start(silent, lines).submit(counted('replaced'))
  await wallet().sendTransaction({ to: REFUSER, gas: 50_000n, nonce: entry.nonce })
  await world.mine()
  assert.equal((await settled('replaced')).outcome, 'replaced')
  assert.equal(await world.callsOf('replaced'), 0)
  assert.ok(lines.includes('error nonce_used_elsewhere'))
})

for (const [name, tell] of Object.entries({
  'counts its nonce as used': (call: Call, result: unknown) =>
    call.method === 'eth_getTransactionCount' ? '0xffff' : result,
  'hides its receipt': (call: Call, result: unknown) =>
    call.method === 'eth_getTransactionReceipt' ? null : result,
}))
  test(`a call is not replaced because one endpoint of three ${name}`, async () => {
    await world.anvil.rpc('evm_setAutomine', name.startsWith('hides'))
    let lies = 0
    const liar = await startLyingNode(world.anvil.rpcUrl, () => (call, result) => {
      const told = tell(call, result)
      lies += Number(told !== result)
      return told
    })
    cleanup.push(liar.stop)
    const others = await Promise.all([0, 1].map(() => startLyingNode(world.anvil.rpcUrl, () => undefined)))
    for (const { stop } of others) cleanup.push(stop)
    const lied = connectChain([liar.url, ...others.map(({ url }) => url)])
    await lied.start()
    cleanup.push(lied.stop)
    const lines: string[] = []
    await start(lied, lines).submit(counted(name))
    await until(async () => lies >= 5 || (await outcomeOf(name)) !== 'open')
    assert.ok(lies > 0)
    assert.notEqual(await outcomeOf(name), 'replaced')
    assert.ok(!lines.includes('error nonce_used_elsewhere'))
  })

test('a process with an older signature does not settle the entry of a newer one', async () => {
  await world.anvil.rpc('evm_setAutomine', false)
  const first = openOutbox(files.store(), chain)
  const entry = await first.submit(counted('repriced meanwhile'))
  const { nonce, rawTransaction } = entry
  const replacement = { txHash: `0x${'cd'.repeat(32)}`, rawTransaction, nonce, signedAt: 1 }
  const late: EvmChain = {
    ...chain,
    // Another process signs again, and its transaction is mined while this one reads the older signature.
    isReplaced: async () => {
      await files.store().resignTransaction(entry, replacement)
      return true
    },
  }
  await openOutbox(files.store(), late, [], () => Date.now() + 60_000).round()
  await first.stop()
  const stored = await files.store().findTransaction('repriced meanwhile')
  assert.deepEqual([stored?.outcome, stored?.txHash], ['open', replacement.txHash])
})

/** The chain as a quorum that counts more transactions than were mined shows it. */
const countingMore = (more: number): EvmChain => ({
  ...chain,
  transactionCount: async (address) => (await chain.transactionCount(address)) + more,
})

test('fills nonces that nodes counted and forgot, so that later calls are mined', async () => {
  const count = await world.transactionsOfSender()
  const outbox = openOutbox(files.store(), countingMore(2))
  const entry = await outbox.submit(counted('behind'))
  await outbox.stop()
  assert.equal(entry.nonce, count + 2)
  const lines: string[] = []
  start(chain, lines)
  assert.equal((await settled('behind')).outcome, 'succeeded')
  assert.equal(await world.callsOf('behind'), 1)
  assert.equal(lines.filter((line) => line === 'warn unused_nonce_filled').length, 2)
})

test('signs the lowest free nonce while an entry is parked at a later one', async () => {
  const count = await world.transactionsOfSender()
  const misled = openOutbox(files.store(), countingMore(2))
  await misled.submit(counted('at a later nonce'))
  await misled.stop()
  const outbox = start()
  const entries = [await outbox.submit(counted('free one')), await outbox.submit(counted('free two'))]
  assert.deepEqual(
    entries.map(({ nonce }) => nonce),
    [count, count + 1],
  )
  for (const key of ['free one', 'free two', 'at a later nonce'])
    assert.equal((await settled(key)).outcome, 'succeeded')
})

test('signs entries again that were parked at nonces which the chain never reaches', async () => {
  const count = await world.transactionsOfSender()
  const misled = openOutbox(files.store(), countingMore(2 ** 40))
  const keys = ['parked', 'parked too']
  for (const key of keys) assert.ok((await misled.submit(counted(key))).nonce >= 2 ** 40)
  await misled.stop()
  const lines: string[] = []
  start(chain, lines)
  for (const key of keys) {
    assert.equal((await settled(key)).outcome, 'succeeded')
    assert.equal(await world.callsOf(key), 1)
  }
  assert.equal(await world.transactionsOfSender(), count + 2)
  assert.equal(lines.filter((line) => line === 'warn transaction_renumbered').length, 2)
})

test('a call succeeds when one of its signatures reverts and another succeeds', async () => {
  const reverted = await start().submit(counted('twice: reverted', { to: REFUSER }))
  const succeeded = await start().submit(counted('twice: succeeded'))
  const [{ txHash }, { txHash: earlier }] = [await settled(reverted.key), await settled(succeeded.key)]
  const both = { ...succeeded, key: 'twice', nonce: 2 ** 40, txHash, earlierTxHashes: [earlier] }
  assert.equal(await files.store().addTransaction(both), true)
  const entry = await settled('twice')
  assert.deepEqual([entry.outcome, entry.txHash], ['succeeded', earlier])
})

test('one endpoint of three that makes up a count parks nothing', async () => {
  const urls: string[] = []
  for (const lies of [true, false, false]) {
    const node = await startLyingNode(
      world.anvil.rpcUrl,
      () => (call, result) => (lies && call.method === 'eth_getTransactionCount' ? '0x10000000000' : result),
    )
    cleanup.push(node.stop)
    urls.push(node.url)
  }
  const lied = connectChain(urls)
  await lied.start()
  cleanup.push(lied.stop)
  const count = await world.transactionsOfSender()
  assert.equal((await start(lied).submit(counted('misled'))).nonce, count)
  assert.equal((await settled('misled')).outcome, 'succeeded')
})

test('keeps the call of an account without funds until it has some', async () => {
  const balance = await world.anvil.rpc('eth_getBalance', privateKeyToAccount(KEEPER_KEY).address, 'latest')
  await world.anvil.rpc('anvil_setBalance', privateKeyToAccount(KEEPER_KEY).address, '0x0')
  const lines: string[] = []
  await start(chain, lines).submit(counted('poor'))
  await until(async () => lines.includes('warn transaction_broadcast_failed'))
  await world.anvil.rpc('anvil_setBalance', privateKeyToAccount(KEEPER_KEY).address, balance)
  assert.equal((await settled('poor')).outcome, 'succeeded')
  assert.equal(lines.filter((line) => line === 'warn transaction_broadcast_failed').length, 1)
})

test('signs nothing while the chain cannot be read', async () => {
  const blind = { ...chain, head: () => undefined }
  await assert.rejects(openOutbox(files.store(), blind).submit(counted('blind')), /cannot be read/)
  assert.equal(await files.store().findTransaction('blind'), undefined)
})

test('adds the gas of the data to the limit where the chain takes it from the limit', async () => {
  const head = chain.head()
  assert(head !== undefined)
  const limits: (bigint | undefined)[] = []
  for (const unit of ['wei', 'gas'] as const) {
    const l1Cost = { unit, ofSample: 60_000n }
    const rollup = {
      ...chain,
      head: () => ({ ...head, l1Cost }),
      sendRawTransaction: async () => 'taken' as const,
    }
    const outbox = openOutbox(files.store(), rollup)
    const { rawTransaction } = await outbox.submit(counted(unit))
    await outbox.stop()
    assert.ok(rawTransaction.startsWith('0x'))
    limits.push(parseTransaction(`0x${rawTransaction.slice(2)}`).gas)
  }
  const { gasLimit, data } = counted('gas')
  assert.deepEqual(limits, [gasLimit, gasLimit + l1Gas({ unit: 'gas', ofSample: 60_000n }, data)])
})

test('pays with legacy transactions on a chain without a base fee', async () => {
  const head = chain.head()
  assert(head !== undefined)
  const flat = { ...chain, head: () => ({ ...head, maxFeePerGas: 7n, maxPriorityFeePerGas: 7n }) }
  const silent = { ...flat, sendRawTransaction: async () => 'taken' as const }
  const outbox = openOutbox(files.store(), silent)
  const { rawTransaction } = await outbox.submit(counted('flat'))
  await outbox.stop()
  assert.ok(rawTransaction.startsWith('0x'))
  const { type, gasPrice } = parseTransaction(`0x${rawTransaction.slice(2)}`)
  assert.deepEqual([type, gasPrice], ['legacy', 7n])
})
