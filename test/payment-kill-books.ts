import assert from 'node:assert/strict'
import { attestedSettlerAbi } from '@openrfq/contracts'
import type { ChainId } from '@openrfq/sdk'
import { connectPaymentChains } from 'openrfq/src/chains/connect-payment-chains.ts'
import type { PaymentChain } from 'openrfq/src/chains/payment-chain.ts'
import { accountBehind } from 'openrfq/src/chains/stellar/muxed-account.ts'
import type { Payment } from 'openrfq/src/core/payment.ts'
import { createEscrowReader } from 'openrfq/src/intents/settlers/escrow-reader.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { createPublicClient, http, toEventSelector } from 'viem'
import { depositAddressOf } from './altered-deposits.ts'
import { familyBalance } from './families-world.ts'
import type { Trade } from './payment-kill-wallets.ts'
import type { DollarChain, PaymentKillWorld } from './payment-kill-world.ts'

/** The number of each kind of end that the chains show for one order. */
export type OrderEnds = {
  readonly deposited: number
  readonly filled: number
  readonly released: number
  readonly refunded: number
}

/** Reads the chains repeatedly. */
export type Books = {
  readonly endsOf: (trades: readonly Trade[]) => Promise<ReadonlyMap<Trade, OrderEnds>>
  /** Throws for a balance that differs from the orders' ends, and for a payment without an order. */
  readonly assertBalances: (ends: ReadonlyMap<Trade, OrderEnds>) => Promise<void>
  readonly stop: () => void
}

type EvmEvent = { readonly name: string; readonly orderId: string }
type Paid = ReadonlyMap<string, readonly Payment[]>
type Told = ReadonlyMap<string, readonly EvmEvent[]>
/** What happened to the orders of the escrow program, by order. */
type Escrowed = ReadonlyMap<string, Omit<OrderEnds, 'filled'>>

const NAMES = new Map(
  attestedSettlerAbi.flatMap((item) => (item.type === 'event' ? [[toEventSelector(item), item.name]] : [])),
)

const readEvents = async ({ rpcUrl, settler }: DollarChain, after: bigint): Promise<readonly EvmEvent[]> => {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: 60_000 }) })
  // CAST: the sandbox's own settler.
  const address = settler as `0x${string}`
  const logs = await client.getLogs({ address, fromBlock: after + 1n, toBlock: 'latest' })
  return logs.map(({ topics: [selector, orderId] }) => ({
    name: NAMES.get(selector ?? '0x') ?? `unknown ${selector}`,
    orderId: orderId ?? '',
  }))
}

/** Every final payment of the accounts since a block. */
const readPayments = async (
  simulatedChain: PaymentChain,
  accounts: readonly string[],
  first: bigint,
): Promise<readonly Payment[]> => {
  const payments: Payment[] = []
  for (let after = first; ; ) {
    // A busy machine may answer late.
    const { read, head } = await eventually(`${simulatedChain.chainId} is read`, async () => {
      const read = await simulatedChain.readPayments(accounts, after).catch(() => undefined)
      const head = simulatedChain.head()
      return read !== undefined && head !== undefined && { read, head }
    })
    const { final, upTo } = read
    payments.push(...final)
    if (upTo + 2n >= head.finalNumber || upTo === after) return payments
    after = upTo
  }
}

/** The stroop that announces a deposit in a claimable balance. */
const ANNOUNCED = 1n

/** Whether a payment is a trade's deposit into the vault, or announces the balance that is its deposit. */
const isDepositOf = ({ from, depositor, quote, holding }: Trade, paid: Payment): boolean => {
  if (paid.to !== from.settler || paid.from !== depositor) return false
  if (holding !== 'claimable_balance') return paid.amount === BigInt(quote.input.amount)
  const muxedId = accountBehind(depositAddressOf(quote))?.muxedId
  return paid.amount === ANNOUNCED && paid.muxedId === muxedId
}

