import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { type Asked, type LocalServer, startLocalServer } from './local-server.ts'

const Call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
type Call = z.infer<typeof Call>
type Answer = { readonly id: number; readonly result?: unknown; readonly error?: unknown }

/** The faults of one exchange. */
export type Mood = {
  /** Blocks by which the node is behind the chain. */
  readonly lagBlocks: number
  /** Closes the connection without an answer. */
  readonly drops: boolean
  /** Returns logs twice and in another order. */
  readonly stutters: boolean
  /** Rejects log queries over more blocks than this. */
  readonly maxRangeBlocks?: number
}

const Numbered = z.object({ number: z.string() })
const Logs = z.array(z.looseObject({ blockNumber: z.string() }))

const post = async (url: string, body: unknown): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(120_000),
  })
  return response.json()
}

const Range = z.object({ fromBlock: z.string(), toBlock: z.string() })

const isTooWide = ({ params: [filter] }: Call, maxRangeBlocks: number): boolean => {
  const range = Range.safeParse(filter).data
  return range !== undefined && Number(range.toBlock) - Number(range.fromBlock) >= maxRangeBlocks
}

/** The answer of a node whose head is `reached`. */
const asOf = (call: Call, answer: Answer, reached: bigint, mood: Mood): Answer => {
  const { id, result } = answer
  if (answer.error !== undefined) return answer
  if (call.method === 'eth_blockNumber') return { id, result: `0x${reached.toString(16)}` }
  if (call.method === 'eth_getLogs') {
    if (isTooWide(call, mood.maxRangeBlocks ?? Number.POSITIVE_INFINITY))
      return { id, error: { code: -32_005, message: 'range too wide' } }
    const known = Logs.parse(result).filter(({ blockNumber }) => BigInt(blockNumber) <= reached)
    return { id, result: mood.stutters ? [...known, ...known].reverse() : known }
  }
  const block = Numbered.safeParse(result)
  return block.success && BigInt(block.data.number) > reached ? { id, result: null } : { id, result }
}

/**
 * Starts a node in front of the chain at `chainUrl` that behaves like a load balancer: `mood` is read before each
 * exchange and decides its faults. The caller stops it.
 */
export const startUnsteadyNode = async (chainUrl: string, mood: () => Mood): Promise<LocalServer> => {
  const respond = async ({ body: text }: Asked, response: ServerResponse): Promise<void> => {
    const body: unknown = JSON.parse(text)
    const current = mood()
    if (current.drops) {
      response.destroy()
      return
    }
    const calls = z.array(Call).parse(Array.isArray(body) ? body : [body])
    const head = z
      .object({ result: z.string() })
      .parse(await post(chainUrl, { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }))
    const reached = BigInt(head.result) - BigInt(current.lagBlocks)
    const latest = `0x${reached.toString(16)}`
    const asked = calls.map((call) => ({
      jsonrpc: '2.0',
      ...call,
      params: call.params.map((param) => (param === 'latest' ? latest : param)),
    }))
    // CAST: the chain's answers, which have an id each.
    const answers = (await post(chainUrl, asked)) as readonly Answer[]
    const known = calls.map((call) => {
      const answer = answers.find(({ id }) => id === call.id)
      return { jsonrpc: '2.0', ...(answer === undefined ? {} : asOf(call, answer, reached, current)) }
    })
    response.end(JSON.stringify(Array.isArray(body) ? known : known[0]))
  }
  return startLocalServer(respond)
}
