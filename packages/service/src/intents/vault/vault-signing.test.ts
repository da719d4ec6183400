import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { type CosignerWorld, openCosignerWorld } from '../../../test/cosigner-world.ts'
import { until } from '../../../test/eventually.ts'
import { keysOfVault } from '../../core/vault-signers.ts'
import { createHttpClient } from '../../lib/http-client.ts'
import { openSqliteStore } from '../../store/sqlite.ts'
import { createFactCheck } from '../../transactions/fact-check.ts'
import { createPayoutOutbox } from '../../transactions/payout-outbox.ts'
import { startClaimServer } from '../attester/claim-server.ts'
import { cosignerEndpoints } from '../attester/cosigner-endpoints.ts'
import { createCosignerClient } from './cosigner-client.ts'
import { refundKey } from './obligations.ts'
import { createRenewals } from './renewals.ts'
import { createVaultSigning, type Grounds } from './vault-signing.ts'

let world: CosignerWorld
const directory = mkdtempSync(join(tmpdir(), 'openrfq-signing-'))

before(async () => {
  world = await openCosignerWorld()
})
after(async () => {
  await world.closeAll()
  rmSync(directory, { recursive: true, force: true })
})

/** The co-signer behind the attester's port. */
const serve = async (port = 0) =>
  startClaimServer({
    judge: async () => ({ kind: 'refused', reason: 'no claims here' }),
    status: () => ({ attester: `0x${'a'.repeat(40)}`, chains: [] }),
    solvers: [],
    furtherEndpoints: cosignerEndpoints({ cosigner: world.cosigner(), log: () => undefined }),
    host: '127.0.0.1',
    port,
    log: () => undefined,
  })

/** The service's side of the vault: its outbox, which one key alone cannot empty. */
const openService = async (port: number, channels: readonly string[] = []) => {
  const lines: string[] = []
  const log = (_: string, event: string): void => {
    lines.push(event)
  }
  const store = await openSqliteStore({ directory, log })
  const { vault, signers, chain, accounts, now } = world
  const secret = world.user('service').secret()
  const client = createHttpClient()
  const signing = createVaultSigning({
    ...{ chain, accounts, vault, channels, signers, store, now, log },
    client: createCosignerClient({
      chainId: chain.chainId,
      url: `http://127.0.0.1:${port}`,
      secret,
      client,
      now,
    }),
  })
  await signing.start()
  const renewals = createRenewals({
    ...{ chain, signing, now },
    guard: { allows: async () => true },
    factCheck: createFactCheck({ now, log }),
  })
  const outbox = createPayoutOutbox({
    ...{ store, secret, now, log },
    chain: signing.chain,
    decideRenewal: renewals.decide,
    timing: { roundMs: 5, rebroadcastMs: 0 },
  })
  return {
    ...{ lines, signing, outbox, store },
    note: (payoutKey: string, grounds: Grounds): void => {
      signing.note(payoutKey, grounds)
      renewals.note(payoutKey, async () => [])
    },
    close: async (): Promise<void> => {
      await signing.stop()
      await outbox.stop()
      client.close()
      await store.close()
    },
  }
}

/** An unfilled order, and what the service knows of its refund. */
const dueRefund = async (
  from: 'depositor' | 'thief' = 'depositor',
  part: Parameters<typeof world.order>[0] = {},
) => {
  const one = world.order({ depositor: world.user(from).publicKey(), ...part })
  await world.name(one)
  const deposit = await world.deposit(one, '50', from)
  await world.closeLedger(90)
  await world.closeLedger()
  await world.closeLedger()
  const key = refundKey(one.orderId)
  const payout = {
    key,
    recipient: one.order.depositor,
    token: one.order.inputToken,
    amount: one.order.inputAmount,
    memo: one.orderId,
    notAfterSeconds: undefined,
  }
  return { grounds: { key, evidenceOf: async () => world.evidenceOf(one, [deposit], { from }) }, payout }
}

test('a payout is sent with both signatures; without the co-signer nothing is, and all is paid after its return', async (context) => {
  let server = await serve()
  const { port } = server
  const service = await openService(port)
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

  const first = await dueRefund()
  assert.equal(await signing.isOwed(first.grounds), true)
  note(first.payout.key, first.grounds)
  await outbox.submit(first.payout)
  await paidSoon(first.payout.key)
  assert.equal(signing.fault(), undefined)

  const second = await dueRefund()
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

  server = await serve(port)
  await paidSoon(second.payout.key)
  assert.equal(signing.fault(), undefined)
  assert.ok(lines.includes('vault_payout_signed'))
})

/** A service with its co-signer, both closed with the test. */
const openBoth = async (context: TestContext) => {
  const server = await serve()
  const service = await openService(server.port)
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
  const bad = await dueRefund('thief')
  assert.equal(await signing.isOwed(bad.grounds), true)
  await world.payFrom('thief', [world.Operation.manageData({ name: 'config.memo_required', value: '1' })])
  await world.closeLedger(20)
  note(bad.payout.key, bad.grounds)
  await outbox.submit(bad.payout)
  const good = await dueRefund()
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
  const early = await dueRefund('depositor', { fillDeadline: seconds + 3_000, refundAfter: seconds + 6_000 })
  note(early.payout.key, early.grounds)
  await outbox.submit(early.payout)
  await passMinutes(2)
  assert.equal(await outcomeOf(early.payout.key), 'open')
  await passMinutes(3)
  assert.equal(await outcomeOf(early.payout.key), 'expired')
})

test('a vault whose keys on the chain are not those of the network file takes no deposits', async (context) => {
  const server = await serve()
  const { vault, accounts, signers } = world
  const stranger = world.user('stranger').publicKey()
  const plan = await accounts.planKeys(vault, keysOfVault({ ...signers, recovery: stranger }))
  assert.ok(plan)
  const keys = [world.user('service').secret(), world.user('cosigner').secret()]
  const { rawTransaction } = await accounts.submission(await accounts.signPlan(plan, keys))
  await world.chain.broadcast(rawTransaction)
  await world.closeLedger()
  const service = await openService(server.port)
  context.after(async () => {
    await service.close()
    await server.stop()
  })
  assert.equal(service.signing.fault(), 'other_keys')
  assert.ok(service.lines.includes('vault_keys_differ'))
})

test('several payouts are under way at once, each with a sequence number of its own, also when one is signed again', async (context) => {
  const server = await serve()
  const service = await openService(server.port, world.channels)
  context.after(async () => {
    await service.close()
    await server.stop()
  })
  const { note, outbox, store } = service
  const due = [await dueRefund(), await dueRefund(), await dueRefund(), await dueRefund()]
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
