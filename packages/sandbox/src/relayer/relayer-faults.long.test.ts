import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  childOf,
  type Fixture,
  ONE,
  startFixture,
  txHashOf,
  USER_ABI,
  waitFor,
  walletOf,
} from '../../test/relayer-fixture.ts'
import type { SandboxChain } from '../deployment-types.ts'
import { DEPLOYER, USERS } from '../keys.ts'

let fixture: Fixture
let a: SandboxChain
let b: SandboxChain

before(async () => {
  fixture = await startFixture(Date.now)
  a = fixture.chainAt(0)
  b = fixture.chainAt(1)
})

after(() => fixture?.stop())

const balanceOf = (user: number): Promise<bigint> =>
  fixture.balanceOf(b, 'BCN', walletOf(b, USERS[user]).address)

const send = (user: number, fee?: bigint): Promise<string> =>
  fixture.send({ from: a, to: b, symbol: 'BCN', amount: ONE, user, ...(fee === undefined ? {} : { fee }) })

test('a message without a gas payment stalls until gas is added', async () => {
  const { questions, relayer } = fixture
  const before = await balanceOf(0)
  const id = await send(0, 0n)
  const stalled = await questions.waitForStatus(id, 'insufficient_fee')
  assert.equal(stalled.gas_status, 'gas_unpaid')
  await relayer.settle()
  assert.equal((await questions.messageOf(id))?.status, 'insufficient_fee')
  await fixture.addGas(a, stalled, await questions.feeBetween(a, b))
  await questions.waitForStatus(id, 'executed')
  await relayer.settle()
  assert.equal((await balanceOf(0)) - before, ONE)
})

test('an underpaid message is approved, and executed once gas is added', async () => {
  const { questions } = fixture
  const before = await balanceOf(1)
  const id = await send(1, (await questions.feeBetween(a, b)) - 1n)
  const first = await questions.waitForStatus(id, 'executed')
  const childId = childOf(first)
  const second = await questions.waitForStatus(childId, 'not_enough_gas_to_execute')
  assert.equal(second.gas_status, 'gas_paid_not_enough_gas')
  assert.equal((await balanceOf(1)) - before, 0n)
  await fixture.addGas(a, first, 1n)
  await questions.waitForStatus(childId, 'executed')
  assert.equal((await balanceOf(1)) - before, ONE)
})

test('carries nothing while paused and everything after it resumes', async () => {
  const { questions, relayer } = fixture
  await relayer.pause()
  const id = await send(2)
  const waiting = await questions.waitForStatus(id, 'called')
  assert.equal(waiting.gas_status, 'gas_paid_enough_gas')
  await delay(500)
  assert.equal((await questions.messageOf(id))?.status, 'called')
  relayer.resume()
  await questions.waitForStatus(id, 'executed')
})

test('a rejected execution is reported as an error and retried until it succeeds', async () => {
  const { wallet, done } = walletOf(b, DEPLOYER)
  const setPaused = async (paused: boolean): Promise<void> => {
    const call = { address: b.its, abi: USER_ABI, functionName: 'setPauseStatus', args: [paused] } as const
    await done(await wallet.writeContract(call))
  }
  await setPaused(true)
  const first = await fixture.questions.waitForStatus(await send(3), 'executed')
  const refused = await fixture.questions.waitForStatus(childOf(first), 'error')
  assert.match(refused.error?.error.message ?? '', /revert/)
  await fixture.relayer.settle()
  await setPaused(false)
  await fixture.questions.waitForStatus(childOf(first), 'executed')
})

test('a message reorganised away before its confirmation is not carried', async () => {
  const { questions, relayer } = fixture
  const before = await balanceOf(5)
  await relayer.pause()
  const id = await send(5)
  await fixture.undo(a, txHashOf(id))
  relayer.resume()
  await relayer.settle()
  assert.equal(await questions.messageOf(id), undefined)
  assert.equal((await balanceOf(5)) - before, 0n)
})

test('a known message is forgotten when its block is reorganised away before it is carried', async () => {
  const { questions, relayer } = fixture
  const before = await balanceOf(5)
  await relayer.pause()
  const id = await send(5)
  await questions.waitForStatus(id, 'called')
  await fixture.undo(a, txHashOf(id))
  await waitFor(async () => (await questions.messageOf(id)) === undefined)
  relayer.resume()
  await relayer.settle()
  assert.equal((await balanceOf(5)) - before, 0n)
})

test('a delivery undone by a reorg is repeated once', async () => {
  const { questions } = fixture
  const before = await balanceOf(6)
  const childId = childOf(await questions.waitForStatus(await send(6), 'executed'))
  const delivered = await questions.waitForStatus(childId, 'executed')
  assert.ok(delivered.executed)
  await fixture.undo(b, delivered.executed.transactionHash)
  await waitFor(async () => (await balanceOf(6)) - before === ONE)
  await fixture.relayer.settle()
  assert.equal((await balanceOf(6)) - before, ONE)
  const repeated = await questions.messageOf(childId)
  assert.ok(repeated?.status === 'executed' && repeated.executed)
  const { client } = walletOf(b, USERS[6])
  const receipt = await client.getTransactionReceipt({ hash: repeated.executed.transactionHash })
  assert.equal(receipt.blockNumber, BigInt(repeated.executed.blockNumber))
})
