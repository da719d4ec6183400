import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  address,
  BRIDGED,
  bridgeRoute,
  EXECUTE_TX,
  FAR_GATEWAY,
  FROM,
  head,
  quote,
  returned,
  SOURCE_TX,
  sent,
  TO,
} from '../../../test/express-scene.ts'
import { memoryChain, receiptOf } from '../../../test/memory-chain.ts'
import type { EvmLog } from '../../chains/evm/evm-chain.ts'
import { baseUnits } from '../../core/amount.ts'
import { addNativeGasData } from '../../protocols/axelar/gas-service-contract.ts'
import type { StoredTransaction } from '../../store/store.ts'
import { dueReturnGas } from './return-gas.ts'

const KEEPER = `0x${'ee'.repeat(20)}`
/** The return message, in the transaction of the failed delivery. */
const wayBack: EvmLog = { ...sent, address: FAR_GATEWAY }

type Scene = {
  readonly fee?: bigint
  readonly keeper?: string | undefined
  readonly execution?: readonly EvmLog[]
  readonly isFinal?: boolean
  readonly outcomes?: readonly StoredTransaction['outcome'][]
}

const due = (scene: Scene) => {
  const { fee = 900n, execution = [wayBack, returned()], isFinal = true, outcomes = [] } = scene
  const { from, to } = bridgeRoute()
  const delivery = { ...receiptOf(EXECUTE_TX, 1_000_030, execution), final: isFinal }
  return dueReturnGas(
    {
      evmChains: new Map([
        [FROM, memoryChain(FROM, [receiptOf(SOURCE_TX, 1_000_010, [sent])], { head: () => head })],
        [TO, memoryChain(TO, [delivery], { head: () => head })],
      ]),
      store: {
        findTransaction: async (key) => {
          const outcome = outcomes[Number(key.split(':')[2] ?? 1) - 1]
          // CAST: only the outcome is read.
          return outcome === undefined ? undefined : ({ outcome } as StoredTransaction)
        },
      },
      fees: {
        know: async () => undefined,
        isKnown: () => true,
        of: () => undefined,
        isExpress: () => false,
        ofReturn: () => baseUnits(fee),
        start: () => Promise.resolve(),
        stop: () => Promise.resolve(),
      },
      bridges: [from, to],
      keeper: 'keeper' in scene ? scene.keeper : KEEPER,
      log: () => undefined,
    },
    quote,
    { messageId: `${SOURCE_TX}-0`, sourceChain: FROM },
  )
}

test('the keeper pays for the return message and is refunded unused gas', async () => {
  const call = await due({})
  assert.ok(call !== undefined && 'data' in call)
  assert.deepEqual([call.chainId, call.to, call.value], [TO, address('0'), 900n])
  assert.equal(call.data, addNativeGasData(EXECUTE_TX, 0, KEEPER))
  const later = await due({ outcomes: ['reverted'] })
  assert.equal(later?.key, `${call.key}:2`)
})

test('pays nothing above the cap, nothing twice, and nothing before the failed delivery is final', async () => {
  assert.ok((await due({ fee: 1_000n })) !== undefined)
  const nothing: readonly Scene[] = [
    { fee: 1_001n },
    { keeper: undefined },
    { isFinal: false },
    { outcomes: ['open'] },
    { outcomes: ['succeeded'] },
    { outcomes: ['reverted', 'reverted', 'reverted', 'reverted', 'reverted'] },
    { execution: [returned()] },
    { execution: [wayBack] },
    { execution: [wayBack, returned({ amount: BRIDGED - 1n })] },
  ]
  for (const scene of nothing) assert.equal(await due(scene), undefined, JSON.stringify(Object.keys(scene)))
})
