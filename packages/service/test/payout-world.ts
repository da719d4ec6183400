import { createHash } from 'node:crypto'
import type { PaymentChain } from '../src/chains/payment-chain.ts'
import type { Store } from '../src/store/store.ts'
import type { DecideRenewal } from '../src/transactions/payout-monitor.ts'
import { createPayoutOutbox, type KeyedPayout } from '../src/transactions/payout-outbox.ts'
import { openOwnStore } from './outbox-world.ts'
import { createTestPaymentChain, testSecretOf } from './test-payment-chain.ts'

/** When a test payment chain begins, in unix seconds. */
export const START_SECONDS = 1_800_000_000

/** The memo of the payout of a key. */
export const memoOf = (key: string): string => `0x${createHash('sha256').update(key).digest('hex')}`

/** A payout of the key, with the key's memo. */
export const payoutOf = (key: string, changes: Partial<KeyedPayout> = {}): KeyedPayout => ({
  key,
  recipient: 'recipient',
  token: 'token',
  amount: 2n ** 64n,
  memo: memoOf(key),
  notAfterSeconds: undefined,
  ...changes,
})

type TestPaymentChain = ReturnType<typeof createTestPaymentChain>

/** The memos of the payments that have landed, in their order; '' for none. */
export const memosOn = (paymentChain: TestPaymentChain): readonly string[] =>
  paymentChain.landed().map(({ memo }) => memo ?? '')

/** A store of its own, and payment chains with outboxes over it. */
export const openPayoutWorld = async () => {
  const files = await openOwnStore()
  let paymentChains = 0
  const open = (options: Partial<Parameters<typeof createTestPaymentChain>[0]> = {}) => {
    paymentChains += 1
    const paymentChain = createTestPaymentChain({ chainId: `solana:${paymentChains}`, ...options })
    const clock = (): number => (paymentChain.chain.head()?.timestampSeconds ?? START_SECONDS) * 1000
    const outboxOver = (
      chain: PaymentChain,
      store: Store = files.store(),
      decideRenewal: DecideRenewal = async () => 'sign',
    ) =>
      createPayoutOutbox({
        store,
        chain,
        secret: testSecretOf('vault'),
        now: clock,
        log: () => undefined,
        timing: { roundMs: 5, rebroadcastMs: 1_000 },
        decideRenewal,
      })
    return { paymentChain, outboxOver, outbox: outboxOver(paymentChain.chain) }
  }
  return {
    files,
    open,
    outcomeOf: async (key: string) => (await files.store().findPayout(key))?.outcome,
  }
}
