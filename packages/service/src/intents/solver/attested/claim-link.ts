import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { recoverAddress } from '../../../chains/evm/recover-address.ts'
import { isSameAddress } from '../../../core/comparable-address.ts'
import type { EvmPrivateKey } from '../../../core/evm-private-key.ts'
import { IntentOrder } from '../../../core/intent-order.ts'
import type { HttpClient } from '../../../lib/http-client.ts'
import { escrowFillDigest } from '../../settlers/attestation.ts'
import { claimText } from '../../settlers/fill-claim.ts'
import { orderIdOf } from '../../settlers/settler-contract.ts'

/** The attester's answer to a fill: the attestation, why to ask again later, or why never to. Source: docs/running-an-attester.md. */
const ClaimAnswer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('attested'),
    transaction: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]),
    signature: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{130}$/)]),
  }),
  z.object({ kind: z.literal('waiting'), reason: z.string() }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
])
type ClaimAnswer = z.infer<typeof ClaimAnswer>

/**
 * Hands a fill over to the attester. Rejects if the attester does not answer, or with an attestation that the order's
 * escrow would not accept.
 */
export type ClaimLink = (order: IntentOrder, transaction: string) => Promise<ClaimAnswer>

type Deps = {
  readonly client: Pick<HttpClient, 'send'>
  /** The attester's base URL. */
  readonly url: string
  /** The key that signs the solver's logins. */
  readonly privateKey: EvmPrivateKey
}

const DEADLINE_MS = 10_000
const MAX_ANSWER_BYTES = 16_384

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Creates the link. The order goes with the claim, because the attester knows no terms but those it is given. */
export const createClaimLink = ({ client, url, privateKey }: Deps): ClaimLink => {
  const account = privateKeyToAccount(privateKey)
  const target = new URL('v1/attestations', url.endsWith('/') ? url : `${url}/`)
  return async (order, transaction) => {
    const orderId = orderIdOf(order)
    const signature = await account.signMessage({ message: claimText(orderId, transaction) })
    const body = JSON.stringify({ order: IntentOrder.encode(order), transaction, signature })
    const { status, text } = await client.send({
      url: target,
      body,
      deadlineMs: DEADLINE_MS,
      maxBytes: MAX_ANSWER_BYTES,
    })
    const answer = ClaimAnswer.safeParse(parseJson(text))
    if (!answer.success) throw new Error(`the attester answered with status ${status} in an unknown form`)
    if (answer.data.kind !== 'attested') return answer.data
    const digest = Buffer.from(escrowFillDigest(order, orderId, answer.data.transaction).slice(2), 'hex')
    const signedBy = recoverAddress(digest, answer.data.signature) ?? ''
    if (!isSameAddress(signedBy, order.attester ?? ''))
      throw new Error(`the attestation of order ${orderId} is not signed by its attester`)
    return answer.data
  }
}
