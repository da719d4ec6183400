import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { address, createSolanaRpc } from '@solana/kit'
import { getCloseAccountInstruction } from '@solana-program/token'
import { eventually } from '../../../test/eventually.ts'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { ataOf, opening, tokens } from '../../../test/solana-instructions.ts'
import { createCatalog } from '../../chains/catalog.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { SOLANA_NATIVE_TOKEN } from '../../chains/solana/address.ts'
import type { SolanaMint } from '../../chains/solana/programs.ts'
import { IntentTerms, Network } from '../../core/network.ts'
import { createFactCheck } from '../../transactions/fact-check.ts'
import { createPayoutOutbox } from '../../transactions/payout-outbox.ts'
import { createEarlierPayouts } from './earlier-payouts.ts'
import { createOrderFacts } from './order-facts.ts'
import { createPaymentIndex } from './payment-index.ts'
import { createRenewals } from './renewals.ts'
import { vaultChainsOf } from './vault-chains.ts'
import { createVaultGuard } from './vault-guard.ts'
import { createVaultOperator } from './vault-operator.ts'

const AMOUNT = 3_000n

let cluster: SolanaCluster
let files: Awaited<ReturnType<typeof openOwnStore>>
let vault: ClusterWallet
let attacker: ClusterWallet
let other: ClusterWallet
let usdc: SolanaMint
let skippedMs = 0
const now = (): number => Date.now() + skippedMs

before(async () => {
  cluster = await startSolanaCluster()
  const [first, second, third] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined && third !== undefined)
  ;[vault, attacker, other] = [first, second, third]
  ;[usdc] = cluster.mints
  files = await openOwnStore()
  cluster.node.advance(10)
})
after(async () => {
  await cluster.stop()
  await files.remove()
})

/** The vault's chain as the service configures it. */
const configured = (chain: PaymentChain) => {
  const { chainId } = chain
  const rpcUrls = [cluster.node.rpcUrl]
  const catalog = createCatalog(
    Network.parse({
      chains: [
        {
          chainId,
          chainLabel: 'Solana',
          chainType: 'solana',
          nativeToken: { symbol: 'SOL', decimals: 9 },
          rpcUrls,
          trustSingleEndpoint: true,
          finality: 0,
          attested: { settler: vault.address, finalitySeconds: 0 },
        },
      ],
      tokens: [
        { chainId, address: SOLANA_NATIVE_TOKEN, symbol: 'SOL', name: 'Solana', decimals: 9, verified: true },
        {
          chainId,
          address: usdc.address,
          symbol: 'USDC',
          name: 'USD Coin',
          decimals: usdc.decimals,
          verified: true,
        },
      ],
    }),
  )
  const terms = IntentTerms.parse({ solvers: [{ name: 'One', address: `0x${'1'.repeat(40)}` }] })
  const paymentChains = new Map([[chainId, chain]])
  const [vaultChain] = vaultChainsOf({
    catalog,
    paymentChains,
    terms,
    prices: () => undefined,
    log: () => undefined,
  })
  assert.ok(vaultChain)
  return { vaultChain, terms, paymentChains }
}

/** A running vault; `pass` lets the chain and the vault's rounds go on. */
const startVault = async (lines: string[]) => {
  const { vaultChain, terms, paymentChains } = configured(await cluster.connect())
  const { chain } = vaultChain
  const store = files.store()
  const shared = { now, log: (level: string, event: string) => lines.push(`${level} ${event}`) }
  const facts = createPaymentIndex({ ...shared, vaultChains: [vaultChain], terms, store, pollMs: 5 })
  const { finalNumber, finalTime } = facts
  const earlier = createEarlierPayouts({ chain, vault: vault.address, store, finalNumber })
  const guard = createVaultGuard({ ...shared, vaultChain, store, finalTime })
  const factCheck = createFactCheck(shared)
  const renewals = createRenewals({ guard, factCheck })
  const outbox = createPayoutOutbox({
    ...shared,
    store,
    chain,
    earlier,
    secret: vault.secret,
    mayResign: renewals.allow,
  })
  const operator = createVaultOperator({
    ...shared,
    store,
    facts,
    factCheck,
    orderFacts: createOrderFacts({
      ...shared,
      evmChains: new Map(),
      paymentChains,
      orders: { finalBlock: () => undefined },
    }),
    evmFillOf: () => Promise.reject(new Error('there is no EVM chain')),
    vaultChains: [{ ...vaultChain, earlier, outbox, guard, renewals }],
  })
  const pass = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      await facts.round()
      await operator.round()
      await outbox.round()
      cluster.node.advance(4)
      skippedMs += 10_000
    }
  }
  return { pass }
}

const tokensOf = async (owner: string): Promise<bigint | undefined> => {
  const rpc = createSolanaRpc(cluster.node.rpcUrl)
  const { value } = await rpc
    .getAccountInfo(ataOf(owner, usdc), { commitment: 'confirmed', encoding: 'base64' })
    .send()
  return value === null ? undefined : Buffer.from(value.data[0], 'base64').readBigUInt64LE(64)
}

const lamportsOf = async (owner: string): Promise<bigint> => {
  const rpc = createSolanaRpc(cluster.node.rpcUrl)
  return (await rpc.getBalance(address(owner), { commitment: 'confirmed' }).send()).value
}

test('a deposit from an account that is closed at once spends none of the SOL of the vault', async () => {
  const lines: string[] = []
  const { pass } = await startVault(lines)
  const held = (await tokensOf(attacker.address)) ?? 0n
  await cluster.send(attacker, [tokens(attacker, other.address, usdc, held - AMOUNT)])
  cluster.node.advance(4)
  const before = await lamportsOf(vault.address)
  await cluster.send(attacker, [
    tokens(attacker, vault.address, usdc, AMOUNT),
    getCloseAccountInstruction({
      account: ataOf(attacker.address, usdc),
      destination: attacker.signer.address,
      owner: attacker.signer,
    }),
  ])
  cluster.node.advance(6)
  assert.equal(await tokensOf(attacker.address), undefined)
  await eventually('the vault looks at the payee of the return', async () => {
    await pass(1)
    return lines.includes('warn payout_recipient_unpayable') || (await lamportsOf(vault.address)) < before
  })
  await pass(10)
  assert.equal(await tokensOf(attacker.address), undefined)
  assert.equal(await lamportsOf(vault.address), before)

  await cluster.send(attacker, [opening(attacker, attacker.address, usdc)])
  await eventually('the return is paid', async () => {
    await pass(1)
    return (await tokensOf(attacker.address)) === AMOUNT
  })
  assert.ok(before - (await lamportsOf(vault.address)) < 10_000n)
})
