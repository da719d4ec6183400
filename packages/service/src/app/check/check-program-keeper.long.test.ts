import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type BackendWorld, startBackendWorld } from '../../../test/backend-world.ts'
import { eventually } from '../../../test/eventually.ts'
import { SOLANA_NATIVE_TOKEN } from '../../chains/solana/address.ts'
import { encodeBase58 } from '../../chains/solana/base58.ts'
import { checkProgramKeeper } from './check-program-keeper.ts'

let world: BackendWorld
before(async () => {
  world = await startBackendWorld({ withPaymentChains: true })
})
after(() => world.stop())

/** What the check says of a family's chain with a secret there; it has one line at most. */
const look = async (family: 'solana' | 'stellar', secret?: string): Promise<string | undefined> => {
  const { network, paymentChains } = world.deps
  const chain = network.chains.find(({ chainType }) => chainType === family) ?? assert.fail()
  const connected = paymentChains.get(chain.chainId) ?? assert.fail()
  const keeperSecrets = new Map(secret === undefined ? [] : [[chain.chainId, secret]])
  const [finding, ...more] = await checkProgramKeeper({ keeperSecrets }, chain, connected)
  assert.deepEqual(more, [])
  return finding === undefined ? undefined : `${finding.level} ${finding.subject}: ${finding.says}`
}

/** A new account, with its secret as wallets export it. */
const newKey = (): { readonly address: string; readonly secret: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const account = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return { address: encodeBase58(account), secret: encodeBase58(Buffer.concat([seed, account])) }
}

test("the keeper's balance on a chain with an escrow program is told, and what it lacks", async () => {
  const solana = world.simulatedChains.find(({ chain }) => chain.chainType === 'solana') ?? assert.fail()
  const told = async (secret: string | undefined, line: RegExp): Promise<void> => {
    let said: string | undefined
    await eventually(
      () => `${line} is told: ${said}`,
      async () => {
        said = await look('solana', secret)
        return said !== undefined && line.test(said)
      },
    )
  }
  await told(solana.keeper?.privateKey, /^ok chain solana:\w+ keeper: holds \d{9,} base units of SOL$/)
  await told(undefined, /^warning .*: KEEPER_SECRETS has no account here: refunds wait until somebody else/)
  const { address, secret } = newKey()
  await told(secret, /^error .*: \w+ holds no SOL: send it gas, or refunds wait$/)
  await solana.faucet(SOLANA_NATIVE_TOKEN, address, 25_000_000n)
  await told(
    secret,
    /^warning .*: \w+ holds 24109120 base units of SOL, less than the 24500000 that 10 refunds may cost: send it gas$/,
  )
  await solana.faucet(SOLANA_NATIVE_TOKEN, address, 1_000_000n)
  await told(secret, /^ok .*: holds 25109120 base units of SOL$/)
  assert.equal(await look('stellar'), undefined)
})
