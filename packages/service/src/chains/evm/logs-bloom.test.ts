import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTokenChain } from '../../../test/anvil-token.ts'
import { mayHoldLogs } from './logs-bloom.ts'

const OTHER = `0x${'7'.repeat(40)}`

test("a node's header allows the logs of its block, and no log of another contract or event", async () => {
  const chain = await startTokenChain(31_997)
  try {
    const { blockNumber, logs } = await chain.approve(1n)
    const { logsBloom } = await chain.client.getBlock({ blockNumber })
    const [log] = logs
    assert.ok(log?.topics[0] !== undefined && logsBloom !== null)
    const [address, topic0] = [log.address.toLowerCase(), log.topics[0]]
    assert.ok(mayHoldLogs(logsBloom, { addresses: [OTHER, address], topics0: [topic0] }))
    assert.ok(!mayHoldLogs(logsBloom, { addresses: [OTHER], topics0: [topic0] }))
    assert.ok(!mayHoldLogs(logsBloom, { addresses: [address], topics0: [`0x${'7'.repeat(64)}`] }))
  } finally {
    await chain.anvil.stop()
  }
})
