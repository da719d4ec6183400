import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { privateKeyToAccount } from 'viem/accounts'
import { escrowOrderOf } from '../../../test/escrow-orders.ts'
import { until } from '../../../test/eventually.ts'
import { RpcError } from '../../chains/rpc/rpc-error.ts'
import { IntentOrder } from '../../core/intent-order.ts'
import { claimText } from '../settlers/fill-claim.ts'
import { orderIdOf } from '../settlers/settler-contract.ts'
import type { ClaimJudge } from './claim-answer.ts'
import { type ClaimServer, startClaimServer } from './claim-server.ts'

const SOLVER = privateKeyToAccount(`0x${'51'.repeat(32)}`)
const OTHER_SOLVER = privateKeyToAccount(`0x${'53'.repeat(32)}`)
const STRANGER = privateKeyToAccount(`0x${'52'.repeat(32)}`)
const TRANSACTION = `0x${'f1'.repeat(32)}`
const { order } = escrowOrderOf('SOL')

const STATUS = {
  attester: STRANGER.address,
  chains: [{ chainId: 'eip155:1', isCurrent: true, head: { number: 7, timestampSeconds: 1_700_000_000 } }],
}

let server: ClaimServer
let judge: ClaimJudge
let looks = 0

before(async () => {
  server = await startClaimServer({
    judge: (claim) => {
      looks += 1
      return judge(claim)
    },
    status: () => STATUS,
    solvers: [SOLVER.address, OTHER_SOLVER.address],
    host: '127.0.0.1',
    port: 0,
    log: () => undefined,
  })
})
after(() => server.stop())

const post = async (body: string, path = '/v1/attestations', method = 'POST') => {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    ...(method === 'POST' ? { body } : {}),
  })
  return { status: response.status, body: await response.json() }
}

const claimOf = async (by = SOLVER, part: object = {}): Promise<string> => {
  const signature = await by.signMessage({ message: claimText(orderIdOf(order), TRANSACTION) })
  return JSON.stringify({ order: IntentOrder.encode(order), transaction: TRANSACTION, signature, ...part })
}

test('answers a claim with the attestation, a reason to wait, or a refusal', async () => {
  const answers = [
    [200, { kind: 'attested', transaction: TRANSACTION, signature: '0x' }],
    [202, { kind: 'waiting', reason: 'the fill is not final' }],
    [422, { kind: 'refused', reason: 'no fill' }],
  ] as const
  for (const [status, body] of answers) {
    judge = async () => body
    assert.deepEqual(await post(await claimOf()), { status, body })
  }
})

test('a chain that cannot be read is a reason to wait', async () => {
  judge = () => Promise.reject(new RpcError('NO_ANSWER', 'silent'))
  assert.equal((await post(await claimOf())).status, 202)
})

test('a claim without the signature of a solver of the network is not looked at', async () => {
  looks = 0
  assert.equal((await post(await claimOf(STRANGER))).status, 403)
  assert.equal((await post(await claimOf(SOLVER, { transaction: `0x${'f2'.repeat(32)}` }))).status, 403)
  const invalid = { ...IntentOrder.encode(order), recipient: 'nobody' }
  assert.equal((await post(await claimOf(SOLVER, { order: invalid }))).status, 403)
  assert.equal(looks, 0)
})

/** A stranger that begins a claim and never ends it. */
const beginClaim = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write('POST /v1/attestations HTTP/1.1\r\nhost: attester\r\ncontent-length: 1000\r\n\r\n{', () =>
        resolve(socket),
      )
    })
    socket.once('error', reject)
  })

test('strangers that begin claims and do not end them keep no solver out', async (context) => {
  judge = async () => ({ kind: 'waiting', reason: 'the fill is not final' })
  const sockets: Socket[] = []
  context.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (let count = 0; count < 300; count += 1) {
    const socket = await beginClaim()
    socket.on('error', () => undefined)
    sockets.push(socket)
  }
  assert.equal((await post(await claimOf())).status, 202)
})

test('everybody is told how far the chains are read, also beside strangers that hold every connection', async (context) => {
  looks = 0
  const sockets = await Promise.all(Array.from({ length: 300 }, beginClaim))
  context.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (const socket of sockets) socket.on('error', () => undefined)
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/status`)
  assert.deepEqual([response.status, await response.json()], [200, STATUS])
  assert.equal((await post('{}', '/v1/status')).status, 405)
  assert.equal(looks, 0)
})

test('claims of one solver that are looked at take no place of another', async () => {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<ClaimJudge>>>()
  judge = () => promise
  looks = 0
  const claims = Array.from({ length: 16 }, async () => post(await claimOf()))
  await until(() => looks === 16)
  assert.equal((await post(await claimOf())).status, 429)
  const others = claimOf(OTHER_SOLVER).then(post)
  await until(() => looks === 17)
  resolve({ kind: 'waiting', reason: 'the fill is not final' })
  for (const answered of [...claims, others]) assert.equal((await answered).status, 202)
  assert.equal((await post(await claimOf())).status, 202)
})

test('bad requests get an error that names what is expected', async () => {
  assert.equal((await post('{')).status, 400)
  assert.equal((await post('null')).status, 400)
  assert.equal((await post(await claimOf(SOLVER, { extra: 1 }))).status, 400)
  assert.equal((await post(JSON.stringify({ order: 'x'.repeat(20_000) }))).status, 413)
  assert.equal((await post('{}', '/other')).status, 404)
  assert.equal((await post('', '/v1/attestations', 'GET')).status, 405)
})
