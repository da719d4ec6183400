import { z } from 'zod'

/** One JSON-RPC request, without its id. */
export type RpcCall = { readonly method: string; readonly params: unknown }

const RpcFailure = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() })

/** What a node answers to one request. */
export const RpcAnswer = z.union([z.object({ error: RpcFailure }), z.object({ result: z.unknown() })])
export type RpcAnswer = z.infer<typeof RpcAnswer>

/** Answers one request; rejects when there is no answer, which ends the caller's connection. */
export type AnswerCall = (call: RpcCall) => Promise<RpcAnswer>

/** How a family's nodes write JSON. */
export type JsonFormat = {
  readonly parse: (text: string) => unknown
  readonly encode: (value: unknown) => string
}

/** JSON whose integers all fit into a number. */
export const PLAIN_JSON: JsonFormat = { parse: JSON.parse, encode: JSON.stringify }

/** The result changed; an error stays as it is. */
export const mapResult = (answer: RpcAnswer, change: (result: unknown) => unknown): RpcAnswer =>
  'error' in answer ? answer : { result: change(answer.result) }

/** The members of an object; none for another value. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

/** The items of an array; none for another value. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
