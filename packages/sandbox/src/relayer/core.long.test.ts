import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toFunctionSelector } from 'viem'
import {
  type Fixture,
  idOf,
  startFixture,
  tokenOf,
  USER_ABI,
  waitFor,
  walletOf,
} from '../../test/relayer-fixture.ts'
import { createAxelarControl } from '../axelar-control.ts'
import type { Hex, SandboxChain } from '../deployment-types.ts'
import { USERS } from '../keys.ts'

/** A contract of a single STOP, which accepts every call. */
const TAKES_ALL: Hex = '0x6001600c60003960016000f300'
const GAS = 10n ** 16n

let fixture: Fixture
let a: SandboxChain
let b: SandboxChain
let target: Hex
let control: (body: unknown) => Promise<void>

before(async () => {
  fixture = await startFixture(Date.now)
  a = fixture.chainAt(0)
  b = fixture.chainAt(1)
  control = createAxelarControl({ ...fixture, simulatedChains: [] })
  const { wallet, done } = walletOf(b, USERS[0])
  const { contractAddress } = await done(await wallet.deployContract({ abi: [], bytecode: TAKES_ALL }))
  target = contractAddress ?? '0x'
  const token = tokenOf(fixture.running, a, 'USDC')
  const sender = walletOf(a, USERS[0])
  const approval = { abi: USER_ABI, functionName: 'approve', args: [a.gateway, 10n ** 12n] } as const
  await sender.done(await sender.wallet.writeContract({ ...token, ...approval }))
})
after(() => fixture?.stop())

const gatewayOf = (chain: SandboxChain) => ({ address: chain.gateway, abi: USER_ABI }) as const

/** Sends a message from A to B, with its gas but where it is not to arrive. */
const call = async (): Promise<string> => {
  const { wallet, done } = walletOf(a, USERS[0])
  const args = [b.axelarName, target, '0x1234'] as const
  return idOf(await done(await wallet.writeContract({ ...gatewayOf(a), functionName: 'callContract', args })))
}
const callWithToken = async (amount = 5n): Promise<string> => {
  const { wallet, done } = walletOf(a, USERS[0])
  const args = [b.axelarName, target, '0x1234', 'USDC', amount] as const
  const request = { ...gatewayOf(a), functionName: 'callContractWithToken', args } as const
  const { transactionHash, logs } = await done(await wallet.writeContract(request))
  return `${transactionHash}-${logs.length - 1}`
}

