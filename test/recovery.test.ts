import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { RecoveryAnswer, RecoveryKind, SearchAnswer } from '@openrfq/sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import {
  balanceOf,
  chainClients,
  execute,
  fetchJson,
  follow,
  sendAction,
  setSolverMode,
  type WireQuote,
  type WireStatus,
} from 'openrfq/test/wallet.ts'
import type { Hex } from 'viem'
import {
  expressTrade,
  itsTrade,
  LATE_SENDER,
  priceOutExpress,
  quoteToNew,
  sendShort,
  UNTIL_EVM_REFUND,
  withoutKeeper,
} from './late-transfers.ts'
import {
  accountAt,
  CHAINS,
  moveClock,
  patientEvmService,
  quoteIntent,
  type SandboxService,
  tokenOn,
} from './sandbox-service.ts'

let world: SandboxService
before(async () => {
  world = await patientEvmService.start()
})
after(patientEvmService.stop)

/** Neither sends nor receives a transfer of these tests. */
const STRANGER = 8
const recoveriesOf = async (quoteId: string, account: string) => {
  const query = new URLSearchParams({ quoteId, account })
  const { body } = await fetchJson<RecoveryAnswer>(`${world.service.url}/v1/rfq/recovery?${query}`)
  return body.recoveries
}

/** Signs the recovery of a kind as the stranger, once it is offered. */
const recover = async (quoteId: string, kind: RecoveryKind): Promise<void> => {
  const { address, privateKey } = accountAt(world, STRANGER)
  let seen = ''
  const recovery = await eventually(
    () => `${kind} is offered: ${seen}`,
    async () => {
      const offered = await recoveriesOf(quoteId, address)
      seen = JSON.stringify(offered)
      return offered.find((one) => one.kind === kind)
    },
  )
  // CAST: an EVM account gets EVM transactions.
  for (const action of recovery.actions as unknown as WireQuote['actions']) {
    const hash = await sendAction(world.sandbox, action, privateKey)
    const { reader } = chainClients(world.sandbox, action.chain)
    assert.equal((await reader.waitForTransactionReceipt({ hash })).status, 'success')
  }
}

const isDelivered = async (quote: WireQuote, recipient: Hex): Promise<void> => {
  const { last } = await follow(world.service.url, { quoteId: quote.quoteId })
  const credited = await balanceOf(world.sandbox, quote.output, recipient)
  assert.equal(last.output?.amount, credited.toString())
  assert.ok(credited >= BigInt(quote.output.minimumAmount))
}

const isAt =
  (stage: string) =>
  ({ details }: WireStatus): boolean =>
    details['stage'] === stage

test('a stranger pays the gas that an its transfer lacks, and it is DONE', async () => {
  const { quote, recipient } = await quoteToNew(world, 'its', itsTrade(world))
  await sendShort(world, quote, 1n)
  await follow(world.service.url, { quoteId: quote.quoteId }, isAt('gas_insufficient'))
  await recover(quote.quoteId, 'add_gas')
  await isDelivered(quote, recipient)
  assert.deepEqual(await recoveriesOf(quote.quoteId, accountAt(world, STRANGER).address), [])
})

test('a stranger executes an approved its transfer that lacks gas, and it is DONE', async () => {
  const { quote, recipient } = await quoteToNew(world, 'its', itsTrade(world))
  await sendShort(world, quote, 500n)
  await recover(quote.quoteId, 'execute')
  await isDelivered(quote, recipient)
})

test('a stranger pays the gas that an express transfer lacks, and it is DONE', async () => {
  const { quote, recipient } = await quoteToNew(world, 'gateway-express', expressTrade(world, 40_000_000n))
  await sendShort(world, quote, 1n)
  await recover(quote.quoteId, 'add_gas')
  await isDelivered(quote, recipient)
})

test('a stranger executes an approved express transfer that lacks gas, and it is DONE', async () => {
  const { quote, recipient } = await quoteToNew(world, 'gateway-express', expressTrade(world, 41_000_000n))
  await sendShort(world, quote, 300n)
  await recover(quote.quoteId, 'execute')
  await isDelivered(quote, recipient)
})

