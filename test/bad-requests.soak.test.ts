import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { ErrorBody, QuoteAnswer, Status } from '@openrfq/sdk'
import { QuoteRequest } from 'openrfq/src/core/order.ts'
import type { Operation } from 'openrfq/src/http/operation.ts'
import { OPERATIONS } from 'openrfq/src/http/operations.ts'
import { sendRaw } from 'openrfq/test/raw-request.ts'
import { openSoak } from 'openrfq/test/soak.ts'
import { badBody, badPath, badQuery, damageBytes } from './bad-requests.ts'
import { type BadRequestsWorld, ONCE, STREAMS, startBadRequestsWorld } from './bad-requests-world.ts'
import {
  type Answer,
  assertListed,
  type BadRequest,
  type Counts,
  checkAll,
  count,
  operationOf,
  readAnswers,
} from './checked-answers.ts'
import { createPicks, type Picks } from './picks.ts'

const { seed, of } = openSoak()
const BODIES = { '/v1/rfq/quote': of(6_000), '/v1/rfq/orders': of(2_000) }
const [QUERIES, PATHS, ON_STREAMS, CONNECTIONS] = [of(7_000), of(1_000), of(1_000), of(3_000)]
/** The part of the requests that may be good by chance. */
const MOST_GOOD = 0.6

let world: BadRequestsWorld
let port: number
before(async () => {
  world = await startBadRequestsWorld()
  port = Number(new URL(world.url).port)
})
after(() => world?.stop())

const tell = (context: TestContext, counts: Counts): void =>
  context.diagnostic(
    [...counts]
      .map(([answer, times]) => `${answer}: ${times}`)
      .toSorted()
      .join(', '),
  )

const postOf = (path: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    ),
    body,
  ])

const getOf = (target: string): Buffer => Buffer.from(`GET ${target} HTTP/1.1\r\nhost: a\r\n\r\n`)

const operationAt = (path: string): Operation =>
  OPERATIONS.find((operation) => operation.path === path) ?? assert.fail(path)

const goodOf = (dice: Picks, path: string) => dice.pick(world.good[path] ?? [{}])

const badBodyOf = (dice: Picks, path: string): Buffer =>
  badBody(dice, operationAt(path), goodOf(dice, path), world.known)

/** A bad target of an operation with a query. */
const badTargetOf = (dice: Picks, operation: Operation): string =>
  `${operation.path}?${badQuery(dice, operation, goodOf(dice, operation.path), world.known)}`

/** Quotes are for the exact amount that was asked for. */
const checkQuotes = (sent: Buffer, answer: Answer): void => {
  const { amount, orderType } = QuoteRequest.parse(JSON.parse(sent.toString()))
  for (const { input, output } of QuoteAnswer.parse(JSON.parse(answer.body)).quotes)
    assert.equal(orderType === 'EXACT_INPUT' ? input.amount : output.amount, amount.toString())
}

const assertMostlyBad = (counts: Counts, all: number): void => {
  const good = counts.get('200') ?? 0
  assert.ok(good < all * MOST_GOOD, `${good} of ${all} requests were good`)
}

test(`${Object.values(BODIES).join(' and ')} bad bodies are answered with a listed error, or as described`, async (context) => {
  const dice = createPicks(seed)
  for (const [path, times] of Object.entries(BODIES)) {
    const counts: Counts = new Map()
    const requests = Array.from({ length: times }, (): BadRequest => {
      const body = badBodyOf(dice, path)
      const check = path === '/v1/rfq/quote' ? (answer: Answer) => checkQuotes(body, answer) : () => undefined
      return { operation: operationAt(path), bytes: postOf(path, body), check }
    })
    await checkAll(port, requests, counts)
    tell(context, counts)
    assertMostlyBad(counts, times)
  }
})

test(`${QUERIES} bad queries of every endpoint are answered with a listed error, or as described`, async (context) => {
  const dice = createPicks(seed + 1)
  const asked = ONCE.filter(({ method }) => method === 'GET')
  const withQuery = asked.filter(({ query }) => query !== undefined)
  const counts: Counts = new Map()
  const requests = Array.from({ length: QUERIES }, (): BadRequest => {
    const operation = dice.pick(dice.below(10) === 0 ? asked : withQuery)
    return { operation, bytes: getOf(badTargetOf(dice, operation)) }
  })
  await checkAll(port, requests, counts)
  tell(context, counts)
  assertMostlyBad(counts, QUERIES)
})

