import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  address,
  assertIsTransactionWithBlockhashLifetime,
  generateKeyPairSigner,
  getBase58Encoder,
  getTransactionDecoder,
  sendAndConfirmTransactionFactory,
} from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import { getAddMemoInstruction } from '@solana-program/memo'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import fc from 'fast-check'
import {
  holdingOf,
  MEMO_PROGRAM,
  programOf,
  rejectsWith,
  type SolanaFixture,
  startSolanaFixture,
  stopSolanaFixture,
} from '../../test/solana-fixture.ts'
import type { SolanaToken } from './genesis.ts'

let fixture: SolanaFixture

before(async () => {
  fixture = await startSolanaFixture()
})
after(() => stopSolanaFixture(fixture))

/**
 * The instructions of a wallet's deposit: compute limit, unit price, the recipient's token account, the transfer and a
 * memo.
 */
const depositOf = async (token: SolanaToken, recipient: { readonly address: string }, amount: bigint) => {
  const { alice } = fixture
  const tokenProgram = programOf(token)
  const owner = address(recipient.address)
  const destination = await holdingOf(token, recipient)
  const source = await holdingOf(token, alice)
  return [
    getSetComputeUnitLimitInstruction({ units: 60_000 }),
    getSetComputeUnitPriceInstruction({ microLamports: 10_001n }),
    getCreateAssociatedTokenIdempotentInstruction({
      payer: alice,
      ata: destination,
      owner,
      mint: token.address,
      tokenProgram,
    }),
    getTransferCheckedInstruction(
      { source, mint: token.address, destination, authority: alice, amount, decimals: token.decimals },
      { programAddress: tokenProgram },
    ),
    getAddMemoInstruction({ memo: 'rfq:deposit', signers: [alice] }, { programAddress: MEMO_PROGRAM }),
  ]
}

test('derives its chain id from its genesis hash', async () => {
  const genesisHash = await fixture.rpc.getGenesisHash().send()
  assert.equal(getBase58Encoder().encode(genesisHash).length, 32)
  assert.equal(fixture.cluster.chainId, `solana:${genesisHash.slice(0, 32)}`)
  assert.equal(fixture.cluster.tokens[0]?.address, '1'.repeat(32))
})

test('starts with ten funded accounts and the configured wallets', async () => {
  const { cluster, rpc, wallet } = fixture
  const owners = [...cluster.accounts.slice(4), { address: wallet }]
  assert.equal(owners.length, 7)
  for (const owner of owners) {
    assert.equal(await fixture.lamportsOf(address(owner.address)), 10_000_000_000_000n)
    for (const token of cluster.tokens.slice(1)) {
      const { value } = await rpc.getTokenAccountBalance(await holdingOf(token, owner)).send()
      assert.equal(value.uiAmountString, '1000000')
    }
  }
})

test("kit's sendAndConfirmTransaction confirms and finalizes a transfer", async () => {
  const running = await startSolanaFixture(50)
  try {
    const { rpc, subscriptions, alice, bob } = running
    const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions: subscriptions })
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const { value: latest } = await rpc.getLatestBlockhash().send()
      const { transaction, signature } = await running.sign(
        alice,
        [getTransferSolInstruction({ source: alice, destination: bob.address, amount: 5n })],
        latest,
      )
      assertIsTransactionWithBlockhashLifetime(transaction)
      await sendAndConfirm(transaction, { commitment })
      const status = await running.statusOf({ signature })
      assert.equal(status?.err, null)
      assert.ok(commitment === 'confirmed' || status?.confirmationStatus === 'finalized')
    }
  } finally {
    await stopSolanaFixture(running)
  }
})

