import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ErrorBody, QuoteAnswer, Status } from '@openrfq/sdk'
import { sendRaw } from '../../test/raw-request.ts'
import { createDice } from '../../test/seeded.ts'
import { openSoak } from '../../test/soak.ts'
import { startTableServer } from '../../test/table-server.ts'
import { GOOD_REQUEST } from '../../test/table-use-cases.ts'
import { QuoteRequest } from '../core/order.ts'
import { OPERATIONS } from './operations.ts'

const { seed, of } = openSoak()
const [BODIES, QUERIES, CONNECTIONS] = [of(9_000), of(8_000), of(3_000)]

let server: Awaited<ReturnType<typeof startTableServer>>
before(async () => {
  server = await startTableServer()
})
after(() => server.close())

/** A seeded random generator that can also pick one of some values. */
const createPicks = (start: number) => {
  const below = createDice(start)
  const pick = <Value>(values: readonly Value[]): Value => {
    const value = values[below(values.length)]
    assert.ok(value !== undefined)
    return value
  }
  return { below, pick }
}
type Picks = ReturnType<typeof createPicks>

// biome-ignore format: a table of texts
const TEXTS = [
  '', ' ', '0', '00', '-1', '+1', '1.0', '1e3', '0x10', '1'.repeat(78), '9'.repeat(79), '١', 'true', 'TRUE', 'null',
  'eip155:31337', 'eip155:', ':1', 'eip155:1:2', 'EIP155:1', 'solana:x', 'a'.repeat(129), 'a'.repeat(5000), '\u0000',
  '\u202e', '😀', "' or 1=1 --", '<script>', '../../etc/passwd', '{7*7}', '%00', '%zz', '__proto__', 'constructor',
  '0x0000000000000000000000000000000000000000', `0x${'f'.repeat(40)}`, `0x${'a'.repeat(39)}`, 'intent', 'ITS',
  'EXACT_INPUT', 'exact_output', '\\', '"', '\r\n', 'x&y=z', '#', '?', '1000000', 'toString', 'hasOwnProperty',
] as const

// biome-ignore format: a table of values
const JSON_TEXTS = [
  'null', 'true', '0', '-0', '1e400', '-1e400', '1.5', '9007199254740993', '[]', '{}', '[[[[]]]]', '""', '{"a":{}}',
  '[1,"2",null]', '{"__proto__":{"x":1}}', '"\\ud800"', '"\\u0000"', '{"approvalMode":"MAX"}', '{"approvalMode":1}',
] as const

const FIELDS = [...Object.keys(GOOD_REQUEST), 'slippageTolerance', 'options', 'unknown', '__proto__', '']

const jsonText = (dice: Picks): string =>
  dice.below(2) === 0 ? dice.pick(JSON_TEXTS) : JSON.stringify(dice.pick(TEXTS))

const damageBytes = (dice: Picks, bytes: Buffer): Buffer => {
  const damaged = Buffer.from(bytes)
  for (let count = dice.below(4); count >= 0; count -= 1)
    damaged[dice.below(damaged.length)] = dice.below(256)
  return dice.below(3) === 0 ? damaged.subarray(0, dice.below(damaged.length)) : damaged
}