/** The payments between vault, solvers and other accounts that belong to a trade. */
const endsOf = (
  world: PaymentKillWorld,
  trade: Trade,
  { paid, told, escrowed }: { readonly paid: Paid; readonly told: Told; readonly escrowed: Escrowed },
): OrderEnds => {
  const { from, to, orderId, quote, depositor, recipient } = trade
  const on = (chain: DollarChain, matches: (payment: Payment) => boolean): number =>
    (paid.get(chain.chainId) ?? []).filter(matches).length
  const says = (chain: DollarChain, wanted: string): number =>
    (told.get(chain.chainId) ?? []).filter(({ name, orderId: id }) => name === wanted && id === orderId)
      .length
  const [input, output] = [BigInt(quote.input.amount), BigInt(quote.output.amount)]
  const vault = from.settler
  const account = accountBehind(recipient)
  const filled =
    to.chainType === 'evm'
      ? says(to, 'Filled')
      : on(to, (one) => {
          if (one.memo !== orderId || one.from === to.settler || one.to === to.settler) return false
          assert.equal(one.amount, output, `the fill of ${orderId} pays another amount`)
          assert.equal(one.to, account?.account ?? recipient)
          assert.equal(one.muxedId, account?.muxedId)
          return true
        })
  if (from.chainType === 'evm')
    return {
      deposited: says(from, 'Open'),
      filled,
      released: says(from, 'Released'),
      refunded: says(from, 'Refunded'),
    }
  const escrow = escrowed.get(orderId)
  if (escrow !== undefined) return { filled, ...escrow }
  return {
    deposited: on(from, (one) => isDepositOf(trade, one)),
    filled,
    released: on(
      from,
      (one) =>
        one.from === vault &&
        one.amount === input &&
        one.memo === orderId &&
        world.solversOn(from).includes(one.to),
    ),
    refunded: on(from, (one) => one.from === vault && one.amount === input && one.to === depositor),
  }
}

/** The required change of every balance: zero for vaults and settlers, the orders' amounts for wallets and solvers. */
const owedTo = (
  world: PaymentKillWorld,
  ends: ReadonlyMap<Trade, OrderEnds>,
): ReadonlyMap<string, bigint> => {
  const owed = new Map<string, bigint>()
  const move = ({ chainId }: DollarChain, holder: string, amount: bigint): void => {
    const key = `${chainId} ${holder}`
    owed.set(key, (owed.get(key) ?? 0n) + amount)
  }
  for (const chain of world.chains) {
    move(chain, chain.settler, 0n)
    move(chain, 'solvers', 0n)
  }
  for (const [{ from, to, quote, depositor, recipient }, { deposited, filled }] of ends) {
    const [input, output] = [BigInt(quote.input.amount), BigInt(quote.output.amount)]
    const receiver = accountBehind(recipient)?.account ?? recipient
    move(from, depositor, deposited > 0 && filled > 0 ? -input : 0n)
    move(to, receiver, filled > 0 ? output : 0n)
    if (filled === 0) continue
    move(from, 'solvers', input)
    move(to, 'solvers', -output)
  }
  return owed
}

/** Asserts that every payment of the vault and the solvers belongs to an order. */
const assertAccounted = (world: PaymentKillWorld, paid: Paid, ends: ReadonlyMap<Trade, OrderEnds>): void => {
  for (const chain of world.chains.filter(({ chainType }) => chainType !== 'evm')) {
    const ours = [chain.settler, ...world.solversOn(chain)]
    const made = (paid.get(chain.chainId) ?? []).filter(({ from }) => ours.includes(from)).length
    let counted = 0
    for (const [{ from, to }, { filled, released, refunded }] of ends) {
      // The escrow program pays from the accounts of its orders.
      if (from === chain && chain.chainType !== 'solana') counted += released + refunded
      if (to === chain) counted += filled
    }
    assert.equal(made, counted, `payments on ${chain.chainId} belong to no order`)
  }
}

