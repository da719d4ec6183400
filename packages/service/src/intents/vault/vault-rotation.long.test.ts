import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openCosignerWorld } from '../../../test/cosigner-world.ts'
import { until } from '../../../test/eventually.ts'
import { createSigningScene } from '../../../test/signing-scene.ts'

/** How far a payout has come when the key is lost. */
const IN_FLIGHT = [
  'signed by the service alone',
  'signed by both and withheld',
  'landed and not seen',
] as const
type InFlight = (typeof IN_FLIGHT)[number]

const open = async (context: TestContext) => {
  const world = await openCosignerWorld()
  const scene = createSigningScene(world)
  context.after(async () => {
    await world.closeAll()
    scene.remove()
  })
  return { world, scene }
}

/** Submits a refund and stops the service; the payout as it was sent, if it was. */
const leaveInFlight = async (
  { world, scene }: Awaited<ReturnType<typeof open>>,
  due: Awaited<ReturnType<typeof scene.dueRefund>>,
  inFlight: InFlight,
): Promise<string | undefined> => {
  const server = await scene.serve()
  const service = await scene.openService(server.port)
  let sent: string | undefined
  try {
    if (inFlight === 'signed by the service alone') await server.stop()
    if (inFlight === 'signed by both and withheld') world.node.dropNext(1)
    service.note(due.payout.key, due.grounds)
    const { txHash } = await service.outbox.submit(due.payout)
    // A round would send the withheld one again.
    if (inFlight === 'signed by both and withheld') await until(() => service.sent().length > 0)
    else await service.outbox.round()
    if (inFlight === 'landed and not seen') {
      await world.closeLedger()
      assert.equal((await world.server.getTransaction(txHash)).status, 'SUCCESS')
    }
    sent = service.sent().at(-1)
  } finally {
    await service.close()
    if (inFlight !== 'signed by the service alone') await server.stop()
  }
  return sent
}

for (const lost of ['service', 'cosigner'] as const)
  for (const inFlight of IN_FLIGHT)
    test(`when the key of the ${lost} is lost, a payout that is ${inFlight} is paid once under the rotated keys`, async (context) => {
      const opened = await open(context)
      const { world, scene } = opened
      const due = await scene.dueRefund()
      const from = world.height()
      const sent = await leaveInFlight(opened, due, inFlight)
      await world.rotate(lost)
      // A thief of the lost key, who kept the transaction, sends it now.
      if (sent !== undefined) await world.chain.broadcast(sent).catch(() => undefined)
      await world.closeLedger()

      const server = await scene.serve()
      const service = await scene.openService(server.port)
      context.after(async () => {
        await service.close()
        await server.stop()
      })
      assert.equal(service.signing.fault(), undefined)
      service.note(due.payout.key, due.grounds)
      await until(async () => {
        await service.outbox.round()
        await world.closeLedger(20)
        return (await service.store.findPayout(due.payout.key))?.outcome === 'succeeded'
      })
      for (let more = 0; more < 5; more += 1) {
        await service.outbox.round()
        await world.closeLedger(20)
      }
      const { final } = await world.chain.readPayments([world.vault], from)
      const paid = final.filter(({ from: payer, memo }) => payer === world.vault && memo === due.payout.memo)
      assert.deepEqual(
        paid.map(({ to, amount }) => [to, amount]),
        [[due.payout.recipient, due.payout.amount]],
      )
    })