const isRefunded = ({ state }: WireStatus): boolean => state === 'REFUNDED'

test('a stranger refunds an order that no solver filled and the keeper cannot pay for', async () => {
  await setSolverMode(world.service.url, 'paused')
  const trade = {
    from: tokenOn(world, CHAINS.a, 'intent', /USDC/),
    to: tokenOn(world, CHAINS.b, 'intent', /USDC/),
    amount: 64_000_000n,
  }
  const quote = await quoteIntent(world, trade, LATE_SENDER, LATE_SENDER)
  const { address, privateKey } = accountAt(world, LATE_SENDER)
  const before = await balanceOf(world.sandbox, quote.input, address)
  await execute(world.sandbox, quote, privateKey)
  await follow(world.service.url, { quoteId: quote.quoteId }, ({ state }) => state === 'PENDING')
  assert.deepEqual(await recoveriesOf(quote.quoteId, address), [])
  await withoutKeeper(world, CHAINS.a, async () => {
    await moveClock(world, UNTIL_EVM_REFUND)
    await recover(quote.quoteId, 'refund')
    const { last } = await follow(world.service.url, { quoteId: quote.quoteId }, isRefunded)
    assert.equal(last.refund?.amount, quote.input.amount)
  })
  assert.equal(await balanceOf(world.sandbox, quote.input, address), before)
  await setSolverMode(world.service.url, 'normal')
})

test('a stranger pays the return leg that the keeper cannot pay for, and the transfer is REFUNDED', async () => {
  const { quote } = await quoteToNew(world, 'gateway-express', expressTrade(world, 42_000_000n))
  const { address, privateKey } = accountAt(world, LATE_SENDER)
  const before = await balanceOf(world.sandbox, quote.input, address)
  const move = priceOutExpress(world)
  assert.equal((await fetchJson(`${world.service.url}/sandbox/pool`, move)).status, 200)
  await withoutKeeper(world, CHAINS.c, async () => {
    await execute(world.sandbox, quote, privateKey)
    await recover(quote.quoteId, 'add_gas')
    await follow(world.service.url, { quoteId: quote.quoteId }, isRefunded)
  })
  assert.equal(await balanceOf(world.sandbox, quote.input, address), before)
})

test('a transfer is found by its quote, hashes, message id and parties', async () => {
  const { quote, recipient } = await quoteToNew(world, 'its', itsTrade(world))
  await execute(world.sandbox, quote, accountAt(world, LATE_SENDER).privateKey)
  const { last } = await follow(world.service.url, { quoteId: quote.quoteId })
  const { source, destination } = last
  for (const text of [
    quote.quoteId,
    source?.txHash,
    source?.messageId,
    destination?.txHash.toUpperCase().replace('0X', '0x'),
    recipient,
  ]) {
    const query = new URLSearchParams({ text: text ?? '' })
    const { body } = await fetchJson<SearchAnswer>(`${world.service.url}/v1/rfq/search?${query}`)
    assert.deepEqual(
      body.transfers.map(({ status }) => [status.quoteId, status.state]),
      [[quote.quoteId, 'DONE']],
    )
  }
})

test('an account that is no address, and an unknown quote, are told apart', async () => {
  const ask = (query: Record<string, string>) =>
    fetchJson<RecoveryAnswer & { readonly error?: { readonly code: string } }>(
      `${world.service.url}/v1/rfq/recovery?${new URLSearchParams(query)}`,
    )
  const malformed = await ask({ quoteId: 'quote_1', account: 'nobody' })
  assert.deepEqual([malformed.status, malformed.body.error?.code], [400, 'INVALID_REQUEST'])
  const { body } = await ask({ quoteId: 'quote_1' })
  assert.deepEqual(body, { quoteId: 'quote_1', state: 'NOT_FOUND', recoveries: [] })
})
