import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GOVERNOR } from '@openrfq/sandbox/src/keys.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import {
  askNode,
  assertInOrder,
  balanceOf,
  chainClients,
  execute,
  fetchJson,
  follow,
  type WireQuote,
} from 'openrfq/test/wallet.ts'
import { createWalletClient, getAddress, type Hex, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { quoteToNew } from './late-transfers.ts'
import { isAt, recoveriesOf, STRANGER } from './recovery-steps.ts'
import {
  accountAt,
  CHAINS,
  evmService,
  quoteOf,
  requestBody,
  type SandboxService,
  type Trade,
  tokenOn,
} from './sandbox-service.ts'

let world: SandboxService
/** Switches Axelar's executors, which deliver early whatever pays them enough. */
const setExpress = async (express: boolean): Promise<void> =>
  assert.equal((await fetchJson(`${world.service.url}/sandbox/relayer`, { express })).status, 200)

before(async () => {
  world = await evmService.start()
  await setExpress(false)
})
after(async () => {
  if (world !== undefined) await setExpress(true)
  await evmService.stop()
})

const trade = (amount: bigint): Trade => ({
  from: tokenOn(world, CHAINS.a, 'gateway', /USDC/),
  to: tokenOn(world, CHAINS.b, 'gateway', /USDC/),
  amount,
})

const LATE_SENDER = 6

const heldBySender = (quote: WireQuote): Promise<bigint> =>
  balanceOf(world.sandbox, quote.input, accountAt(world, LATE_SENDER).address)

test('the whole amount arrives, firm, its relay paid as native value, on the way that Axelar delivers', async () => {
  const { quote, recipient } = await quoteToNew(world, 'gateway', trade(25_000_001n))
  assert.equal(quote.output.amount, '25000001')
  assert.equal(quote.output.minimumAmount, '25000001')
  const { paymentMethod, quoteTreatment } = Object(quote.fees.user)
  assert.deepEqual([paymentMethod, quoteTreatment], ['tx_value', 'outside_quote'])
  const transfer = quote.actions.at(-1)
  assert.ok(transfer?.payload.type === 'evm_transaction')
  assert.equal(transfer.payload.value, quote.fees.user.amount)
  const { path, express, refund } = Object(quote.backend.metadata)
  assert.deepEqual([path, express, refund.automatic], [[], false, true])
  const before = await heldBySender(quote)
  const messageId = await execute(world.sandbox, quote, accountAt(world, LATE_SENDER).privateKey)
  const { states, last } = await follow(world.service.url, { quoteId: quote.quoteId })
  assertInOrder(states, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
  assert.equal(last.source?.messageId, messageId)
  assert.equal(before - (await heldBySender(quote)), 25_000_001n)
  assert.equal(await balanceOf(world.sandbox, quote.output, recipient), 25_000_001n)
})

/** The most that a token counts: no further payment fits an account that holds it. */
const MOST = `0x${'f'.repeat(64)}`

test('a transfer whose recipient the token refuses comes back whole by the keeper', async () => {
  const { quote, recipient } = await quoteToNew(world, 'gateway', trade(26_000_000n))
  const before = await heldBySender(quote)
  await askNode(world.sandbox, CHAINS.b, 'anvil_dealERC20', recipient, quote.output.token, MOST)
  assert.equal(await balanceOf(world.sandbox, quote.output, recipient), BigInt(MOST))
  await execute(world.sandbox, quote, accountAt(world, LATE_SENDER).privateKey)
  const { states, last } = await follow(
    world.service.url,
    { quoteId: quote.quoteId },
    ({ state }) => state === 'REFUNDED',
  )
  assertInOrder(states, ['AWAITING_DEPOSIT', 'PENDING', 'REFUND_PENDING', 'REFUND_INITIATED', 'REFUNDED'])
  assert.equal(last.output, null)
  assert.deepEqual(
    [last.refund?.chain, last.refund?.token, last.refund?.amount],
    [CHAINS.a, quote.input.token, '26000000'],
  )
  assert.equal(await heldBySender(quote), before)
  assert.equal(await balanceOf(world.sandbox, quote.output, recipient), BigInt(MOST))
})

const GATEWAY_ABI = parseAbi([
  'function setTokenMintLimits(string[] symbols, uint256[] limits)',
  'function tokenMintLimit(string symbol) view returns (uint256)',
])

/** Sets the mint limit of the gateway's dollars on chain B. Returns the one before. */
const setMintLimit = async (limit: bigint): Promise<bigint> => {
  const contracts = world.sandbox.chains.find(({ chainId }) => chainId === CHAINS.b)?.contracts
  assert.ok(contracts)
  const { chain, transport, reader } = chainClients(world.sandbox, CHAINS.b)
  const call = { address: getAddress(contracts.gateway), abi: GATEWAY_ABI } as const
  const before = await reader.readContract({ ...call, functionName: 'tokenMintLimit', args: ['axlUSDC'] })
  const wallet = createWalletClient({ account: privateKeyToAccount(GOVERNOR.privateKey), chain, transport })
  const args = [['axlUSDC'], [limit]] as const
  const hash = await wallet.writeContract({ ...call, functionName: 'setTokenMintLimits', args })
  assert.equal((await reader.waitForTransactionReceipt({ hash })).status, 'success')
  return before
}

test('a transfer above what the mint limit leaves waits, without an end, and is DONE once the limit allows it', async () => {
  const { quote, recipient } = await quoteToNew(world, 'gateway', trade(27_000_000n))
  const limit = await setMintLimit(1n)
  try {
    await execute(world.sandbox, quote, accountAt(world, LATE_SENDER).privateKey)
    const { last } = await follow(world.service.url, { quoteId: quote.quoteId }, isAt('execution_error'))
    assert.equal(last.state, 'PENDING')
    assert.deepEqual(await recoveriesOf(world, quote.quoteId, accountAt(world, STRANGER).address), [])
    const body = requestBody(trade(1_000_000n), accountAt(world, 0).address, recipient as Hex)
    await eventually('nothing is quoted over the limit', async () => {
      const asked = await fetchJson<{ quotes?: WireQuote[] }>(`${world.service.url}/v1/rfq/quote`, body)
      return asked.body.quotes?.every(({ backend }) => backend.type !== 'gateway') !== false
    })
  } finally {
    await setMintLimit(limit)
  }
  await follow(world.service.url, { quoteId: quote.quoteId })
  assert.equal(await balanceOf(world.sandbox, quote.output, recipient), 27_000_000n)
})

test('EXACT_OUTPUT pays exactly what arrives', async () => {
  const quote = await quoteOf(
    world,
    'gateway',
    requestBody(
      { ...trade(5_000_007n), orderType: 'EXACT_OUTPUT' },
      accountAt(world, 0).address,
      accountAt(world, 1).address,
    ),
  )
  assert.deepEqual([quote.input.amount, quote.output.amount], ['5000007', '5000007'])
})
