import assert from 'node:assert/strict'
import { KEEPER } from '@openrfq/sandbox/src/keys.ts'
import {
  askNode,
  balanceOf,
  chainClients,
  execute,
  fetchJson,
  follow,
  setSolverMode,
  type WireQuote,
} from 'openrfq/test/wallet.ts'
import type { Hex } from 'viem'
import { PATIENT_SECONDS } from './intent-seconds.ts'
import {
  accountAt,
  CHAINS,
  moveClock,
  quoteIntent,
  quoteOf,
  requestBody,
  type SandboxService,
  type Trade,
  tokenOn,
} from './sandbox-service.ts'

/** The account that pays the transfers that turn late. */
export const LATE_SENDER = 6

const { quoteLifetimeSeconds, fillWindowSeconds, refundDelaySeconds } = PATIENT_SECONDS
/** Seconds after which an order of a patient sandbox is refunded. */
export const UNTIL_EVM_REFUND = quoteLifetimeSeconds + fillWindowSeconds + refundDelaySeconds + 2

const newRecipient = (): Hex => `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString('hex')}`

/** A quote of the late sender to a fresh address. */
export const quoteToNew = async (world: SandboxService, backend: string, trade: Trade) => {
  const recipient = newRecipient()
  const quote = await quoteOf(
    world,
    backend,
    requestBody(trade, accountAt(world, LATE_SENDER).address, recipient),
  )
  return { quote, recipient }
}

/** A tenth of a WETH from chain A to B. */
export const itsTrade = (world: SandboxService): Trade => ({
  from: tokenOn(world, CHAINS.a, 'its', /^WETH$/),
  to: tokenOn(world, CHAINS.b, 'its', /^axlWETH$/),
  amount: 10n ** 17n,
})

/** Dollars of chain A to ether of chain C. */
export const expressTrade = (world: SandboxService, amount: bigint): Trade => ({
  from: tokenOn(world, CHAINS.a, 'gateway-express', /USDC/),
  to: tokenOn(world, CHAINS.c, 'gateway-express', /^ETH$/),
  amount,
})

/** A call that pays only a part of the cross-chain gas that it names: `parts` of a thousand. */
export const payingPart = <Call extends { readonly data: string; readonly value: string }>(
  call: Call,
  parts: bigint,
): Call => {
  const paid = (BigInt(call.value) * parts) / 1_000n
  const word = (amount: bigint): string => amount.toString(16).padStart(64, '0')
  // The calldata of ITS names the gas, which the router takes from the value.
  return { ...call, data: call.data.replace(word(BigInt(call.value)), word(paid)), value: paid.toString() }
}

/** Executes a quote whose last action pays only a part of the cross-chain gas: `parts` of a thousand. */
export const sendShort = async (world: SandboxService, quote: WireQuote, parts: bigint): Promise<void> => {
  const actions = quote.actions.map((action) =>
    action.type === 'transaction' ? { ...action, payload: payingPart(action.payload, parts) } : action,
  )
  await execute(world.sandbox, { ...quote, actions }, accountAt(world, LATE_SENDER).privateKey)
}

/** Does something while the keeper has no money on a chain, which a start of the sandbox gives it. */
export const withoutKeeper = async (
  { sandbox }: SandboxService,
  chainId: string,
  work: () => Promise<void>,
): Promise<void> => {
  const { reader } = chainClients(sandbox, chainId)
  const balance = await reader.getBalance({ address: KEEPER.address })
  const give = (amount: bigint) =>
    askNode(sandbox, chainId, 'anvil_setBalance', KEEPER.address, `0x${amount.toString(16)}`)
  await give(0n)
  try {
    await work()
  } finally {
    await give(balance)
  }
}

/** Makes the last swap of an express quote on chain C lose a tenth, does something, and moves the price back. */
export const makeUndeliverable = async (
  { service }: SandboxService,
  quote: WireQuote,
  work: () => Promise<void>,
): Promise<void> => {
  // CAST: the path of a quote's metadata.
  const path = Object(quote.backend.metadata).path as readonly Record<
    'chain' | 'tokenIn' | 'tokenOut',
    string
  >[]
  const swap = path.findLast(({ chain }) => chain === CHAINS.c) ?? assert.fail('nothing is swapped there')
  const move = async (moveBps: number): Promise<void> => {
    const body = { chainId: CHAINS.c, tokenA: swap.tokenIn, tokenB: swap.tokenOut, moveBps }
    assert.equal((await fetchJson(`${service.url}/sandbox/pool`, body)).status, 200)
  }
  await move(-1_000)
  await work()
  // Or the next quote would go around the pool.
  await move(1_111)
}

/** An unfilled order of the late sender: `check` runs while it is open, `refund` once a stranger may refund it. */
export type Unfilled = {
  readonly amount: bigint
  readonly check: (quote: WireQuote) => Promise<void>
  readonly refund: (quote: WireQuote) => Promise<void>
}

/** Opens an order from chain A while no solver fills and the keeper cannot pay, and expects the whole deposit back. */
export const refundUnfilled = async (
  world: SandboxService,
  { amount, check, refund }: Unfilled,
): Promise<void> => {
  await setSolverMode(world.service.url, 'paused')
  const from = tokenOn(world, CHAINS.a, 'intent', /USDC/)
  const to = tokenOn(world, CHAINS.b, 'intent', /USDC/)
  const quote = await quoteIntent(world, { from, to, amount }, LATE_SENDER, LATE_SENDER)
  const { address, privateKey } = accountAt(world, LATE_SENDER)
  const held = await balanceOf(world.sandbox, quote.input, address)
  await execute(world.sandbox, quote, privateKey)
  await follow(world.service.url, { quoteId: quote.quoteId }, ({ state }) => state === 'PENDING')
  await check(quote)
  await withoutKeeper(world, CHAINS.a, async () => {
    await moveClock(world, UNTIL_EVM_REFUND)
    await refund(quote)
  })
  assert.equal(await balanceOf(world.sandbox, quote.input, address), held)
  await setSolverMode(world.service.url, 'normal')
}
