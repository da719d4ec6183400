import assert from 'node:assert/strict'
import type { ErrorCode } from '@openrfq/sdk'
import type { Recording } from 'openrfq/src/http/openapi/recordings.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { startTableServer } from 'openrfq/test/table-server.ts'
import { createTableUseCases } from 'openrfq/test/table-use-cases.ts'
import {
  type Asked,
  ask,
  bodyOf,
  CHAIN_A,
  CHAIN_B,
  endOf,
  record,
  type Scene,
  STELLAR,
} from './example-scene.ts'

/** One request more than a client may send in ten seconds. */
const TOO_MANY = 501
/** An account of Stellar that was never made: that of the key of zeros. */
const NOBODY = 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF'

type Refusal = readonly [code: ErrorCode, asked: Omit<Asked, 'name'>]

/** Records every error that a client can cause, by code. */
export const recordRefusals = async (scene: Scene): Promise<void> => {
  const [from, to] = [endOf(scene, CHAIN_A, /^USDC$/), endOf(scene, CHAIN_B, /^axlUSDC$/)]
  const good = bodyOf(scene, { name: '', from, to, amount: '25000000' })
  const quote = (change: object) => ({ operationId: 'requestQuotes', body: { ...good, ...change } })
  const unlisted = `0x${'11'.repeat(20)}`
  const refusals: readonly Refusal[] = [
    ['INVALID_REQUEST', { operationId: 'listTokens', query: { backend: 'bridge' } }],
    ['UNSUPPORTED_CHAIN', { operationId: 'listTokens', query: { chain: 'eip155:5' } }],
    ['INVALID_REQUEST', quote({ amount: '25.00' })],
    ['UNSUPPORTED_CHAIN', quote({ toChain: 'eip155:5' })],
    ['UNSUPPORTED_TOKEN', quote({ toToken: unlisted })],
    ['UNSUPPORTED_ROUTE', quote({ toChain: good.fromChain, toToken: good.fromToken })],
    ['AMOUNT_OUT_OF_RANGE', quote({ amount: '1' })],
    ['INVALID_REQUEST', { operationId: 'getStatus' }],
  ]
  for (const [code, asked] of refusals) assertCode(await record(scene, { ...asked, name: code }), code)
  await recordUnpayable(scene)
  const last: Asked = { operationId: 'listChains', name: 'RATE_LIMITED' }
  // One after the other they take longer than the limit's ten seconds on a busy machine.
  const answers = await Promise.all(Array.from({ length: TOO_MANY }, () => ask(scene.url, last)))
  const refused = answers.find(({ status }) => status !== 200)
  assert.ok(refused, 'no limit')
  assertCode(refused, 'RATE_LIMITED')
  scene.recordings.push(refused)
}

/** Records the refusal of a recipient that has no account on its chain. */
const recordUnpayable = async (scene: Scene): Promise<void> => {
  const walk = {
    name: '',
    from: endOf(scene, CHAIN_A, /^USDC$/),
    to: endOf(scene, STELLAR, /^USDC$/),
    amount: '25000000',
  }
  const body = { ...bodyOf(scene, walk), recipient: NOBODY }
  const refused = await eventually('the recipient is refused', async () => {
    const asked = await ask(scene.url, { operationId: 'requestQuotes', name: 'recipientCannotBePaid', body })
    return Object(asked.answer).error?.details.reasonCode === 'no_account' && asked
  })
  scene.recordings.push(refused)
}

const assertCode = ({ answer }: Recording, code: ErrorCode): void =>
  assert.equal(Object(answer).error?.code, code, JSON.stringify(answer))

/** Records what only a server in trouble answers: INTERNAL_ERROR, and that it is not ready. */
export const recordTrouble = async (): Promise<readonly Recording[]> => {
  const listChains = (): never => {
    throw new Error('a fault')
  }
  const part = 'solver Reference Solver One'
  const since = new Map([[part, Date.UTC(2026, 10, 21)]])
  const readiness = async () => ({ ready: false, missing: [part], degraded: [], since })
  const server = await startTableServer({
    useCases: { ...createTableUseCases(), listChains, readiness },
    randomId: () => '4b1ad5b5-6d0b-4c32-a3a4-6f0a3a0c7f2b',
  })
  try {
    const recording = await ask(server.url, { operationId: 'listChains', name: 'INTERNAL_ERROR' })
    assertCode(recording, 'INTERNAL_ERROR')
    return [recording, await ask(server.url, { operationId: 'getReadiness', name: 'notReady' })]
  } finally {
    await server.close()
  }
}
