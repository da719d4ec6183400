import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { toIso } from '../core/instant.ts'
import type { HeldDepositList } from '../service/held-deposits.ts'
import type { Endpoint } from './endpoint.ts'
import { HttpError } from './http-error.ts'
import { createLocalAccess, type LocalAccess } from './local-access.ts'
import { parseInput } from './parse-input.ts'
import { readQuery } from './query.ts'
import { queryOf } from './request-target.ts'
import { FRESH_JSON } from './response-headers.ts'
import { parseBody } from './strict-json.ts'

const LISTED = 100

type HeldDeposit = Awaited<ReturnType<HeldDepositList['list']>>[number]
type PaymentKey = Parameters<HeldDepositList['release']>[0]

/** Where a page ends: the chain, the transaction and the position of its last deposit, with commas between them. */
const PAGE_END = /^([^,]{1,128}),([0-9A-Za-z]{1,128}),([0-9]{1,10})$/

const PageEnd = z.string().transform((text, context): PaymentKey => {
  const [, chainId, txHash, position] = PAGE_END.exec(text) ?? []
  if (chainId !== undefined && txHash !== undefined) return { chainId, txHash, position: Number(position) }
  context.addIssue('expected the `next` of a page')
  return z.NEVER
})

const ListRequest = z.object({ after: PageEnd.optional() })
const PARAMETERS = ListRequest.keyof().options

const ReleaseRequest = z.strictObject({
  chainId: ChainId,
  txHash: z.string().regex(/^[0-9A-Za-z]{1,128}$/, 'expected the txHash of a held deposit'),
  position: z
    .int()
    .min(0)
    .max(2 ** 31),
})

const present = ({ chainId, txHash, position, from, token, amount, heldAt, why }: HeldDeposit) => ({
  ...{ chainId, txHash, position, from, token },
  amount: amount.toString(),
  heldAt: toIso(heldAt),
  why,
})

/** For the operator alone: `GET /held-deposits` lists them, and `POST /held-deposits/release` has the vault return one again. */
export const heldDepositEndpoints = (
  { list, release }: HeldDepositList,
  access: LocalAccess,
): readonly Endpoint[] => {
  const onRequest = createLocalAccess(access)
  return [
    {
      method: 'GET',
      url: '/held-deposits',
      config: { name: 'held_deposits' },
      onRequest,
      handler: async (request, reply) => {
        const { after } = parseInput(ListRequest, readQuery(queryOf(request.url), PARAMETERS))
        const page = await list(LISTED, after)
        const last = page.length < LISTED ? undefined : page.at(-1)
        const next = last === undefined ? null : `${last.chainId},${last.txHash},${last.position}`
        return reply.headers(FRESH_JSON).send(JSON.stringify({ deposits: page.map(present), next }))
      },
    },
    {
      method: 'POST',
      url: '/held-deposits/release',
      config: { name: 'held_deposits_release' },
      onRequest,
      handler: async (request, reply) => {
        const key = parseInput(ReleaseRequest, parseBody(request.body))
        if (!(await release(key))) throw new HttpError(404, 'no such deposit is held')
        return reply.headers(FRESH_JSON).send('{}')
      },
    },
  ]
}
