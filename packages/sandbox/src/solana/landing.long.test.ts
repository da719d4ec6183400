import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type Address,
  generateKeyPairSigner,
  type Instruction,
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
} from '@solana/kit'
import { getAddMemoInstruction } from '@solana-program/memo'
import { getTransferSolInstruction } from '@solana-program/system'
import { getTransferInstruction } from '@solana-program/token'
import fc from 'fast-check'
import {
  holdingOf,
  rejectsWith,
  type SolanaFixture,
  startSolanaFixture,
  stopSolanaFixture,
} from '../../test/solana-fixture.ts'

let fixture: SolanaFixture

before(async () => {
  fixture = await startSolanaFixture()
})
after(() => stopSolanaFixture(fixture))

const RENT_FREE = 1_000_000n

const transfer = (destination: Address, amount = RENT_FREE): Instruction =>
  getTransferSolInstruction({ source: fixture.alice, destination, amount })

const newAddress = async (): Promise<Address> => (await generateKeyPairSigner()).address

const preflightCause = async (signed: Parameters<SolanaFixture['submit']>[0]) => {
  const error = await rejectsWith(-32002, fixture.submit(signed))
  assert.ok(isSolanaError(error.cause), String(error.cause))
  return { logs: 'logs' in error.context ? error.context.logs : undefined, cause: error.cause }
}

