import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStellarWorld, type StellarWorld } from '../../../test/stellar-world.ts'
import { keysOfVault } from '../../core/vault-signers.ts'
import { checkVault } from './check-vault.ts'

let world: StellarWorld

before(async () => {
  world = await openStellarWorld()
})

after(() => world.close())

test('a vault with other keys or thresholds than those of the network file is an error that names the mend', async () => {
  const { chain } = world
  const native = world.token('XLM')
  let lumens: bigint | undefined
  const accounts = chain.sharedAccounts
  assert.ok(accounts)
  const [service, cosigner, recovery] = [0, 1, 2].map((index) => world.user(index).publicKey())
  assert.ok(service && cosigner && recovery)
  const signers = { service, cosigner, recovery }
  const attested = { settler: service, finalitySeconds: 1 }
  const lumensOf = async (account: string) => lumens ?? (await chain.balances(account, [native])).amounts[0]
  type Part = typeof attested & { signers?: typeof signers; channels?: string[] }
  const lookAll = async (part: Part) =>
    (await checkVault({ chainId: chain.chainId, attested: part }, { ...accounts, lumensOf })).map(
      ({ level, says }) => `${level} ${says}`,
    )
  const look = async (part: Part) => (await lookAll(part))[0] ?? ''
  assert.match(await look(attested), /^error missing: name the three keys .*`rfq vault-signers`/)
  assert.match(
    await look({ ...attested, signers }),
    new RegExp(`^error ${service} has weight 1, expected 2; .*medium threshold is 0, expected 4; .*: run`),
  )
  assert.match(
    (await lookAll({ ...attested, signers }))[1] ?? '',
    /^warning .* does not have config\.memo_required = 1, .*: run `rfq vault-signers`/,
  )
  const plan = await accounts.planKeys(service, keysOfVault(signers))
  assert.ok(plan)
  const { rawTransaction } = await accounts.submission(
    await accounts.signPlan(plan, [world.user(0).secret()]),
  )
  await chain.broadcast(rawTransaction)
  await world.closeLedger()
  for (const line of await lookAll({ ...attested, signers })) assert.match(line, /^ok /)
  const channel = world.user(7).publicKey()
  assert.match(
    (await lookAll({ ...attested, signers, channels: [channel] }))[2] ?? '',
    new RegExp(`^warning ${channel}: .*run \`rfq vault-signers --channel ${channel}\``),
  )
  const withChannel = { ...attested, signers, channels: [channel] }
  assert.match((await lookAll(withChannel))[3] ?? '', /^ok G\w+ can spend \d+ base units of XLM$/)
  lumens = 39_999_999n
  assert.match(
    (await lookAll(withChannel))[3] ?? '',
    /^warning G\w+ can spend 39999999 .*, less than the 40000000 that the fee of one payout may reach: send it lumens$/,
  )
  assert.match(
    await look({ ...attested, signers: { ...signers, recovery: world.user(3).publicKey() } }),
    /^error .* has weight 0, expected 1; .* has weight 1, expected 0: run/,
  )
})
