import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { Payment } from '../../core/payment.ts'
import type { Log } from '../../lib/log.ts'
import { createLru } from '../../lib/lru.ts'

/** One endpoint of a payment chain, asked on its own; `name` identifies it in the log. */
export type QuorumEndpoint = {
  readonly name: string
  readonly paymentChain: Pick<PaymentChain, 'readPayments'>
}

/** The endpoints of one payment chain, as independent witnesses of its payments. */
export type RpcQuorum = {
  /** Whether at least a quorum of endpoints reports exactly this payment as final. Asks each of them now. */
  readonly confirm: (payment: Payment) => Promise<boolean>
}

type Deps = { readonly endpoints: readonly QuorumEndpoint[]; readonly quorum: number; readonly log: Log }

type Statement = 'the same' | 'another' | 'none' | 'unread'

const isSame = (one: Payment, other: Payment): boolean =>
  one.chainId === other.chainId &&
  one.txHash === other.txHash &&
  one.position === other.position &&
  one.blockNumber === other.blockNumber &&
  one.timestampSeconds === other.timestampSeconds &&
  one.from === other.from &&
  one.to === other.to &&
  one.muxedId === other.muxedId &&
  one.token === other.token &&
  one.amount === other.amount &&
  one.memo === other.memo

const ask = async ({ paymentChain }: QuorumEndpoint, payment: Payment): Promise<Statement> => {
  try {
    const { final } = await paymentChain.readPayments([payment.from], payment.blockNumber - 1n)
    if (final.some((found) => isSame(found, payment))) return 'the same'
    return final.some(({ txHash }) => txHash === payment.txHash) ? 'another' : 'none'
  } catch {
    return 'unread'
  }
}

const REMEMBERED = 10_000

/** Asks every endpoint separately; logs the first deviating report of each endpoint about a payment. */
export const createRpcQuorum = ({ endpoints, quorum, log }: Deps): RpcQuorum => {
  const logged = createLru<string, Statement>(REMEMBERED)
  const note = (endpoint: string, { chainId, txHash, position }: Payment, reports: Statement): void => {
    const key = `${endpoint} ${txHash} ${position}`
    if (reports === 'the same' || logged.get(key) === reports) return
    logged.set(key, reports)
    log('warn', 'payment_not_confirmed', { chainId, endpoint, txHash, reports })
  }
  return {
    confirm: async (payment) => {
      const statements = await Promise.all(
        endpoints.map(async (endpoint) => {
          const statement = await ask(endpoint, payment)
          note(endpoint.name, payment, statement)
          return statement
        }),
      )
      const agreeing = statements.filter((statement) => statement === 'the same').length
      return agreeing >= Math.max(1, quorum)
    },
  }
}
