import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ownArtifact } from '@openrfq/sandbox/test/contract-deployer.ts'
import { createWalletClient, encodeFunctionData, getAddress, type Hex, maxUint256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  type BackendWorld,
  execute,
  offerFor,
  orderFor,
  pairsOf,
  quote,
  recordOf,
  startBackendWorld,
  user,
} from '../../../test/backend-world.ts'
import { addressOf, backendOf, balance, follow, lookupOf, pairOf } from '../../../test/follow-backend.ts'
import { assetIn, linkAgain, MANAGERS, sendByOwner, withTokens } from '../../../test/linked-again.ts'
import { chainClients } from '../../../test/wallet.ts'
import type { AssetPair } from '../../core/order.ts'
import { createBackends } from '../create-backends.ts'
import { its } from './index.ts'

const WHOLE = 10n ** 18n
const ISSUED = ownArtifact('test/IssuedToken')

let world: BackendWorld
/** The same chains with a token on the second whose issuer is no part of Axelar. */
let served: BackendWorld
let pair: AssetPair
let token: Hex
let manager: Hex

const deploy = async (chainId: string): Promise<Hex> => {
  const { chain, transport, reader } = chainClients(world.sandbox, chainId)
  const wallet = createWalletClient({ account: privateKeyToAccount(user(5).privateKey), chain, transport })
  const hash = await wallet.deployContract({ ...ISSUED, args: [] })
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
  assert.ok(contractAddress)
  return getAddress(contractAddress)
}

const asIssuer = (functionName: string, ...args: readonly unknown[]): Promise<void> =>
  sendByOwner(world, {
    chainId: pair.to.chain.chainId,
    to: token,
    data: encodeFunctionData({ abi: ISSUED.abi, functionName, args }),
  })

before(async () => {
  world = await startBackendWorld()
  const { from, to } = pairOf(world, backendOf(world, 'its'), /^DRIFT$/, 0, 1)
  pair = { from, to }
  token = await deploy(to.chain.chainId)
  const linked = await linkAgain(world, 'an issued token', {
    from: { chain: from.chain, contract: from.token.address, manager: MANAGERS.lockUnlock },
    to: { chain: to.chain, contract: token, manager: MANAGERS.mintBurn },
  })
  manager = linked.manager
  await asIssuer('setMinter', manager, true)
  served = await withTokens(world, (one) => {
    if (one.symbol !== 'DRIFT') return one
    const identified = { ...one, its: { tokenId: linked.tokenId } }
    return one.chainId === to.chain.chainId ? { ...identified, address: token, symbol: 'ISSUED' } : identified
  })
  const issued = served.catalog.token(to.chain.chainId, token)
  assert.ok(issued)
  pair = { from: assetIn(served, from), to: { chain: to.chain, token: issued } }
})
after(async () => {
  await served?.stop()
  await world.stop()
})

/** A new `its` over the same chains, which has tried nothing yet. */
const whyNotQuoted = async (recipient: Hex, amount = WHOLE): Promise<string | undefined> => {
  const [backend] = createBackends([its], { ...served.deps, catalog: served.catalog })
  assert.ok(backend)
  await backend.start()
  const answer = await quote(backend, orderFor(pair, amount, { recipient }))
  backend.stop()
  if (!('declined' in answer)) return undefined
  return 'reason' in answer ? answer.reason : answer.declined
}

const REFUSED = /ISSUED on sandbox-b is not given to the recipient now/

test('a token that its issuer lets ITS mint is quoted and delivered', async () => {
  const backend = backendOf(served, 'its')
  const recipient = addressOf(0x155e0)
  const order = orderFor(pair, WHOLE, { sender: user(6).address, recipient })
  const offer = await offerFor(backend, order)
  const record = recordOf(order, offer)
  const receipt = await execute(served, offer, user(6).privateKey)
  await follow(backend, record, lookupOf(served, backend, record, receipt), 'delivered')
  assert.equal(await balance(served, pair.to, recipient), BigInt(offer.output))
})

const ISSUER: readonly (readonly [what: string, take: () => Promise<void>, giveBack: () => Promise<void>])[] =
  [
    [
      'takes the right to mint from its manager',
      () => asIssuer('setMinter', manager, false),
      () => asIssuer('setMinter', manager, true),
    ],
    ['pauses it', () => asIssuer('setPaused', true), () => asIssuer('setPaused', false)],
    [
      'refuses the recipient',
      () => asIssuer('setRefused', addressOf(0x155e1), true),
      () => asIssuer('setRefused', addressOf(0x155e1), false),
    ],
    ['caps it', () => asIssuer('setCap', 1n), () => asIssuer('setCap', maxUint256)],
  ]

for (const [what, take, giveBack] of ISSUER)
  test(`a token is not quoted while its issuer ${what}, and is afterwards`, async () => {
    const recipient = addressOf(0x155e1)
    await take()
    assert.match((await whyNotQuoted(recipient)) ?? 'it is quoted', REFUSED)
    await giveBack()
    assert.equal(await whyNotQuoted(recipient), undefined)
  })

test('only the refused recipient is not quoted', async () => {
  await asIssuer('setRefused', addressOf(0x155e1), true)
  assert.equal(await whyNotQuoted(addressOf(0x155e2)), undefined)
  await asIssuer('setRefused', addressOf(0x155e1), false)
})

test('a token is not quoted when its manager holds none of it', async () => {
  const { from, to } = pairOf(world, backendOf(world, 'its'), /^HBR$/, 0, 1)
  const sideOf = ({ chain, token: { address } }: AssetPair['from']) => ({
    chain,
    contract: address,
    manager: MANAGERS.lockUnlock,
  })
  const linked = await linkAgain(world, 'an empty lock', { from: sideOf(from), to: sideOf(to) })
  const empty = await withTokens(world, (one) =>
    one.symbol === 'HBR' && [from, to].some(({ chain }) => chain.chainId === one.chainId)
      ? { ...one, its: { tokenId: linked.tokenId } }
      : one,
  )
  const order = orderFor({ from: assetIn(empty, from), to: assetIn(empty, to) }, WHOLE)
  const answer = await quote(backendOf(empty, 'its'), order)
  await empty.stop()
  assert.ok('declined' in answer && answer.declined === 'unpriced')
  assert.match(answer.reason, /limits of the token are used up/)
})

test('no healthy route is refused', async () => {
  const backend = backendOf(world, 'its')
  const pairs = pairsOf(world, backend)
  for (const [index, one] of pairs.entries()) {
    const amount = 10n ** BigInt(one.from.token.decimals)
    const offer = await offerFor(backend, orderFor(one, amount, { recipient: addressOf(0x9ea17 + index) }))
    assert.ok(offer.output > 0n)
  }
  assert.ok(pairs.length >= 20, `${pairs.length} routes`)
})