test('preflight rejects a failing transaction with its error and logs', async () => {
  const { alice, bob, usdc } = fixture
  const source = await holdingOf(usdc, alice)
  const destination = await holdingOf(usdc, bob)
  const tooMuch = await fixture.sign(alice, [
    getTransferInstruction({ source, destination, authority: alice, amount: 2n ** 60n }),
  ])
  const insufficient = await preflightCause(tooMuch)
  assert.equal(insufficient.cause.context.__code, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)
  assert.deepEqual(
    [insufficient.cause.context['code'], insufficient.cause.context['index']].map(Number),
    [1, 0],
  )
  assert.match(JSON.stringify(insufficient.logs), /insufficient funds/)

  const missing = await holdingOf(usdc, await generateKeyPairSigner())
  const noAccount = await fixture.sign(alice, [
    getTransferInstruction({ source, destination: missing, authority: alice, amount: 1n }),
  ])
  assert.match(String((await preflightCause(noAccount)).cause.message), /instruction #1|account/i)

  const pauper = await generateKeyPairSigner()
  const unpaid = await fixture.sign(pauper, [transfer(bob.address)])
  const noPayer = await preflightCause(unpaid)
  assert.equal(noPayer.cause.context.__code, SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND)

  const dust = await fixture.sign(alice, [transfer(await newAddress(), 1n)])
  assert.match((await preflightCause(dust)).cause.message, /rent/i)

  const absentProgram = await fixture.sign(alice, [
    getAddMemoInstruction({ memo: 'to a program that is not there' }),
  ])
  await preflightCause(absentProgram)
})

test('rejects a transaction with a wrong or missing signature', async () => {
  const { rpc, alice, bob, cluster } = fixture
  const { wire } = await fixture.sign(alice, [transfer(bob.address, 77n)])
  const bytes = Buffer.from(wire, 'base64')
  for (const forge of [(at: number) => (bytes[1] = at ^ 1), () => bytes.fill(0, 1, 65)]) {
    forge(bytes[1] ?? 0)
    // CAST: the API's brand for a transaction's base64 text.
    const forged = { wire: bytes.toString('base64') as typeof wire }
    await rejectsWith(-32003, fixture.submit(forged))
    const { value } = await rpc
      .simulateTransaction(forged.wire, { encoding: 'base64', commitment: 'processed' })
      .send()
    assert.equal(value.err, null, 'a simulation verifies signatures only when asked to')
    const before = await fixture.lamportsOf(bob.address)
    await fixture.submit(forged, true)
    cluster.advance(2)
    assert.equal(await fixture.lamportsOf(bob.address), before)
  }
})

test('includes a failed transaction with its fee when preflight is skipped', async () => {
  const { rpc, cluster, alice, bob, usdc } = fixture
  const source = await holdingOf(usdc, alice)
  const destination = await holdingOf(usdc, bob)
  const failing = await fixture.sign(alice, [
    getTransferInstruction({ source, destination, authority: alice, amount: 2n ** 61n }),
  ])
  const absentProgram = await fixture.sign(alice, [getAddMemoInstruction({ memo: 'not there' })])
  for (const signed of [failing, absentProgram]) {
    const before = await fixture.lamportsOf(alice.address)
    await fixture.submit(signed, true)
    cluster.advance(2)
    assert.ok((await fixture.statusOf(signed))?.err)
    const landed = await rpc
      .getTransaction(signed.signature, {
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
        commitment: 'confirmed',
      })
      .send()
    assert.ok(landed?.meta?.err)
    assert.equal(landed.meta.fee, 5_000n)
    assert.equal(await fixture.lamportsOf(alice.address), before - 5_000n)
  }
})

test('includes a transaction once, however often and however late it is sent', async () => {
  const { cluster, alice } = fixture
  const recipient = await newAddress()
  const signed = await fixture.sign(alice, [transfer(recipient)])
  await fixture.submit(signed)
  await fixture.submit(signed)
  cluster.advance(1)
  const twice = await preflightCause(signed)
  assert.equal(twice.cause.context.__code, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)
  for (let count = 0; count < 40; count += 1) {
    await fixture.submit(
      await fixture.sign(alice, [transfer(await newAddress(), RENT_FREE + BigInt(count))]),
      true,
    )
    await fixture.submit(signed, true)
    cluster.advance(1)
  }
  cluster.advance(100)
  await fixture.submit(signed, true)
  cluster.advance(60)
  assert.equal(
    (await preflightCause(signed)).cause.context.__code,
    SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  )
  await fixture.submit(signed, true)
  cluster.advance(1)
  assert.equal(await fixture.lamportsOf(recipient), RENT_FREE)
})

test('includes a transaction until the 150th block after its blockhash, and not later', async () => {
  const { rpc, cluster, alice } = fixture
  for (const [blocks, isRecorded] of [
    [149, true],
    [150, false],
  ] as const) {
    const recipient = await newAddress()
    const until = await fixture.lifetime()
    const signed = await fixture.sign(alice, [transfer(recipient)], until)
    cluster.advance(blocks)
    const height = await rpc.getBlockHeight({ commitment: 'processed' }).send()
    assert.equal(height < until.lastValidBlockHeight, isRecorded)
    await fixture.submit(signed, true)
    cluster.advance(1)
    assert.equal((await fixture.statusOf(signed)) !== null, isRecorded)
    assert.equal(await fixture.lamportsOf(recipient), isRecorded ? RENT_FREE : 0n)
  }
})

test('preflight checks the blockhash at the requested commitment', async () => {
  const { rpc, cluster, alice, bob } = fixture
  cluster.advance(1)
  const { wire } = await fixture.sign(alice, [transfer(bob.address)])
  await rejectsWith(
    -32002,
    rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'finalized' }).send(),
  )
})

for (const [stage, blocks] of [
  ['processed', 1],
  ['confirmed', 4],
] as const)
  test(`drops a ${stage} transaction with its forked block until somebody sends it again`, async () => {
    const { rpc, cluster, alice } = fixture
    const recipient = await newAddress()
    cluster.advance(2)
    const signed = await fixture.sign(alice, [transfer(recipient)])
    const before = await fixture.lamportsOf(alice.address)
    await fixture.submit(signed)
    cluster.advance(blocks)
    assert.equal((await fixture.statusOf(signed))?.confirmationStatus, stage)
    assert.deepEqual(cluster.fork(blocks), [signed.signature])
    assert.equal(await fixture.statusOf(signed), null)
    assert.equal(await fixture.lamportsOf(recipient), 0n)
    assert.equal(await fixture.lamportsOf(alice.address), before)
    const slot = await rpc.getSlot({ commitment: 'processed' }).send()
    assert.ok((await rpc.getSlot({ commitment: 'confirmed' }).send()) <= slot)
    cluster.advance(3)
    assert.equal(await rpc.getSlot({ commitment: 'processed' }).send(), slot + BigInt(blocks) + 3n)
    assert.equal(await fixture.statusOf(signed), null, 'the transaction came back without being sent again')
    const history = () => rpc.getSignaturesForAddress(recipient, { commitment: 'confirmed' }).send()
    assert.deepEqual(await history(), [])
    const read = { encoding: 'base64', maxSupportedTransactionVersion: 0, commitment: 'confirmed' } as const
    assert.equal(await rpc.getTransaction(signed.signature, read).send(), null)
    await fixture.submit(signed)
    cluster.advance(2)
    assert.equal((await fixture.statusOf(signed))?.confirmationStatus, 'confirmed')
    assert.equal(await fixture.lamportsOf(recipient), RENT_FREE)
    assert.equal((await history()).length, 1)
  })

