import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { transferGasFee } from 'openrfq/src/protocols/axelar/gas-fee.ts'
import { createAxelarscan } from 'openrfq/src/protocols/axelar/gmp.ts'
import {
  childOf,
  type Fixture,
  idOf,
  ONE,
  startFixture,
  tokenOf,
  USER_ABI,
  walletOf,
} from '../../test/relayer-fixture.ts'
import { type Hex, HUB, type SandboxChain } from '../deployment-types.ts'
import { USERS } from '../keys.ts'
import { postRpc } from '../rpc-call.ts'

/** A contract of a single STOP, which accepts every call. */
const TAKES_ALL: Hex = '0x6001600c60003960016000f300'

let fixture: Fixture
let a: SandboxChain
let b: SandboxChain
let c: SandboxChain

before(async () => {
  fixture = await startFixture(Date.now)
  a = fixture.chainAt(0)
  b = fixture.chainAt(1)
  c = fixture.chainAt(2)
})

after(() => fixture?.stop())

const addressOf = (user: number): Hex => walletOf(a, USERS[user]).address

const approveGateway = async (chain: SandboxChain, symbol: string, user: number): Promise<void> => {
  const { wallet, done } = walletOf(chain, USERS[user])
  const token = tokenOf(fixture.running, chain, symbol)
  const approval = { abi: USER_ABI, functionName: 'approve', args: [chain.gateway, 10n ** 12n] } as const
  await done(await wallet.writeContract({ ...token, ...approval }))
}

test('carries an interchain token through the hub in two hops', async () => {
  const { questions, balanceOf } = fixture
  const before = await balanceOf(b, 'HBR', addressOf(0))
  const id = await fixture.send({ from: a, to: b, symbol: 'HBR', amount: 5n * ONE, user: 0 })
  const first = await questions.waitForStatus(id, 'executed')
  assert.equal(first.call.chain, 'sandbox-a')
  assert.equal(first.executed?.chain, HUB.chain)
  const second = await questions.waitForStatus(childOf(first), 'executed')
  assert.equal(second.call.parentMessageID, id)
  assert.equal(second.executed?.chain, 'sandbox-b')
  assert.equal((await balanceOf(b, 'HBR', addressOf(0))) - before, 5n * ONE)
  const hash = second.executed.transactionHash
  const receipt = await walletOf(b, USERS[0]).client.getTransactionReceipt({ hash })
  assert.ok(receipt.logs.some(({ topics }) => topics[1] === second.command_id))
})

test("rounds amounts down to the destination's decimals and drops the dust", async () => {
  const before = await fixture.balanceOf(c, 'HBR', addressOf(1))
  await fixture.send({ from: a, to: c, symbol: 'HBR', amount: 3n * ONE + 1_999_999_999_999n, user: 1 })
  await fixture.relayer.settle()
  assert.equal((await fixture.balanceOf(c, 'HBR', addressOf(1))) - before, 3_000_001n)
})

test('the hub permanently rejects an amount that scales to zero', async () => {
  const id = await fixture.send({ from: a, to: c, symbol: 'HBR', amount: 999n, user: 0 })
  const message = await fixture.questions.waitForStatus(id, 'error')
  assert.match(message.error?.error.message ?? '', /invalid transfer amount/)
  assert.equal(message.simplified_status, 'failed')
  assert.equal(message.executed, undefined)
})

test('a token that a gateway takes without a call never arrives, as on Axelar since version 1.4 of its core', async () => {
  const { wallet, address, done } = walletOf(a, USERS[2])
  await approveGateway(a, 'USDC', 2)
  const held = await fixture.balanceOf(a, 'USDC', address)
  const before = await fixture.balanceOf(b, 'axlUSDC', address)
  const args = ['sandbox-b', address, 'USDC', 100_000_000n] as const
  await done(
    await wallet.writeContract({ address: a.gateway, abi: USER_ABI, functionName: 'sendToken', args }),
  )
  const id = await fixture.send({ from: a, to: b, symbol: 'HBR', amount: ONE, user: 2 })
  await fixture.questions.waitForStatus(id, 'executed')
  await fixture.relayer.settle()
  assert.equal(held - (await fixture.balanceOf(a, 'USDC', address)), 100_000_000n)
  assert.equal(await fixture.balanceOf(b, 'axlUSDC', address), before)
})

