import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import {
  address,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  fetchAddressesForLookupTables,
  fetchJsonParsedAccount,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { fetchMint, fetchToken, getTransferInstruction } from '@solana-program/token'
import fc from 'fast-check'
import {
  createTable,
  extendTable,
  holdingOf,
  programOf,
  rejectsWith,
  type SolanaFixture,
  startSolanaFixture,
  stopSolanaFixture,
} from '../../../test/solana-fixture.ts'
import { INTERCHAIN_TOKEN } from '../genesis.ts'

const SYSTEM_PROGRAM = address('11111111111111111111111111111111')

let fixture: SolanaFixture

before(async () => {
  fixture = await startSolanaFixture()
})
after(() => stopSolanaFixture(fixture))

test('answers the token methods for both token programs', async () => {
  const { rpc, cluster, alice } = fixture
  for (const token of cluster.tokens.filter(({ program }) => program !== null)) {
    const holding = await holdingOf(token, alice)
    const { value: balance } = await rpc.getTokenAccountBalance(holding).send()
    assert.equal(balance.decimals, token.decimals)
    const { value: supply } = await rpc.getTokenSupply(token.address).send()
    const locked = token.address === INTERCHAIN_TOKEN.address ? 1_000_000 : 0
    assert.equal(
      supply.uiAmountString,
      String(11_000_000 + locked),
      'ten accounts, the wallet and the token service hold the token',
    )
    const { value: owned } = await rpc
      .getTokenAccountsByOwner(alice.address, { mint: token.address }, { encoding: 'jsonParsed' })
      .send()
    assert.deepEqual(
      owned.map(({ pubkey }) => pubkey),
      [holding],
    )
    assert.equal(owned[0]?.account.data.parsed.info.mint, token.address)
    const { value: all } = await rpc
      .getTokenAccountsByOwner(alice.address, { programId: programOf(token) }, { encoding: 'base64' })
      .send()
    assert.equal(all.length, cluster.tokens.filter(({ program }) => program === token.program).length)
    const { value: largest } = await rpc.getTokenLargestAccounts(token.address).send()
    assert.equal(largest[0]?.decimals, token.decimals)
    const parsed = await fetchJsonParsedAccount<{ readonly supply: string }>(rpc, token.address)
    assert.ok(parsed.exists && 'supply' in parsed.data)
    assert.equal(parsed.data.supply, supply.amount)
  }
  const { usdc } = fixture
  const mint = await fetchMint(rpc, usdc.address)
  assert.equal(mint.data.decimals, 6)
  const holding = await fetchToken(rpc, await holdingOf(usdc, alice))
  assert.equal(holding.data.owner, alice.address)
  await rejectsWith(-32602, rpc.getTokenAccountBalance(alice.address).send())
})

test("returns accounts in every encoding, sliced, and among their program's accounts", async () => {
  const { rpc, alice, usdc } = fixture
  const holding = await holdingOf(usdc, alice)
  const { value: whole } = await rpc.getAccountInfo(holding, { encoding: 'base64' }).send()
  assert.ok(whole)
  const bytes = Buffer.from(whole.data[0], 'base64')
  assert.equal(bytes.length, 165)
  assert.equal(whole.space, 165n)
  const { value: packed } = await rpc.getAccountInfo(holding, { encoding: 'base64+zstd' }).send()
  assert.deepEqual(zstdDecompressSync(Buffer.from(packed?.data[0] ?? '', 'base64')), bytes)
  const slice = { offset: 32, length: 32 }
  const { value: owner } = await rpc.getAccountInfo(holding, { encoding: 'base58', dataSlice: slice }).send()
  assert.equal(owner?.data[0], alice.address)
  await rejectsWith(-32600, rpc.getAccountInfo(holding, { encoding: 'base58' }).send())
  const { value: several } = await rpc
    .getMultipleAccounts([holding, (await generateKeyPairSigner()).address], { encoding: 'base64' })
    .send()
  assert.deepEqual(several[0]?.data, whole.data)
  assert.equal(several[1], null)
  const found = await rpc
    .getProgramAccounts(programOf(usdc), {
      encoding: 'base64',
      filters: [
        { dataSize: 165n },
        // CAST: the API's brand for base58 text.
        { memcmp: { offset: 32n, bytes: alice.address as never, encoding: 'base58' } },
      ],
    })
    .send()
  const ofProgram = fixture.cluster.tokens.filter(({ program }) => program === usdc.program)
  const holdings = await Promise.all(ofProgram.map((token) => holdingOf(token, alice)))
  assert.deepEqual(found.map(({ pubkey }) => pubkey).toSorted(), holdings.toSorted())
  assert.equal(await rpc.getMinimumBalanceForRentExemption(0n).send(), 890_880n)
  assert.equal(await rpc.getMinimumBalanceForRentExemption(165n).send(), 2_039_280n)
})

test('creates lookup tables that kit fetches and transactions use', async () => {
  const { rpc, cluster, alice } = fixture
  cluster.advance(2)
  const recentSlot = await rpc.getSlot({ commitment: 'confirmed' }).send()
  const { table, instruction } = await createTable(alice.address, recentSlot)
  const recipients = await Promise.all(
    Array.from({ length: 4 }, async () => (await generateKeyPairSigner()).address),
  )
  await fixture.land(alice, [instruction, extendTable(table, alice.address, recipients)])
  cluster.advance(2)
  const tables = await fetchAddressesForLookupTables([table], rpc)
  assert.deepEqual(tables[table], recipients)

  const until = await fixture.lifetime()
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(alice, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(until, draft),
    (draft) =>
      appendTransactionMessageInstructions(
        recipients.map((destination) =>
          getTransferSolInstruction({ source: alice, destination, amount: 1_000_000n }),
        ),
        draft,
      ),
    (draft) => compressTransactionMessageUsingAddressLookupTables(draft, tables),
  )
  const transaction = await signTransactionMessageWithSigners(message)
  const signature = getSignatureFromTransaction(transaction)
  await fixture.submit({ wire: getBase64EncodedWireTransaction(transaction) })
  cluster.advance(2)
  for (const recipient of recipients) assert.equal(await fixture.lamportsOf(recipient), 1_000_000n)
  const landed = await rpc
    .getTransaction(signature, {
      encoding: 'json',
      maxSupportedTransactionVersion: 0,
      commitment: 'confirmed',
    })
    .send()
  assert.deepEqual([...(landed?.meta?.loadedAddresses.writable ?? [])].sort(), [...recipients].sort())
  assert.deepEqual(landed?.transaction.message.accountKeys, [alice.address, SYSTEM_PROGRAM])
  assert.equal(landed.meta?.postBalances.length, 6)
  const [entry] = await rpc
    .getSignaturesForAddress(address(recipients[0] ?? ''), { commitment: 'confirmed' })
    .send()
  assert.equal(entry?.signature, signature)
})

test('simulates without a change of state, with a replaced blockhash, accounts and return data', async () => {
  const { rpc, alice, bob, usdc } = fixture
  const source = await holdingOf(usdc, alice)
  const destination = await holdingOf(usdc, bob)
  const stale = { blockhash: (await fixture.lifetime()).blockhash, lastValidBlockHeight: 0n }
  const { wire } = await fixture.sign(
    alice,
    [getTransferInstruction({ source, destination, authority: alice, amount: 3n })],
    { ...stale, blockhash: stale.blockhash.replace(/./, '9') as never },
  )
  const { value: refused } = await rpc.simulateTransaction(wire, { encoding: 'base64' }).send()
  assert.equal(refused.err, 'BlockhashNotFound')
  const before = await rpc.getTokenAccountBalance(destination, { commitment: 'processed' }).send()
  const { value } = await rpc
    .simulateTransaction(wire, {
      encoding: 'base64',
      replaceRecentBlockhash: true,
      commitment: 'processed',
      innerInstructions: true,
      accounts: { addresses: [destination], encoding: 'jsonParsed' },
    })
    .send()
  assert.equal(value.err, null)
  assert.equal(value.fee, 5_000n)
  assert.ok(value.unitsConsumed && value.unitsConsumed > 0n)
  const [account] = value.accounts
  assert.ok(account && 'parsed' in account.data)
  const info = JSON.stringify(account.data.parsed.info)
  assert.match(info, new RegExp(`"amount":"${BigInt(before.value.amount) + 3n}"`))
  const { value: after } = await rpc.getTokenAccountBalance(destination, { commitment: 'processed' }).send()
  assert.equal(after.amount, before.value.amount)
})

test('answers JSON-RPC batches, notifications and errors as nodes do', async () => {
  const call = (id: unknown, method: string, params: unknown = []) => ({ jsonrpc: '2.0', id, method, params })
  const batch = await fixture.post(
    JSON.stringify([call(1, 'getHealth'), call('two', 'noSuchMethod'), call(3, 'getSlot', [7])]),
  )
  const answers: unknown = JSON.parse(batch.text)
  assert.ok(Array.isArray(answers))
  assert.deepEqual(answers[0], { jsonrpc: '2.0', result: 'ok', id: 1 })
  assert.deepEqual(
    answers.slice(1).map(({ id, error }) => [id, error.code]),
    [
      ['two', -32601],
      [3, -32602],
    ],
  )
  for (const [body, code] of [
    ['{', -32700],
    ['[]', -32600],
    ['{"id":1}', -32600],
    [JSON.stringify(call(1, 'getBalance', ['nonsense'])), -32602],
    [JSON.stringify(call(1, 'getBalance', [])), -32602],
    [JSON.stringify(call(1, 'getSlot', [{ commitment: 'single' }])), -32602],
    [JSON.stringify(call(1, 'sendTransaction', ['AAAA', { encoding: 'base64' }])), -32602],
    [JSON.stringify(call(1, 'sendTransaction', ['A'.repeat(1_700), { encoding: 'base64' }])), -32602],
    [JSON.stringify(call(1, '__proto__')), -32601],
  ] as const)
    assert.equal(JSON.parse((await fixture.post(body)).text).error.code, code, body.slice(0, 80))
  assert.equal((await fixture.post(JSON.stringify({ jsonrpc: '2.0', method: 'getHealth' }))).text, '')
  assert.equal((await fixture.post('x'.repeat(60_000))).status, 413)
  const rent = await fixture.post(
    JSON.stringify(call(1, 'getAccountInfo', [fixture.alice.address, { encoding: 'base64' }])),
  )
  assert.match(rent.text, /"rentEpoch":18446744073709551615/)
})

test('answers any parameters with a result or an error, never with an internal fault', async () => {
  const methods = [
    'getAccountInfo getBalance getMultipleAccounts getProgramAccounts getTokenAccountBalance',
    'getTokenAccountsByOwner getTokenSupply getTokenLargestAccounts getSignatureStatuses',
    'getSignaturesForAddress getTransaction getBlock getBlocks getBlockTime getFeeForMessage',
    'isBlockhashValid getLatestBlockhash getSlot getEpochInfo sendTransaction requestAirdrop',
    'simulateTransaction getMinimumBalanceForRentExemption getRecentPrioritizationFees',
  ].flatMap((line) => line.split(' '))
  const { alice, usdc } = fixture
  const { wire, signature, messageBase64 } = await fixture.land(alice, [])
  const known = [
    alice.address,
    usdc.address,
    usdc.program,
    signature,
    wire,
    messageBase64,
    '',
    0,
    1_001,
    2 ** 60,
  ]
  const config = fc.record(
    {
      encoding: fc.constantFrom('base58', 'base64', 'base64+zstd', 'jsonParsed', 'json', 'nonsense'),
      commitment: fc.constantFrom('processed', 'confirmed', 'finalized', 'single'),
      limit: fc.integer(),
      before: fc.constantFrom(signature, 'nonsense'),
      filters: fc.array(fc.record({ memcmp: fc.record({ offset: fc.nat(), bytes: fc.string() }) })),
      mint: fc.constantFrom(usdc.address, alice.address),
      programId: fc.constantFrom(usdc.program, alice.address),
      dataSlice: fc.record({ offset: fc.nat(), length: fc.nat() }),
      skipPreflight: fc.boolean(),
      accounts: fc.constantFrom({ addresses: [alice.address] }, 7),
      minContextSlot: fc.integer(),
    },
    { requiredKeys: [] },
  )
  const one = fc.oneof(
    fc.constantFrom<unknown>(...known),
    fc.array(fc.constantFrom<unknown>(...known)),
    config,
    fc.jsonValue(),
  )
  const batch = fc.array(fc.tuple(fc.constantFrom(...methods), fc.array(one, { maxLength: 3 })), {
    minLength: 20,
    maxLength: 20,
  })
  await fc.assert(
    fc.asyncProperty(batch, async (calls) => {
      const { text } = await fixture.post(
        JSON.stringify(calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))),
      )
      const faults = [...text.matchAll(/"code":-32603,"message":"([^"]*)"/g)].map(([, message]) => message)
      assert.deepEqual(faults, [])
      fixture.cluster.advance(1)
    }),
    { numRuns: 20 },
  )
})
