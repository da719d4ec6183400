import { z } from 'zod'
import type { Log } from '../../lib/log.ts'
import type { Cosigner } from '../cosigner/index.ts'
import {
  DebtRequest,
  type FirstNamed,
  NamedOrders,
  type PayoutAnswer,
  PayoutRequest,
} from '../vault/payout-request.ts'
import { type Endpoint, failed, parseJson, type Reply } from './endpoint.ts'

type Deps = { readonly cosigner: Cosigner; readonly log: Log }

/** Requests of the service that are looked at at the same time. */
const MOST_AT_ONCE = 16
/** An order may be deposited in hundreds of payments. */
const PAYOUT_BYTES = 131_072
const ORDERS_BYTES = 32_768

const UNSIGNED = "expected a signature of the service's key of the vault, and a clock that agrees with ours"
const STATUS = { owed: 200, signed: 200, waiting: 202, refused: 422 } as const satisfies Record<
  PayoutAnswer['kind'],
  number
>

const look = async (
  { log }: Deps,
  { chainId, key }: Pick<PayoutRequest, 'chainId' | 'key'>,
  work: () => Promise<PayoutAnswer>,
): Promise<Reply> => {
  try {
    const body = await work()
    if (body.kind === 'refused') log('warn', 'cosigning_refused', { chainId, key, reason: body.reason })
    return { status: STATUS[body.kind], body }
  } catch (error) {
    log('warn', 'cosigning_check_failed', { chainId, key, error })
    return { status: STATUS.waiting, body: { kind: 'waiting', reason: 'a chain cannot be read' } }
  }
}

/** Runs at most so much work at the same time; answers 429 beyond. */
const createLimit = () => {
  let running = 0
  return async (work: () => Promise<Reply>): Promise<Reply> => {
    if (running >= MOST_AT_ONCE)
      return failed(429, `expected at most ${MOST_AT_ONCE} requests at the same time`)
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
    }
  }
}

const payouts = (deps: Deps, limited: ReturnType<typeof createLimit>): Endpoint => ({
  maximumBytes: PAYOUT_BYTES,
  answer: async (text, whileKnown) => {
    const parsed = PayoutRequest.safeParse(parseJson(text))
    if (!parsed.success) return failed(400, z.prettifyError(parsed.error))
    if (!deps.cosigner.knowsPayout(parsed.data)) return failed(403, UNSIGNED)
    const work = () => deps.cosigner.judge(parsed.data)
    return limited(() => whileKnown(() => look(deps, parsed.data, work)))
  },
})

const debts = (deps: Deps, limited: ReturnType<typeof createLimit>): Endpoint => ({
  maximumBytes: PAYOUT_BYTES,
  answer: async (text, whileKnown) => {
    const parsed = DebtRequest.safeParse(parseJson(text))
    if (!parsed.success) return failed(400, z.prettifyError(parsed.error))
    if (!deps.cosigner.knowsDebt(parsed.data)) return failed(403, UNSIGNED)
    const work = () => deps.cosigner.examine(parsed.data)
    return limited(() => whileKnown(() => look(deps, parsed.data, work)))
  },
})

const orders = ({ cosigner }: Deps): Endpoint => ({
  maximumBytes: ORDERS_BYTES,
  answer: async (text, whileKnown) => {
    const parsed = NamedOrders.safeParse(parseJson(text))
    if (!parsed.success) return failed(400, z.prettifyError(parsed.error))
    if (!cosigner.knowsOrders(parsed.data)) return failed(403, UNSIGNED)
    const first = await whileKnown(() => cosigner.name(parsed.data))
    if (first === 'too_many') return failed(429, 'expected fewer orders in a second')
    const body: FirstNamed = { first: [...first] }
    return { status: 200, body }
  },
})

/** What the co-signer answers the service, by path. Requests that the service's key has not signed cause no read of a chain. */
export const cosignerEndpoints = (deps: Deps): ReadonlyMap<string, Endpoint> => {
  const limited = createLimit()
  return new Map([
    ['/v1/vault-debts', debts(deps, limited)],
    ['/v1/vault-payouts', payouts(deps, limited)],
    ['/v1/vault-orders', orders(deps)],
  ])
}
