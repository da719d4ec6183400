import assert from 'node:assert/strict'
import { ErrorBody, type ErrorCode } from '@openrfq/sdk'
import { ERROR_STATUS } from 'openrfq/src/http/error-status.ts'
import type { Operation } from 'openrfq/src/http/operation.ts'
import { OPERATIONS } from 'openrfq/src/http/operations.ts'
import { assertDescribed } from 'openrfq/test/described-answer.ts'
import { assertDocumented } from 'openrfq/test/documented-answer.ts'
import { sendRaw } from 'openrfq/test/raw-request.ts'

/** An answer of HTTP; the body is the text after the head. */
export type Answer = { readonly status: number; readonly head: string; readonly body: string }

/** What was counted of the answers: how many have each status and code, such as `400 INVALID_REQUEST`. */
export type Counts = Map<string, number>

/** Bytes that ask for one answer, and the operation that gives it; none where no endpoint is meant. */
export type BadRequest = {
  readonly bytes: Buffer
  readonly operation: Operation | undefined
  /** Checks an answer of 200. */
  readonly check?: (answer: Answer) => void
}

/** Statuses of requests that are refused before an endpoint reads them, with the code INVALID_REQUEST. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 405, 408, 413, 414, 415, 417, 431])
const NOT_READY = 503
const ISO_8859_1 = 'latin1'
const BODILESS: ReadonlySet<number> = new Set([101, 204, 304])

/** Splits a byte stream of ISO-8859-1 text into its answers. */
export const readAnswers = (stream: string): readonly Answer[] => {
  const answers: Answer[] = []
  let rest = stream
  while (rest !== '') {
    const head = /^HTTP\/1\.1 (\d{3}) [\s\S]*?\r\n\r\n/.exec(rest)
    assert.ok(head !== null, `not an answer: ${rest.slice(0, 200)}`)
    const status = Number(head[1])
    const length = BODILESS.has(status) ? 0 : Number(/\r\ncontent-length: (\d+)/.exec(head[0])?.[1] ?? 0)
    const end = head[0].length + length
    answers.push({
      status,
      head: head[0],
      body: Buffer.from(rest.slice(head[0].length, end), ISO_8859_1).toString(),
    })
    rest = rest.slice(end)
  }
  return answers
}

const statusOf = (code: string): number | undefined =>
  Object.entries(ERROR_STATUS).find(([known]) => known === code)?.[1]

/**
 * Throws AssertionError unless the answer has a code that its operation lists, with the code's status; without an operation,
 * the code of a request that no endpoint has read. 5xx is never an answer, except of `/readyz`.
 */
export const assertListed = (answer: Answer, operation: Operation | undefined, context: string): void => {
  const { status, body } = answer
  if (operation?.path === '/readyz' && status === NOT_READY) return
  assert.ok(status < 500, `${status} ${context}`)
  if (status < 400) return
  const { code } = ErrorBody.parse(JSON.parse(body)).error
  if (operation === undefined) {
    assert.ok(code === 'INVALID_REQUEST' && REFUSED.has(status), `${status} ${code} ${context}`)
    return
  }
  const listed: readonly string[] = Object.keys(operation.errors)
  assert.ok(listed.includes(code), `${code} ${context}`)
  assert.equal(status, statusOf(code), context)
}

/** The error's code, or nothing. */
const codeOf = ({ status, body }: Answer): ErrorCode | '' =>
  status < 400 ? '' : (Object(JSON.parse(body)).error?.code ?? '')

export const count = (counts: Counts, answer: Answer): void => {
  const name = `${answer.status} ${codeOf(answer)}`.trim()
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

const isJson = ({ head }: Answer): boolean => /\r\ncontent-type: application\/json/.test(head)

const LAST = Buffer.from('GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
const PIPELINED = 20
const CONNECTIONS = 6

/** Checks an answer against its operation, its documents, and the request's own check. */
const checkOne = ({ bytes, operation, check }: BadRequest, answer: Answer, counts: Counts): void => {
  const context = bytes.toString(ISO_8859_1)
  assertListed(answer, operation, context)
  count(counts, answer)
  if (operation === undefined || !isJson(answer)) return
  const [url, value] = [`http://127.0.0.1${operation.path}`, JSON.parse(answer.body)]
  assertDescribed(url, operation.method === 'GET' ? 'get' : 'post', answer.status, value)
  assertDocumented(url, answer.status, value)
  if (answer.status === 200) check?.(answer)
}

/** Sends the requests pipelined over a few connections and checks each answer; every request must get one. */
export const checkAll = async (
  port: number,
  requests: readonly BadRequest[],
  counts: Counts,
): Promise<void> => {
  const batches = Array.from({ length: Math.ceil(requests.length / PIPELINED) }, (_, index) =>
    requests.slice(index * PIPELINED, (index + 1) * PIPELINED),
  )
  const send = async (): Promise<void> => {
    for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
      const bytes = Buffer.concat([...batch.map((request) => request.bytes), LAST])
      const answers = readAnswers(await sendRaw(port, bytes, { answers: batch.length + 1 }))
      assert.equal(answers.length, batch.length + 1, bytes.toString(ISO_8859_1))
      for (const [index, request] of batch.entries()) {
        const answer = answers[index]
        assert.ok(answer !== undefined)
        checkOne(request, answer, counts)
      }
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, send))
}

/** The operation that the request line at the start of some bytes names, if there is one. */
export const operationOf = (bytes: Buffer): Operation | undefined => {
  const [, method, path] = /^(GET|POST) ([^ ?]+)/.exec(bytes.toString(ISO_8859_1)) ?? []
  return OPERATIONS.find((operation) => operation.method === method && operation.path === path)
}
