import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { privateKeyToAccount } from 'viem/accounts'
import { until } from '../../../test/eventually.ts'
import {
  CHAIN_NUMBER,
  COUNTER,
  connectChain,
  KEEPER_KEY,
  openOutbox,
  openOwnStore,
  REFUSER,
  startOutboxWorld,
} from '../../../test/outbox-world.ts'
import { strKeyText } from '../../chains/stellar/str-key.ts'
import { baseUnits } from '../../core/amount.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import { createFactCheck } from '../../transactions/fact-check.ts'
import { createPaidFact } from '../settlers/paid-fact.ts'
import { orderIdOf } from '../settlers/settler-contract.ts'
import { createAttestationSigner } from './attestation-signer.ts'
import { createReleaser } from './releaser.ts'

const account = (seed: number): string => strKeyText('G', new Uint8Array(32).fill(seed))
const ORIGIN = `eip155:${CHAIN_NUMBER}`
const STELLAR = 'stellar:sandbox'
const EVM = '0x00000000000000000000000000000000000000E1'

const ORDER: IntentOrder = {
  depositor: EVM,
  salt: `0x${'5a'.repeat(32)}`,
  originChain: ORIGIN,
  originSettler: REFUSER,
  destinationChain: STELLAR,
  destinationSettler: account(1),
  openDeadline: 10,
  fillDeadline: 20,
  refundAfter: 30,
  inputToken: EVM,
  inputAmount: baseUnits(1_000n),
  outputToken: strKeyText('C', new Uint8Array(32).fill(2)),
  outputAmount: baseUnits(500n),
  recipient: account(3),
  solver: EVM,
  filler: account(4),
  attester: privateKeyToAccount(KEEPER_KEY).address,
}
const PAYMENT: Payment = {
  chainId: STELLAR,
  txHash: 'ab'.repeat(32),
  position: 0,
  blockNumber: 5n,
  timestampSeconds: 15,
  from: ORDER.filler,
  to: ORDER.recipient,
  muxedId: undefined,
  token: ORDER.outputToken,
  amount: ORDER.outputAmount,
  memo: orderIdOf(ORDER),
}

/** A releaser over a chain and a store of its own; `lines` holds what it logs. */
const startReleaser = async (context: TestContext) => {
  const world = await startOutboxWorld()
  context.after(() => world.anvil.stop())
  const files = await openOwnStore()
  context.after(files.remove)
  const chain = connectChain(world.anvil.rpcUrl)
  await chain.start()
  context.after(chain.stop)
  const outbox = openOutbox(files.store(), chain)
  outbox.start()
  context.after(outbox.stop)
  const lines: string[] = []
  const releaser = createReleaser({
    attest: createAttestationSigner(KEEPER_KEY),
    outboxes: new Map([[ORIGIN, outbox]]),
    store: files.store(),
    releaseGas: 700_000,
    paidFact: () => ({ chainId: PAYMENT.chainId, text: 'paid', ask: async () => [] }),
    factCheck: createFactCheck({ now: Date.now, log: () => undefined }),
    log: (level, message) => lines.push(`${level} ${message}`),
  })
  return { world, files, lines, ...releaser }
}

test('a release that reverts is tried five times in sequence, and then given up', async (context) => {
  const { world, files, lines, release } = await startReleaser(context)
  const known = { orderId: orderIdOf(ORDER), order: ORDER, isOpen: true }
  const before = await world.transactionsOfSender()
  assert.equal(await release({ ...known, isOpen: false }, PAYMENT), 'waiting')
  assert.equal(
    await world.transactionsOfSender(),
    before,
    'nothing may be sent for an order that is not open',
  )
  await until(async () => (await release(known, PAYMENT)) === 'given up')
  assert.equal(await world.transactionsOfSender(), before + 5)
  const keys = ['', ':2', ':3', ':4', ':5', ':6'].map((suffix) => `release:${known.orderId}${suffix}`)
  const entries = await Promise.all(keys.map((key) => files.store().findTransaction(key)))
  assert.deepEqual(
    entries.map((entry) => entry?.outcome),
    [...Array(5).fill('reverted'), undefined],
  )
  assert.equal(lines.filter((line) => line === 'info fill_attested').length, 5)
  assert.equal(lines.at(-1), 'error release_given_up')
})

test('an order is released once, and is known as released from then on', async (context) => {
  const { world, release, hasReleased } = await startReleaser(context)
  const order = { ...ORDER, originSettler: COUNTER }
  const known = { orderId: orderIdOf(order), order, isOpen: true }
  const payment = { ...PAYMENT, memo: known.orderId }
  const before = await world.transactionsOfSender()
  assert.equal(await release(known, payment), 'waiting')
  await until(() => hasReleased(known.orderId))
  assert.equal(await release(known, payment), 'released')
  assert.equal(await world.transactionsOfSender(), before + 1)
  assert.equal(await hasReleased(orderIdOf(ORDER)), false)
})

test('attests no payment while an endpoint denies it', async (context) => {
  const files = await openOwnStore()
  context.after(files.remove)
  let now = 0
  let isDenied = true
  const lines: (readonly unknown[])[] = []
  const log = (level: string, event: string, fields: unknown) => lines.push([level, event, fields])
  const submitted: string[] = []
  const { release } = createReleaser({
    attest: createAttestationSigner(KEEPER_KEY),
    outboxes: new Map([
      [
        ORIGIN,
        {
          submit: async ({ key }) => {
            submitted.push(key)
            return assert.fail('the test sends nothing')
          },
        },
      ],
    ]),
    store: files.store(),
    releaseGas: 700_000,
    paidFact: createPaidFact(
      new Map([
        [
          PAYMENT.chainId,
          {
            paymentStatements: async () => [
              { endpoint: 0, confirms: true },
              { endpoint: 2, confirms: !isDenied },
            ],
          },
        ],
      ]),
    ),
    factCheck: createFactCheck({ now: () => now, log }),
    log,
  })
  const known = { orderId: orderIdOf(ORDER), order: ORDER, isOpen: true }
  for (let round = 0; round < 3; round += 1) {
    assert.equal(await release(known, PAYMENT), 'waiting')
    now += 5_000
  }
  assert.deepEqual(submitted, [])
  assert.deepEqual(
    lines.map(([level, event]) => [level, event]),
    [['error', 'payment_contradicted']],
  )
  isDenied = false
  await assert.rejects(release(known, PAYMENT), /sends nothing/)
  assert.deepEqual(submitted, [`release:${known.orderId}`])
})
