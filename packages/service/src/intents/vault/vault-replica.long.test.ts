import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { postgresBinaries, startPrivatePostgres } from '../../../test/private-postgres.ts'
import { createTestVault, passSeconds } from '../../../test/test-vault.ts'
import { openPostgresStore } from '../../store/postgres.ts'

const SETTLING_SECONDS = 20
const log = (): void => undefined

const binaries = postgresBinaries()

/** Copies the database of a server as a replica that stopped following it. */
const copyDatabase = async (url: string): Promise<string> => {
  const other = new URL(url)
  other.pathname = '/template1'
  const client = new pg.Client({ connectionString: other.href })
  await client.connect()
  await client.query('create database replica template postgres')
  await client.end()
  other.pathname = '/replica'
  return other.href
}

for (const state of ['landed', 'in flight'] as const)
  test(`a promoted replica that lacks a payout that is ${state} does not repeat it`, {
    skip: binaries === undefined && 'PostgreSQL is not installed: no initdb and postgres',
  }, async (context) => {
    const server = await startPrivatePostgres(binaries ?? '')
    context.after(server.stop)
    const first = await openPostgresStore({ url: server.url, log })
    const world = createTestVault(first)
    const reading = world.startService()
    await reading.facts.round()
    await reading.operator.round()
    const { orderId, muxedId } = await world.quote()
    world.origin.pay(world.deposit({ muxedId }))
    await passSeconds(world, reading, 5)
    await first.close()
    const replicaUrl = await copyDatabase(server.url)

    const primary = await openPostgresStore({ url: server.url, log })
    const paying = world.startService(primary)
    world.destination.pay(world.fill(orderId))
    if (state === 'in flight') world.origin.setIncluding(false)
    for (let second = 0; second < SETTLING_SECONDS; second += 1)
      if ((await primary.findPayout(`release:${orderId}`)) === undefined) await passSeconds(world, paying, 1)
    assert.equal((await primary.findPayout(`release:${orderId}`))?.outcome, 'open')
    if (state === 'landed') await passSeconds(world, paying, SETTLING_SECONDS)
    await primary.close()

    const replica = await openPostgresStore({ url: replicaUrl, log })
    context.after(replica.close)
    assert.equal(await replica.findPayout(`release:${orderId}`), undefined)
    const promoted = world.startService(replica)
    await passSeconds(world, promoted, 5)
    world.origin.setIncluding(true)
    await passSeconds(world, promoted, 2 * SETTLING_SECONDS)
    assert.deepEqual(world.paid(), [['solver', 'token', 1_000n]])
    assert.equal((await replica.findPayout(`release:${orderId}`))?.outcome, 'succeeded')
  })
