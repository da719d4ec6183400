import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeFunctionData, getAddress, parseAbi, zeroAddress } from 'viem'
import {
  type BackendWorld,
  execute,
  offerFor,
  orderFor,
  quote,
  recordOf,
  startBackendWorld,
  user,
} from '../../../test/backend-world.ts'
import { addressOf, backendOf, balance, follow, lookupOf, pairOf } from '../../../test/follow-backend.ts'
import { assetIn, fund, linkAgain, MANAGERS } from '../../../test/linked-again.ts'
import { asHedera, associate, withHedera } from '../../../test/two-scales.ts'
import { chainClients } from '../../../test/wallet.ts'
import type { AssetPair } from '../../core/order.ts'

const CALLS = parseAbi([
  'function interchainTransfer(bytes32 tokenId, string destinationChain, bytes destinationAddress, uint256 amount, bytes metadata, uint256 gasValue)',
])
const WEIBAR = 10n ** 10n

let world: BackendWorld
let served: BackendWorld
/** From the chain with Hedera's scales, and to it. */
let from: AssetPair
let to: AssetPair
let whole: bigint

before(async () => {
  world = await startBackendWorld()
  const known = pairOf(world, backendOf(world, 'its'), /^BCN$/, 2, 0)
  const hedera = known.from.chain.chainId
  whole = 10n ** BigInt(known.from.token.decimals)
  const sideOf = ({ chain, token }: AssetPair['from']) => ({
    chain,
    contract: token.address,
    manager: MANAGERS.lockUnlock,
  })
  const { tokenId, manager } = await linkAgain(world, 'two scales', {
    from: sideOf(known.to),
    to: sideOf(known.from),
  })
  await fund(world, known.from, manager, 5n * whole)
  await fund(world, known.to, manager, 5n * 10n ** BigInt(known.to.token.decimals))
  await asHedera(world, hedera, known.from.token.address)
  served = await withHedera(world, hedera, (token) =>
    [known.from, known.to].some(
      (side) => side.chain.chainId === token.chainId && side.token.address === token.address,
    )
      ? { ...token, its: { tokenId } }
      : token,
  )
  from = { from: assetIn(served, known.from), to: assetIn(served, known.to) }
  to = { from: from.to, to: from.from }
})
after(async () => {
  await served?.stop()
  await world.stop()
})

test('a transfer from a chain of two scales is sent with weibar, names tinybar and is delivered', async () => {
  const backend = backendOf(served, 'its')
  const recipient = addressOf(0x4ede1)
  const order = orderFor(from, whole, { sender: user(6).address, recipient, approvalMode: 'MAX' })
  const offer = await offerFor(backend, order)
  // The token service of Hedera refuses an unlimited allowance.
  const [approval] = offer.actions
  assert.ok(approval?.type === 'approval' && approval.payload.type === 'evm_transaction')
  assert.equal(BigInt(`0x${approval.payload.data.slice(-64)}`), whole)
  const call = offer.actions.at(-1)?.payload
  assert.ok(call?.type === 'evm_transaction')
  assert.ok(offer.userFee.amount > 0n)
  assert.equal(offer.userFee.decimals, 8)
  assert.equal(BigInt(call.value), offer.userFee.amount * WEIBAR)
  // CAST: the payload's data is 0x-hex.
  const { args } = decodeFunctionData({ abi: CALLS, data: call.data as `0x${string}` })
  assert.equal(args[5], offer.userFee.amount)
  // No gas limit of ours holds where calls of tokens have prices in USD.
  assert.ok(
    offer.actions.every(
      ({ payload }) => payload.type !== 'evm_transaction' || payload.gasLimit === undefined,
    ),
  )
  const head = served.deps.evmChains.get(from.from.chain.chainId)?.head()
  assert.ok(head !== undefined && offer.gasFee.amount > 0n)
  assert.ok(offer.gasFee.amount < (head.maxFeePerGas * 16n * 300_000n) / WEIBAR + 2n)
  const receipt = await execute(served, offer, user(6).privateKey)
  assert.equal(receipt.status, 'success')
  const record = recordOf(order, offer)
  await follow(backend, record, lookupOf(served, backend, record, receipt), 'delivered')
  assert.equal(await balance(served, from.to, recipient), BigInt(offer.output))
})

test('a value of the other scale is refused by the chain', async () => {
  const offer = await offerFor(backendOf(served, 'its'), orderFor(from, whole, { sender: user(6).address }))
  const call = offer.actions.at(-1)?.payload
  assert.ok(call?.type === 'evm_transaction')
  const { reader } = chainClients(served.sandbox, from.from.chain.chainId)
  const data = call.data as `0x${string}`
  for (const value of [offer.userFee.amount, BigInt(call.value) * WEIBAR])
    await assert.rejects(
      reader.call({ account: user(6).address, to: getAddress(call.to), data, value }),
      /revert|insufficient/i,
    )
})

test('a recipient that is not associated is declined, and one that is receives', async () => {
  const backend = backendOf(served, 'its')
  const recipient = user(7).address
  const order = orderFor(to, 2n * 10n ** BigInt(to.from.token.decimals), {
    sender: user(6).address,
    recipient,
  })
  const declined = await quote(backend, order)
  assert.ok('declined' in declined && declined.declined === 'unpayable')
  assert.equal(declined.reasonCode, 'not_associated')
  await associate(served, to.to.chain.chainId, to.to.token.address, 7)
  const before = await balance(served, to.to, recipient)
  const offer = await offerFor(backend, { ...order, createdAt: Date.now() })
  const receipt = await execute(served, offer, user(6).privateKey)
  const record = recordOf(order, offer)
  await follow(backend, record, lookupOf(served, backend, record, receipt), 'delivered')
  assert.equal((await balance(served, to.to, recipient)) - before, BigInt(offer.output))
})

test('a token that the token service would burn is not sent from there, because who may burn it is not known', async () => {
  const backend = backendOf(served, 'its')
  const burned = pairOf(served, backend, /^HBR$/, 2, 0)
  const declined = await quote(backend, orderFor(burned, 10n ** BigInt(burned.from.token.decimals)))
  assert.ok('declined' in declined && declined.declined === 'unpriced')
  assert.match(declined.reason, /burns by an allowance/)
})

test('a balance of the native asset is told in tinybar, rounded down', async () => {
  const { chainId } = from.from.chain
  const evm = served.deps.evmChains.get(chainId)
  assert.ok(evm !== undefined)
  const owner = user(6).address
  const { reader } = chainClients(served.sandbox, chainId)
  const told = (await evm.balances(owner, [zeroAddress])).amounts[0]
  assert.equal(told, (await reader.getBalance({ address: owner })) / WEIBAR)
})
