import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Memo, Operation, type xdr } from '@stellar/stellar-sdk'
import { signText } from '../src/chains/stellar/message-signature.ts'
import { muxedAddress } from '../src/chains/stellar/muxed-account.ts'
import { baseUnits } from '../src/core/amount.ts'
import type { IntentOrder, OrderId } from '../src/core/intent-order.ts'
import type { Payout } from '../src/core/payout.ts'
import { firstQuoteId } from '../src/core/quote-id.ts'
import { keysOfChannel, keysOfVault } from '../src/core/vault-signers.ts'
import { findPaymentFill } from '../src/intents/attester/payment-fill.ts'
import { createCosigner } from '../src/intents/cosigner/index.ts'
import { depositMuxedId } from '../src/intents/settlers/deposit-reference.ts'
import { createPaidFact } from '../src/intents/settlers/paid-fact.ts'
import { saltOf } from '../src/intents/settlers/quoted-order.ts'
import { orderIdOf } from '../src/intents/settlers/settler-contract.ts'
import {
  namedOrdersText,
  type PayoutAnswer,
  type PayoutEvidence,
} from '../src/intents/vault/payout-request.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'
import { createFactCheck } from '../src/transactions/fact-check.ts'
import { until } from './eventually.ts'
import { openStellarWorld, pay, type Rewrite, UNIT } from './stellar-world.ts'

/** Tests only: an order of the world with its id and the muxed id of its deposit. */
export type WorldOrder = {
  readonly order: IntentOrder
  readonly orderId: OrderId
  readonly muxedId: bigint
}

const USERS = {
  service: 0,
  cosigner: 1,
  recovery: 2,
  depositor: 3,
  solver: 4,
  recipient: 5,
  treasury: 6,
  stranger: 8,
  thief: 9,
} as const

const SECONDS = { open: 30, fill: 30 }

/**
 * Tests only: a vault of three signers on a Stellar ledger that closes when asked to, a co-signer with endpoints and a store of
 * its own, and orders between accounts of that ledger.
 */
