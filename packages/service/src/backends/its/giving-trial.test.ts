import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryChain } from '../../../test/memory-chain.ts'
import { DECIMALS_DATA } from '../../chains/evm/erc20.ts'
import type { EvmCall, EvmChain } from '../../chains/evm/evm-chain.ts'
import { createGivingTrials, type Giving } from './giving-trial.ts'
import type { ItsSide } from './routes.ts'

const address = (digit: string): string => `0x${digit.repeat(40)}`
const [TOKEN, ITS, MANAGER, RECIPIENT] = [address('1'), address('2'), address('3'), address('4')]
const TRUE = `0x${'1'.padStart(64, '0')}`
const FALSE = `0x${'0'.repeat(64)}`

/** A chain whose token answers as told, and the calls that it got. */
const scene = () => {
  const calls: EvmCall[] = []
  const told: {
    answer: string | undefined
    isDead: boolean
    contracts: 'run' | 'reverted' | 'refused' | 'unsteady'
  } = {
    ...{ answer: TRUE, isDead: false },
    contracts: 'run',
  }
  const chain: EvmChain = {
    ...memoryChain('eip155:1', []),
    callMany: async (asked) => {
      if (told.isDead) throw new Error('no endpoint')
      if (told.contracts === 'unsteady' && asked.some(({ data }) => data !== DECIMALS_DATA))
        throw new Error('no answer in time')
      const byContracts = asked.filter(({ from }) => from !== undefined)
      if (byContracts.length > 0 && told.contracts === 'refused') throw new Error('the sender is no account')
      calls.push(...byContracts.filter(({ data }) => data !== DECIMALS_DATA))
      if (byContracts.length > 0 && told.contracts === 'reverted') return asked.map(() => undefined)
      return asked.map(({ data }) => (data === DECIMALS_DATA ? TRUE : told.answer))
    },
  }
  let time = 0
  const trials = createGivingTrials(() => time)
  // CAST: a trial reads these members alone.
  const side = {
    chain: { chainId: 'eip155:1' },
    axelarName: 'one',
    token: { symbol: 'TKN' },
    erc20: TOKEN,
    its: ITS,
    evm: chain,
  } as unknown as ItsSide
  const giving = (amount: bigint, more: Partial<Giving> = {}): Giving => ({
    ...{ side, recipient: RECIPIENT, amount },
    manager: { address: MANAGER, type: 'MINT_BURN' },
    ...more,
  })
  const isGiven = async (amount: bigint, more?: Partial<Giving>): Promise<boolean> =>
    (await trials.whyNotGiven(giving(amount, more))) === undefined
  return {
    calls,
    told,
    isGiven,
    giving,
    trials,
    side,
    wait: (ms: number) => {
      time += ms
    },
  }
}

test('a token is given by its manager, or by the token service from the lock of its manager', async () => {
  const { calls, isGiven } = scene()
  await isGiven(5n)
  await isGiven(5n, { manager: { address: ITS, type: 'LOCK_UNLOCK' } })
  assert.deepEqual(
    calls.map(({ from, to, data }) => [from, to, data.slice(0, 10)]),
    [
      [MANAGER, TOKEN, '0x40c10f19'],
      [ITS, TOKEN, '0x23b872dd'],
    ],
  )
})

test('a revert and an answer of false are no gift; no answer at all is one', async () => {
  for (const [answer, isGift] of [
    [TRUE, true],
    ['0x', true],
    [FALSE, false],
    [undefined, false],
  ] as const) {
    const { told, isGiven } = scene()
    told.answer = answer
    assert.equal(await isGiven(1n), isGift)
  }
})

test('one trial a minute counts for smaller amounts, and a failed one for larger amounts', async () => {
  const { calls, told, isGiven, wait } = scene()
  assert.ok(await isGiven(10n))
  assert.ok(await isGiven(10n))
  assert.ok(await isGiven(3n))
  assert.equal(calls.length, 1)
  told.answer = undefined
  assert.ok(!(await isGiven(11n)))
  assert.ok(!(await isGiven(12n)))
  assert.equal(calls.length, 2)
  told.answer = TRUE
  assert.ok(await isGiven(9n))
  assert.equal(calls.length, 3)
  assert.ok(await isGiven(9n, { recipient: address('5') }))
  assert.equal(calls.length, 4)
  wait(59_999)
  assert.ok(await isGiven(9n))
  assert.equal(calls.length, 4)
  wait(1)
  assert.ok(await isGiven(9n))
  assert.equal(calls.length, 5)
})

test('requests for one recipient at the same time share one trial', async () => {
  const { calls, isGiven } = scene()
  const given = await Promise.all([isGiven(7n), isGiven(7n), isGiven(6n)])
  assert.deepEqual(given, [true, true, true])
  assert.equal(calls.length, 1)
})

test('a trial that fails where nodes run other calls of the contract is no verdict', async () => {
  const { told, isGiven } = scene()
  told.contracts = 'unsteady'
  assert.ok(!(await isGiven(1n, { manager: { address: MANAGER, type: 'LOCK_UNLOCK' } })))
  told.contracts = 'run'
  assert.ok(await isGiven(1n, { manager: { address: MANAGER, type: 'LOCK_UNLOCK' } }))
})

test('what cannot be tried is not given, and is tried again', async () => {
  const { told, isGiven } = scene()
  told.isDead = true
  assert.ok(!(await isGiven(1n)))
  told.isDead = false
  assert.ok(await isGiven(1n))
})

test('where nodes run no call of a contract, only a token whose issuer can close its mint is not given', async () => {
  for (const contracts of ['reverted', 'refused'] as const) {
    const { told, isGiven } = scene()
    told.contracts = contracts
    for (const [type, isGift] of [
      ['MINT_BURN', false],
      ['MINT_BURN_FROM', false],
      ['NATIVE_INTERCHAIN_TOKEN', true],
      ['LOCK_UNLOCK', true],
    ] as const)
      assert.equal(
        await isGiven(1n, { manager: { address: `0x${type.length.toString(16).padStart(40, '0')}`, type } }),
        isGift,
      )
  }
})

test('a token of the Hedera Token Service is not tried', async () => {
  const { calls, isGiven, side } = scene()
  const hts = { ...side, chain: { ...side.chain, tokenStandard: 'hts' as const } }
  assert.ok(await isGiven(1n, { side: hts }))
  assert.equal(calls.length, 0)
})
