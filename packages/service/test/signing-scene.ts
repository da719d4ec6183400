import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startClaimServer } from '../src/intents/attester/claim-server.ts'
import { cosignerEndpoints } from '../src/intents/attester/cosigner-endpoints.ts'
import { createCosignerClient } from '../src/intents/vault/cosigner-client.ts'
import { refundKey } from '../src/intents/vault/obligations.ts'
import { createRenewals } from '../src/intents/vault/renewals.ts'
import { createVaultSigning, type Grounds } from '../src/intents/vault/vault-signing.ts'
import { createHttpClient } from '../src/lib/http-client.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'
import { createFactCheck } from '../src/transactions/fact-check.ts'
import { createPayoutOutbox } from '../src/transactions/payout-outbox.ts'
import type { CosignerWorld } from './cosigner-world.ts'

/** Tests only: the service's side of the vault of a world, its co-signer's port, and refunds that are due. */
export const createSigningScene = (world: CosignerWorld) => {
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-signing-'))

  /** The co-signer behind the attester's port. */
  const serve = async (port = 0) =>
    startClaimServer({
      judge: async () => ({ kind: 'refused', reason: 'no claims here' }),
      status: () => ({ attester: `0x${'a'.repeat(40)}`, chains: [] }),
      solvers: [],
      furtherEndpoints: cosignerEndpoints({ cosigner: world.cosigner(), log: () => undefined }),
      host: '127.0.0.1',
      port,
      log: () => undefined,
    })

  /** The service's side of the vault: its outbox, which one key alone cannot empty. */
  const openService = async (port: number, channels: readonly string[] = []) => {
    const lines: string[] = []
    const log = (_: string, event: string): void => {
      lines.push(event)
    }
    const store = await openSqliteStore({ directory, log })
    const { vault, accounts, now } = world
    const sent: string[] = []
    const chain: CosignerWorld['chain'] = {
      ...world.chain,
      broadcast: (rawTransaction) => {
        sent.push(rawTransaction)
        return world.chain.broadcast(rawTransaction)
      },
    }
    const signers = world.signersNow()
    const secret = world.serviceSecret()
    const client = createHttpClient()
    const signing = createVaultSigning({
      ...{ chain, accounts, vault, channels, signers, store, now, log },
      client: createCosignerClient({
        chainId: chain.chainId,
        url: `http://127.0.0.1:${port}`,
        secret,
        client,
        now,
      }),
    })
    await signing.start()
    const renewals = createRenewals({
      ...{ chain, signing, now },
      guard: { allows: async () => true },
      factCheck: createFactCheck({ now, log }),
    })
    const outbox = createPayoutOutbox({
      ...{ store, secret, now, log },
      chain: signing.chain,
      decideRenewal: renewals.decide,
      timing: { roundMs: 5, rebroadcastMs: 0 },
    })
    return {
      ...{ lines, signing, outbox, store },
      /** What the service sent, with both signatures. */
      sent: (): readonly string[] => sent,
      note: (payoutKey: string, grounds: Grounds): void => {
        signing.note(payoutKey, grounds)
        renewals.note(payoutKey, async () => [])
      },
      close: async (): Promise<void> => {
        await signing.stop()
        await outbox.stop()
        client.close()
        await store.close()
      },
    }
  }

  /** An unfilled order, and what the service knows of its refund. */
  const dueRefund = async (
    from: 'depositor' | 'thief' = 'depositor',
    part: Parameters<typeof world.order>[0] = {},
  ) => {
    const one = world.order({ depositor: world.user(from).publicKey(), ...part })
    await world.name(one)
    const deposit = await world.deposit(one, '50', from)
    await world.closeLedger(90)
    await world.closeLedger()
    await world.closeLedger()
    const key = refundKey(one.orderId)
    const payout = {
      key,
      recipient: one.order.depositor,
      token: one.order.inputToken,
      amount: one.order.inputAmount,
      memo: one.orderId,
      notAfterSeconds: undefined,
    }
    return { grounds: { key, evidenceOf: async () => world.evidenceOf(one, [deposit], { from }) }, payout }
  }

  return {
    ...{ serve, openService, dueRefund },
    remove: (): void => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Tests only: the result of `createSigningScene`. */
export type SigningScene = ReturnType<typeof createSigningScene>
