import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bridgeRoute } from '../../../../test/express-scene.ts'
import type { ServedTransfer } from './sent-message.ts'
import { createWaitingTransfers } from './waiting-transfers.ts'

const sent = (transferId: string): ServedTransfer => ({
  ...{ sourceChain: 'eip155:1', transferId, txHash: `0x${'1'.repeat(64)}`, blockNumber: 1n },
  ...{ destinationNumber: 2n, bridgeToken: `0x${'2'.repeat(40)}`, amount: 1n },
  direction: bridgeRoute(),
})

test('a confirmed transfer that is held up is looked at ever more seldom, at least once a minute', () => {
  let time = 0
  const waiting = createWaitingTransfers(() => time)
  waiting.note(sent('held'), true)
  let looks = 0
  for (time = 0; time < 3_600_000; time += 500)
    for (const { transferId, holds } of waiting.due(16)) {
      looks += 1
      waiting.postpone(transferId, { failures: 0, holds: holds + 1 })
    }
  assert.equal(looks, 65)
})

test('a transfer that is not confirmed yet is looked at each second, also after it was noted again', () => {
  let time = 0
  const waiting = createWaitingTransfers(() => time)
  waiting.note(sent('young'), false)
  let looks = 0
  for (time = 0; time < 60_000; time += 500)
    for (const { transferId } of waiting.due(16)) {
      looks += 1
      waiting.postpone(transferId, { failures: 0, holds: 0 })
    }
  assert.equal(looks, 60)
})