for (const symbol of ['USDC', 'T22'])
  test(`includes a deposit of ${symbol} with its exact fee, balances, inner instructions and memo`, async () => {
    const { rpc, cluster, alice } = fixture
    const token = cluster.tokens.find((known) => known.symbol === symbol)
    assert.ok(token)
    const recipient = await generateKeyPairSigner()
    const signed = await fixture.sign(alice, await depositOf(token, recipient, 1_234_567n))
    const quoted = await rpc
      // CAST: the API's brand for base64 text.
      .getFeeForMessage(signed.messageBase64 as Parameters<typeof rpc.getFeeForMessage>[0], {
        commitment: 'processed',
      })
      .send()
    await fixture.submit(signed)
    cluster.advance(2)
    const landed = await rpc
      .getTransaction(signed.signature, {
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
        commitment: 'confirmed',
      })
      .send()
    assert.ok(landed?.meta)
    assert.equal(landed.meta.err, null)
    assert.equal(landed.meta.fee, 5_000n + 601n)
    assert.equal(quoted.value, landed.meta.fee)
    const sum = (balances: readonly bigint[]) => balances.reduce((one, other) => one + other, 0n)
    assert.equal(sum(landed.meta.preBalances) - sum(landed.meta.postBalances), landed.meta.fee)
    const received = landed.meta.postTokenBalances?.find(({ owner }) => owner === recipient.address)
    assert.equal(received?.uiTokenAmount.amount, '1234567')
    assert.equal(received?.mint, token.address)
    assert.equal(received?.programId, token.program)
    assert.equal(landed.meta.preTokenBalances?.length, 1)
    assert.equal(landed.meta.innerInstructions?.[0]?.index, 2)
    assert.ok(landed.meta.innerInstructions[0].instructions.every(({ stackHeight }) => stackHeight === 2))
    const [own] = await rpc.getSignaturesForAddress(recipient.address, { commitment: 'confirmed' }).send()
    assert.equal(own?.memo, '[11] rfq:deposit')
    assert.equal(own.signature, signed.signature)
  })

test('returns a transaction in every encoding and rejects an unsupported version', async () => {
  const { rpc, cluster, alice, bob } = fixture
  const { signature, wire } = await fixture.land(alice, [
    getTransferSolInstruction({ source: alice, destination: bob.address, amount: 7n }),
    getAddMemoInstruction({ memo: 'hällo' }, { programAddress: MEMO_PROGRAM }),
  ])
  cluster.advance(1)
  const config = { maxSupportedTransactionVersion: 0, commitment: 'confirmed' } as const
  const parsed = await rpc.getTransaction(signature, { ...config, encoding: 'jsonParsed' }).send()
  const [payer, recipient] = parsed?.transaction.message.accountKeys ?? []
  assert.deepEqual(payer, { pubkey: alice.address, signer: true, source: 'transaction', writable: true })
  assert.equal(recipient?.signer, false)
  const memo = parsed?.transaction.message.instructions[1]
  assert.ok(memo && 'parsed' in memo)
  assert.equal(String(memo.parsed), 'hällo')
  const base64 = await rpc.getTransaction(signature, { ...config, encoding: 'base64' }).send()
  assert.equal(base64?.transaction[0], wire)
  const base58 = await rpc.getTransaction(signature, { ...config, encoding: 'base58' }).send()
  const bytes = getBase58Encoder().encode(base58?.transaction[0] ?? '')
  assert.ok(getTransactionDecoder().decode(bytes).signatures[alice.address])
  await rejectsWith(
    -32015,
    rpc.getTransaction(signature, { encoding: 'json', commitment: 'confirmed' }).send(),
  )
})

test('reads balances at the requested commitment', async () => {
  const { rpc, cluster, alice } = fixture
  const recipient = (await generateKeyPairSigner()).address
  await fixture.land(alice, [
    getTransferSolInstruction({ source: alice, destination: recipient, amount: 1_000_000n }),
  ])
  const read = async () => [
    await fixture.lamportsOf(recipient, 'processed'),
    await fixture.lamportsOf(recipient, 'confirmed'),
    await fixture.lamportsOf(recipient, 'finalized'),
  ]
  assert.deepEqual(await read(), [1_000_000n, 0n, 0n])
  cluster.advance(1)
  assert.deepEqual(await read(), [1_000_000n, 1_000_000n, 0n])
  cluster.advance(6)
  assert.deepEqual(await read(), [1_000_000n, 1_000_000n, 0n])
  cluster.advance(1)
  assert.deepEqual(await read(), [1_000_000n, 1_000_000n, 1_000_000n])
  const slot = await rpc.getSlot({ commitment: 'processed' }).send()
  await assert.rejects(rpc.getSlot({ commitment: 'finalized', minContextSlot: slot }).send(), {
    context: { __code: -32016, contextSlot: slot - 8n },
  })
})

