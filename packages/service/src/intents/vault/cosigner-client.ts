import type { ChainId } from '@openrfq/sdk'
import { signText } from '../../chains/stellar/message-signature.ts'
import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { HttpClient } from '../../lib/http-client.ts'
import {
  DebtRequest,
  debtText,
  FirstNamed,
  type NamedOrders,
  namedOrdersText,
  PayoutAnswer,
  type PayoutEvidence,
  PayoutRequest,
  payoutText,
} from './payout-request.ts'

/** The co-signer of a vault. Every call has a deadline and rejects if it does not answer. */
export type CosignerClient = {
  /** Whether the co-signer finds something owed. */
  readonly examine: (key: string, evidence: PayoutEvidence) => Promise<PayoutAnswer>
  /** Asks for its signature of a payout. */
  readonly sign: (key: string, rawTransaction: string, evidence: PayoutEvidence) => Promise<PayoutAnswer>
  /** Names orders before they are deposited. Returns those that are the first with their muxed ids. */
  readonly name: (orders: NamedOrders['orders']) => Promise<readonly OrderId[]>
}

type Deps = {
  readonly chainId: ChainId
  /** The attester's base URL. */
  readonly url: string
  /** The service's key of the vault. */
  readonly secret: string
  readonly client: Pick<HttpClient, 'send'>
  readonly now: () => Instant
}

/** The co-signer reads two chains by agreement. */
const DEADLINE_MS = 30_000
const NAMING_DEADLINE_MS = 5_000
const MAX_ANSWER_BYTES = 16_384

/** Creates the client of a vault's co-signer. */
export const createCosignerClient = ({ chainId, url, secret, client, now }: Deps): CosignerClient => {
  const base = url.endsWith('/') ? url : `${url}/`
  const post = (path: string, body: unknown, deadlineMs: number) =>
    client.send({
      url: new URL(path, base),
      body: JSON.stringify(body),
      deadlineMs,
      maxBytes: MAX_ANSWER_BYTES,
    })
  const ask = async (path: string, body: unknown): Promise<PayoutAnswer> => {
    const { status, text } = await post(path, body, DEADLINE_MS)
    const parsed = PayoutAnswer.safeParse(JSON.parse(text))
    if (!parsed.success) throw new Error(`the co-signer answers ${status}: ${text.slice(0, 200)}`)
    return parsed.data
  }
  return {
    examine: (key, evidence) => {
      const request = { chainId, key, evidence, signedAt: now() }
      const signature = signText(secret, debtText(request))
      return ask('v1/vault-debts', DebtRequest.encode({ ...request, signature }))
    },
    sign: (key, rawTransaction, evidence) => {
      const request = { chainId, key, evidence, signedAt: now(), rawTransaction }
      const signature = signText(secret, payoutText(request))
      return ask('v1/vault-payouts', PayoutRequest.encode({ ...request, signature }))
    },
    name: async (orders) => {
      const signature = signText(secret, namedOrdersText({ chainId, orders }))
      const body = { chainId, orders, signature }
      const { status, text } = await post('v1/vault-orders', body, NAMING_DEADLINE_MS)
      if (status !== 200) throw new Error(`the co-signer answers ${status}`)
      return FirstNamed.parse(JSON.parse(text)).first
    },
  }
}
