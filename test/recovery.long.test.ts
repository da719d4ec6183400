import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { RecoveryAnswer, SearchAnswer } from '@openrfq/sdk'
import { balanceOf, execute, fetchJson, follow, type WireStatus } from 'openrfq/test/wallet.ts'
import {
  expressTrade,
  itsTrade,
  LATE_SENDER,
  makeUndeliverable,
  quoteToNew,
  refundUnfilled,
  sendShort,
  withoutKeeper,
} from './late-transfers.ts'
import { isAt, isDelivered, recover, recoveriesOf, STRANGER } from './recovery-steps.ts'
import { accountAt, CHAINS, patientEvmService, type SandboxService } from './sandbox-service.ts'

let world: SandboxService
before(async () => {
  world = await patientEvmService.start()
})
after(patientEvmService.stop)

test('a stranger pays the gas that an its transfer lacks, and it is DONE', async () => {
  const { quote, recipient } = await quoteToNew(world, 'its', itsTrade(world))
  await sendShort(world, quote, 1n)
  await follow(world.service.url, { quoteId: quote.quoteId }, isAt('gas_insufficient'))
  await recover(world, quote.quoteId, 'add_gas')
  await isDelivered(world, quote, recipient)
  assert.deepEqual(await recoveriesOf(world, quote.quoteId, accountAt(world, STRANGER).address), [])
})

test('a stranger executes an approved its transfer that lacks gas, and it is DONE', async () => {
  const { quote, recipient } = await quoteToNew(world, 'its', itsTrade(world))
  await sendShort(world, quote, 500n)
  await recover(world, quote.quoteId, 'execute')
  await isDelivered(world, quote, recipient)
})

test('a stranger pays the gas that an express transfer lacks, and it is DONE', async () => {
  const { quote, recipient } = await quoteToNew(world, 'gateway-express', expressTrade(world, 40_000_000n))
  await sendShort(world, quote, 1n)
  await recover(world, quote.quoteId, 'add_gas')
  await isDelivered(world, quote, recipient)
})

test('a stranger executes an approved express transfer that lacks gas, and it is DONE', async () => {
  const { quote, recipient } = await quoteToNew(world, 'gateway-express', expressTrade(world, 41_000_000n))
  await sendShort(world, quote, 300n)
  await recover(world, quote.quoteId, 'execute')
  await isDelivered(world, quote, recipient)
})

const isRefunded = ({ state }: WireStatus): boolean => state === 'REFUNDED'

test('a stranger refunds an order that no solver filled and the keeper cannot pay for', () =>
  refundUnfilled(world, {
    amount: 64_000_000n,
    check: async ({ quoteId }) => {
      const { address } = accountAt(world, LATE_SENDER)
      assert.deepEqual(await recoveriesOf(world, quoteId, address), [])
    },
    refund: async ({ quoteId, input }) => {
      await recover(world, quoteId, 'refund')
      const { last } = await follow(world.service.url, { quoteId }, isRefunded)
      assert.equal(last.refund?.amount, input.amount)
    },
  }))

/** Has an express transfer fail to deliver while the keeper has no money on its destination, and refunds it. */
const refundExpress = async (amount: bigint, refund: (quoteId: string) => Promise<void>): Promise<void> => {
  const { quote } = await quoteToNew(world, 'gateway-express', expressTrade(world, amount))
  const { address, privateKey } = accountAt(world, LATE_SENDER)
  const before = await balanceOf(world.sandbox, quote.input, address)
  await makeUndeliverable(world, quote, () =>
    withoutKeeper(world, CHAINS.c, async () => {
      await execute(world.sandbox, quote, privateKey)
      await refund(quote.quoteId)
      await follow(world.service.url, { quoteId: quote.quoteId }, isRefunded)
    }),
  )
  assert.equal(await balanceOf(world.sandbox, quote.input, address), before)
}

test('a sender gives back an express transfer that cannot be delivered and the keeper cannot pay for', () =>
  refundExpress(42_000_000n, async (quoteId) => {
    await follow(world.service.url, { quoteId }, isAt('execution_error'))
    assert.deepEqual(await recoveriesOf(world, quoteId, accountAt(world, STRANGER).address), [])
    await recover(world, quoteId, 'refund', { by: LATE_SENDER })
  }))

test('a stranger pays the way of an express transfer that its sender gave back without paying', () =>
  refundExpress(43_000_000n, async (quoteId) => {
    await recover(world, quoteId, 'refund', { by: LATE_SENDER, value: '0' })
    await follow(world.service.url, { quoteId }, isAt('awaiting_return_gas'))
    await recover(world, quoteId, 'add_gas')
  }))

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