/** The good request with one to three fields changed, dropped or repeated; sometimes with damaged bytes. */
const badBody = (dice: Picks): Buffer => {
  const members = Object.entries(GOOD_REQUEST).map(([name, value]) => [name, JSON.stringify(value)] as const)
  const changes = Array.from(
    { length: 1 + dice.below(3) },
    () => [dice.pick(FIELDS), jsonText(dice)] as const,
  )
  const doubled = dice.below(8) === 0
  const kept = members.filter(([name]) => doubled || changes.every(([changed]) => changed !== name))
  const added = changes.filter(() => dice.below(4) > 0)
  const unique = doubled ? added : [...new Map(added)]
  const text = `{${[...kept, ...unique].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
  switch (dice.below(12)) {
    case 0:
      return damageBytes(dice, Buffer.from(text))
    case 1:
      return Buffer.from(jsonText(dice))
    case 2:
      return Buffer.from(dice.pick(['[', '{"a":']).repeat(dice.below(3000)))
    case 3:
      return Buffer.from(Array.from({ length: dice.below(200) }, () => dice.below(256)))
    default:
      return Buffer.from(text)
  }
}

const queryText = (dice: Picks): string => {
  const text = dice.pick(TEXTS)
  switch (dice.below(4)) {
    case 0:
      return encodeURI(text).replaceAll(/[ #]/g, '%20')
    case 1:
      return Array.from({ length: dice.below(40) }, () => String.fromCharCode(0x24 + dice.below(0x5a))).join(
        '',
      )
    default:
      return encodeURIComponent(text)
  }
}

const badQuery = (dice: Picks, names: readonly string[]): string =>
  Array.from({ length: dice.below(5) }, () => {
    const name = dice.below(8) === 0 ? queryText(dice) : dice.pick(names)
    return dice.below(12) === 0 ? name : `${name}=${queryText(dice)}`
  })
    .join(dice.pick(['&', '&', '&', '&&', ';']))
    .slice(0, 6_000)

type Answer = { readonly status: number; readonly body: string }

/** Splits a byte stream of ISO-8859-1 text into its answers, each with a content-length. */
const readAnswers = (stream: string): readonly Answer[] => {
  const answers: Answer[] = []
  let rest = stream
  while (rest !== '') {
    const head = /^HTTP\/1\.1 (\d{3}) [\s\S]*?\r\n\r\n/.exec(rest)
    assert.ok(head !== null, `not an answer: ${rest.slice(0, 200)}`)
    const length = Number(/\r\ncontent-length: (\d+)/.exec(head[0])?.[1] ?? 0)
    const end = head[0].length + length
    answers.push({
      status: Number(head[1]),
      body: Buffer.from(rest.slice(head[0].length, end), 'latin1').toString(),
    })
    rest = rest.slice(end)
  }
  return answers
}

const CODES = new Map(OPERATIONS.map(({ path, errors }) => [path, Object.keys(errors)]))

const assertListed = (path: string, { status, body }: Answer, context: string): void => {
  assert.ok(status < 500, `${status} ${context}`)
  if (status < 400) return
  const { error } = ErrorBody.parse(JSON.parse(body))
  assert.ok(CODES.get(path)?.includes(error.code), `${error.code} ${context}`)
  assert.equal(status, error.code === 'INVALID_REQUEST' ? 400 : 422, context)
}

/** Sends pipelined requests over a few connections and checks each answer; every request must get one. */
const checkAll = async (
  requests: readonly {
    readonly path: string
    readonly bytes: Buffer
    readonly check: (answer: Answer) => void
  }[],
): Promise<void> => {
  const last = Buffer.from('GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
  for (let start = 0; start < requests.length; start += 100) {
    const batch = requests.slice(start, start + 100)
    const stream = await sendRaw(server.port, Buffer.concat([...batch.map(({ bytes }) => bytes), last]), {
      answers: batch.length + 1,
    })
    const answers = readAnswers(stream)
    assert.equal(answers.length, batch.length + 1)
    for (const [index, { path, bytes, check }] of batch.entries()) {
      const answer = answers[index]
      assert.ok(answer !== undefined)
      assertListed(path, answer, bytes.toString('latin1'))
      if (answer.status === 200) check(answer)
    }
  }
}

test(`${BODIES} bad quote bodies are answered with a listed error, or with quotes for the exact amount`, async () => {
  const dice = createPicks(seed)
  let answered = 0
  const requests = Array.from({ length: BODIES }, () => {
    const body = badBody(dice)
    const head = `POST /v1/rfq/quote HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
    return {
      path: '/v1/rfq/quote',
      bytes: Buffer.concat([Buffer.from(head), body]),
      check: (answer: Answer) => {
        const sent = QuoteRequest.parse(JSON.parse(body.toString()))
        const { quotes } = QuoteAnswer.parse(JSON.parse(answer.body))
        assert.equal(quotes[0]?.input.amount, sent.amount.toString())
        answered += 1
      },
    }
  })
  await checkAll(requests)
  assert.ok(answered < BODIES / 2, `${answered} requests were good`)
})

test(`${QUERIES} bad queries are answered with a listed error, or with an answer of the schema`, async () => {
  const dice = createPicks(seed + 1)
  const requests = Array.from({ length: QUERIES }, () => {
    const path = dice.pick([
      '/v1/rfq/tokens',
      '/v1/rfq/tokens',
      '/v1/rfq/status',
      '/v1/rfq/status',
      '/v1/rfq/chains',
    ])
    const names = path.endsWith('tokens')
      ? ['chain', 'backend', 'verified']
      : ['quoteId', 'messageId', 'sourceChain']
    return {
      path,
      bytes: Buffer.from(`GET ${path}?${badQuery(dice, names)} HTTP/1.1\r\nhost: a\r\n\r\n`),
      check: ({ body }: Answer) => {
        const value: unknown = JSON.parse(body)
        if (path === '/v1/rfq/status') assert.equal(Status.parse(value).state, 'NOT_FOUND')
      },
    }
  })
  await checkAll(requests)
})

const rawBytes = (dice: Picks): Buffer => {
  const body = badBody(dice)
  const wellFormed = [
    `POST /v1/rfq/quote HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.toString('latin1')}`,
    `GET /v1/rfq/tokens?${badQuery(dice, ['chain', 'verified'])} HTTP/1.1\r\nhost: a\r\n\r\n`,
    `POST /v1/rfq/quote HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n0\r\n\r\n`,
  ]
  switch (dice.below(4)) {
    case 0:
      return Buffer.from(Array.from({ length: 1 + dice.below(300) }, () => dice.below(256)))
    case 1:
      return Buffer.from(
        `${dice.pick(wellFormed)}${dice.pick(wellFormed)}${dice.pick(['', 'x', '\r\n', '\0'])}`,
        'latin1',
      )
    default:
      return damageBytes(dice, Buffer.from(dice.pick(wellFormed), 'latin1'))
  }
}

test(`${CONNECTIONS} connections with damaged bytes are answered with error bodies, and never with 5xx`, async () => {
  const dice = createPicks(seed + 2)
  for (let start = 0; start < CONNECTIONS; start += 100) {
    const batch = Array.from({ length: Math.min(100, CONNECTIONS - start) }, () => rawBytes(dice))
    const streams = await Promise.all(
      batch.map((bytes) => sendRaw(server.port, bytes, { answers: 2, silenceMs: 300 })),
    )
    for (const [index, stream] of streams.entries()) {
      for (const { status, body } of readAnswers(stream)) {
        assert.ok(status < 500, `${status} ${batch[index]?.toString('latin1')}`)
        if (status >= 400) ErrorBody.parse(JSON.parse(body))
      }
    }
  }
})

test('the server logged no internal error and still answers', async () => {
  assert.deepEqual(server.lines, [])
  assert.equal((await fetch(`${server.url}/v1/rfq/chains`)).status, 200)
})
