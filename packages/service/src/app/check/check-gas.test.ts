import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNode } from '../../../test/json-rpc-node.ts'
import { NetworkChain } from '../../core/network.ts'
import { checkGas } from './check-gas.ts'

/** What the check finds on a chain whose endpoints estimate a plain transfer so; undefined for one that refuses. */
const findingsFor = async (estimates: readonly (bigint | undefined)[], more: object = {}) => {
  const nodes = await Promise.all(
    estimates.map((gas) =>
      startNode({
        answer: ({ method }) =>
          method === 'eth_estimateGas' && gas !== undefined ? { result: `0x${gas.toString(16)}` } : undefined,
      }),
    ),
  )
  const chain = NetworkChain.parse({
    ...{ chainId: 'eip155:5', chainLabel: '5', chainType: 'evm', finality: 10 },
    ...{ nativeToken: { symbol: 'ETH', decimals: 18 }, rpcUrls: nodes.map(({ url }) => url) },
    ...more,
  })
  try {
    return (await checkGas(chain, Date.now)).map(({ level, says }) => `${level} ${says}`)
  } finally {
    for (const { stop } of nodes) stop()
  }
}

test('a chain that counts gas otherwise than the file says is an error', async () => {
  assert.deepEqual(await findingsFor([21_000n]), ['ok a plain transfer uses 21000, as the file has it'])
  const [missing] = await findingsFor([2_100_000n])
  assert.match(missing ?? '', /^error a plain transfer uses 2100000, .*: set gasScale/)
  const scaled = { gasScale: 444 }
  assert.deepEqual(await findingsFor([2_100_000n], scaled), [
    'ok a plain transfer uses 2100000, as the file has it',
  ])
  const [wrong] = await findingsFor([21_000n], scaled)
  assert.match(wrong ?? '', /^error a plain transfer uses 21000, .*: remove gasScale/)
})

test('an endpoint that estimates nothing is passed over, and Arbitrum is not asked', async () => {
  const [found] = await findingsFor([undefined, 2_100_000n])
  assert.match(found ?? '', /^error /)
  assert.deepEqual(await findingsFor([undefined]), [])
  assert.deepEqual(await findingsFor([2_100_000n], { l1Fee: 'arbitrum' }), [])
})
