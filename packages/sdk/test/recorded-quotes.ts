import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Guarded, QuoteParams } from '../src/index.ts'
import { Quote } from '../src/wire/quote.ts'

/** The examples of the API description are answers of a sandbox. */
const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'))
const { requestBody, responses } = paths['/v1/rfq/quote'].post
const JSON_TYPE = 'application/json'

const HALF_MINUTE_MS = 30_000

/** A recorded quote of a backend with its request, half a minute before it expires; the guards know the contracts it uses. */
export const recorded = (
  example: 'evm' | 'solana' | 'stellar' | 'exactOutput',
  backend: string,
  vault?: string,
): Guarded => {
  const { amount, ...request } = requestBody.content[JSON_TYPE].examples[example].value
  const { quotes } = responses['200'].content[JSON_TYPE].examples[example].value
  const found = quotes.find(({ backend: { type } }: Quote) => type === backend)
  assert.ok(found !== undefined, `no recorded quote ${example} ${backend}`)
  const quote = Quote.parse(found)
  const params: QuoteParams = { ...request, amount: BigInt(amount) }
  const payload = quote.actions.at(-1)?.payload
  const contract =
    payload?.type === 'evm_transaction'
      ? payload.to
      : payload?.type === 'solana_instructions'
        ? payload.instructions.at(-1)?.programId
        : vault
  const contracts = { [params.fromChain]: contract === undefined ? [] : [contract] }
  const now = Date.parse(quote.validity.quoteExpiresAt) - HALF_MINUTE_MS
  return {
    quote,
    request: params,
    guards: { contracts, maximumInput: BigInt(quote.input.amount) },
    now,
    lacks: () => undefined,
  }
}