test('carries a contract call, with and without a token, once its gas is paid', async () => {
  const { wallet, done } = walletOf(b, USERS[4])
  const { contractAddress } = await done(await wallet.deployContract({ abi: [], bytecode: TAKES_ALL }))
  const { wallet: sender, done: sent } = walletOf(a, USERS[4])
  await approveGateway(a, 'USDC', 4)
  const to = ['sandbox-b', contractAddress ?? '', '0x1234'] as const
  const gateway = { address: a.gateway, abi: USER_ABI } as const
  const ids = [
    idOf(await sent(await sender.writeContract({ ...gateway, functionName: 'callContract', args: to }))),
  ]
  const withToken = [...to, 'USDC', 5n] as const
  const request = { ...gateway, functionName: 'callContractWithToken', args: withToken } as const
  const { transactionHash, logs } = await sent(await sender.writeContract(request))
  ids.push(`${transactionHash}-${logs.length - 1}`)
  for (const id of ids) {
    const unpaid = await fixture.questions.waitForStatus(id, 'insufficient_fee')
    await fixture.addGas(a, unpaid, 10n ** 16n)
    await fixture.questions.waitForStatus(id, 'executed')
  }
})

test('a message to an unknown destination is marked invalid', async () => {
  const { wallet, done, address } = walletOf(a, USERS[5])
  const gateway = { address: a.gateway, abi: USER_ABI, functionName: 'callContract' } as const
  const nowhere = idOf(
    await done(await wallet.writeContract({ ...gateway, args: ['atlantis', address, '0x'] })),
  )
  const nobody = idOf(await done(await wallet.writeContract({ ...gateway, args: ['axelar', address, '0x'] })))
  await fixture.relayer.settle()
  assert.equal((await fixture.questions.messageOf(nowhere))?.is_invalid_destination_chain, true)
  assert.equal((await fixture.questions.messageOf(nobody))?.is_invalid_contract_address, true)
})

test("the service's cross-chain gas covers a transfer and exceeds its cost only slightly", async () => {
  const scan = createAxelarscan({ urls: fixture.url, now: Date.now, log: () => undefined })
  const hops = {
    toHub: await scan.hopFees(a.axelarName, HUB.chain),
    fromHub: await scan.hopFees(HUB.chain, c.axelarName),
  }
  const computed = transferGasFee(hops, 700_000n, 10_000)
  const needed = await fixture.questions.feeBetween(a, c)
  assert.ok(computed !== undefined && computed >= needed, `${computed} against ${needed}`)
  assert.ok(computed < (needed * 101n) / 100n, `${computed} against ${needed}`)
})

test('rejects unknown chains and requests over GET', async () => {
  const statusOf = async (path: string): Promise<number> => (await fetch(`${fixture.url}${path}`)).status
  assert.equal(await statusOf('/gmp/getFees?sourceChain=sandbox-a&destinationChain=atlantis'), 400)
  assert.equal(await statusOf('/gmp/unknown'), 404)
})

test('two messages in one block are delivered under separate ids', async () => {
  const prepared = await Promise.all(
    [6, 7].map(async (user) => {
      const { wallet, address } = walletOf(a, USERS[user])
      const before = await fixture.balanceOf(b, 'BCN', address)
      const value = await fixture.questions.feeBetween(a, b)
      const amount = BigInt(user) * ONE
      const { tokenId } = tokenOf(fixture.running, a, 'BCN')
      const args = [tokenId, 'sandbox-b', address, amount, '0x', value] as const
      const { nonce } = await wallet.prepareTransactionRequest({ to: a.its, gas: 500_000n })
      const call = { address: a.its, abi: USER_ABI, functionName: 'interchainTransfer', args } as const
      const send = (): Promise<Hex> => wallet.writeContract({ ...call, value, gas: 500_000n, nonce })
      return { address, before, amount, send }
    }),
  )
  const { done } = walletOf(a, USERS[0])
  await postRpc(a.rpcUrl, 'evm_setAutomine', [false])
  const hashes = await Promise.all(prepared.map(({ send }) => send()))
  await postRpc(a.rpcUrl, 'evm_mine', [])
  await postRpc(a.rpcUrl, 'evm_setAutomine', [true])
  const receipts = await Promise.all(hashes.map(done))
  assert.equal(new Set(receipts.map(({ blockHash }) => blockHash)).size, 1)
  for (const receipt of receipts) {
    const first = await fixture.questions.waitForStatus(idOf(receipt), 'executed')
    await fixture.questions.waitForStatus(childOf(first), 'executed')
  }
  for (const { address, before, amount } of prepared)
    assert.equal((await fixture.balanceOf(b, 'BCN', address)) - before, amount)
})