const ask = async (path: string) => {
  const response = await fetch(`${fixture.url}${path}`)
  // CAST: answers are compared whole.
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const eventOf = (id: string) => ask(`/axelar/evm/v1beta1/event/${a.axelarName}/${id}`)
const statusOf = async (id: string): Promise<unknown> =>
  Object(Object((await eventOf(id)).body)['event']).status
const untilStatus = (id: string, status: string) => waitFor(async () => (await statusOf(id)) === status)
const carried = async (id: string): Promise<void> => {
  const unpaid = await fixture.questions.waitForStatus(id, 'insufficient_fee')
  await fixture.addGas(a, unpaid, GAS)
  await fixture.questions.waitForStatus(id, 'executed')
}

test('a message of a deactivated chain does not start, and goes on by itself when the chain is active again', async () => {
  await control({ state: 'chain_deactivated', chain: a.chainId })
  const id = await call()
  await fixture.questions.waitForStatus(id, 'called')
  assert.equal((await eventOf(id)).status, 404)
  assert.deepEqual((await ask('/axelar/evm/v1beta1/chains?status=1')).body, {
    chains: ['sandbox-b', 'sandbox-c'],
  })
  await control({ state: 'chain_activated', chain: a.chainId })
  await carried(id)
  assert.equal(await statusOf(id), 'STATUS_COMPLETED')
  const { body } = await ask(`/axelar/nexus/v1beta1/message?id=${id}`)
  assert.equal(Object(body['message']).status, 'STATUS_EXECUTED')
})

test('a message to a deactivated chain fails, and is carried once the chain is active and somebody retries it', async () => {
  await control({ state: 'chain_deactivated', chain: b.chainId })
  const id = await callWithToken()
  await untilStatus(id, 'STATUS_FAILED')
  assert.equal((await fixture.questions.messageOf(id))?.status, 'called', 'the indexer shows no failure')
  const { body } = await ask('/axelar/nexus/v1beta1/chain_state/Sandbox-B')
  assert.equal(Object(body['state']).activated, false)
  await control({ state: 'retry_failed_events' })
  await untilStatus(id, 'STATUS_FAILED')
  await control({ state: 'chain_activated', chain: b.chainId })
  assert.equal(await statusOf(id), 'STATUS_FAILED', 'an activation alone retries nothing')
  await control({ state: 'retry_failed_events' })
  await carried(id)
})

test('an amplifier chain takes no gateway token: the tokens are taken, and the event fails for good', async () => {
  const owner = walletOf(a, USERS[0]).address
  await control({ state: 'amplifier', chain: b.chainId })
  const before = await fixture.balanceOf(a, 'USDC', owner)
  const id = await callWithToken(7n)
  await untilStatus(id, 'STATUS_FAILED')
  assert.equal(before - (await fixture.balanceOf(a, 'USDC', owner)), 7n)
  await control({ state: 'retry_failed_events' })
  await untilStatus(id, 'STATUS_FAILED')
  const { body } = await ask('/axelar/evm/v1beta1/chains?status=1')
  assert.deepEqual(body, { chains: ['sandbox-a', 'sandbox-c'] })
  assert.equal((await ask('/axelar/nexus/v1beta1/chain_state/sandbox-b')).status, 404)
  await carried(await call())
  await control({ state: 'consensus', chain: b.chainId })
  assert.equal(await statusOf(id), 'STATUS_FAILED')
})

test('a token whose symbol is not confirmed at the source is taken, and its event fails', async () => {
  const path = '/axelar/evm/v1beta1/token_info/sandbox-a?symbol=USDC'
  await control({ state: 'token_unconfirmed', chain: a.chainId, token: 'USDC' })
  assert.equal((await ask(path)).body['confirmed'], false)
  const id = await callWithToken()
  await untilStatus(id, 'STATUS_FAILED')
  await control({ state: 'token_confirmed', chain: a.chainId, token: 'USDC' })
  const { body } = await ask(path)
  assert.deepEqual(
    [body['confirmed'], body['address'], body['asset']],
    [true, tokenOf(fixture.running, a, 'USDC').address, 'uusdc'],
  )
  await control({ state: 'retry_failed_events' })
  await carried(id)
})

test('a paused gateway refuses calls, and messages to be executed, until it is resumed', async () => {
  const { client, wallet } = walletOf(a, USERS[0])
  const isPaused = () => client.call({ to: a.gateway, data: toFunctionSelector('function paused()') })
  await assert.rejects(isPaused(), 'a consensus gateway has no pause')
  await control({ state: 'gateway_paused', chain: a.chainId })
  await control({ state: 'gateway_paused', chain: a.chainId })
  assert.equal(BigInt((await isPaused()).data ?? '0x'), 1n)
  const args = [b.axelarName, target, '0x1234'] as const
  await assert.rejects(
    wallet.writeContract({ ...gatewayOf(a), functionName: 'callContract', args }),
    /revert/,
  )
  const limit = () => client.readContract({ ...gatewayOf(a), functionName: 'tokenMintLimit', args: ['USDC'] })
  assert.equal(typeof (await limit()), 'bigint', 'its reads go on')
  await control({ state: 'gateway_resumed', chain: a.chainId })
  await control({ state: 'gateway_resumed', chain: a.chainId })
  await assert.rejects(isPaused())
  await carried(await call())
})

test('a control refuses an unknown state, chain or token', async () => {
  const refused = (body: unknown) => assert.rejects(control(body), { code: 'INVALID_REQUEST' })
  await refused({ state: 'nothing' })
  await refused({ state: 'amplifier', chain: 'eip155:1' })
  await refused({ state: 'token_confirmed', chain: a.chainId, token: 'HBR' })
})