test(`${PATHS} bad paths and methods are answered 404 or 405, or by a page`, async (context) => {
  const dice = createPicks(seed + 2)
  const counts: Counts = new Map()
  const paths = ONCE.map(({ path }) => path)
  const requests = Array.from({ length: PATHS }, (): BadRequest => {
    if (dice.below(3) > 0) {
      const bytes = getOf(badPath(dice, paths, world.known))
      return { bytes, operation: operationOf(bytes) }
    }
    const operation = dice.pick(OPERATIONS)
    const { path, method } = operation
    const other = dice.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])
    return other === method
      ? { bytes: getOf(`${path}/`), operation: undefined }
      : {
          bytes: Buffer.from(`${other} ${badTargetOf(dice, operation)} HTTP/1.1\r\nhost: a\r\n\r\n`),
          operation: undefined,
        }
  })
  await checkAll(port, requests, counts)
  tell(context, counts)
})

/** The first event of an answer, or undefined when none has arrived. */
const firstEvent = (stream: string): { readonly name: string; readonly data: unknown } | undefined => {
  const [, name, data] = /\bevent: (\w+)\n(?:id: [^\n]+\n)?data: ([^\n]*)\n\n/.exec(stream) ?? []
  if (name === undefined || data === undefined) return undefined
  return { name, data: JSON.parse(Buffer.from(data, 'latin1').toString()) }
}

const EVENTS = { quotes: QuoteAnswer, status: Status, refused: ErrorBody } as const

test(`${ON_STREAMS} bad requests to the streams are answered with a listed error, or with events`, async (context) => {
  const dice = createPicks(seed + 3)
  const counts: Counts = new Map()
  const ask = async (operation: Operation, bytes: Buffer): Promise<void> => {
    const hasArrived = (stream: string): boolean => firstEvent(stream) !== undefined
    const stream = await sendRaw(port, bytes, { hasArrived })
    if (!/^HTTP\/1\.1 200 /.test(stream)) {
      const [answer] = readAnswers(stream)
      assert.ok(answer !== undefined, bytes.toString())
      assertListed(answer, operation, bytes.toString())
      count(counts, answer)
      return
    }
    const event = firstEvent(stream)
    assert.ok(event !== undefined && event.name in EVENTS, stream)
    // CAST: a key of the table, as was just checked.
    EVENTS[event.name as keyof typeof EVENTS].parse(event.data)
    counts.set(event.name, (counts.get(event.name) ?? 0) + 1)
  }
  const requests = Array.from({ length: ON_STREAMS }, () => {
    const operation = dice.pick(STREAMS)
    return [operation, getOf(badTargetOf(dice, operation))] as const
  })
  for (let start = 0; start < requests.length; start += 20)
    await Promise.all(requests.slice(start, start + 20).map(([operation, bytes]) => ask(operation, bytes)))
  tell(context, counts)
})

const chunked = (path: string, body: Buffer): Buffer =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n0\r\n\r\n`,
    'latin1',
  )

const rawBytes = (dice: Picks): Buffer => {
  const wellFormed = (): Buffer => {
    const operation = dice.pick(ONCE)
    const { path, method } = operation
    if (method === 'GET') return getOf(badTargetOf(dice, operation))
    return (dice.below(2) === 0 ? postOf : chunked)(path, badBodyOf(dice, path))
  }
  switch (dice.below(4)) {
    case 0:
      return Buffer.from(Array.from({ length: 1 + dice.below(300) }, () => dice.below(256)))
    case 1:
      return Buffer.concat([wellFormed(), wellFormed(), Buffer.from(dice.pick(['', 'x', '\r\n', '\0']))])
    default:
      return damageBytes(dice, wellFormed())
  }
}

/** Connections that are open at once. */
const AT_ONCE = 400

/** The operations that some line in the bytes names. */
const namedIn = (bytes: Buffer): readonly Operation[] => {
  const text = bytes.toString('latin1')
  return OPERATIONS.filter(({ path }) => text.includes(path))
}

test(`${CONNECTIONS} connections with damaged bytes are answered with listed errors, and never with 5xx`, async (context) => {
  const dice = createPicks(seed + 4)
  const counts: Counts = new Map()
  let silent = 0
  for (let start = 0; start < CONNECTIONS; start += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, CONNECTIONS - start) }, () => rawBytes(dice))
    await Promise.all(
      batch.map(async (bytes) => {
        // Bytes that lack their end are answered when the server's time for them is over.
        const answers = readAnswers(await sendRaw(port, bytes))
        if (answers.length === 0) silent += 1
        const operations = namedIn(bytes)
        for (const answer of answers) {
          count(counts, answer)
          const own = operations.find(({ errors }) => answer.status >= 400 && codeIn(answer) in errors)
          assertListed(answer, answer.status < 422 ? undefined : own, bytes.toString('latin1'))
        }
      }),
    )
  }
  tell(context, counts)
  assert.ok(silent < CONNECTIONS / 10, `${silent} connections were not answered`)
})

const codeIn = ({ body }: Answer): string => ErrorBody.parse(JSON.parse(body)).error.code

test('the service logged no internal error and still answers', async () => {
  assert.doesNotMatch(world.stderr(), /request_failed|"level":"(error|fatal)"/)
  assert.equal((await fetch(`${world.url}/v1/rfq/chains`)).status, 200)
})
