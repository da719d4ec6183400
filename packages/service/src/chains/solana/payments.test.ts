import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { address, createSolanaRpc, generateKeyPairSigner } from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import {
  getCloseAccountInstruction,
  getInitializeAccount3Instruction,
  getRecoverNestedAssociatedTokenInstruction,
  getTransferInstruction,
} from '@solana-program/token'
import fc from 'fast-check'
import { z } from 'zod'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { ataOf, lookupTable, memo, opening, sol, tokens } from '../../../test/solana-instructions.ts'
import type { Payment } from '../../core/payment.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import { parseExactJson } from './exact-json.ts'
import { paymentsOfTransaction } from './payments-of-transaction.ts'
import { PROGRAMS, type SolanaMint } from './programs.ts'
import { RecordedTransaction } from './rpc-answers.ts'

const WRAPPED_SOL = { address: 'So11111111111111111111111111111111111111112', decimals: 9 }

let cluster: SolanaCluster
let paymentChain: PaymentChain
let vault: ClusterWallet
let payer: ClusterWallet
let other: ClusterWallet
let usdc: SolanaMint
let t22: SolanaMint

before(async () => {
  cluster = await startSolanaCluster()
  paymentChain = await cluster.connect()
  const [first, second, third] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined && third !== undefined)
  ;[vault, payer, other] = [first, second, third]
  ;[usdc, t22] = cluster.mints
})
after(() => cluster.stop())

/** Payments of an account after a slot, once everything sent so far is final. */
const finalPayments = async (account: string, afterSlot: bigint): Promise<readonly Payment[]> => {
  cluster.node.advance(6)
  const { final, tentative } = await paymentChain.readPayments([account], afterSlot)
  assert.deepEqual(tentative, [])
  return final
}

/** The newest final slot, once it includes everything sent so far. */
const finalSlot = async (): Promise<bigint> => {
  cluster.node.advance(6)
  return createSolanaRpc(cluster.node.rpcUrl).getSlot({ commitment: 'finalized' }).send()
}

const briefly = ({ from, to, token, amount, memo: text }: Payment) => ({
  from,
  to,
  token,
  amount,
  memo: text,
})

test('every transfer of a transaction is a separate payment at a stable position', async () => {
  const start = await finalSlot()
  const signature = await cluster.send(payer, [
    sol(payer, vault.address, 5n),
    tokens(payer, vault.address, usdc, 7n),
    memo('first'),
    sol(payer, vault.address, 5n),
    tokens(payer, vault.address, t22, 9n),
    memo('second', PROGRAMS.memoV1),
    sol(payer, other.address, 11n),
  ])
  const found = await finalPayments(vault.address, start)
  const to = vault.address
  const from = payer.address
  assert.deepEqual(found.map(briefly), [
    { from, to, token: SOLANA_NATIVE_TOKEN, amount: 5n, memo: 'first' },
    { from, to, token: usdc.address, amount: 7n, memo: 'first' },
    { from, to, token: SOLANA_NATIVE_TOKEN, amount: 5n, memo: 'first' },
    { from, to, token: t22.address, amount: 9n, memo: 'first' },
  ])
  assert.deepEqual(
    found.map(({ position }) => position),
    [0, 1, 3, 4],
  )
  assert.deepEqual(new Set(found.map(({ txHash }) => txHash)), new Set([signature]))
  const paid = await finalPayments(payer.address, start)
  assert.deepEqual(
    paid.map(({ position }) => position),
    [0, 1, 3, 4, 6],
  )
})

test('a failed transaction has no payments', async () => {
  const start = await finalSlot()
  await cluster.send(payer, [sol(payer, vault.address, 5n), tokens(payer, vault.address, usdc, 1n << 63n)])
  assert.deepEqual(await finalPayments(vault.address, start), [])
})