export const openCosignerWorld = async (lies: readonly Rewrite[] = []) => {
  const world = await openStellarWorld()
  const user = (name: keyof typeof USERS) => world.user(USERS[name])
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-cosigner-'))
  const { chain } = world
  const accounts = chain.sharedAccounts
  assert.ok(accounts)
  const vault = user('service').publicKey()
  /** Who holds each key of the vault now. */
  const holders: Record<'service' | 'cosigner' | 'recovery', keyof typeof USERS> = {
    service: 'service',
    cosigner: 'cosigner',
    recovery: 'recovery',
  }
  const signersNow = () => ({
    service: user(holders.service).publicKey(),
    cosigner: user(holders.cosigner).publicKey(),
    recovery: user(holders.recovery).publicKey(),
  })
  const setKeys = async (...by: readonly (keyof typeof USERS)[]): Promise<void> => {
    const plan = await accounts.planKeys(vault, keysOfVault(signersNow()))
    assert.ok(plan)
    const secrets = by.map((name) => user(name).secret())
    const made = await accounts.submission(await accounts.signPlan(plan, secrets))
    await chain.broadcast(made.rawTransaction)
    await world.closeLedger()
  }
  await setKeys('service')
  const signers = signersNow()
  const channelKeys = ['channel 0', 'channel 1'].map(world.node.keyNamed)
  for (const key of channelKeys) {
    world.node.openAccount(key, { lumens: 10n * UNIT, tokens: 0n })
    world.node.shareAccount(key, keysOfChannel(signers))
  }
  const channels = channelKeys.map(({ address }) => address)

  const own =
    lies.length === 0
      ? world.connect([world.node.rpcUrl])
      : world.connect(await Promise.all(lies.map(world.startRelay)))
  await own.start()
  /** Closes a ledger, and waits until the co-signer's own endpoints tell it, too. */
  const closeLedger = async (seconds?: number): Promise<void> => {
    await world.closeLedger(seconds)
    await until(() => (own.head()?.number ?? 0n) >= world.height())
  }
  let store = await openSqliteStore({ directory, log: () => undefined })
  const start = () => {
    const { sharedAccounts, signingMarks } = own
    assert.ok(sharedAccounts && signingMarks)
    const paymentChains = new Map([[own.chainId, own]])
    const shared = { now: world.now, log: () => undefined }
    const paidFact = createPaidFact(paymentChains)
    const quorum = lies.length === 0 ? 1 : 2
    return createCosigner({
      ...shared,
      vaults: new Map([
        [
          own.chainId,
          {
            chain: own,
            accounts: sharedAccounts,
            signingMarks,
            quorum,
            vault,
            channels,
            signers: signersNow(),
            secret: user(holders.cosigner).secret(),
            treasury: [user('treasury').publicKey()],
            isToken: (token: string) => world.node.assets.some(({ address }) => address === token),
          },
        ],
      ]),
      settlers: new Map(),
      payments: new Map([[own.chainId, { chain: own, quorum }]]),
      terms: {
        depositGraceSeconds: 5,
        solvers: [
          {
            name: 'solver',
            address: `0x${'5'.repeat(40)}`,
            accounts: { stellar: user('solver').publicKey() },
          },
        ],
      },
      findFill: async ({ orderId, order, transaction }) => {
        const found = await findPaymentFill(paymentChains, { orderId, order, isOpen: true }, transaction)
        return 'why' in found
          ? { kind: 'refused', reason: found.why }
          : { kind: 'found', fact: paidFact(found.payment) }
      },
      paidFact,
      factCheck: createFactCheck(shared),
      store,
    })
  }
  let cosigner = start()
  await cosigner.mark()

  const order = (part: Partial<IntentOrder> = {}): WorldOrder => {
    const seconds = Math.floor(world.now() / 1000)
    const random = BigInt(`0x${randomBytes(10).toString('hex')}`)
    const whole: IntentOrder = {
      depositor: user('depositor').publicKey(),
      salt: saltOf(firstQuoteId(world.now(), random), randomBytes(16).toString('hex')),
      originChain: own.chainId,
      originSettler: vault,
      destinationChain: own.chainId,
      destinationSettler: vault,
      openDeadline: seconds + SECONDS.open,
      fillDeadline: seconds + SECONDS.open + SECONDS.fill,
      refundAfter: seconds + 600,
      inputToken: world.token('XLM'),
      inputAmount: baseUnits(50n * UNIT),
      outputToken: world.token('XLM'),
      outputAmount: baseUnits(49n * UNIT),
      recipient: user('recipient').publicKey(),
      solver: user('solver').publicKey(),
      filler: user('solver').publicKey(),
      attester: `0x${'a'.repeat(40)}`,
      ...part,
    }
    const orderId = orderIdOf(whole)
    const quotedAt = Number(BigInt(whole.salt.slice(0, 34)) >> 80n)
    return { order: whole, orderId, muxedId: depositMuxedId(quotedAt, orderId) }
  }
  /** Pays from a user, and closes a ledger; the hash of the transaction. */
  const payFrom = async (
    name: keyof typeof USERS,
    operations: readonly xdr.Operation[],
    memo?: Memo,
  ): Promise<string> => {
    const hash = await world.submit(user(name), operations, memo)
    await closeLedger()
    return hash
  }
  const signedBy = (payout: Payout, source = vault) =>
    accounts.signPayout(payout, { account: vault, secret: user(holders.service).secret(), source })
  const ask = (key: string, rawTransaction: string, evidence: PayoutEvidence): Promise<PayoutAnswer> =>
    cosigner.judge({ chainId: own.chainId, key, rawTransaction, evidence })

  /** Restarts the co-signer; with `isEmpty` over an empty store. */
  const restart = async (isEmpty = false): Promise<void> => {
    await store.close()
    if (isEmpty) rmSync(directory, { recursive: true, force: true })
    store = await openSqliteStore({ directory, log: () => undefined })
    cosigner = start()
    await cosigner.mark()
  }

  return {
    ...world,
    closeLedger,
    user,
    vault,
    channels,
    own,
    accounts,
    /** The vault's keys now. */
    signersNow,
    /** The service's secret now. */
    serviceSecret: () => user(holders.service).secret(),
    signers,
    order,
    payFrom,
    signedBy,
    ask,
    cosigner: () => cosigner,
    restart,
    /** The recovery key and a living one replace a lost key by the stranger's; the co-signer starts with what it has stored. */
    rotate: async (lost: 'service' | 'cosigner'): Promise<void> => {
      const living = lost === 'service' ? 'cosigner' : 'service'
      holders[lost] = 'stranger'
      await setKeys(living, 'recovery')
      await restart()
    },
    /** The service names orders before their deposits. */
    name: async (
      ...orders: readonly Pick<WorldOrder, 'muxedId' | 'orderId'>[]
    ): Promise<readonly OrderId[] | 'too_many'> => {
      const named = orders.map(({ muxedId, orderId }) => ({ muxedId: muxedId.toString(), orderId }))
      const text = namedOrdersText({ chainId: own.chainId, orders: named })
      const signature = signText(user(holders.service).secret(), text)
      const request = { chainId: own.chainId, orders: named, signature }
      assert.ok(cosigner.knowsOrders(request))
      return cosigner.name(request)
    },
    deposit: (
      { muxedId }: Pick<WorldOrder, 'muxedId'>,
      amount = '50',
      from: keyof typeof USERS = 'depositor',
    ): Promise<string> => payFrom(from, [pay(muxedAddress(vault, muxedId), amount)]),
    fill: ({ orderId }: WorldOrder, amount = '49'): Promise<string> =>
      payFrom('solver', [pay(user('recipient').publicKey(), amount)], Memo.hash(orderId.slice(2))),
    evidenceOf: (
      { order: of }: WorldOrder,
      deposits: readonly string[],
      part: { readonly fill?: string; readonly from?: keyof typeof USERS } = {},
    ): PayoutEvidence => ({
      kind: 'order',
      order: of,
      deposits: deposits.map((txHash) => ({ txHash, from: user(part.from ?? 'depositor').publicKey() })),
      ...(part.fill === undefined ? {} : { fill: part.fill }),
    }),
    /** Adds the co-signer's signature, sends the payout and closes a ledger; its outcome. */
    land: async (signed: { readonly txHash: string; readonly rawTransaction: string }, signature: string) => {
      const whole = await accounts.addSignature(signed.rawTransaction, signers.cosigner, signature)
      await chain.broadcast(whole)
      await closeLedger()
      return chain.outcome({ ...signed, rawTransaction: whole })
    },
    closeAll: async (): Promise<void> => {
      await store.close()
      await world.close()
      rmSync(directory, { recursive: true, force: true })
    },
    Operation,
  }
}

/** Tests only: the result of `openCosignerWorld`. */
export type CosignerWorld = Awaited<ReturnType<typeof openCosignerWorld>>
