import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type LocalServer, startLocalServer } from '../../../test/local-server.ts'
import { createAxelarscan } from './gmp.ts'

type Answer = { readonly status?: number; readonly body: string; readonly delayMs?: number }

let server: LocalServer
let url = ''
let answers: Record<string, Answer> = {}
let asked: string[] = []
let time = 0

before(async () => {
  server = await startLocalServer(({ method, url: target, body }, response) => {
    asked.push(`${method} ${target} ${body}`)
    const answer = answers[target.split('?')[0] ?? ''] ?? { status: 404, body: '{}' }
    setTimeout(() => {
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
      response.end(answer.body)
    }, answer.delayMs ?? 0)
  })
  url = `${server.url}/`
})
after(() => server.stop())
beforeEach(() => {
  answers = {}
  asked = []
  time += 10_000
})

const scan = () => createAxelarscan({ urls: url, now: () => time, log: () => undefined })
const hash = `0x${'ab'.repeat(32)}`
const gmp = (...data: unknown[]) => ({
  '/gmp/searchGMP': { body: JSON.stringify({ data, total: data.length }) },
})

test('finds a message by its id among the records of its transaction', async () => {
  answers = gmp(
    { message_id: `${hash}-1`, status: 'called', call: { receipt: { logs: [] } } },
    {
      message_id: `${hash.toUpperCase().replace('0X', '0x')}-3`,
      command_id: `0x${'CD'.repeat(32)}`,
      status: 'executed',
      gas_status: 'gas_paid_enough_gas',
      gas_paid: 'gas_paid',
      approved: { block_timestamp: 1_795_000_001 },
      executed: {
        transactionHash: `0x${'EF'.repeat(32)}`,
        childMessageIDs: [`0x${'01'.repeat(32)}-9`],
        block_timestamp: 1_795_000_002,
      },
      time_spent: { total: 5 },
    },
  )
  assert.deepEqual(await scan().findMessage(`${hash}-3`), {
    messageId: `${hash}-3`,
    sourceChain: undefined,
    commandId: `0x${'cd'.repeat(32)}`,
    status: 'executed',
    executedTxHash: `0x${'ef'.repeat(32)}`,
    executedTransaction: `0x${'ef'.repeat(32)}`,
    expressTxHash: undefined,
    approvedAt: 1_795_000_001_000,
    executedAt: 1_795_000_002_000,
    childMessageId: `0x${'01'.repeat(32)}-9`,
    invalid: undefined,
    gasInsufficient: false,
    confirmFailed: false,
    error: undefined,
  })
  assert.equal(await scan().findMessage(`${hash}-2`), undefined)
})

test('a malformed field counts as missing and hides nothing else', async () => {
  answers = gmp({
    message_id: `${hash}-6`,
    status: 'called',
    gas_status: 7,
    approved: 'yes',
    executed: [],
    callback: true,
    error: { error: 'none' },
    is_invalid_call: 'false',
  })
  const message = await scan().findMessage(`${hash}-6`)
  assert.equal(message?.status, 'called')
  assert.equal(message?.invalid, undefined)
  assert.equal(message?.executedTxHash, undefined)
})

test('derives ids from the call and the callback when the record lacks them', async () => {
  answers = gmp({
    call: { transactionHash: hash, eventIndex: 4 },
    status: 'called',
    gas_status: 'gas_unpaid',
    callback: { messageIdHash: hash, messageIdIndex: '7' },
    gas_paid: null,
  })
  const message = await scan().findMessage(`${hash}-4`)
  assert.equal(message?.childMessageId, `${hash}-7`)
  assert.equal(message?.gasInsufficient, true)
  answers = gmp({ message_id: `${hash}-6`, callback: { id: `${hash}-8` } })
  assert.equal((await scan().findMessage(`${hash}-6`))?.childMessageId, `${hash}-8`)
  answers = gmp({ message_id: `${hash}-5`, express_executed: { transactionHash: hash } })
  assert.equal((await scan().findMessage(`${hash}-5`))?.expressTxHash, hash)
})

