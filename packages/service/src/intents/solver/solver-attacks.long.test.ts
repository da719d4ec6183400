import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { orderIdOf } from '@openrfq/sandbox/test/intent-order.ts'
import { DEPOSITOR } from '@openrfq/sandbox/test/settler-world.ts'
import { type Hex, numberToHex, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { eventually } from '../../../test/eventually.ts'
import { blockNumberOf, type SolverWorld, startSolverWorld } from '../../../test/solver-world.ts'
import { systemClock } from '../../lib/clock.ts'
import { readSolverConfig } from './config.ts'
import { type ReferenceSolver, startReferenceSolver } from './index.ts'

// What strangers can make the solver lose by orders of their own making: the four attacks of an audit.
const UNIT = 10n ** 18n
const NATIVE = { inputToken: zeroAddress, outputToken: zeroAddress }
const OPEN = 1
/** Longer than the solver's confirmations and all its graces. */
const SETTLED_MS = 12_000
/** The mood of the puppet in which it uses all gas, and a gas limit for changing it and for an authorization. */
const BURNING = 2
const TRAP_GAS = 200_000n

let world: SolverWorld
let solver: ReferenceSolver
const lines: string[] = []

/** Starts the solver, to which an ether is worth so many dollars, and waits for its login. */
const start = async (etherUsd = '1'): Promise<ReferenceSolver> => {
  const config = world.config()
  const tokens = config.network.tokens.map((token) => ({
    ...token,
    ...(token.address === zeroAddress ? { usdPrice: etherUsd } : {}),
  }))
  const text = JSON.stringify({ ...config, network: { ...config.network, tokens } })
  const log = (level: string, event: string): number => lines.push(`${level} ${event}`)
  const started = await startReferenceSolver(readSolverConfig(text, { evm: world.privateKey }), {
    ...systemClock,
    random: Math.random,
    log,
  })
  await eventually('the login', () => started.status().isConnected)
  return started
}

before(async () => {
  world = await startSolverWorld()
  solver = await start()
  let before: Awaited<ReturnType<typeof books>> = []
  const areStill = async (): Promise<boolean> => {
    const now = await books()
    const isSame = now.join() === before.join()
    before = now
    return isSame && Number(now[0]) > 0 && Number(now[2]) > 0
  }
  await eventually('the approvals are over', areStill, SETTLED_MS / 4)
})
after(async () => {
  await solver.stop()
  await world.stop()
})

/** The solver's transactions and tokens on both chains. */
const books = async () => {
  const found: (number | bigint)[] = []
  for (const side of [world.a, world.b]) {
    found.push(Number(await side.rpc('eth_getTransactionCount', world.account, 'latest')))
    found.push(await side.balanceOf(side.token, world.account))
  }
  return found
}

for (const [name, part] of [
  ['a better price than any ladder', { inputAmount: 100n * UNIT, outputAmount: (999n * UNIT) / 10n }],
  ['nearly the whole inventory', { inputAmount: 990_000n * UNIT, outputAmount: 980_000n * UNIT }],
  ['a thousandth of a dollar', { inputAmount: UNIT / 1_000n, outputAmount: UNIT / 1_100n }],
] as const)
  test(`an order for ${name} costs the solver nothing, not even gas`, async () => {
    const before = await books()
    const order = await world.openUnannounced(part)
    await pause(SETTLED_MS)
    assert.equal(await world.statusOf(world.a, order), OPEN)
    assert.deepEqual(await books(), before)
  })

/** The gas that the solver's failed transactions on a chain used from a block on. */
const gasOfReverts = async (from: number): Promise<readonly number[]> => {
  const used: number[] = []
  for (let number = from; number <= (await blockNumberOf(world.b)); number += 1) {
    // CAST: anvil's receipts.
    const receipts = (await world.b.rpc('eth_getBlockReceipts', numberToHex(number))) as readonly {
      readonly status: Hex
      readonly from: Hex
      readonly gasUsed: Hex
    }[]
    for (const { status, from: sender, gasUsed } of receipts)
      if (status === '0x0' && sender.toLowerCase() === world.account.toLowerCase()) used.push(Number(gasUsed))
  }
  return used
}

/** The gas that a transaction used. */
const gasOf = async (side: SolverWorld['b'], hash: unknown): Promise<number> => {
  // CAST: anvil's receipt.
  const receipt = (await side.rpc('eth_getTransactionReceipt', hash)) as { readonly gasUsed: Hex }
  return Number(receipt.gasUsed)
}

/**
 * Opens an order that pays the recipient, has the solver sign its fill, and puts a transaction of the attacker before it into the
 * same block; then undoes it and opens another order. The gas of the attacker's transaction, and of each failed fill.
 */
const springTrap = async (
  recipient: Hex,
  trap: Readonly<Record<string, unknown>>,
): Promise<{ readonly ofAttacker: number; readonly ofSolver: readonly number[] }> => {
  const { a, b } = world
  const part = { ...NATIVE, inputAmount: 100n * UNIT, outputAmount: 99n * UNIT, recipient }
  const tokens = await b.balanceOf(b.token, world.account)
  const block = await blockNumberOf(b)
  let sent: unknown
  solver.modes.set('paused')
  const order = await world.openUnannounced(part)
  await pause(2_000)
  await world.withoutMiner(async () => {
    await b.rpc('evm_setAutomine', false)
    try {
      solver.modes.set('normal')
      await eventually('the fill is signed', async () =>
        JSON.stringify(await b.rpc('txpool_content')).includes(orderIdOf(b.settler, order).slice(2)),
      )
      sent = await b.rpc('eth_sendTransaction', {
        from: DEPOSITOR,
        to: recipient,
        data: b.encode('setMood', [BURNING]),
        gas: numberToHex(TRAP_GAS),
        maxFeePerGas: numberToHex(10n ** 12n),
        maxPriorityFeePerGas: numberToHex(10n ** 11n),
        ...trap,
      })
      await b.rpc('evm_mine')
    } finally {
      await b.rpc('evm_setAutomine', true)
    }
  })
  await eventually('the revert', async () => (await gasOfReverts(block + 1)).length === 1)
  // The solver knows of a revert once it is final.
  await pause(SETTLED_MS / 2)
  await b.run({ from: DEPOSITOR, to: recipient, data: b.encode('setMood', [0]) })
  const again = await world.openUnannounced(part)
  await pause(SETTLED_MS)
  assert.equal(await b.balanceOf(b.token, world.account), tokens)
  for (const one of [order, again]) assert.equal(await world.statusOf(a, one), OPEN)
  return { ofAttacker: await gasOf(b, sent), ofSolver: await gasOfReverts(block + 1) }
}

test('a recipient that burns gas when it is paid, and not when that is tried, costs 150,000 gas once', async (context) => {
  const recipient = await world.b.deploy('puppet')
  const { ofAttacker, ofSolver } = await springTrap(recipient, {})
  context.diagnostic(`solver ${ofSolver.join()} gas, attacker ${ofAttacker} gas beside two opens, gain 0`)
  assert.equal(ofSolver.length, 1)
  assert.ok((ofSolver[0] ?? 0) <= 150_000)
})

test('a recipient that gets its code by EIP-7702 after the trial costs no more, and waits like any other', async (context) => {
  const { b } = world
  const account = privateKeyToAccount(generatePrivateKey())
  const code = await b.deploy('puppet')
  const { r, s, yParity } = await account.signAuthorization({
    contractAddress: code,
    chainId: b.number,
    nonce: 0,
  })
  const authorization = { address: code, chainId: numberToHex(b.number), nonce: '0x0', r, s }
  const list = [{ ...authorization, yParity: numberToHex(yParity ?? 0) }]
  const { ofAttacker, ofSolver } = await springTrap(account.address, { authorizationList: list })
  assert.notEqual(await b.rpc('eth_getCode', account.address, 'latest'), '0x')
  context.diagnostic(`solver ${ofSolver.join()} gas, attacker ${ofAttacker} gas beside two opens, gain 0`)
  assert.equal(ofSolver.length, 1)
  assert.ok((ofSolver[0] ?? 0) <= 150_000)
})

test('an order of a dollar at the price of its ladder costs nothing while its gas is dearer than its margin', async (context) => {
  await solver.stop()
  // A fill, its proof and the claim cost about five dollars.
  solver = await start('5000')
  await pause(SETTLED_MS / 4)
  const before = await books()
  const order = await world.openUnannounced({ inputAmount: (101n * UNIT) / 100n, outputAmount: UNIT })
  await pause(SETTLED_MS)
  assert.equal(await world.statusOf(world.a, order), OPEN)
  assert.deepEqual(await books(), before)
  context.diagnostic('one percent of a dollar was offered for the gas')
})
