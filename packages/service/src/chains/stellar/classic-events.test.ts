import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LIES_OF } from '@openrfq/sandbox/src/rpc/lie.ts'
import { membersOf } from '@openrfq/sandbox/src/rpc/rpc-message.ts'
import { tellStellarLie } from '@openrfq/sandbox/src/rpc/stellar/stellar-lies.ts'
import { eventually } from '../../../test/eventually.ts'
import { openStellarWorld, pay, type StellarWorld, UNIT } from '../../../test/stellar-world.ts'
import { checkEndpoints } from '../../app/check/check-endpoints.ts'
import type { PaymentChain } from '../payment-chain.ts'

let world: StellarWorld

before(async () => {
  world = await openStellarWorld()
  // Nothing happened on the network for more than a hundred ledgers.
  const began = world.height()
  for (let ledger = 0; ledger < 110; ledger += 1) world.node.closeLedger()
  await world.until(() => world.height() >= began + 110n)
})

after(() => world.close())

/** An endpoint that can be switched to that of a node with EMIT_CLASSIC_EVENTS off. */
const openEndpoint = async () => {
  let isBlind = false
  const url = await world.startRelayOf(async (call, honest) =>
    isBlind ? tellStellarLie('no_classic_events', { honest, since: 0 })(call) : honest(call),
  )
  return {
    url,
    turn: (events: 'on' | 'off'): void => {
      isBlind = events === 'off'
    },
  }
}

const eventsOf = (lines: StellarWorld['logged']): readonly string[] =>
  lines.map(([, event]) => event).filter((event) => /payments$/.test(event))

const vault = () => world.user(0).publicKey()
const paid = async (client: PaymentChain, after: bigint): Promise<readonly bigint[]> =>
  (await client.readPayments([vault()], after)).final.map(({ amount }) => amount)

const checked = async (url: string): Promise<string> => {
  const chain = {
    chainId: world.node.chainId,
    chainType: 'stellar' as const,
    passphrase: world.node.networkPassphrase,
    rpcUrls: [url],
  }
  const [found] = await checkEndpoints(chain as Parameters<typeof checkEndpoints>[0], world.now)
  return `${found?.level} ${found?.says}`
}

test('an endpoint that shows no classic payments is refused as long as it does, and a quiet one is not', async () => {
  assert.ok(LIES_OF.stellar.includes('no_classic_events'))
  const [first, second, third] = await Promise.all([openEndpoint(), openEndpoint(), openEndpoint()])
  const client = world.connect([first.url, second.url, third.url])
  await client.start()
  first.turn('off')

  // Nobody can tell what a network without transactions would show.
  const start = world.height()
  assert.deepEqual(await paid(client, start), [])
  assert.deepEqual(eventsOf(world.logged), [])
  assert.match(await checked(first.url), /^warning .* no transaction/)

  await world.submit(world.user(1), [pay(vault(), '5')])
  await world.closeLedger(10)
  await eventually('the payment is read from the two others', async () => {
    const read = await paid(client, start).catch(() => [])
    return read.length === 1 && read[0] === 5n * UNIT
  })
  assert.deepEqual(eventsOf(world.logged), ['rpc_endpoint_hides_payments'])
  assert.match(await checked(first.url), /^error .*EMIT_CLASSIC_EVENTS/)
  assert.match(await checked(second.url), /^ok .*shows classic payments/)

  // Two of three endpoints are blind: no quorum shows a payment, and none says that there is none.
  second.turn('off')
  await world.submit(world.user(1), [pay(vault(), '6')])
  await world.closeLedger(3_600)
  await assert.rejects(paid(client, start))
  assert.deepEqual(eventsOf(world.logged), ['rpc_endpoint_hides_payments', 'rpc_endpoint_hides_payments'])

  for (const endpoint of [first, second]) endpoint.turn('on')
  await world.submit(world.user(1), [pay(vault(), '7')])
  await world.closeLedger(10)
  await eventually('all three payments are read', async () => {
    const read = await paid(client, start).catch(() => [])
    return read.join() === [5n, 6n, 7n].map((amount) => amount * UNIT).join()
  })
  await eventually('both are used again', async () => {
    await paid(client, start).catch(() => [])
    return eventsOf(world.logged).filter((event) => event === 'rpc_endpoint_shows_payments').length === 2
  })
})

test('an endpoint that shows no classic payments denies none and proves no absence', async () => {
  const endpoint = await openEndpoint()
  const client = world.connect([endpoint.url])
  const since = world.now() / 1000
  const after = world.height()
  await world.submit(world.user(1), [pay(vault(), '9')])
  await world.closeLedger(10)
  const { final } = await world.chain.readPayments([vault()], after)
  const [payment] = final
  assert.ok(payment)
  endpoint.turn('off')
  await assert.rejects(client.paymentStatements(payment))
  await assert.rejects(
    client.absenceStatements({
      about: 'an order that was filled',
      from: payment.from,
      to: { account: vault(), token: payment.token },
      memo: '',
      sinceSeconds: since,
      untilSeconds: world.now() / 1000 - 1,
      nowSeconds: world.now() / 1000,
      isSought: (one) => one.txHash === payment.txHash,
    }),
  )
})

test('a node that lists fees with its transactions only shows classic payments, too', async () => {
  const url = await world.startRelayOf(async (call, honest) => {
    const answer = await honest(call)
    return call.method === 'getEvents' && 'result' in answer
      ? { result: { ...membersOf(answer.result), events: [] } }
      : answer
  })
  await world.submit(world.user(1), [pay(vault(), '8')])
  await world.closeLedger()
  assert.match(await checked(url), /^ok /)
})
