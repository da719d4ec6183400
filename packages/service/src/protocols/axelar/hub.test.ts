import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type LocalServer, startLocalServer } from '../../../test/local-server.ts'
import { AxelarError } from './axelar-error.ts'
import { createHub } from './hub.ts'
import { createLcd } from './lcd.ts'

const PLACES = { hub: 'axelar1hub', router: 'axelar1router', gateway: 'axelar1gateway' }
const TOKEN_ID = `0x${'AB'.repeat(32)}`
const MESSAGE_ID = `0x${'cd'.repeat(32)}-3`

type Answer = { readonly status: number; readonly body: unknown }

let server: LocalServer
let answers: Record<string, Answer> = {}
let asked: string[] = []

const data = (value: unknown): Answer => ({ status: 200, body: { data: value } })
const failure = (text: string): Answer => ({
  status: 500,
  body: { code: 2, message: `codespace wasm code 9: query wasm contract failed: ${text}`, details: [] },
})

before(async () => {
  server = await startLocalServer(({ url }, response) => {
    const [, contract = '', query = ''] =
      /^\/cosmwasm\/wasm\/v1\/contract\/(\w+)\/smart\/(.+)$/.exec(url) ?? []
    const text = `${contract} ${Buffer.from(decodeURIComponent(query), 'base64').toString('utf8')}`
    asked.push(text)
    const { status, body } = answers[text] ?? failure('unknown')
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
})
after(() => server.stop())
beforeEach(() => {
  answers = {}
  asked = []
})

const hub = () => createHub(createLcd({ urls: server.url, now: () => 0, log: () => undefined }), PLACES)

test('the hub carries messages only while it and the router are enabled', async () => {
  for (const [ofHub, ofRouter] of [
    [true, true],
    [true, false],
    [false, true],
  ]) {
    answers['axelar1hub {"is_enabled":{}}'] = data(ofHub)
    answers['axelar1router {"is_enabled":{}}'] = data(ofRouter)
    assert.equal(await hub().isEnabled(), ofHub && ofRouter)
  }
})

test("a chain is asked for by its exact name, and of the router in lower case; a consensus chain is none of the router's", async () => {
  const chain = {
    chain: 'Ethereum',
    its_edge_contract: '0x1',
    truncation: { max_uint_bits: 256, max_decimals_when_truncating: 255 },
    frozen: true,
    msg_translator: 'axelar1translator',
  }
  answers['axelar1hub {"its_chain":{"chain":"Ethereum"}}'] = data(chain)
  answers['axelar1router {"chain_info":"ethereum"}'] = failure('chain is not found')
  const known = { isFrozen: true, maxUintBits: 256 }
  assert.deepEqual(await hub().chain('Ethereum'), {
    ...known,
    isSourceFrozen: false,
    isDestinationFrozen: false,
  })
  for (const [status, isSourceFrozen, isDestinationFrozen] of [
    [0, false, false],
    [1, true, false],
    [2, false, true],
    [3, true, true],
  ]) {
    answers['axelar1router {"chain_info":"ethereum"}'] = data({ name: 'ethereum', frozen_status: status })
    assert.deepEqual(await hub().chain('Ethereum'), { ...known, isSourceFrozen, isDestinationFrozen })
  }
  answers['axelar1router {"chain_info":"ethereum"}'] = failure('out of gas')
  await assert.rejects(hub().chain('Ethereum'), AxelarError)
})

test('what the hub does not have is undefined', async () => {
  answers['axelar1hub {"its_chain":{"chain":"fantom"}}'] = data(null)
  answers['axelar1router {"chain_info":"fantom"}'] = failure('chain is not found')
  assert.equal(await hub().chain('fantom'), undefined)
  const query = `axelar1hub {"token_instance":{"chain":"stellar","token_id":"${'ab'.repeat(32)}"}}`
  answers[query] = data(null)
  assert.equal(await hub().token('stellar', TOKEN_ID), undefined)
})

test('a token has a tracked supply or none, and its decimals', async () => {
  const query = `axelar1hub {"token_instance":{"chain":"stellar","token_id":"${'ab'.repeat(32)}"}}`
  answers[query] = data({ supply: { tracked: '340282366920938463463374607431768211456' }, decimals: 7 })
  assert.deepEqual(await hub().token('stellar', TOKEN_ID), { supply: 2n ** 128n, decimals: 7 })
  answers[query] = data({ supply: 'untracked', decimals: 18 })
  assert.deepEqual(await hub().token('stellar', TOKEN_ID), { supply: null, decimals: 18 })
  for (const odd of [{ supply: 'much', decimals: 7 }, { supply: { tracked: '-1' }, decimals: 7 }, {}]) {
    answers[query] = data(odd)
    await assert.rejects(hub().token('stellar', TOKEN_ID), AxelarError)
  }
})

test('a message waits at the gateway or is executed, and before that nothing is said of it', async () => {
  const query = `axelar1gateway {"executable_messages":{"cc_ids":[{"source_chain":"Ethereum","message_id":"${MESSAGE_ID}"}]}}`
  for (const status of ['approved', 'executed'] as const) {
    answers[query] = data([{ [status]: { cc_id: { source_chain: 'Ethereum', message_id: MESSAGE_ID } } }])
    assert.equal(await hub().message('Ethereum', MESSAGE_ID), status)
  }
  for (const nothing of [failure('message not approved'), data([]), data([{}])]) {
    answers[query] = nothing
    await assert.rejects(hub().message('Ethereum', MESSAGE_ID), AxelarError)
  }
  assert.ok(asked.length > 0)
})
