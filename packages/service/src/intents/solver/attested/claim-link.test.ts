import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { privateKeyToAccount } from 'viem/accounts'
import { ATTESTER_KEY, escrowOrderOf } from '../../../../test/escrow-orders.ts'
import { EvmPrivateKey } from '../../../core/evm-private-key.ts'
import { createHttpClient, type HttpClient } from '../../../lib/http-client.ts'
import type { ClaimAnswer } from '../../attester/claim-answer.ts'
import { type ClaimServer, startClaimServer } from '../../attester/claim-server.ts'
import type { FillClaim } from '../../attester/payment-fill.ts'

import { escrowFillDigest } from '../../settlers/attestation.ts'
import { orderIdOf } from '../../settlers/settler-contract.ts'
import { type ClaimLink, createClaimLink } from './claim-link.ts'

const SOLVER_KEY = EvmPrivateKey.parse(`0x${'51'.repeat(32)}`)
const TRANSACTION = `0x${'f1'.repeat(32)}`
const { order } = escrowOrderOf('SOL')

let server: ClaimServer
let client: HttpClient
let link: ClaimLink
let answer: ClaimAnswer
let claims: FillClaim[] = []

before(async () => {
  server = await startClaimServer({
    judge: async (claim) => {
      claims.push(claim)
      return answer
    },
    status: () => ({ attester: '', chains: [] }),
    solvers: [privateKeyToAccount(SOLVER_KEY).address],
    host: '127.0.0.1',
    port: 0,
    log: () => undefined,
  })
  client = createHttpClient()
  link = createClaimLink({ client, url: `http://127.0.0.1:${server.port}`, privateKey: SOLVER_KEY })
})
after(async () => {
  client.close()
  await server.stop()
})
beforeEach(() => {
  claims = []
})

/** An attestation of `TRANSACTION` that names `said`. */
const attestedBy = async (key: EvmPrivateKey, said = TRANSACTION): Promise<ClaimAnswer> => {
  const digest = escrowFillDigest(order, orderIdOf(order), TRANSACTION)
  const signature = await privateKeyToAccount(key).sign({ hash: digest })
  return { kind: 'attested', transaction: said, signature }
}

test('hands the order and the transaction over, and returns the attestation', async () => {
  answer = await attestedBy(ATTESTER_KEY)
  assert.deepEqual(await link(order, TRANSACTION), answer)
  assert.deepEqual(claims, [{ order, transaction: TRANSACTION }])
})

test('returns why to wait and why the attester refuses', async () => {
  for (const kind of ['waiting', 'refused'] as const) {
    answer = { kind, reason: 'the fill is not final' }
    assert.deepEqual(await link(order, TRANSACTION), answer)
  }
})

test('takes no attestation that the escrow would not accept', async () => {
  answer = await attestedBy(SOLVER_KEY)
  await assert.rejects(link(order, TRANSACTION), /not signed by its attester/)
  answer = await attestedBy(ATTESTER_KEY, `0x${'f2'.repeat(32)}`)
  await assert.rejects(link(order, TRANSACTION), /not signed by its attester/)
})

test('rejects if the attester answers in another form, or not at all', async () => {
  const stranger = createClaimLink({
    client,
    url: `http://127.0.0.1:${server.port}`,
    privateKey: EvmPrivateKey.parse(`0x${'52'.repeat(32)}`),
  })
  await assert.rejects(stranger(order, TRANSACTION), /status 403/)
  const lost = createClaimLink({ client, url: 'http://127.0.0.1:9', privateKey: SOLVER_KEY })
  await assert.rejects(lost(order, TRANSACTION))
})
