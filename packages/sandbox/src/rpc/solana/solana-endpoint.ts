import type { HonestEndpoint } from '../rpc-family.ts'
import { itemsOf, mapResult, membersOf, type RpcAnswer, type RpcCall } from '../rpc-message.ts'
import { createSightings, type Lateness } from '../sightings.ts'
import type { Commitment, SolanaHead, SolanaSource } from './solana-source.ts'

type Deps = { readonly source: SolanaSource; readonly lateness: Lateness; readonly now: () => number }
type Ask = (method: string, params: readonly unknown[]) => Promise<RpcAnswer>

const MAX_PAGE = 1000

const slotOf = (value: unknown): number => Number(membersOf(value)['slot'] ?? 0)

const commitmentOf = (config: unknown): Commitment => {
  const { commitment } = membersOf(config)
  return commitment === 'processed' || commitment === 'confirmed' ? commitment : 'finalized'
}

/** What an endpoint knows that is some slots behind: per commitment the newest block at or below that slot. */
const viewOf = ({ blocks, ...slots }: SolanaHead, behind: number) => {
  return (commitment: Commitment): number => {
    const slot = slots[commitment] - behind
    return behind === 0 ? slot : (blocks.filter((block) => block <= slot).at(-1) ?? slot)
  }
}

const behindMinimum = (contextSlot: number): RpcAnswer => ({
  error: { code: -32016, message: 'Minimum context slot has not been reached', data: { contextSlot } },
})

/** A page of signatures without those above a slot, filled up from the next one. */
const signatures = async (ask: Ask, params: readonly unknown[], slot: number): Promise<RpcAnswer> => {
  const [address, config] = params
  const limit = Number(membersOf(config)['limit'] ?? MAX_PAGE)
  const answer = await ask('getSignaturesForAddress', params)
  if ('error' in answer) return answer
  const page = itemsOf(answer.result)
  const known = page.filter((item) => slotOf(item) <= slot)
  const missing = page.length - known.length
  if (missing === 0 || page.length < limit) return { result: known }
  const before = membersOf(page.at(-1))['signature']
  const next = await ask('getSignaturesForAddress', [
    address,
    { ...membersOf(config), before, limit: missing },
  ])
  return mapResult(next, (more) => [...known, ...itemsOf(more)])
}

/** A status as of a slot: what is above it is unknown. */
const statusAt = (status: unknown, processed: number, finalized: number): unknown => {
  if (status === null || slotOf(status) > processed) return null
  const isFinal = slotOf(status) <= finalized
  return isFinal ? status : { ...membersOf(status), confirmationStatus: 'confirmed', confirmations: 1 }
}

/** Answers as a node does that is some slots behind. */
export const createSolanaEndpoint = ({ source, lateness, now }: Deps): HonestEndpoint => {
  const sightings = createSightings(lateness, now)
  source.onHead((slot) => sightings.saw(slot, false))
  const ask: Ask = (method, params) => source.ask({ method, params })

  const answerBehind = async (
    method: string,
    params: readonly unknown[],
    behind: number,
    view: (commitment: Commitment) => number,
  ): Promise<RpcAnswer> => {
    const [first, second] = params
    switch (method) {
      case 'getSlot':
        return { result: view(commitmentOf(first)) }
      case 'getBlockHeight':
        return mapResult(await ask(method, params), (height) => Number(height) - behind)
      case 'getEpochInfo':
        return mapResult(await ask(method, params), (epoch) => {
          const { blockHeight, slotIndex } = membersOf(epoch)
          const position = {
            blockHeight: Number(blockHeight) - behind,
            slotIndex: Number(slotIndex) - behind,
          }
          return { ...membersOf(epoch), ...position, absoluteSlot: view(commitmentOf(first)) }
        })
      case 'getBlockTime':
        if (Number(first) <= view('confirmed')) return ask(method, params)
        return { error: { code: -32004, message: `Block not available for slot ${first}` } }
      case 'getTransaction':
        return mapResult(await ask(method, params), (found) =>
          slotOf(found) > view(commitmentOf(second)) ? null : found,
        )
      case 'getSignaturesForAddress':
        return signatures(ask, params, view(commitmentOf(second)))
      case 'getSignatureStatuses':
        return mapResult(await ask(method, params), (found) => ({
          ...membersOf(found),
          context: { ...membersOf(membersOf(found)['context']), slot: view('processed') },
          value: itemsOf(membersOf(found)['value']).map((status) =>
            statusAt(status, view('processed'), view('finalized')),
          ),
        }))
      default:
        return mapResult(await ask(method, params), (result) => {
          const { context } = membersOf(result)
          if (context === undefined) return result
          const slot = view(
            commitmentOf(params.findLast((param) => membersOf(param)['commitment'] !== undefined)),
          )
          return { ...membersOf(result), context: { ...membersOf(context), slot } }
        })
    }
  }
  const answer = async ({ method, params: given }: RpcCall): Promise<RpcAnswer> => {
    const params = itemsOf(given)
    const head = await source.head()
    const behind = Math.max(0, head.processed - sightings.view())
    const view = viewOf(head, behind)
    const config = membersOf(params.find((param) => membersOf(param)['minContextSlot'] !== undefined))
    const contextSlot = view(commitmentOf(config))
    if (Number(config['minContextSlot'] ?? 0) > contextSlot) return behindMinimum(contextSlot)
    return behind === 0 ? source.ask({ method, params }) : answerBehind(method, params, behind, view)
  }
  return { answer, sightings }
}