/** Records the starting balances, from which all changes are counted. */
export const openBooks = async (world: PaymentKillWorld): Promise<Books> => {
  const simulatedChains = connectPaymentChains(world.network, { now: Date.now, log: () => undefined })
  await Promise.all([...simulatedChains.values()].map((simulatedChain) => simulatedChain.start()))
  const evmHeads = new Map<string, bigint>()
  for (const { chainId, chainType, rpcUrl } of world.chains)
    if (chainType === 'evm')
      evmHeads.set(
        chainId,
        await createPublicClient({ transport: http(rpcUrl, { timeout: 60_000 }) }).getBlockNumber(),
      )
  const firsts = new Map<ChainId, bigint>()
  for (const [chainId, simulatedChain] of simulatedChains)
    firsts.set(chainId, simulatedChain.head()?.finalNumber ?? 0n)

  const holdingsOf = async (chain: DollarChain, holder: string): Promise<bigint> => {
    const owners = holder === 'solvers' ? world.solversOn(chain) : [holder]
    const held = await Promise.all(owners.map((owner) => familyBalance(chain, chain.token, owner)))
    return held.reduce((sum, amount) => sum + amount, 0n)
  }
  const before = new Map<string, bigint>()
  for (const chain of world.chains) {
    const users = world.accountsOn(chain).map(({ address }) => address)
    for (const holder of [chain.settler, 'solvers', ...users])
      before.set(`${chain.chainId} ${holder}`, await holdingsOf(chain, holder))
  }
  const readPaid = async (): Promise<Paid> => {
    const paid = new Map<string, readonly Payment[]>()
    for (const chain of world.chains) {
      const simulatedChain = [...simulatedChains.values()].find(({ chainId }) => chainId === chain.chainId)
      if (simulatedChain === undefined) continue
      const accounts = [chain.settler, ...world.solversOn(chain)]
      paid.set(
        chain.chainId,
        await readPayments(simulatedChain, accounts, firsts.get(simulatedChain.chainId) ?? 0n),
      )
    }
    return paid
  }
  const readTold = async (): Promise<Told> => {
    const told = new Map<string, readonly EvmEvent[]>()
    for (const chain of world.chains) {
      const head = evmHeads.get(chain.chainId)
      if (head !== undefined) told.set(chain.chainId, await readEvents(chain, head))
    }
    return told
  }

  const readEscrowed = async (trades: readonly Trade[]): Promise<Escrowed> => {
    const escrowed = new Map<string, Omit<OrderEnds, 'filled'>>()
    for (const { from, orderId } of trades) {
      const programs = simulatedChains.get(from.chainId)?.programs
      if (programs === undefined) continue
      const found = await createEscrowReader(programs, from.settler).history(orderId, 'finalized')
      const count = (call: unknown): number => (call === undefined ? 0 : 1)
      const { opened, released, refunded } = found
      escrowed.set(orderId, {
        deposited: count(opened),
        released: count(released),
        refunded: count(refunded),
      })
    }
    return escrowed
  }

  return {
    endsOf: async (trades) => {
      const facts = {
        paid: await readPaid(),
        told: await readTold(),
        escrowed: await readEscrowed(trades),
      }
      return new Map(trades.map((trade) => [trade, endsOf(world, trade, facts)]))
    },
    assertBalances: async (ends) => {
      assertAccounted(world, await readPaid(), ends)
      const owed = owedTo(world, ends)
      for (const chain of world.chains)
        for (const [key, amount] of owed) {
          const [chainId, holder = ''] = key.split(' ')
          if (chainId !== chain.chainId) continue
          const change = (await holdingsOf(chain, holder)) - (before.get(key) ?? 0n)
          assert.equal(change, amount, `${holder} on ${chainId}`)
        }
    },
    stop: () => {
      for (const simulatedChain of simulatedChains.values()) simulatedChain.stop()
    },
  }
}