test("another chain's record with the message's id is not the message's", async () => {
  answers = gmp(
    { message_id: `${hash}-3`, call: { chain: 'polygon' }, is_invalid_call: true },
    { message_id: `${hash}-3`, call: { chain: 'ethereum' }, status: 'called' },
  )
  assert.equal((await scan().findMessage(`${hash}-3`, 'Ethereum'))?.invalid, undefined)
  assert.equal((await scan().findMessage(`${hash}-3`, 'Polygon'))?.invalid, 'invalid_call')
  assert.equal(await scan().findMessage(`${hash}-3`, 'base'), undefined)
})

test('a transaction that is not named by a hash is none', async () => {
  answers = gmp({
    message_id: `${hash}-3`,
    executed: { transactionHash: 'soon' },
    express_executed: { transactionHash: `${hash}00` },
  })
  const message = await scan().findMessage(`${hash}-3`)
  assert.deepEqual([message?.executedTxHash, message?.expressTxHash], [undefined, undefined])
})

test('distinguishes invalid messages, errors and failed confirmations', async () => {
  const read = async (record: Record<string, unknown>) => {
    answers = gmp({ message_id: `${hash}-0`, ...record })
    time += 10_000
    return scan().findMessage(`${hash}-0`)
  }
  assert.equal((await read({ is_invalid_call: true }))?.invalid, 'invalid_call')
  assert.equal((await read({ is_invalid_source_address: true }))?.invalid, 'invalid_source_address')
  assert.equal((await read({ is_invalid_contract_address: true }))?.invalid, 'invalid_contract_address')
  assert.equal((await read({ is_invalid_destination_chain: true }))?.invalid, 'invalid_destination_chain')
  assert.equal((await read({ status: 'insufficient_fee' }))?.gasInsufficient, true)
  assert.equal((await read({ not_enough_gas_to_execute: true }))?.gasInsufficient, true)
  assert.equal((await read({ confirm_failed: true }))?.confirmFailed, true)
  assert.equal((await read({ confirm_failed: { event: 'ConfirmFailed' } }))?.confirmFailed, true)
  for (const none of [false, null, 'no'])
    assert.equal((await read({ confirm_failed: none }))?.confirmFailed, false)
  assert.equal(
    (await read({ status: 'error', error: { error: { message: 'reverted' } } }))?.error,
    'reverted',
  )
  assert.equal((await read({ status: 'error' }))?.error, 'execution failed')
})

test('reads how long a hop takes, from its steps when the total is missing', async () => {
  const read = async (...rows: unknown[]) => {
    answers = { '/gmp/estimateTimeSpent': { body: JSON.stringify(rows) } }
    time += 10_000
    return scan().hopSeconds('a', 'b')
  }
  assert.equal(await read({ key: 'a_b', num_txs: 3, confirm: 1, approve: 1, execute: 1, total: 4.5 }), 4.5)
  assert.equal(await read({ confirm: 1, approve: 2.5, execute: 3 }), 6.5)
  assert.equal(await read({ confirm: 1 }), undefined)
  assert.equal(await read(), undefined)
})

test('rejects every unusable answer: errors, other shapes, broken JSON, silence, floods', async () => {
  for (const answer of [
    { status: 500, body: '{}' },
    { body: '{"data":7}' },
    { body: '{"error":true}' },
    { body: '<html>' },
    { body: '{"data":[]}', delayMs: 1_500 },
    { body: `{"data":[],"pad":"${'x'.repeat(5 * 1024 * 1024)}"}` },
  ]) {
    answers = { '/gmp/searchGMP': answer }
    time += 10_000
    await assert.rejects(scan().findMessage(`${hash}-0`))
  }
})

test('concurrent callers share one request', async () => {
  answers = gmp({ message_id: `${hash}-0`, status: 'called' })
  const client = scan()
  await Promise.all([1, 2, 3].map(() => client.findMessage(`${hash}-0`)))
  assert.equal(asked.length, 1)
  time += 1_000
  await client.findMessage(`${hash}-0`)
  assert.equal(asked.length, 2)
})

test('a failed answer is not shared with the next search', async () => {
  const client = scan()
  answers = { '/gmp/searchGMP': { status: 503, body: '{}' } }
  const outcomes = await Promise.allSettled([
    client.findMessage(`${hash}-1`),
    client.findMessage(`${hash}-1`),
  ])
  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  assert.equal(asked.length, 1)
  answers = gmp({ message_id: `${hash}-1`, status: 'called', call: { receipt: { logs: [] } } })
  assert.equal((await client.findMessage(`${hash}-1`))?.messageId, `${hash}-1`)
})
