import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { type CosignerWorld, openCosignerWorld } from '../../../test/cosigner-world.ts'
import { until } from '../../../test/eventually.ts'
import { createSigningScene, type SigningScene } from '../../../test/signing-scene.ts'
import { keysOfVault } from '../../core/vault-signers.ts'

let world: CosignerWorld
let scene: SigningScene

before(async () => {
  world = await openCosignerWorld()
  scene = createSigningScene(world)
})
after(async () => {
  await world.closeAll()
  scene.remove()
})

test('a payout is sent with both signatures; without the co-signer nothing is, and all is paid after its return', async (context) => {
  let server = await scene.serve()
  const { port } = server
  const service = await scene.openService(port)
  context.after(async () => {
    await service.close()
    await server.stop()
  })
  const { signing, note, outbox, store, lines } = service
  const outcomeOf = async (key: string) => (await store.findPayout(key))?.outcome
  const paidSoon = (key: string) =>
    until(async () => {
      await outbox.round()
      await world.closeLedger()
      return (await outcomeOf(key)) === 'succeeded'
    })

  const first = await scene.dueRefund()
  assert.equal(await signing.isOwed(first.grounds), true)
  note(first.payout.key, first.grounds)
  await outbox.submit(first.payout)
  await paidSoon(first.payout.key)
  assert.equal(signing.fault(), undefined)

  const second = await scene.dueRefund()
  await server.stop()
  assert.equal(await signing.isOwed(second.grounds), false)
  note(second.payout.key, second.grounds)
  const { txHash } = await outbox.submit(second.payout)
  for (let minutes = 0; minutes < 11; minutes += 1) {
    await outbox.round()
    await world.closeLedger(60)
  }
  assert.equal(await signing.isOwed(second.grounds), false)
  assert.equal(signing.fault(), 'unsigned')
  assert.ok(signing.waitingSeconds() > 600)
  assert.equal(lines.filter((line) => line === 'vault_payout_unsigned').length, 1)
  assert.equal((await world.server.getTransaction(txHash)).status, 'NOT_FOUND')

  server = await scene.serve(port)
  await paidSoon(second.payout.key)
  assert.equal(signing.fault(), undefined)
  assert.ok(lines.includes('vault_payout_signed'))
})

test('a service that starts again counts the wait for the co-signer from the time at which the payout was signed', async () => {
  const due = await scene.dueRefund()
  const server = await scene.serve()
  await server.stop()
  const before = await scene.openService(server.port)
  before.note(due.payout.key, due.grounds)
  await before.outbox.submit(due.payout)
  await before.outbox.round()
  await before.close()
  await world.closeLedger(700)
  const service = await scene.openService(server.port)
  assert.equal(service.signing.fault(), undefined)
  service.note(due.payout.key, due.grounds)
  await service.outbox.round()
  assert.equal(service.signing.fault(), 'unsigned')
  assert.ok(service.signing.waitingSeconds() >= 700)
  assert.equal(service.lines.filter((line) => line === 'vault_payout_unsigned').length, 1)
  await service.close()

  const again = await scene.serve()
  const after = await scene.openService(again.port)
  after.note(due.payout.key, due.grounds)
  await until(async () => {
    await after.outbox.round()
    await world.closeLedger()
    return (await after.store.findPayout(due.payout.key))?.outcome === 'succeeded'
  })
  assert.equal(after.signing.fault(), undefined)
  await after.close()
  await again.stop()
})

/** A service with its co-signer, both closed with the test. */
const openBoth = async (context: TestContext) => {
  const server = await scene.serve()
  const service = await scene.openService(server.port)
  context.after(async () => {
    await service.close()
    await server.stop()
  })
  return {
    ...service,
    outcomeOf: async (key: string) => (await service.store.findPayout(key))?.outcome,
    passMinutes: async (minutes: number): Promise<void> => {
      for (let minute = 0; minute < minutes; minute += 1) {
        await service.outbox.round()
        await world.closeLedger(61)
      }
      await service.outbox.round()
    },
  }
}

