import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeFunctionData, encodeAbiParameters, parseAbi, parseAbiParameters } from 'viem'
import { eventually } from '../../../test/eventually.ts'
import { type Request, startNode } from '../../../test/json-rpc-node.ts'
import type { NetworkChain } from '../../core/network.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import { type EvmStep, evmAction } from './actions.ts'
import { gasFee } from './gas.ts'
import { createEvmChain } from './index.ts'
import { l1FeeCalls, l1Gas, l1Wei, parseL1Cost } from './l1-fee.ts'

const ORACLE_ABI = parseAbi([
  'function getL1Fee(bytes data) view returns (uint256)',
  'function tokenRatio() view returns (uint256)',
  'function gasEstimateL1Component(address to, bool creation, bytes data) view returns (uint64, uint256, uint256)',
])
const number = (value: bigint): RpcAnswer => ({
  ok: true,
  result: encodeAbiParameters(parseAbiParameters('uint256'), [value]),
})
const asked = ({ params }: RpcCall) => {
  const { to, data } = Object(Array.isArray(params) ? params[0] : undefined)
  return { to, ...decodeFunctionData({ abi: ORACLE_ABI, data }) }
}

test('each kind of rollup is asked at its predeploy, as viem encodes it', () => {
  const [fee] = l1FeeCalls('op-stack').map(asked)
  assert.deepEqual([fee?.to, fee?.functionName], [`0x42${'0'.repeat(37)}f`, 'getL1Fee'])
  const mantle = l1FeeCalls('mantle').map(asked)
  assert.deepEqual(
    mantle.map(({ functionName }) => functionName),
    ['getL1Fee', 'tokenRatio'],
  )
  const [scroll] = l1FeeCalls('scroll').map(asked)
  assert.deepEqual([scroll?.to, scroll?.args], [`0x53${'0'.repeat(37)}2`, fee?.args])
  const [arbitrum] = l1FeeCalls('arbitrum').map(asked)
  assert.equal(arbitrum?.functionName, 'gasEstimateL1Component')
  assert.equal(arbitrum?.args?.[2], fee?.args?.[0])
})

test('the cost grows with the data, counts a zero byte as a quarter of another, and is rounded up', () => {
  const cost = parseL1Cost('op-stack', [number(1_000_000n)])
  const of = (data: string) => l1Wei(cost, data)
  assert.ok(of('0x') > 0n)
  const perByte = of(`0x${'ff'.repeat(400)}`) - of('0x')
  const perZero = of(`0x${'00'.repeat(400)}`) - of('0x')
  assert.ok(perByte >= 4n * perZero - 4n && perByte <= 4n * perZero + 4n)
  assert.equal(l1Gas(cost, '0xff'), 0n)
  assert.equal(l1Wei(parseL1Cost('op-stack', [number(1n)]), '0x'), 1n)
})

test('Mantle is paid in its own token, Arbitrum in gas that is bounded, and an oracle that refuses says nothing', () => {
  assert.equal(parseL1Cost('mantle', [number(7n), number(3_000n)])?.ofSample, 21_000n)
  const refused: RpcAnswer = { ok: false, code: 3, message: 'execution reverted' }
  assert.equal(parseL1Cost('mantle', [number(7n), refused]), undefined)
  assert.equal(parseL1Cost('op-stack', [refused]), undefined)
  assert.equal(parseL1Cost('op-stack', [{ ok: true, result: '0x' }]), undefined)
  for (const huge of [10n ** 21n + 1n, 2n ** 256n - 1n]) {
    assert.equal(parseL1Cost('op-stack', [number(huge)]), undefined)
    assert.equal(parseL1Cost('mantle', [number(huge), number(2n ** 256n - 1n)]), undefined)
  }
  const cost = parseL1Cost('arbitrum', [number(2n ** 63n)])
  assert.deepEqual(cost, { unit: 'gas', ofSample: 20_000_000n })
})

/** A chain of that kind whose oracle answers the same number to every read. */
const headOf = async (l1Fee: NetworkChain['l1Fee']) => {
  const answer = ({ method }: Request) =>
    method === 'eth_call'
      ? { result: encodeAbiParameters(parseAbiParameters('uint256'), [50_000n]) }
      : undefined
  const node = await startNode({ answer })
  const chain = createEvmChain({
    ...{ chainId: 'eip155:5', rpcUrls: [node.url], finality: 10, l1Fee, now: Date.now, log: () => undefined },
    timing: { pollMs: 20, observeMs: 60_000, readMs: 60_000, staleMs: 60_000 },
  })
  try {
    await chain.start()
    return await eventually('the head is read', chain.head)
  } finally {
    await chain.stop()
    node.stop()
  }
}

test('fees.gas has what data costs beside gas, and gas limits what it uses of it', async () => {
  const step = (head: Awaited<ReturnType<typeof headOf>>): EvmStep => ({
    ...{ id: 'transfer', label: 'Send', type: 'transaction', chain: 'eip155:5', value: 0n, head },
    ...{
      from: `0x${'1'.repeat(40)}`,
      to: `0x${'2'.repeat(40)}`,
      data: '0xffff',
      gas: { usual: 21_000n, limit: 30_000n },
    },
  })
  const action = (head: Awaited<ReturnType<typeof headOf>>) => evmAction(step(head))
  const chain = {
    chainId: 'eip155:5',
    nativeToken: { symbol: 'ETH', decimals: 18 },
    chainLabel: '5',
  } as const
  const feeOf = (head: Awaited<ReturnType<typeof headOf>>) =>
    gasFee({ ...chain, chainType: 'evm' }, [step(head)]).amount
  const [plain, op, arbitrum] = [await headOf(undefined), await headOf('op-stack'), await headOf('arbitrum')]
  assert.equal(feeOf(op) - feeOf(plain), l1Wei(op.l1Cost, '0xffff'))
  assert.ok(l1Wei(op.l1Cost, '0xffff') > 0n)
  assert.equal(action(op).payload.gasLimit, '30000')
  const limit = 30_000n + l1Gas(arbitrum.l1Cost, '0xffff')
  assert.equal(action(arbitrum).payload.gasLimit, limit.toString())
  assert.ok(limit > 30_000n && feeOf(arbitrum) > feeOf(plain))
})
