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
import { backendOf, lookupOf, until } from '../../../test/follow-backend.ts'
import { checkExactDelivery, type ItsDestination, itsDestination } from '../../../test/its-destination.ts'
import { createCatalog } from '../../chains/catalog.ts'
import { muxedAddress } from '../../chains/stellar/muxed-account.ts'
import type { Offer } from '../../core/offer.ts'
import { its } from './index.ts'

let world: BackendWorld
let destination: ItsDestination
before(async () => {
  world = await startBackendWorld({ withPaymentChains: true })
  destination = itsDestination(world, 'stellar')
})
after(() => world.stop())

/** One of the chain's accounts, which has a trustline for the token. */
const openAccountAt = async (index: number): Promise<string> => {
  const { chain, pair, accountAt } = destination
  await chain.faucet(pair.to.token.address, accountAt(index), 1n)
  return accountAt(index)
}

test('a transfer from EVM to Stellar delivers the exact output, without the digits that Stellar cannot hold', async () =>
  checkExactDelivery(world, destination, {
    recipient: await openAccountAt(1),
    input: 3n * 10n ** 18n + 123_456_789_012n,
    output: 30_000_001n,
    dust: '23456789012',
  }))

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

test('recovery of a transfer to Stellar that lacks gas offers add_gas alone: its message is not executed on an EVM chain', async () => {
  const backend = backendOf(world, 'its')
  const { pair } = destination
  const recipient = await openAccountAt(4)
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
    const answer = await pricedQuote(
      backendOf(world, 'its'),
      orderFor(destination.pair, 10n ** 18n, { recipient }),
    )
    return 'reasonCode' in answer && answer.reasonCode
  }
  assert.equal(await quoteTo(destination.accountAt(3)), 'no_trustline')
  assert.equal(await quoteTo(muxedAddress(destination.accountAt(1), 7n)), 'not_a_wallet')
})

test('quotes a classic asset only if the network file names its issuer, without which a missing trustline cannot be seen', async () => {
  const { network } = world.deps
  const withTokens = (tokens: typeof network.tokens) =>
    its.create({ ...world.deps, catalog: createCatalog({ ...network, tokens }) })
  const recipient = await openAccountAt(5)
  const order = orderFor(destination.pair, 10n ** 18n, { recipient })
  const named = withTokens(network.tokens)
  const nameless = withTokens(network.tokens.map(({ stellar: _, ...token }) => token))
  assert.ok(named !== undefined && nameless !== undefined)
  assert.ok(!('declined' in (await pricedQuote({ ...its, ...named }, order))))
  const answer = await nameless.quote(order, { ...destination.pair, backend: 'its' })
  assert.ok('declined' in answer && answer.declined === 'unpriced')
})

test('no interchain token is sent from Stellar', () => {
  const pairs = pairsOf(world, backendOf(world, 'its'))
  assert.ok(pairs.some(({ to }) => to.chain.chainType === 'stellar'))
  assert.ok(pairs.every(({ from }) => from.chain.chainType !== 'stellar'))
})