test('a payout to a depositor that can be paid no more leaves the way to others, and quotes go on', async (context) => {
  const { signing, note, outbox, outcomeOf, passMinutes } = await openBoth(context)
  const bad = await scene.dueRefund('thief')
  assert.equal(await signing.isOwed(bad.grounds), true)
  await world.payFrom('thief', [world.Operation.manageData({ name: 'config.memo_required', value: '1' })])
  await world.closeLedger(20)
  note(bad.payout.key, bad.grounds)
  await outbox.submit(bad.payout)
  const good = await scene.dueRefund()
  await assert.rejects(outbox.submit(good.payout), /1 payouts of .* are open/)
  await passMinutes(3)
  assert.equal(await outcomeOf(bad.payout.key), 'expired')
  assert.equal(await signing.isOwed(good.grounds), true)
  note(good.payout.key, good.grounds)
  await outbox.submit(good.payout)
  await until(async () => {
    await outbox.round()
    await world.closeLedger()
    return (await outcomeOf(good.payout.key)) === 'succeeded'
  })
  await world.closeLedger(700)
  assert.deepEqual([signing.fault(), signing.waitingSeconds()], [undefined, 0])

  // Decided anew when it can be paid.
  await world.payFrom('thief', [world.Operation.manageData({ name: 'config.memo_required', value: null })])
  await world.closeLedger(20)
  assert.equal(await signing.isOwed(bad.grounds), true)
  const again = { ...bad.payout, key: `${bad.payout.key}:2` }
  note(again.key, bad.grounds)
  await outbox.submit(again)
  await until(async () => {
    await outbox.round()
    await world.closeLedger()
    return (await outcomeOf(again.key)) === 'succeeded'
  })
  assert.equal(await outcomeOf(bad.payout.key), 'expired')
})

test('a payout that the co-signer finds not owed yet leaves the way to others after minutes', async (context) => {
  const { note, outbox, outcomeOf, passMinutes } = await openBoth(context)
  const seconds = Math.floor(world.now() / 1000)
  const early = await scene.dueRefund('depositor', {
    fillDeadline: seconds + 3_000,
    refundAfter: seconds + 6_000,
  })
  note(early.payout.key, early.grounds)
  await outbox.submit(early.payout)
  await passMinutes(2)
  assert.equal(await outcomeOf(early.payout.key), 'open')
  await passMinutes(3)
  assert.equal(await outcomeOf(early.payout.key), 'expired')
})

test('a vault whose keys on the chain are not those of the network file takes no deposits', async (context) => {
  const server = await scene.serve()
  const { vault, accounts, signers } = world
  const stranger = world.user('stranger').publicKey()
  const plan = await accounts.planKeys(vault, keysOfVault({ ...signers, recovery: stranger }))
  assert.ok(plan)
  const keys = [world.user('service').secret(), world.user('cosigner').secret()]
  const { rawTransaction } = await accounts.submission(await accounts.signPlan(plan, keys))
  await world.chain.broadcast(rawTransaction)
  await world.closeLedger()
  const service = await scene.openService(server.port)
  context.after(async () => {
    await service.close()
    await server.stop()
  })
  assert.equal(service.signing.fault(), 'other_keys')
  assert.ok(service.lines.includes('vault_keys_differ'))
})

test('several payouts are under way at once, each with a sequence number of its own, also when one is signed again', async (context) => {
  const server = await scene.serve()
  const service = await scene.openService(server.port, world.channels)
  context.after(async () => {
    await service.close()
    await server.stop()
  })
  const { note, outbox, store } = service
  const due = [
    await scene.dueRefund(),
    await scene.dueRefund(),
    await scene.dueRefund(),
    await scene.dueRefund(),
  ]
  for (const { payout, grounds } of due) note(payout.key, grounds)
  world.node.dropNext(3)
  for (const { payout } of due.slice(0, 3)) await outbox.submit(payout)
  const last = due[3]?.payout
  assert.ok(last)
  await assert.rejects(outbox.submit(last), /3 payouts .* are open/)
  const openSources = async () => {
    const open = await store.listOpenPayouts(world.chain.chainId, world.vault)
    return Promise.all(open.map(({ rawTransaction }) => world.accounts.sourceOf(rawTransaction)))
  }
  assert.deepEqual((await openSources()).toSorted(), [...world.channels, world.vault].toSorted())
  const outcomes = async () =>
    Promise.all(due.map(async ({ payout }) => (await store.findPayout(payout.key))?.outcome))
  await until(async () => {
    await outbox.round()
    await world.closeLedger(20)
    const sources = await openSources()
    assert.equal(new Set(sources).size, sources.length)
    return (await outcomes()).slice(0, 3).every((outcome) => outcome === 'succeeded')
  })
  await outbox.submit(last)
  await until(async () => {
    await outbox.round()
    await world.closeLedger()
    return (await outcomes())[3] === 'succeeded'
  })
})
