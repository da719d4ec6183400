import assert from 'node:assert/strict'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchUndocumented, type WireQuote } from 'openrfq/test/wallet.ts'
import type { FamilyEnds } from './address-table.ts'
import { firstReason } from './judge-quotes.ts'
import { requestBody, type SandboxService, type WireToken } from './sandbox-service.ts'

/** A direction between two chains. */
type Pair = { readonly from: WireToken; readonly to: WireToken }

type Question = { readonly pair: Pair; readonly orderType: 'EXACT_INPUT' | 'EXACT_OUTPUT' }

const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const RECIPIENT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const AT_ONCE = 8

/** Every pair of tokens of different chains, in both directions. */
export const pairsBetween = (tokens: readonly WireToken[]): readonly Pair[] =>
  tokens.flatMap((from) =>
    tokens.filter(({ chainId }) => chainId !== from.chainId).map((to) => ({ from, to })),
  )

/**
 * Asks for a whole token of each pair in both order types. Throws AssertionError for a superlative that is not true, and
 * Error for a pair that is neither quoted nor refused.
 */
export const judgePairs = async (
  { service }: Pick<SandboxService, 'service'>,
  ends: FamilyEnds,
  pairs: readonly Pair[],
): Promise<void> => {
  const partyOn = (chainId: string, evm: string): string =>
    Object.values(ends).find((end) => end.chainId === chainId)?.account ?? evm
  const judge = async (
    { pair: { from, to }, orderType }: Question,
    hear: (said: string) => void,
  ): Promise<boolean> => {
    const exact = orderType === 'EXACT_INPUT' ? from : to
    const trade = { from, to, orderType, amount: 10n ** BigInt(exact.decimals) }
    const parties = [partyOn(from.chainId, SENDER), partyOn(to.chainId, RECIPIENT)] as const
    const answer = await fetchUndocumented<{ readonly quotes?: readonly WireQuote[] }>(
      `${service.url}/v1/rfq/quote`,
      requestBody(trade, ...parties),
    )
    hear(JSON.stringify(answer))
    const [first, ...others] = answer.body.quotes ?? []
    if (first === undefined) return answer.status === 422 || answer.status === 400
    assert.equal(first.selectionReason, firstReason(first, [first, ...others], orderType))
    for (const { selectionReason } of others)
      assert.ok(['fastest', 'lowest_fee', 'alternative'].includes(selectionReason))
    return true
  }
  const asked = pairs.flatMap((pair) => [
    { pair, orderType: 'EXACT_INPUT' as const },
    { pair, orderType: 'EXACT_OUTPUT' as const },
  ])
  for (let start = 0; start < asked.length; start += AT_ONCE)
    await Promise.all(
      asked.slice(start, start + AT_ONCE).map((question) => {
        let said = ''
        const hear = (text: string): void => {
          said = text
        }
        return eventually(
          () => `quotes or a refusal for ${JSON.stringify(question)}: ${said}`,
          () => judge(question, hear),
        )
      }),
    )
}
