import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, http, keccak256, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import type { EvmChain } from '../src/chains/evm/evm-chain.ts'
import { createEvmChain } from '../src/chains/evm/index.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { createTransactionOutbox, type KeyedCall } from '../src/transactions/transaction-outbox.ts'
import { type PrivateAnvil, startAnvil } from './private-anvil.ts'

/** Anvil's first account, whose key is public. */
export const KEEPER_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
export const CHAIN_NUMBER = 31_996
const CHAIN_ID = `eip155:${CHAIN_NUMBER}`
/** Timing that is quick for a test and tolerates a busy machine. */
const QUICK = { roundMs: 30, rebroadcastMs: 200, patienceMs: 400 }

/** A contract that counts, per first word of calldata, how often it was called. */
export const COUNTER = '0xc0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0'
const COUNTER_CODE = '0x5f358054600101905500'
/** A contract that reverts every call. */
export const REFUSER = '0xc1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1'
const REFUSER_CODE = '0x5f5ffd'

const slotOf = (key: string): `0x${string}` => keccak256(stringToHex(key))

/** The call that the counter counts under the key. */
export const counted = (key: string, changes: Partial<KeyedCall> = {}): KeyedCall => ({
  key,
  to: COUNTER,
  data: slotOf(key),
  value: 0n,
  gasLimit: 60_000n,
  ...changes,
})

/** The chain of a running anvil as the service reads it; a block is final under `finality` others. */
export const connectChain = (rpcUrls: string | readonly string[], finality = 0): EvmChain =>
  createEvmChain({
    chainId: CHAIN_ID,
    rpcUrls: [rpcUrls].flat(),
    finality,
    now: Date.now,
    log: () => undefined,
    timing: { pollMs: 20, observeMs: 60_000 },
  })

/** An outbox of the keeper's account on a chain, with a store. */
export const openOutbox = (store: Store, chain: EvmChain, lines: string[] = [], now = Date.now) =>
  createTransactionOutbox({
    store,
    chain,
    privateKey: KEEPER_KEY,
    now,
    log: (level, message) => lines.push(`${level} ${message}`),
    timing: QUICK,
  })

/** States of more blocks than a test mines before it reorganises all of them. */
const KEPT_STATES = '4000'

/** An anvil with the counter contract, and reads of its state. */
export const startOutboxWorld = async () => {
  const anvil: PrivateAnvil = await startAnvil(CHAIN_NUMBER, '--prune-history', KEPT_STATES)
  const client = createPublicClient({ transport: http(anvil.rpcUrl, { timeout: 60_000 }) })
  await anvil.rpc('anvil_setCode', COUNTER, COUNTER_CODE)
  await anvil.rpc('anvil_setCode', REFUSER, REFUSER_CODE)
  const sender = privateKeyToAccount(KEEPER_KEY).address
  return {
    anvil,
    /** The number of mined calls of the key. */
    callsOf: async (key: string): Promise<number> =>
      Number(z.string().parse(await anvil.rpc('eth_getStorageAt', COUNTER, slotOf(key), 'latest'))),
    transactionsOfSender: () => client.getTransactionCount({ address: sender }),
    mine: (count = 1) => anvil.rpc('anvil_mine', `0x${count.toString(16)}`),
  }
}

/** A SQLite store in its own folder; `reopen` closes it and opens the same file again. */
export const openOwnStore = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-outbox-'))
  const open = (): Promise<Store> => openSqliteStore({ directory, log: () => undefined })
  let store = await open()
  return {
    directory,
    store: () => store,
    reopen: async (): Promise<Store> => {
      await store.close()
      store = await open()
      return store
    },
    remove: async (): Promise<void> => {
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
