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
import { l1FeeCalls, l1Gas, parseL1Cost, weiBesideGas } from './l1-fee.ts'

const ORACLE_ABI = parseAbi([
  'function getL1Fee(bytes data) view returns (uint256)',
  'function getOperatorFee(uint256 gasUsed) view returns (uint256)',
  'function tokenRatio() view returns (uint256)',
  'function gasEstimateL1Component(address to, bool creation, bytes data) view returns (uint64, uint256, uint256)',
])
const number = (value: bigint): RpcAnswer => ({
  ok: true,
  result: encodeAbiParameters(parseAbiParameters('uint256'), [value]),
})
const refused: RpcAnswer = { ok: false, code: 3, message: 'execution reverted' }
const asked = ({ params }: RpcCall) => {
  const { to, data } = Object(Array.isArray(params) ? params[0] : undefined)
  return { to, ...decodeFunctionData({ abi: ORACLE_ABI, data }) }
}

test('each kind of rollup is asked at its predeploy, as viem encodes it', () => {
  const opStack = l1FeeCalls('op-stack').map(asked)
  const [fee] = opStack
  assert.equal(fee?.to, `0x42${'0'.repeat(37)}f`)
  assert.deepEqual(
    opStack.map(({ functionName }) => functionName),
    ['getL1Fee', 'getOperatorFee', 'getOperatorFee'],
  )
  assert.deepEqual(
    opStack.slice(1).map(({ args }) => args),
    [[0n], [1_000_000n]],
  )
  const mantle = l1FeeCalls('mantle').map(asked)
  assert.deepEqual(
    mantle.map(({ functionName }) => functionName),
    ['getL1Fee', 'getOperatorFee', 'getOperatorFee', 'tokenRatio'],
  )
  const [scroll] = l1FeeCalls('scroll').map(asked)
  assert.deepEqual([scroll?.to, scroll?.args], [`0x53${'0'.repeat(37)}2`, fee?.args])
  const [arbitrum] = l1FeeCalls('arbitrum').map(asked)
  assert.equal(arbitrum?.functionName, 'gasEstimateL1Component')
  assert.equal(arbitrum?.args?.[2], fee?.args?.[0])
})

test('the cost grows with the data, counts a zero byte as a quarter of another, and is rounded up', () => {
  const cost = parseL1Cost('op-stack', [number(1_000_000n), number(0n), number(0n)])
  const of = (data: string) => weiBesideGas(cost, data, 100_000n)
  assert.ok(of('0x') > 0n)
  const perByte = of(`0x${'ff'.repeat(400)}`) - of('0x')
  const perZero = of(`0x${'00'.repeat(400)}`) - of('0x')
  assert.ok(perByte >= 4n * perZero - 4n && perByte <= 4n * perZero + 4n)
  assert.equal(l1Gas(cost, '0xff'), 0n)
  const least = parseL1Cost('op-stack', [number(1n), number(0n), number(0n)])
  assert.equal(weiBesideGas(least, '0x', 100_000n), 1n)
})

test('Mantle is paid in its own token, Arbitrum in gas that is bounded, and an oracle that refuses says nothing', () => {
  const free = [number(0n), number(0n)]
  assert.equal(parseL1Cost('mantle', [number(7n), ...free, number(3_000n)])?.ofSample, 21_000n)
  assert.equal(parseL1Cost('mantle', [number(7n), ...free, refused]), undefined)
  assert.equal(parseL1Cost('op-stack', [refused]), undefined)
  assert.equal(parseL1Cost('op-stack', [{ ok: true, result: '0x' }]), undefined)
  for (const huge of [10n ** 21n + 1n, 2n ** 256n - 1n]) {
    assert.equal(parseL1Cost('op-stack', [number(huge), ...free]), undefined)
    assert.equal(parseL1Cost('mantle', [number(huge), ...free, number(2n ** 256n - 1n)]), undefined)
  }
  const cost = parseL1Cost('arbitrum', [number(2n ** 63n)])
  assert.deepEqual(cost, { unit: 'gas', ofSample: 20_000_000n })
})

/** The scalar and the constant of the tests of op-geth, and the fee that they expect for 1,618 gas before and after the change of the scale. */
const SCALAR = 1_439_103_868n
const CONSTANT = 1_256_417_826_609_331_460n
const FORKS = {
  isthmus: { perMillionGas: SCALAR, fee: 1_256_417_826_611_659_930n },
  arsia: { perMillionGas: SCALAR * 100n * 1_000_000n, fee: 1_256_650_673_615_173_860n },
}

for (const [fork, { perMillionGas, fee }] of Object.entries(FORKS))
  test(`the operator's fee is as op-geth computes it since ${fork}`, () => {
    const kind = fork === 'arsia' ? 'mantle' : 'op-stack'
    const answers = [0n, CONSTANT, CONSTANT + perMillionGas, 1n].map(number)
    const wei = weiBesideGas(parseL1Cost(kind, answers), '0x', 1_618n)
    // Rounded up, where the chain rounds down.
    assert.ok(wei === fee || wei === fee + 1n, `${wei}`)
  })

test('an oracle without an operator fee charges none, and one that says nothing of it, or nonsense, says nothing', () => {
  for (const kind of ['op-stack', 'mantle'] as const) {
    const cost = (none: RpcAnswer, million: RpcAnswer) =>
      parseL1Cost(kind, [number(5n), none, million, number(2n)])
    assert.equal(
      weiBesideGas(cost(refused, refused), '0x', 10n ** 9n),
      weiBesideGas(cost(number(0n), number(0n)), '0x', 0n),
    )
    const limited: RpcAnswer = { ok: false, code: -32_005, message: 'over rate limit' }
    assert.equal(cost(limited, number(0n)), undefined)
    assert.equal(cost(number(0n), limited), undefined)
    assert.equal(cost(number(0n), { ok: true, result: '0x' }), undefined)
    assert.equal(cost(number(2n), number(1n)), undefined)
    assert.equal(cost(number(0n), number(10n ** 21n + 1n)), undefined)
  }
})

/** A chain of that kind whose oracle answers the same number to every read. */
const headOf = async (l1Fee: NetworkChain['l1Fee'], gasScale?: number) => {
  const answer = ({ method }: Request) =>
    method === 'eth_call'
      ? { result: encodeAbiParameters(parseAbiParameters('uint256'), [50_000n]) }
      : undefined
  const node = await startNode({ answer })
  const chain = createEvmChain({
    ...{
      chainId: 'eip155:5',
      rpcUrls: [node.url],
      finality: 10,
      l1Fee,
      gasScale,
      now: Date.now,
      log: () => undefined,
    },
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
  assert.equal(feeOf(op) - feeOf(plain), weiBesideGas(op.l1Cost, '0xffff', 21_000n))
  assert.ok(weiBesideGas(op.l1Cost, '0xffff', 0n) > 50_000n)
  assert.equal(action(op).payload.gasLimit, '30000')
  const limit = 30_000n + l1Gas(arbitrum.l1Cost, '0xffff')
  assert.equal(action(arbitrum).payload.gasLimit, limit.toString())
  assert.ok(limit > 30_000n && feeOf(arbitrum) > feeOf(plain))
})

test("a chain's scale of gas is in its heads", async () => {
  assert.equal((await headOf(undefined, 444)).gasScale, 444n)
  assert.equal((await headOf(undefined)).gasScale, undefined)
})
