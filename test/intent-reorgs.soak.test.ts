import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dropBlock } from 'openrfq/test/drop-block.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { createDice } from 'openrfq/test/seeded.ts'
import { openSoak } from 'openrfq/test/soak.ts'
import {
  askNode,
  balanceOf,
  chainClients,
  fetchJson,
  type WireQuote,
  type WireStatus,
} from 'openrfq/test/wallet.ts'
import { createWalletClient, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { headsOf, readBalanceSheet } from './chaos-audit.ts'
import { type ChaosWorld, startChaosWorld } from './chaos-world.ts'
import { settlerEvent, settlerEvents } from './intent-chain.ts'
import { CHAINS, requestBody, type Trade, tokenOn } from './sandbox-service.ts'

/** More blocks than the deepest reorg of this test. */
const FINALITY = 36
const SECONDS = { quoteLifetimeSeconds: 300, fillWindowSeconds: 300, refundDelaySeconds: 60 }
const DEEPEST = 32
const { seed, of } = openSoak()

/** Depths from 1 to the deepest, each once, in random order. */
const drawDepths = (count: number): readonly number[] => {
  const dice = createDice(seed)
  const left = Array.from({ length: DEEPEST }, (_, index) => index + 1)
  return Array.from({ length: count }, () => left.splice(dice(left.length), 1)).flat()
}

let world: ChaosWorld
before(async () => {
  world = await startChaosWorld({ seconds: SECONDS, finality: FINALITY })
})
after(() => world.stop())

const mine = (chainId: string, blocks: number): Promise<unknown> =>
  askNode(world.sandbox, chainId, 'anvil_mine', `0x${blocks.toString(16)}`, '0x0')

const until = async <Answer>(
  ask: () => Promise<Answer>,
  isWanted: (answer: Answer) => boolean,
  what: string,
): Promise<Answer> => {
  const [answer] = await eventually(
    () => `${what}\n${world.service.said()}`,
    async () => {
      const [answer] = [await ask()]
      return isWanted(answer) && [answer]
    },
  )
  return answer
}

const quoteIntent = async (trade: Trade, sender: Hex, recipient: Hex): Promise<WireQuote> => {
  const body = requestBody(trade, sender, recipient)
  const ask = async (): Promise<WireQuote | undefined> => {
    const answer = await fetchJson<{ quotes?: WireQuote[] }>(`${world.url}/v1/rfq/quote`, body)
    return answer.body.quotes?.find(({ backend }) => backend.type === 'intent')
  }
  const quote = await until(ask, (found) => found !== undefined, 'a quote')
  assert.ok(quote)
  return quote
}

const statusOf = async ({ quoteId }: WireQuote): Promise<WireStatus> =>
  (await fetchJson<WireStatus>(`${world.url}/v1/rfq/status?${new URLSearchParams({ quoteId })}`)).body

const statusWhen = (quote: WireQuote, isWanted: (status: WireStatus) => boolean): Promise<WireStatus> =>
  until(() => statusOf(quote), isWanted, 'the status')

/** Signs and sends a native deposit. The returned function sends the same bytes again, as nodes and wallets do. */
const deposit = async (quote: WireQuote, privateKey: Hex) => {
  const { chain, transport, reader } = chainClients(world.sandbox, quote.input.chain)
  const wallet = createWalletClient({ account: privateKeyToAccount(privateKey), chain, transport })
  const [action] = quote.actions
  assert.ok(action)
  const { to, data, value } = action.payload
  const request = await wallet.prepareTransactionRequest({ to, data, value: BigInt(value) })
  const serializedTransaction = await wallet.signTransaction(request)
  const send = async (): Promise<bigint> => {
    const hash = await reader.sendRawTransaction({ serializedTransaction })
    const { status, blockNumber } = await reader.waitForTransactionReceipt({ hash })
    assert.equal(status, 'success')
    return blockNumber
  }
  return { send }
}

/** Mines on a block until it is `depth` deep, then drops it with the blocks above. */
const drop = async (chainId: string, blockNumber: bigint, depth: number): Promise<void> => {
  const { reader } = chainClients(world.sandbox, chainId)
  const missing = depth - Number((await reader.getBlockNumber()) - blockNumber) - 1
  if (missing > 0) await mine(chainId, missing)
  const reorganise = (deep: number) => world.control('/sandbox/reorg', { chainId, depth: deep })
  await dropBlock({ reader, reorganise }, blockNumber)
}

const isSeen = ({ state }: WireStatus): boolean => state === 'PENDING'

/** One native transfer whose deposit and fill are dropped at the given depths (0: never). Returns its end. */
const walk = async (depth: number) => {
  const { sandbox } = world
  const before = await headsOf(sandbox)
  const [user] = sandbox.accounts
  assert.ok(user)
  const recipient = privateKeyToAddress(generatePrivateKey())
  const from = tokenOn(world, CHAINS.b, 'intent', /^ETH$/)
  const to = tokenOn(world, CHAINS.c, 'intent', /^ETH$/)
  // The recipient gets the same amount from either solver.
  const trade: Trade = { from, to, amount: 10n ** 17n, orderType: 'EXACT_OUTPUT' }
  const quote = await quoteIntent(trade, user.address, recipient)
  const orderId = String(quote.backend.tracking['swapId'])
  const { send } = await deposit(quote, user.privateKey)
  const depositedAt = await send()
  await statusWhen(quote, isSeen)
  if (depth > 0) {
    await drop(from.chainId, depositedAt, depth)
    await statusWhen(quote, ({ state }) => state === 'AWAITING_DEPOSIT')
    assert.deepEqual(await settlerEvents(sandbox, to.chainId, 'Filled', orderId), [])
    await send()
    await statusWhen(quote, isSeen)
  }
  await mine(from.chainId, FINALITY)
  const filled = await settlerEvent(sandbox, to.chainId, 'Filled', orderId)
  if (depth > 0) {
    await statusWhen(quote, ({ details }) => details['stage'] === 'filled_not_final')
    await drop(to.chainId, filled.blockNumber, depth)
    await settlerEvent(sandbox, to.chainId, 'Filled', orderId)
  }
  await mine(to.chainId, FINALITY)
  const status = await statusWhen(quote, ({ state }) => state === 'DONE')
  assert.equal(status.destination?.txHash, filled.txHash)
  const paid = await balanceOf(sandbox, quote.output, recipient)
  assert.equal(paid, BigInt(quote.output.amount))
  // The proof needs confirmations on the destination, and its mark, which the claim follows, on the origin.
  await until(
    async () => {
      for (const { chainId } of [to, from]) await mine(chainId, 1)
      return settlerEvents(sandbox, from.chainId, 'Released', orderId)
    },
    (events) => events.length > 0,
    'the repayment',
  )
  const sheet = await readBalanceSheet(sandbox, before)
  return {
    events: sheet.orders.get(orderId)?.counts,
    reverted: sheet.reverted,
    state: status.state,
    isRefundNull: status.refund === null,
    output: status.output,
    paid,
  }
}

test('a transfer whose deposit and fill are reorganised', async (context) => {
  const undisturbed = await walk(0)
  assert.deepEqual(undisturbed.events, { Open: 1, Filled: 1, Proven: 1, Released: 1 })
  for (const depth of drawDepths(of(DEEPEST)))
    await context.test(
      `ends as without reorgs when ${depth} blocks are dropped before and after the fill`,
      async () => {
        assert.deepEqual(await walk(depth), undisturbed)
      },
    )
})