test('never includes a transaction whose blockhash was forked away', async () => {
  const { cluster, alice } = fixture
  const recipient = await newAddress()
  cluster.advance(2)
  const signed = await fixture.sign(alice, [transfer(recipient)])
  cluster.fork(1)
  cluster.advance(1)
  await rejectsWith(-32002, fixture.submit(signed))
  await fixture.submit(signed, true)
  cluster.advance(2)
  assert.equal(await fixture.statusOf(signed), null)
  assert.equal(await fixture.lamportsOf(recipient), 0n)
})

test('rejects a fork of finalized blocks', async () => {
  const { cluster, alice } = fixture
  const recipient = await newAddress()
  const signed = await fixture.land(alice, [transfer(recipient)])
  cluster.advance(8)
  assert.equal((await fixture.statusOf(signed))?.confirmationStatus, 'finalized')
  assert.throws(() => cluster.fork(9), RangeError)
  cluster.fork(8)
  assert.equal((await fixture.statusOf(signed))?.confirmationStatus, 'finalized')
  assert.throws(() => cluster.fork(1), RangeError)
  cluster.advance(8)
})

test('keeps exactly the two transfers of each block that was not forked away', async () => {
  const { cluster, alice } = fixture
  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('pay' as const), to: fc.integer({ min: 0, max: 2 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('fork' as const), to: fc.integer({ min: 1, max: 3 }) }),
    },
  )
  let unique = 0n
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      cluster.advance(9)
      const recipients = [await newAddress(), await newAddress(), await newAddress()]
      const blocks: (readonly [number, bigint])[] = []
      for (const { kind, to } of steps) {
        if (kind === 'fork') {
          const depth = Math.min(to, blocks.length, 8)
          cluster.fork(depth)
          blocks.splice(blocks.length - depth)
        } else {
          unique += 2n
          const amount = RENT_FREE + unique
          const recipient = recipients[to] ?? alice.address
          await fixture.submit(await fixture.sign(alice, [transfer(recipient, amount)]))
          await fixture.land(alice, [transfer(recipient, 1n + amount)])
          blocks.push([to, 2n * amount + 1n])
        }
      }
      for (const [index, recipient] of recipients.entries()) {
        const expected = blocks.filter(([to]) => to === index).reduce((sum, [, amount]) => sum + amount, 0n)
        assert.equal(await fixture.lamportsOf(recipient), expected)
        const ofFinalized = blocks.slice(0, Math.max(0, blocks.length - 8)).filter(([to]) => to === index)
        const final = ofFinalized.reduce((sum, [, amount]) => sum + amount, 0n)
        const atLeastFinal = await fixture.lamportsOf(recipient, 'finalized')
        assert.ok(atLeastFinal >= final && atLeastFinal <= expected)
      }
    }),
    { numRuns: 15 },
  )
})

test('accepts a transaction it was told to lose, and never includes it', async () => {
  const { cluster, alice } = fixture
  const recipient = await newAddress()
  cluster.dropNext(1)
  const lost = await fixture.land(alice, [transfer(recipient)])
  const kept = await fixture.land(alice, [transfer(recipient, RENT_FREE + 1n)])
  assert.equal(await fixture.statusOf(lost), null)
  assert.equal((await fixture.statusOf(kept))?.err, null)
})
