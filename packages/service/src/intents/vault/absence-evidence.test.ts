import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testOrder, testOrderId } from '../../../test/test-deposits.ts'
import type { Statement } from '../../chains/rpc/statements.ts'
import { createAbsenceEvidence } from './absence-evidence.ts'

const order = testOrder()
const orderId = testOrderId(1)

const open = () => {
  let time = 0
  let asked = 0
  let answer: () => Promise<readonly Statement[]> = async () => []
  const evidence = createAbsenceEvidence({
    paymentChains: new Map([
      [order.destinationChain, { faults: () => Array(3).fill({ disagreements: 0, timesAhead: 0 }) }],
    ]),
    orderFacts: {
      unfilled: () => ({
        chainId: order.destinationChain,
        text: 'not filled',
        ask: () => {
          asked += 1
          return answer()
        },
      }),
    },
    now: () => time,
  })
  const ask = (says: () => Promise<readonly Statement[]>): Promise<boolean> => {
    answer = says
    time += 10_000
    return evidence.isAbsent(orderId, order, 0)
  }
  const told = (...words: readonly boolean[]) =>
    ask(async () => words.map((confirms, endpoint) => ({ endpoint, confirms })))
  return { evidence, ask, told, asked: () => asked }
}

test('an order is unfilled once a majority of the endpoints say so and none denies it, and stays so', async () => {
  const { told, asked } = open()
  for (const words of [[], [true], [true, true, false], [false, false, false], [false]])
    assert.equal(await told(...words), false, `${words}`)
  assert.equal(await told(true, true), true)
  assert.equal(await told(false, false, false), true)
  assert.equal(asked(), 6)
})

test('endpoints that cannot tell decide nothing', async () => {
  const { ask, told } = open()
  await assert.rejects(ask(() => Promise.reject(new Error('too much to read'))))
  assert.equal(await told(true, true, true), true)
})

test('an order is asked about once in ten seconds, however often its status is read', async () => {
  const { evidence, told, asked } = open()
  assert.equal(await told(false), false)
  for (let look = 0; look < 50; look += 1) assert.equal(await evidence.isAbsent(orderId, order, 0), false)
  assert.equal(asked(), 1)
})
