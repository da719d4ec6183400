import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type PrivateAnvil, startAnvil } from '../../test/private-anvil.ts'
import { createEvmChain } from '../chains/evm/index.ts'
import { executionRecovery } from './message-recovery.ts'

const CHAIN = 'eip155:31998'
const GATEWAY = `0x${'1'.repeat(40)}`
const CONTRACT = `0x${'2'.repeat(40)}`
/** Codes that return 1 and nothing, and one that reverts. */
const [SAYS_YES, SUCCEEDS, REVERTS] = ['0x60015f5260205ff3', '0x00', '0x5f5ffd']

let anvil: PrivateAnvil
before(async () => {
  anvil = await startAnvil(31_998)
})
after(() => anvil.stop())

/** How often an execution is offered where the two contracts have these codes. */
const offered = async (gateway: string, contract: string): Promise<number> => {
  await anvil.rpc('anvil_setCode', GATEWAY, gateway)
  await anvil.rpc('anvil_setCode', CONTRACT, contract)
  const chain = createEvmChain({
    chainId: CHAIN,
    rpcUrls: [anvil.rpcUrl],
    finality: 1,
    now: Date.now,
    log: () => undefined,
  })
  const message = {
    commandId: `0x${'ab'.repeat(32)}`,
    sourceChain: 'axelar',
    sourceAddress: 'axelar1hub',
    contract: CONTRACT,
    payload: '0x01',
  }
  const delivery = { chainId: CHAIN, gateway: GATEWAY, message, leadsTo: 'DONE' } as const
  try {
    return (await executionRecovery(new Map([[CHAIN, chain]]), delivery)).length
  } finally {
    await chain.stop()
  }
}

test('an approved message is offered for execution only if its execution succeeds now', async () => {
  assert.equal(await offered(SAYS_YES, SUCCEEDS), 1)
  assert.equal(await offered(SAYS_YES, REVERTS), 0)
  assert.equal(await offered(SUCCEEDS, SUCCEEDS), 0)
})

test('nothing is executed on a chain that is no EVM chain', async () => {
  const message = { commandId: '0x', sourceChain: '', sourceAddress: '', contract: 'C…', payload: 'G…' }
  const delivery = { chainId: 'stellar:sandbox', gateway: 'C…', message, leadsTo: 'DONE' } as const
  assert.deepEqual(await executionRecovery(new Map(), delivery), [])
})
