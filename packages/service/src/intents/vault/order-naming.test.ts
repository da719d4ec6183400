import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testOrderId } from '../../../test/test-deposits.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { CosignerClient } from './cosigner-client.ts'
import { createOrderNaming } from './order-naming.ts'

const QUOTED_AT = 1_790_000_000_000
const PATIENCE_MS = 60_000
const [one, other] = [testOrderId(1), testOrderId(2)]

/** Creates the naming of orders at a co-signer with the given answers, and collects requests and log events. */
const namingWith = (
  answer: (orders: readonly OrderId[]) => Promise<readonly OrderId[]>,
  deadlineMs = PATIENCE_MS,
) => {
  const events: string[] = []
  const requests: (readonly OrderId[])[] = []
  const name: CosignerClient['name'] = (orders) => {
    const orderIds = orders.map(({ orderId }) => orderId)
    requests.push(orderIds)
    return answer(orderIds)
  }
  const naming = createOrderNaming({
    chainId: 'stellar:test',
    client: { name },
    log: (_level, event) => events.push(event),
    deadlineMs,
  })
  return { naming, events, requests }
}

test('orders of one moment are named together, and may be offered once the co-signer has answered', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { naming, requests } = namingWith(async (orders) => {
    await promise
    return orders
  })
  const answers = Promise.all([naming(one, QUOTED_AT), naming(other, QUOTED_AT)])
  assert.equal(await Promise.race([answers, new Promise((answer) => setImmediate(answer, 'none'))]), 'none')
  resolve()
  assert.deepEqual(await answers, [true, true])
  assert.deepEqual(requests, [[one, other]])
})

test('an order is not offered whose muxed id the co-signer knows of another, and the log says so', async () => {
  const { naming, events } = namingWith(async () => [other])
  assert.deepEqual(await Promise.all([naming(one, QUOTED_AT), naming(other, QUOTED_AT)]), [false, true])
  assert.deepEqual(events, ['order_named_before'])
})

test('no order is offered while the co-signer fails, and one line says when that begins and ends', async () => {
  let isFailing = true
  const { naming, events } = namingWith(async (orders) => {
    if (isFailing) throw new Error('the co-signer answers 429')
    return orders
  })
  for (let quote = 0; quote < 3; quote += 1) assert.equal(await naming(one, QUOTED_AT), false)
  isFailing = false
  assert.equal(await naming(one, QUOTED_AT), true)
  assert.deepEqual(events, ['order_naming_failed', 'order_naming_recovered'])
})

test('no order is offered for which the co-signer takes longer than the deadline', async () => {
  const { naming } = namingWith(() => new Promise(() => undefined), 1)
  assert.equal(await naming(one, QUOTED_AT), false)
})
