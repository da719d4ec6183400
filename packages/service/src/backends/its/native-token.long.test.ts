import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { createWalletClient, encodeFunctionData, erc20Abi, getAddress, type Hex, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
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
import {
  addressOf,
  backendOf,
  balance,
  follow,
  lookupOf,
  pairOf,
  until,
} from '../../../test/follow-backend.ts'
import { assetIn, fund, linkAgain, MANAGERS, sendByOwner, withTokens } from '../../../test/linked-again.ts'
import { chainClients } from '../../../test/wallet.ts'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { AssetPair } from '../../core/order.ts'

/** Where a chain offers its native asset as an ERC-20. */
const PRECOMPILE: Hex = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const ARTIFACT =
  '../../../../../node_modules/@axelar-network/interchain-token-service/artifacts/@axelar-network/axelar-gmp-sdk-solidity/contracts/test/token/ERC20MintableBurnable.sol/ERC20MintableBurnable.json'
const { bytecode } = z
  .object({ bytecode: z.templateLiteral(['0x', z.string()]) })
  .parse(JSON.parse(readFileSync(new URL(ARTIFACT, import.meta.url), 'utf8')))
const TOKEN = parseAbi(['constructor(string,string,uint8)', 'function mint(address,uint256)'])
const WHOLE = 10n ** 18n

let world: BackendWorld
let served: BackendWorld
/** From the native asset to DRIFT on another chain. */
let there: AssetPair

/**
 * Puts a stand-in at the address of the precompile: an ERC-20 whose balances are its own, because no chain that runs here offers
 * its native asset as one.
 */
const standIn = async (chainId: string): Promise<void> => {
  const { chain, transport, reader } = chainClients(world.sandbox, chainId)
  const wallet = createWalletClient({
    account: privateKeyToAccount(user(5).privateKey),
    chain,
    transport,
  })
  const hash = await wallet.deployContract({ abi: TOKEN, bytecode, args: ['Ether', 'ETH', 18] })
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
  assert.ok(contractAddress)
  const code = await reader.getCode({ address: contractAddress })
  const [node] = world.deps.network.chains.find((one) => one.chainId === chainId)?.rpcUrls ?? []
  assert.ok(node !== undefined && code !== undefined)
  const answer = await fetch(node, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [PRECOMPILE, code] }),
  })
  assert.ok(answer.ok)
  assert.equal(await reader.getCode({ address: PRECOMPILE }), code)
  const mint = encodeFunctionData({ abi: TOKEN, functionName: 'mint', args: [user(6).address, 9n * WHOLE] })
  await sendByOwner(world, { chainId, to: PRECOMPILE, data: mint })
}

before(async () => {
  world = await startBackendWorld()
  const { from, to } = pairOf(world, backendOf(world, 'its'), /^DRIFT$/, 0, 1)
  const native = { chain: from.chain, token: { ...from.token, address: EVM_NATIVE_TOKEN } }
  await standIn(from.chain.chainId)
  const { tokenId, manager } = await linkAgain(world, 'native', {
    from: { chain: from.chain, contract: PRECOMPILE, manager: MANAGERS.mintBurn },
    to: { chain: to.chain, contract: to.token.address, manager: MANAGERS.lockUnlock },
  })
  await fund(world, to, manager, 5n * WHOLE)
  served = await withTokens(world, (token) => {
    if (token.chainId === from.chain.chainId && token.address === EVM_NATIVE_TOKEN)
      return { ...token, its: { tokenId, contract: PRECOMPILE } }
    return token.chainId === to.chain.chainId && token.address === to.token.address
      ? { ...token, its: { ...token.its, otherTokenIds: [tokenId] } }
      : token
  })
  there = { from: assetIn(served, native), to: assetIn(served, to) }
})
after(async () => {
  await served?.stop()
  await world.stop()
})

/** Lets the manager burn what the sender holds: the stand-in asks for it. */
const letBurn = async (chainId: string, manager: string): Promise<void> => {
  const { chain, transport, reader } = chainClients(world.sandbox, chainId)
  const wallet = createWalletClient({ account: privateKeyToAccount(user(6).privateKey), chain, transport })
  const args = [getAddress(manager), 2n * WHOLE] as const
  const hash = await wallet.writeContract({
    address: PRECOMPILE,
    abi: erc20Abi,
    functionName: 'approve',
    args,
  })
  await reader.waitForTransactionReceipt({ hash })
}

test('a native asset is sent by one call, whose value is the relay fee, and is delivered', async () => {
  const backend = backendOf(served, 'its')
  const recipient = addressOf(0x4a71)
  const order = orderFor(there, 2n * WHOLE, { sender: user(6).address, recipient })
  const offer = await offerFor(backend, order)
  const [call, ...rest] = offer.actions
  assert.ok(call?.payload.type === 'evm_transaction')
  assert.deepEqual(rest, [])
  assert.equal(BigInt(call.payload.value), offer.userFee.amount)
  await letBurn(there.from.chain.chainId, String(offer.metadata['tokenManager']))
  const receipt = await execute(served, offer, user(6).privateKey)
  assert.equal(receipt.status, 'success')
  const record = recordOf(order, offer)
  await follow(backend, record, lookupOf(served, backend, record, receipt), 'delivered')
  assert.equal(await balance(served, there.to, recipient), 2n * WHOLE)
  const held = { chain: there.from.chain, token: { ...there.from.token, address: PRECOMPILE } }
  assert.equal(await balance(served, held, user(6).address), 7n * WHOLE)
})

test('a native asset is received as its ERC-20, within what its manager mints', async () => {
  const backend = backendOf(served, 'its')
  const recipient = addressOf(0x4a72)
  const back = { from: there.to, to: there.from }
  const order = orderFor(back, WHOLE, { sender: user(6).address, recipient })
  const offer = await offerFor(backend, order)
  const receipt = await execute(served, offer, user(6).privateKey)
  const record = recordOf(order, offer)
  await follow(backend, record, lookupOf(served, backend, record, receipt), 'delivered')
  const received = { chain: back.to.chain, token: { ...back.to.token, address: PRECOMPILE } }
  assert.equal(await balance(served, received, recipient), WHOLE)
})

test('a native asset that a manager would pull by an allowance is not quoted', async () => {
  const { from, to } = there
  const { tokenId } = await linkAgain(world, 'pulled', {
    from: { chain: from.chain, contract: PRECOMPILE, manager: MANAGERS.lockUnlock },
    to: { chain: to.chain, contract: to.token.address, manager: MANAGERS.lockUnlock },
  })
  const pulling = await withTokens(world, (token) => {
    if (token.chainId === from.chain.chainId && token.address === EVM_NATIVE_TOKEN)
      return { ...token, its: { tokenId, contract: PRECOMPILE } }
    return token.chainId === to.chain.chainId && token.address === to.token.address
      ? { ...token, its: { ...token.its, otherTokenIds: [tokenId] } }
      : token
  })
  try {
    const pair = { from: assetIn(pulling, from), to: assetIn(pulling, to) }
    await until(
      () => quote(backendOf(pulling, 'its'), orderFor(pair, WHOLE)),
      (answer) => 'declined' in answer && answer.declined === 'unpriced' && /allowance/.test(answer.reason),
    )
  } finally {
    await pulling.stop()
  }
})
