import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type BackendWorld,
  execute,
  offerFor,
  orderFor,
  pairsOf,
  pricedQuote,
  recordOf,
  startBackendWorld,
  user,
} from '../../../test/backend-world.ts'
import { backendOf, balance, follow, lookupOf, until } from '../../../test/follow-backend.ts'
import { muxedAddress } from '../../chains/stellar/muxed-account.ts'
import type { Offer } from '../../core/offer.ts'
import type { AssetPair } from '../../core/order.ts'

let world: BackendWorld
let pair: AssetPair
before(async () => {
  world = await startBackendWorld({ withPaymentChains: true })
  const [found] = pairsOf(world, backendOf(world, 'its')).filter(({ to }) => to.chain.chainType === 'stellar')
  assert.ok(found)
  pair = found
})
after(() => world.stop())

/** One of the ten accounts of the Stellar chain. */
const accountAt = (index: number): string => {
  const account = stellar().accounts[index]
  assert.ok(account)
  return account.address
}

const stellar = (): BackendWorld['simulatedChains'][number] => {
  const found = world.simulatedChains.find(({ chain }) => chain.chainType === 'stellar')
  assert.ok(found)
  return found
}

const held = async (owner: string): Promise<bigint> => {
  const chain = world.deps.paymentChains.get(pair.to.chain.chainId)
  assert.ok(chain)
  const { amounts } = await chain.balances(owner, [pair.to.token.address])
  return amounts[0] ?? 0n
}

test('a transfer from EVM to Stellar delivers the exact output, without the digits that Stellar cannot hold', async () => {
  const backend = backendOf(world, 'its')
  const recipient = accountAt(1)
  await stellar().faucet(pair.to.token.address, recipient, 1n)
  const sender = user(4)
  const order = orderFor(pair, 3n * 10n ** 18n + 123_456_789_012n, { sender: sender.address, recipient })
  const offer = await offerFor(backend, order)
  assert.deepEqual([offer.output, offer.metadata['dust']], [30_000_001n, '23456789012'])
  const record = recordOf(order, offer)
  const [paidBefore, heldBefore] = [await balance(world, pair.from, sender.address), await held(recipient)]
  const receipt = await execute(world, offer, sender.privateKey)
  const lookup = lookupOf(world, backend, record, receipt)
  const { last } = await follow(backend, record, lookup, 'delivered')
  assert.ok(last.seen === 'delivered')
  assert.equal(last.output.amount, '30000001')
  assert.equal((await held(recipient)) - heldBefore, 30_000_001n)
  assert.equal(paidBefore - (await balance(world, pair.from, sender.address)), offer.input)
  for (const change of [{ recipient: accountAt(2) }, { sender: user(5).address }])
    assert.notEqual((await backend.track({ ...record, ...change }, lookup)).seen, 'delivered')
})

/** An offer whose last action pays `parts` of a thousand of the gas, which its calldata names too. */
const withGas = ({ actions, ...offer }: Offer, parts: bigint): Offer => ({
  ...offer,
  actions: actions.map((action) => {
    const { payload } = action
    if (action.type !== 'transaction' || payload.type !== 'evm_transaction') return action
    const paid = (BigInt(payload.value) * parts) / 1_000n
    const [old, short] = [BigInt(payload.value), paid].map((value) => value.toString(16).padStart(64, '0'))
    const data = payload.data.replace(old ?? '', short ?? '')
    return { ...action, payload: { ...payload, data, value: paid.toString() } }
  }),
})

test('what moves a transfer to Stellar on that lacks gas is gas alone: nobody executes its message on an EVM chain', async () => {
  const backend = backendOf(world, 'its')
  const recipient = accountAt(4)
  await stellar().faucet(pair.to.token.address, recipient, 1n)
  const sender = user(6)
  const order = orderFor(pair, 10n ** 18n, { sender: sender.address, recipient })
  const offer = await offerFor(backend, order)
  const record = recordOf(order, offer)
  const receipt = await execute(world, withGas(offer, 500n), sender.privateKey)
  const lookup = lookupOf(world, backend, record, receipt)
  const offered = await until(
    async () => (await backend.recoveries?.(record, lookup)) ?? [],
    (calls) => calls.length > 0,
  )
  assert.deepEqual(
    offered.map(({ kind, chainId }) => [kind, chainId]),
    [['add_gas', pair.from.chain.chainId]],
  )
})

test('an account without a trustline, and a muxed address, are not quoted', async () => {
  const quoteTo = async (recipient: string): Promise<unknown> => {
    const answer = await pricedQuote(backendOf(world, 'its'), orderFor(pair, 10n ** 18n, { recipient }))
    return 'reasonCode' in answer && answer.reasonCode
  }
  assert.equal(await quoteTo(accountAt(3)), 'no_trustline')
  assert.equal(await quoteTo(muxedAddress(accountAt(1), 7n)), 'not_a_wallet')
})

test('no interchain token is sent from Stellar', () => {
  const pairs = pairsOf(world, backendOf(world, 'its'))
  assert.ok(pairs.some(({ to }) => to.chain.chainType === 'stellar'))
  assert.ok(pairs.every(({ from }) => from.chain.chainType !== 'stellar'))
})
