import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { type Asked, type LocalServer, startLocalServer } from './local-server.ts'

const Call = z.looseObject({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).catch([]) })
/** One JSON-RPC request. */
export type Call = z.infer<typeof Call>

/** Changes a node's answer to a call; an unchanged result is the truth. */
export type Lie = (call: Call, result: unknown) => unknown

const Answer = z.looseObject({ id: z.unknown(), result: z.unknown().optional() })

const post = async (url: string, body: string): Promise<unknown> => {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return response.json()
}

/** Starts a node in front of the chain at `chainUrl` that applies the lies. The caller stops it. */
export const startLyingNode = async (chainUrl: string, lie: () => Lie | undefined): Promise<LocalServer> => {
  const respond = async ({ body: text }: Asked, response: ServerResponse): Promise<void> => {
    const body: unknown = JSON.parse(text)
    const calls = z.array(Call).parse(Array.isArray(body) ? body : [body])
    const answers = z.array(Answer).parse([await post(chainUrl, text)].flat())
    const told = answers.map((answer) => {
      const call = calls.find(({ id }) => id === answer.id)
      const change = lie()
      if (call === undefined || change === undefined || !('result' in answer)) return answer
      return { ...answer, result: change(call, answer.result) }
    })
    response.end(JSON.stringify(Array.isArray(body) ? told : told[0]))
  }
  return startLocalServer(respond)
}