test('reads payments of accounts that a lookup table names', async () => {
  const start = await finalSlot()
  const recent = await finalSlot()
  const entries = [ataOf(payer.address, usdc), ataOf(vault.address, usdc), address(usdc.address)]
  const { table, instructions } = await lookupTable(payer, recent, entries)
  await cluster.send(payer, instructions)
  cluster.node.advance(6)
  await cluster.send(payer, [tokens(payer, vault.address, usdc, 21n), memo('looked up')], [table])
  assert.deepEqual((await finalPayments(vault.address, start)).map(briefly), [
    { from: payer.address, to: vault.address, token: usdc.address, amount: 21n, memo: 'looked up' },
  ])
  // The lookup table's rent is a transfer by its program.
  const rent = (await finalPayments(payer.address, start)).filter(({ to }) => to === table)
  assert.ok(rent.length > 0 && rent.every(({ token }) => token === SOLANA_NATIVE_TOKEN))
})

test('transfers by programs are payments by the owner of the debited account', async () => {
  const start = await finalSlot()
  const nest = ataOf(vault.address, usdc)
  const nested = ataOf(nest, usdc)
  await cluster.send(payer, [
    opening(payer, nest, usdc),
    getTransferInstruction({
      source: ataOf(payer.address, usdc),
      destination: nested,
      authority: payer.signer,
      amount: 33n,
    }),
  ])
  cluster.node.advance(1)
  await cluster.send(vault, [
    getRecoverNestedAssociatedTokenInstruction({
      nestedAssociatedAccountAddress: nested,
      nestedTokenMintAddress: address(usdc.address),
      destinationAssociatedAccountAddress: ataOf(vault.address, usdc),
      ownerAssociatedAccountAddress: nest,
      ownerTokenMintAddress: address(usdc.address),
      walletAddress: vault.signer,
    }),
  ])
  assert.deepEqual((await finalPayments(vault.address, start)).map(briefly), [
    { from: nest, to: vault.address, token: usdc.address, amount: 33n, memo: undefined },
  ])
})

test('amounts without a known instruction are attributed to the fee payer', async () => {
  const start = await finalSlot()
  const wrapped = ataOf(payer.address, WRAPPED_SOL)
  await cluster.send(payer, [
    opening(payer, payer.address, WRAPPED_SOL),
    sol(payer, wrapped, 1_000n),
    getCloseAccountInstruction({
      account: wrapped,
      destination: vault.signer.address,
      owner: payer.signer,
    }),
    sol(payer, vault.address, 8n),
  ])
  const found = await finalPayments(vault.address, start)
  assert.deepEqual(
    found.map(({ from, amount }) => [from, amount]),
    [
      [payer.address, 8n],
      [payer.address, 2_039_280n + 1_000n],
    ],
  )
  assert.equal(new Set(found.map(({ position }) => position)).size, 2)
  // What others pay in a transaction is never attributed to an account just because it paid the fee.
  assert.deepEqual(
    (await finalPayments(payer.address, start))
      .filter(({ to }) => to === vault.address)
      .map(({ amount }) => amount),
    [8n],
  )
})

test('every endpoint confirms an amount without a known instruction', async () => {
  const start = await finalSlot()
  const wrapped = ataOf(payer.address, WRAPPED_SOL)
  await cluster.send(payer, [
    opening(payer, payer.address, WRAPPED_SOL),
    getCloseAccountInstruction({
      account: wrapped,
      destination: vault.signer.address,
      owner: payer.signer,
    }),
  ])
  const [paid] = await finalPayments(vault.address, start)
  assert.ok(paid !== undefined)
  assert.deepEqual(await paymentChain.paymentStatements(paid), [{ endpoint: 0, confirms: true }])
})

