import assert from 'node:assert/strict'
import { Status } from '@openrfq/sdk'
import type { Recording } from 'openrfq/src/http/openapi/recordings.ts'
import { OPERATIONS } from 'openrfq/src/http/operations.ts'
import { assertEventsDescribed } from 'openrfq/test/described-answer.ts'
import { sendRaw } from 'openrfq/test/raw-request.ts'
import { follow } from 'openrfq/test/wallet.ts'
import { generatePrivateKey } from 'viem/accounts'
import { record, type Scene } from './example-scene.ts'
import { itsTrade, quoteToNew, sendShort } from './late-transfers.ts'
import { isAt } from './recovery-steps.ts'
import { accountAt } from './sandbox-service.ts'
import { signedOpening } from './signed-opening.ts'

/** The account that has its orders opened. */
const OPENING_SENDER = 5

/** Records an order that the operator opens, from its signatures to the end, and one that it declines. */
const recordOpenings = async (scene: Scene): Promise<void> => {
  const { world } = scene
  const recipient = accountAt(world, 1).address
  const body = await signedOpening(world, accountAt(world, OPENING_SENDER), recipient, 35_000_000n)
  await record(scene, { operationId: 'openOrder', name: 'submitted', body })
  await follow(world.service.url, { quoteId: body.quoteId })
  const penniless = await signedOpening(world, { privateKey: generatePrivateKey() }, recipient, 36_000_000n)
  const { answer } = await record(scene, { operationId: 'openOrder', name: 'declined', body: penniless })
  assert.equal(Object(answer).state, 'declined')
}

/** Records what moves a transfer on that paid too little for its relay. */
const recordRecovery = async (scene: Scene): Promise<void> => {
  const { world } = scene
  const { quote } = await quoteToNew(world, 'its', itsTrade(world))
  const { quoteId } = quote
  await sendShort(world, quote, 1n)
  await follow(world.service.url, { quoteId }, isAt('gas_insufficient'))
  const query = { quoteId, account: accountAt(world, 2).address }
  const { answer } = await record(scene, { operationId: 'getRecovery', name: 'addGas', query })
  assert.equal(Object(answer).recoveries.length, 1)
  await record(scene, { operationId: 'getStatus', name: 'gasInsufficient', query: { quoteId } })
}

const EVENT = /^event: .*\n(?:id: .*\n)?data: .*\n\n/m

/** The text of a stream up to its first event. */
const readFirstEvent = async (url: string): Promise<string> => {
  const { port, pathname, search } = new URL(url)
  let events = ''
  await sendRaw(Number(port), `GET ${pathname}${search} HTTP/1.1\r\nhost: a\r\n\r\n`, {
    hasArrived: (received) => {
      const [head = '', ...chunks] = received.split(/\r\n(?:[0-9a-f]+\r\n)?/)
      assert.ok(head.startsWith('HTTP/1.1 200'), received)
      const body = Buffer.from(chunks.join(''), 'latin1').toString()
      events = body.slice(body.indexOf('retry:'))
      return EVENT.test(events)
    },
  })
  return events.trimEnd()
}

/** Records the first event of a stream. */
const recordStream = async (
  { url, recordings }: Scene,
  asked: Pick<Recording, 'operationId' | 'name' | 'query'>,
): Promise<void> => {
  const path = OPERATIONS.find(({ operationId }) => operationId === asked.operationId)?.path
  const target = `${url}${path}?${new URLSearchParams(asked.query)}`
  const answer = await readFirstEvent(target)
  assertEventsDescribed(target, answer)
  recordings.push({ ...asked, status: 200, answer })
}

/** The recorded answer of an operation under a name. */
const recorded = ({ recordings }: Scene, operationId: string, name: string): Recording => {
  const found = recordings.find((one) => one.operationId === operationId && one.name === name)
  return found ?? assert.fail(`${operationId} ${name}`)
}

/** Records the answers about transfers that were recorded before, about openings and recoveries, and of the streams. */
export const recordLookups = async (scene: Scene): Promise<void> => {
  await recordOpenings(scene)
  await recordRecovery(scene)
  const { quoteId, source } = Status.parse(recorded(scene, 'getStatus', 'intentDone').answer)
  const stellar = Status.parse(recorded(scene, 'getStatus', 'stellarDone').answer)
  const address = accountAt(scene.world, 0).address
  for (const [operationId, name, query] of [
    ['getTransfer', 'done', { quoteId }],
    ['getTransfer', 'depositAddress', { quoteId: stellar.quoteId }],
    ['getTransfer', 'notFound', { quoteId: 'quote_of_somebody_else' }],
    ['listTransfers', 'page', { address, limit: '2' }],
    ['searchTransfers', 'byHash', { text: source?.txHash ?? '' }],
  ] as const)
    await record(scene, { operationId, name, query })
  // CAST: the body of a recorded request, whose members are texts.
  const request = recorded(scene, 'requestQuotes', 'exactOutput').body as Readonly<{ [name: string]: string }>
  await recordStream(scene, { operationId: 'streamQuotes', name: 'quotes', query: request })
  await recordStream(scene, { operationId: 'streamStatus', name: 'done', query: { quoteId } })
}