test("pages through an address's history", async () => {
  const { rpc, cluster, alice } = fixture
  const recipient = (await generateKeyPairSigner()).address
  const sent: string[] = []
  for (let count = 1n; count <= 5n; count += 1n) {
    const { signature } = await fixture.land(alice, [
      getTransferSolInstruction({ source: alice, destination: recipient, amount: 1_000_000n + count }),
    ])
    sent.unshift(signature)
  }
  const page = async (config: object) =>
    (await rpc.getSignaturesForAddress(recipient, { commitment: 'confirmed', ...config }).send()).map(
      ({ signature }) => signature,
    )
  assert.deepEqual(await page({}), sent.slice(1), 'the newest transaction is not confirmed yet')
  cluster.advance(1)
  assert.deepEqual(await page({}), sent)
  assert.deepEqual(await page({ limit: 2 }), sent.slice(0, 2))
  assert.deepEqual(await page({ limit: 2, before: sent[1] }), sent.slice(2, 4))
  assert.deepEqual(await page({ until: sent[3] }), sent.slice(0, 3))
  assert.deepEqual(await page({ before: sent[0], until: sent[3] }), sent.slice(1, 3))
  assert.deepEqual(await page({ commitment: 'finalized' }), [])
})

test('conserves lamports and charges the fee that getFeeForMessage returns', async () => {
  const { rpc, cluster, alice, bob } = fixture
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        amount: fc.bigInt(0n, 10n ** 15n),
        units: fc.option(fc.integer({ min: 0, max: 2_000_000 })),
        price: fc.option(fc.bigInt(0n, 10n ** 7n)),
        memos: fc.integer({ min: 0, max: 2 }),
        signers: fc.constantFrom([alice], [alice, bob]),
      }),
      async ({ amount, units, price, memos, signers }) => {
        const recipient = (await generateKeyPairSigner()).address
        const signed = await fixture.sign(alice, [
          ...(units === null ? [] : [getSetComputeUnitLimitInstruction({ units })]),
          ...(price === null ? [] : [getSetComputeUnitPriceInstruction({ microLamports: price })]),
          getTransferSolInstruction({ source: alice, destination: recipient, amount }),
          ...Array.from({ length: memos }, () =>
            getAddMemoInstruction({ memo: 'x', signers: [...signers] }, { programAddress: MEMO_PROGRAM }),
          ),
        ])
        const { value: quoted } = await rpc
          .getFeeForMessage(signed.messageBase64 as never, { commitment: 'processed' })
          .send()
        await fixture.submit(signed, true)
        cluster.advance(2)
        const landed = await rpc
          .getTransaction(signed.signature, {
            encoding: 'json',
            maxSupportedTransactionVersion: 0,
            commitment: 'confirmed',
          })
          .send()
        assert.ok(landed?.meta)
        const { preBalances, postBalances, fee } = landed.meta
        const lost = preBalances.reduce(
          (sum, lamports, index) => sum + lamports - (postBalances[index] ?? 0n),
          0n,
        )
        assert.equal(lost, fee)
        assert.equal(quoted, fee)
      },
    ),
    { numRuns: 25 },
  )
})

test('answers the cluster methods that clients use', async () => {
  const { rpc, cluster } = fixture
  cluster.advance(12)
  const slot = await rpc.getSlot({ commitment: 'confirmed' }).send()
  const height = await rpc.getBlockHeight({ commitment: 'confirmed' }).send()
  assert.ok(height < slot)
  const block = await rpc
    .getBlock(slot, { commitment: 'confirmed', transactionDetails: 'signatures', rewards: false })
    .send()
  assert.equal(block?.blockHeight, height)
  assert.equal(await rpc.getBlockTime(slot).send(), block.blockTime)
  const { value: latest } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  assert.equal(latest.blockhash, block.blockhash)
  assert.equal(latest.lastValidBlockHeight, height + 150n)
  assert.equal((await rpc.isBlockhashValid(latest.blockhash, { commitment: 'processed' }).send()).value, true)
  const info = await rpc.getEpochInfo({ commitment: 'confirmed' }).send()
  assert.deepEqual([info.absoluteSlot, info.blockHeight], [slot, height])
  assert.equal((await rpc.getBlocks(slot - 3n, slot, { commitment: 'confirmed' }).send()).length, 4)
  assert.ok((await rpc.getRecentPrioritizationFees().send()).length > 0)
  assert.equal(await rpc.getHealth().send(), 'ok')
  await rejectsWith(-32007, rpc.getBlock(5n, { commitment: 'confirmed' }).send())
})
