import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Operation, type xdr } from '@stellar/stellar-sdk'
import { openStellarWorld, type StellarWorld } from '../../test/stellar-world.ts'
import { type VaultSignersOptions, vaultSigners } from './vault-signers.ts'

const folder = mkdtempSync(join(tmpdir(), 'rfq-signers-'))
let world: StellarWorld

before(async () => {
  world = await openStellarWorld()
})

after(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs the command with a network file that names three users as the keys of the first one's account. */
const run = (users: readonly [number, number, number], options: Partial<VaultSignersOptions>) => {
  const [service, cosigner, recovery] = users.map((index) => world.user(index).publicKey())
  const chain = {
    chainId: world.node.chainId,
    chainLabel: 'Stellar',
    chainType: 'stellar',
    nativeToken: { symbol: 'XLM', decimals: 7 },
    rpcUrls: [world.node.rpcUrl],
    trustSingleEndpoint: true,
    finality: 'finalized',
    passphrase: world.node.networkPassphrase,
    attested: {
      settler: world.user(0).publicKey(),
      finalitySeconds: 1,
      signers: { service, cosigner, recovery },
      channels: [world.user(7).publicKey()],
    },
  }
  const file = join(folder, 'network.json')
  writeFileSync(file, JSON.stringify({ chains: [chain], tokens: [] }))
  return vaultSigners(
    { RFQ_CONFIG: file },
    {
      chainId: undefined,
      channel: undefined,
      transaction: undefined,
      secrets: [],
      isSent: false,
      clock: { now: world.now, steady: world.now },
      log: () => undefined,
      ...options,
    },
  )
}

/** Runs the command while ledgers close. */
const runAndClose = async (...call: Parameters<typeof run>) => {
  let isOver = false
  const report = run(...call).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await world.closeLedger()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return report
}

test('plans a vault, and replaces the lost key of the service with a transaction that two machines sign', async () => {
  const planned = await run([0, 1, 2], {})
  assert.equal(planned.differences.length, 7)
  assert.equal(planned.plan?.signatures, 0)
  const made = await runAndClose([0, 1, 2], { secrets: [world.user(0).secret()], isSent: true })
  assert.deepEqual(made.differences, [])
  assert.equal((await run([0, 1, 2], {})).plan, undefined)

  const first = await run([3, 1, 2], { secrets: [world.user(1).secret()] })
  const second = await run([3, 1, 2], {
    transaction: first.plan?.transaction,
    secrets: [world.user(2).secret()],
  })
  assert.equal(second.plan?.signatures, 2)
  const rotated = await runAndClose([3, 1, 2], { transaction: second.plan?.transaction, isSent: true })
  assert.deepEqual(rotated.differences, [])
})

test("signs no transaction of another account than the vault's", async () => {
  const foreign = await world.chain.sharedAccounts?.planKeys(world.user(5).publicKey(), {
    weights: new Map([[world.user(5).publicKey(), 1]]),
    thresholds: { low: 1, medium: 1, high: 1 },
  })
  await assert.rejects(
    run([0, 1, 2], { transaction: foreign, secrets: [world.user(5).secret()] }),
    /the transaction is of /,
  )
})

test("gives a channel the service's key alone, and no other account", async () => {
  const channel = world.user(7).publicKey()
  const made = await runAndClose([0, 1, 2], { channel, secrets: [world.user(7).secret()], isSent: true })
  assert.deepEqual([made.vault, made.differences], [channel, []])
  assert.equal((await run([0, 1, 2], { channel })).plan, undefined)
  await assert.rejects(
    run([0, 1, 2], { channel: world.user(6).publicKey() }),
    /is not in "attested.channels" of stellar:/,
  )
})

test('a thief with one key of the vault gets the recovery key to sign no other keys than those of the network file', async () => {
  const [service, thief] = [world.user(3), world.user(8)]
  const signer = (ed25519PublicKey: string, weight: number): xdr.Operation =>
    Operation.setOptions({ signer: { ed25519PublicKey, weight } })
  const thefts: readonly (readonly [RegExp, xdr.Operation])[] = [
    [/signs with weight 4: the network file gives it 0/, signer(thief.publicKey(), 4)],
    [/signs with weight 4: the network file gives it 2/, signer(service.publicKey(), 4)],
    [/the medium threshold becomes 2: the network file has 4/, Operation.setOptions({ medThreshold: 2 })],
    [/signs with weight 4: the network file gives it 0/, Operation.setOptions({ masterWeight: 4 })],
  ]
  for (const [why, theft] of thefts) {
    const transaction = (await world.build(world.user(0), [theft])).toEnvelope().toXdr('base64')
    await assert.rejects(run([3, 1, 2], { transaction, secrets: [world.user(2).secret()] }), why)
  }
})
