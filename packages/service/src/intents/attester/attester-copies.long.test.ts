import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { test } from 'node:test'
import { createEventRepeater, inflateValue } from '@openrfq/sandbox/src/rpc/stellar/forged-events.ts'
import { z } from 'zod'
import { startAttesterWorld } from '../../../test/attester-world.ts'
import { eventually, until } from '../../../test/eventually.ts'
import type { LocalServer } from '../../../test/local-server.ts'
import { type Lie, startLyingNode } from '../../../test/lying-node.ts'
import { encodeBase58 } from '../../chains/solana/base58.ts'
import { backUpSqliteStore } from '../../store/sqlite-backup.ts'

const Events = z.looseObject({ events: z.array(z.looseObject({ value: z.string() })) })
const Transaction = z.looseObject({
  events: z.looseObject({ contractEventsXdr: z.array(z.array(z.string())) }),
})
const inflater = createEventRepeater(1, inflateValue)

/** Tells twice the amount of every payment on Stellar. */
const doubled: Lie = (_call, result) => {
  const transaction = Transaction.safeParse(result).data
  if (transaction !== undefined) return inflater.copyOf(transaction)
  const told = Events.safeParse(result).data
  return told === undefined
    ? result
    : { ...told, events: told.events.map((event) => ({ ...event, value: inflateValue(event.value) })) }
}

const memoData = (orderId: string): string => encodeBase58(Buffer.from(orderId))

/** Tells payments for one order on Solana as payments for another. */
const renamed =
  (names: () => { readonly paid: string; readonly unpaid: string } | undefined): Lie =>
  (call, result) => {
    const named = names()
    if (call.method !== 'getTransaction' || named === undefined) return result
    const text = JSON.stringify(result).replaceAll(memoData(named.paid), memoData(named.unpaid))
    return JSON.parse(text)
  }

test('an attester that is lied to by one endpoint of three, killed, and started on old data attests only what was paid, once the lies end', async (context) => {
  let names: { readonly paid: string; readonly unpaid: string } | undefined
  const liars: LocalServer[] = []
  const lieTo = async (url: string, lie: Lie): Promise<string> => {
    const liar = await startLyingNode(url, () => lie)
    liars.push(liar)
    return liar.url
  }
  let isLying = true
  const whileLying =
    (lie: Lie): Lie =>
    (call, result) =>
      isLying ? lie(call, result) : result
  const lies = { solana: whileLying(renamed(() => names)), stellar: whileLying(doubled) } as const
  const world = await startAttesterWorld(async (network) => ({
    ...network,
    chains: await Promise.all(
      network.chains.map(async (chain) => {
        const [first = '', ...others] = chain.rpcUrls
        return chain.chainType === 'evm'
          ? chain
          : { ...chain, rpcUrls: [await lieTo(first, lies[chain.chainType]), ...others] }
      }),
    ),
  }))
  context.after(async () => {
    await world.stop()
    for (const liar of liars) liar.stop()
  })
  const { origin, stellar, solana, attester, handOver } = world
  const copy = `${attester.dataDirectory}-copy`
  const isReleased = (order: Parameters<typeof origin.statusOf>[0]) =>
    eventually(
      () => `${order.orderId} is released, ${JSON.stringify(names)}\n${attester.said()}`,
      async () => {
        assert.equal(attester.isRunning(), true, attester.said())
        return (await origin.statusOf(order)) === 'released'
      },
    )

  attester.start()
  await until(() => attester.said().includes('attester_started'))
  backUpSqliteStore(attester.dataDirectory, copy)
  const sentBefore = await origin.attesterTransactions()
  const paid = [await origin.open(stellar.wanted), await origin.open(solana.wanted)] as const
  const unpaid = [await origin.open(stellar.wanted), await origin.open(solana.wanted)] as const
  names = { paid: paid[1].orderId, unpaid: unpaid[1].orderId }
  await handOver.add(unpaid[0], await stellar.pay(unpaid[0], stellar.wanted.outputAmount / 2n))
  await handOver.add(paid[0], await stellar.pay(paid[0], stellar.wanted.outputAmount))
  const fill = await solana.pay(paid[1], solana.wanted.outputAmount)
  await handOver.add(paid[1], fill)
  await handOver.add(unpaid[1], fill)
  await eventually(
    () => `releases on both ledgers are held\n${attester.said()}`,
    () => paid.every(({ orderId }) => attester.said().includes(`key=release:${orderId}`)),
  )
  await attester.end('SIGKILL')

  rmSync(attester.dataDirectory, { recursive: true })
  cpSync(copy, attester.dataDirectory, { recursive: true })
  attester.start()
  await eventually(
    () => `the attester starts\n${attester.said()}`,
    () => attester.saidNow().includes('attester_started'),
  )
  const later = [await origin.open(stellar.wanted), await origin.open(solana.wanted)] as const
  await handOver.add(later[0], await stellar.pay(later[0], stellar.wanted.outputAmount))
  await handOver.add(later[1], await solana.pay(later[1], solana.wanted.outputAmount))
  isLying = false
  for (const order of [...paid, ...later]) await isReleased(order)
  for (const order of unpaid) assert.equal(await origin.statusOf(order), 'open')
  for (const order of [...paid, ...later]) assert.equal(await origin.releasesOf(order), 1)
  assert.equal(await origin.attesterTransactions(), sentBefore + paid.length + later.length)
})