test("token payments count only in the owner's associated account", async () => {
  const start = await finalSlot()
  const drawer = await generateKeyPairSigner()
  await cluster.send(payer, [
    getCreateAccountInstruction({
      payer: payer.signer,
      newAccount: drawer,
      lamports: 2_039_280n,
      space: 165n,
      programAddress: address(PROGRAMS.token),
    }),
    getInitializeAccount3Instruction({
      account: drawer.address,
      mint: address(usdc.address),
      owner: vault.signer.address,
    }),
    getTransferInstruction({
      source: ataOf(payer.address, usdc),
      destination: drawer.address,
      authority: payer.signer,
      amount: 44n,
    }),
    sol(payer, vault.address, 3n),
  ])
  assert.deepEqual(
    (await finalPayments(vault.address, start)).map(({ token, amount }) => [token, amount]),
    [[SOLANA_NATIVE_TOKEN, 3n]],
  )
})

test("a token's transfer fee reduces the last payment first", async () => {
  const txHash = await cluster.send(payer, [
    tokens(payer, vault.address, t22, 7n),
    tokens(payer, vault.address, t22, 2n),
  ])
  cluster.node.advance(6)
  const response = await fetch(cluster.node.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getTransaction',
      params: [txHash, { encoding: 'json', maxSupportedTransactionVersion: 0 }],
    }),
  })
  const answer = z.object({ result: RecordedTransaction }).parse(parseExactJson(await response.text()))
  const index = [...answer.result.transaction.message.accountKeys].indexOf(ataOf(vault.address, t22))
  for (const [kept, expected] of [
    [0n, [7n, 2n]],
    [1n, [7n, 1n]],
    [2n, [7n]],
    [4n, [5n]],
    [9n, []],
  ] as const) {
    const { result } = structuredClone(answer)
    const holding = result.meta.postTokenBalances.find(({ accountIndex }) => accountIndex === index)
    assert.ok(holding !== undefined)
    holding.uiTokenAmount.amount = `${BigInt(holding.uiTokenAmount.amount) - kept}`
    const found = paymentsOfTransaction(result, paymentChain.chainId, new Set([vault.address]))
    assert.deepEqual(
      found.map(({ amount }) => amount),
      expected,
    )
  }
})

test('payments add up to the balance changes for any payers and payees', async () => {
  const people = [vault, payer, other]
  const assets = [SOLANA_NATIVE_TOKEN, usdc.address, t22.address]
  const transfers = fc.array(
    fc.record({ from: fc.nat(2), to: fc.nat(2), asset: fc.nat(2), amount: fc.bigInt(1n, 1_000_000n) }),
    { minLength: 1, maxLength: 5 },
  )
  const holdings = async () =>
    Promise.all(people.map(async (person) => (await paymentChain.balances(person.address, assets)).amounts))
  const fee = 5_000n
  await fc.assert(
    fc.asyncProperty(transfers, async (wanted) => {
      const start = await finalSlot()
      const before = await holdings()
      const chosen = wanted.flatMap(({ from, to, asset, amount }) => {
        const [source, target] = [people[from], people[to]]
        const mint = [undefined, usdc, t22][asset]
        if (source === undefined || target === undefined) return []
        return mint === undefined
          ? [sol(source, target.address, amount)]
          : [tokens(source, target.address, mint, amount)]
      })
      await cluster.send(payer, chosen)
      cluster.node.advance(6)
      const { final } = await paymentChain.readPayments(
        people.map((person) => person.address),
        start,
      )
      const after = await holdings()
      const signers = new Set([payer.address, ...wanted.map(({ from }) => people[from]?.address)])
      for (const [index, person] of people.entries())
        for (const [position, asset] of assets.entries()) {
          const moved = final
            .filter(({ token }) => token === asset)
            .reduce(
              (sum, { from, to, amount }) =>
                sum + (to === person.address ? amount : 0n) - (from === person.address ? amount : 0n),
              0n,
            )
          const fees = person === payer && position === 0 ? fee * BigInt(signers.size) : 0n
          assert.equal(moved - fees, (after[index]?.[position] ?? 0n) - (before[index]?.[position] ?? 0n))
        }
    }),
    { numRuns: 8 },
  )
})
