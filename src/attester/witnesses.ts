import { boundedMap } from '../chains/bounded-map.ts'
import type { LedgerChain } from '../chains/ledger-chain.ts'
import type { LedgerPayment } from '../core/ledger-payment.ts'
import type { Log } from '../core/log.ts'

/** One endpoint of a ledger, asked for itself; `name` tells it from the others in the log. */
export type Endpoint = { readonly name: string; readonly ledger: Pick<LedgerChain, 'readPayments'> }

/** The endpoints of one ledger as witnesses of payments on it. */
export type Witnesses = {
  /** Whether at least a quorum of them report the very payment as final, each asked now. */
  readonly confirm: (payment: LedgerPayment) => Promise<boolean>
}

type Deps = { readonly endpoints: readonly Endpoint[]; readonly quorum: number; readonly log: Log }

type Statement = 'the same' | 'another' | 'none' | 'unread'

const isSame = (one: LedgerPayment, other: LedgerPayment): boolean =>
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

const ask = async ({ ledger }: Endpoint, payment: LedgerPayment): Promise<Statement> => {
  try {
    const { final } = await ledger.readPayments([payment.from], payment.blockNumber - 1n)
    if (final.some((found) => isSame(found, payment))) return 'the same'
    return final.some(({ txHash }) => txHash === payment.txHash) ? 'another' : 'none'
  } catch {
    return 'unread'
  }
}

const REMEMBERED = 10_000

/** Asks every endpoint by itself; what one says other than the payment is logged when it first says so. */
export const createWitnesses = ({ endpoints, quorum, log }: Deps): Witnesses => {
  const logged = boundedMap<string, Statement>(REMEMBERED)
  const note = (endpoint: string, { chainId, txHash, position }: LedgerPayment, reports: Statement): void => {
    const key = `${endpoint} ${txHash} ${position}`
    if (reports === 'the same' || logged.get(key) === reports) return
    logged.set(key, reports)
    log('warn', 'an endpoint does not confirm a payment', { chainId, endpoint, txHash, reports })
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
