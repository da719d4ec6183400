import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeepNode, startDeepNode } from 'openrfq/test/deep-node.ts'
import { dropBlock } from 'openrfq/test/drop-block.ts'
import { chainClients, execute, follow, type WireStatus } from 'openrfq/test/wallet.ts'
import { isHash } from 'viem'
import { startGatewayWorld } from './gateway-world.ts'
import { accountAt, CHAINS, quoteOf, requestBody, tokenOn } from './sandbox-service.ts'

/** Blocks on top of a final one on Mantle, by Axelar's configuration. */
const FINALITY = 9_000
const REORG_DEPTH = 8_500
/** How often the status is read once the deposit is gone, ten times a second. */
const LOOKS = 30

test('a reorg 8,500 blocks deep takes a PENDING transfer back, and whatever Axelarscan says it is never DONE', async () => {
  let node: DeepNode | undefined
  const world = await startGatewayWorld({
    finality: { 'sandbox-a': FINALITY },
    readThrough: async (chainId, rpcUrl) => {
      if (chainId !== CHAINS.a) return rpcUrl
      node = await startDeepNode(rpcUrl)
      return node.url
    },
  })
  try {
    assert.ok(node !== undefined)
    const { sandbox, service, axelar, chains } = world
    const [sender, recipient] = [accountAt(world, 0), accountAt(world, 1)]
    const trade = {
      from: tokenOn(world, CHAINS.a, 'gateway', /USDC/),
      to: tokenOn(world, CHAINS.b, 'gateway', /USDC/),
      amount: 25_000_000n,
    }
    const quote = await quoteOf(world, 'gateway', requestBody(trade, sender.address, recipient.address))
    const messageId = await execute(sandbox, quote, sender.privateKey)
    const [txHash = ''] = messageId.split('-')
    assert.ok(isHash(txHash))
    const { quoteId } = quote
    const until = (isWanted: (status: WireStatus) => boolean) =>
      follow(service.url, { quoteId, messageId, sourceChain: CHAINS.a }, isWanted)
    const sent = await axelar.index(CHAINS.a, txHash)
    await node.bury(REORG_DEPTH - 1)
    assert.equal(
      (await until(({ details }) => details['stage'] === 'awaiting_finality')).last.state,
      'PENDING',
    )
    axelar.show(sent, { status: 'confirming' })
    assert.equal((await until(({ details }) => details['stage'] === 'confirming')).last.state, 'PENDING')
    const { reader } = chainClients(sandbox, CHAINS.a)
    const { blockNumber } = await reader.getTransactionReceipt({ hash: txHash })
    const reorganise = async (depth: number): Promise<void> => chains.reorganise.get(CHAINS.a)?.(depth)
    await dropBlock({ reader, reorganise }, blockNumber)
    await node.bury(REORG_DEPTH)
    axelar.show(sent, { status: 'executed', is_executed: true, executed: { transactionHash: txHash } })
    const back = await until(({ state }) => state !== 'PENDING')
    assert.deepEqual([back.last.state, back.last.source], ['AWAITING_DEPOSIT', null])
    node.grow(FINALITY - REORG_DEPTH + 1)
    let looks = 0
    const after = await until(() => {
      looks += 1
      return looks > LOOKS
    })
    assert.deepEqual(after.states, ['AWAITING_DEPOSIT'])
  } finally {
    await world.stop()
    node?.stop()
  }
})
