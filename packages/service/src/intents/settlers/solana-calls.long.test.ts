import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startLyingNode } from '../../../test/lying-node.ts'
import { startSolanaCluster } from '../../../test/solana-cluster.ts'
import { DEFAULT_SOLANA_TIMING } from '../../chains/solana/timing.ts'
import { baseUnits } from '../../core/amount.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import { createPoller } from '../../lib/poller.ts'
import { createEscrowReader } from './escrow-reader.ts'
import { createEscrowWatch } from './escrow-watch.ts'
import { orderIdOf } from './settler-contract.ts'

/** What public endpoints of Solana allow an address in ten seconds: in all, and of one method. */
const [MOST_CALLS, MOST_OF_METHOD] = [100, 40]
const WINDOW_MS = 10_000
const WARM_UP_MS = 3_000
const SLOT_MS = 400
const ORDERS = 150
const EVM = '0x00000000000000000000000000000000000000E1'

test('a process that follows the head and 150 orders of Solana keeps within the limits of public endpoints', async (context) => {
  const cluster = await startSolanaCluster(SLOT_MS)
  context.after(cluster.stop)
  const counts = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  const nodes = await Promise.all(
    counts.map((count) =>
      startLyingNode(cluster.node.rpcUrl, () => ({ method }, result) => {
        count.set(method, (count.get(method) ?? 0) + 1)
        return result
      }),
    ),
  )
  context.after(() => {
    for (const { stop } of nodes) stop()
  })
  const chain = await cluster.connect({ rpcUrls: nodes.map(({ url }) => url), timing: DEFAULT_SOLANA_TIMING })
  assert.ok(chain.programs)
  const reader = createEscrowReader(chain.programs, cluster.node.escrowProgram)
  const watch = createEscrowWatch({ chain, reader, onChange: async () => undefined, now: Date.now })
  const now = Math.floor(Date.now() / 1_000)
  for (let place = 0; place < ORDERS; place += 1) {
    const order: IntentOrder = {
      depositor: cluster.wallets[0]?.address ?? '',
      salt: `0x${place.toString(16).padStart(64, '0')}`,
      originChain: chain.chainId,
      originSettler: cluster.node.escrowProgram,
      destinationChain: 'eip155:31337',
      destinationSettler: EVM,
      openDeadline: now + 600,
      fillDeadline: now + 1_200,
      refundAfter: now + 3_600,
      inputToken: cluster.mints[0].address,
      inputAmount: baseUnits(1n),
      outputToken: EVM,
      outputAmount: baseUnits(1n),
      recipient: EVM,
      solver: cluster.wallets[1]?.address ?? '',
      filler: EVM,
      attester: EVM,
    }
    watch.follow({ orderId: orderIdOf(order), order }, true)
  }
  const rounds = createPoller({ name: 'escrow_round', periodMs: 1_000, run: watch.round })
  await rounds.start()
  context.after(rounds.stop)
  await pause(WARM_UP_MS)
  for (const count of counts) count.clear()
  await pause(WINDOW_MS)
  assert.ok(watch.isCurrent())
  for (const [endpoint, count] of counts.entries()) {
    const all = [...count.values()].reduce((sum, one) => sum + one, 0)
    context.diagnostic(
      `endpoint ${endpoint}: ${all} calls in ten seconds: ${[...count].map(([method, times]) => `${times} ${method}`).join(', ')}`,
    )
    assert.ok(all <= MOST_CALLS, `${all} calls`)
    for (const [method, times] of count) assert.ok(times <= MOST_OF_METHOD, `${times} of ${method}`)
  }
  assert.ok((counts[0]?.get('getSlot') ?? 0) > 0)
})
