import assert from 'node:assert/strict'
import { LIES_OF, type Lie } from '@openrfq/sandbox/src/rpc/lie.ts'
import type { Quote } from '@openrfq/sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson, type WireStatus } from 'openrfq/test/wallet.ts'
import { absentParts } from './absent-parts.ts'
import { type FamiliesWorld, type FamilyChain, type FamilyToken, UNTIL_REFUND } from './families-world.ts'

/** A lie that one of a chain's three endpoints tells. */
export type LieRow = {
  readonly family: FamilyChain['chainType']
  readonly lie: Lie
  readonly endpoint: number
}

/** How long the lie is told while transfers do not end. */
const UNDER_LIE_MS = 20_000
const LOOK_MS = 200
const FAMILIES = ['evm', 'solana', 'stellar'] as const
const ENDS: ReadonlySet<string> = new Set(['DONE', 'REFUNDED', 'FAILED'])

/** Every lie of every family, told by each endpoint in turn. */
export const lieRows = (): readonly LieRow[] =>
  FAMILIES.flatMap((family) =>
    LIES_OF[family]
      .filter((lie) => lie !== 'none')
      .map((lie, index) => ({ family, lie, endpoint: index % 3 })),
  )

/** A lie that two of a chain's three endpoints tell alike. */
export type AlikeRow = Pick<LieRow, 'family' | 'lie'>

/** Lies about facts; the others only make endpoints useless. */
const ABOUT_FACTS: ReadonlySet<Lie> = new Set([
  'hide_logs',
  'fake_logs',
  'failed_receipts',
  'fake_receipts',
  'fake_calls',
  'fake_payments',
  'hidden_payments',
  'repeated_payments',
  'future_time',
])
const ALIKE_MS = 20_000

/** Every lie about facts of every family, told by two endpoints. */
export const alikeRows = (): readonly AlikeRow[] =>
  FAMILIES.flatMap((family) =>
    LIES_OF[family].filter((lie) => ABOUT_FACTS.has(lie)).map((lie) => ({ family, lie })),
  )

type End = { readonly chain: FamilyChain; readonly token: FamilyToken }
type Transfer = {
  readonly quote: Quote
  readonly from: End
  readonly to: End
  readonly sender: string
  readonly recipient: string
  readonly sent: bigint
  readonly received: bigint
}

const endOf = (world: FamiliesWorld, family: FamilyChain['chainType']): End => {
  const chain = world.chainOf(family)
  return { chain, token: world.tokenOf(chain, /USDC/) }
}

const heldBy = (world: FamiliesWorld, { chain, token }: End, owner: string): Promise<bigint> =>
  world.balanceOf(chain, token, owner)

/** Quotes and deposits between two accounts that no other transfer of the row uses. */
const deposit = async (
  world: FamiliesWorld,
  from: End,
  to: End,
  account: number,
  beforePaying: () => Promise<void> = async () => undefined,
): Promise<Transfer> => {
  const sender = world.accountOf(from.chain, account)
  const recipient = world.accountOf(to.chain, account).address
  const quote = await world.quote({
    fromChain: from.chain.chainId,
    fromToken: from.token.address,
    toChain: to.chain.chainId,
    toToken: to.token.address,
    amount: (20n * 10n ** BigInt(from.token.decimals)).toString(),
    orderType: 'EXACT_INPUT',
    sender: sender.address,
    recipient,
  })
  const [sent, received] = await Promise.all([
    heldBy(world, from, sender.address),
    heldBy(world, to, recipient),
  ])
  await beforePaying()
  await world.execute(quote, sender)
  return { quote, from, to, sender: sender.address, recipient, sent, received }
}

const statusOf = async (world: FamiliesWorld, { quote }: Transfer): Promise<WireStatus> => {
  const query = new URLSearchParams({ quoteId: quote.quoteId })
  return (await fetchJson<WireStatus>(`${world.url}/v1/rfq/status?${query}`)).body
}

/** Waits for the end of transfers; after a while the lie ends, and they must end without it. */
const untilEnded = async (
  world: FamiliesWorld,
  transfers: readonly Transfer[],
  endLie: () => Promise<void>,
): Promise<void> => {
  const tellsUntil = performance.now() + UNDER_LIE_MS
  let isTold = true
  let last: readonly WireStatus[] = []
  await eventually(
    () => `all transfers end: ${JSON.stringify(last.filter(({ state }) => !ENDS.has(state)))}`,
    async () => {
      last = await Promise.all(transfers.map((transfer) => statusOf(world, transfer)))
      if (isTold && performance.now() > tellsUntil) {
        isTold = false
        await endLie()
      }
      return last.every(({ state }) => ENDS.has(state))
    },
    LOOK_MS,
  )
}

/** Asserts what a transfer's status says, and that exactly this moved on the chains. */
const assertEnd = async (
  world: FamiliesWorld,
  transfer: Transfer,
  state: 'DONE' | 'REFUNDED',
): Promise<void> => {
  const { quote, from, to, sender, recipient, sent, received } = transfer
  const status = await statusOf(world, transfer)
  assert.equal(status.state, state, JSON.stringify(status))
  const isDone = state === 'DONE'
  const output = isDone ? BigInt(quote.output.amount) : 0n
  const input = isDone ? BigInt(quote.input.amount) : 0n
  assert.equal((await heldBy(world, to, recipient)) - received, output, 'what the recipient got')
  assert.equal(sent - (await heldBy(world, from, sender)), input, 'what the sender gave')
}

/** What everybody of the sandbox holds in dollars on payment chains, by account. */
const openBooks = async (world: FamiliesWorld): Promise<ReadonlyMap<string, bigint>> => {
  const books = new Map<string, bigint>()
  for (const family of ['solana', 'stellar'] as const) {
    const end = endOf(world, family)
    const { vault } = end.chain
    if (vault !== undefined) books.set(vault, await heldBy(world, end, vault))
    books.set(`solvers of ${family}`, await sumOf(world, end, world.solversOn(end.chain)))
  }
  const evm = endOf(world, 'evm')
  books.set('solvers of evm', await sumOf(world, evm, world.solversOn(evm.chain)))
  return books
}

const sumOf = async (world: FamiliesWorld, end: End, owners: readonly string[]): Promise<bigint> => {
  let sum = 0n
  for (const owner of owners) sum += await heldBy(world, end, owner)
  return sum
}

/** The books after the transfers: vaults hold what they held, solvers gave the outputs and got the inputs. */
const expectedBooks = (
  before: ReadonlyMap<string, bigint>,
  filled: readonly Transfer[],
): ReadonlyMap<string, bigint> => {
  const books = new Map(before)
  const add = (family: string, amount: bigint): void => {
    books.set(`solvers of ${family}`, (books.get(`solvers of ${family}`) ?? 0n) + amount)
  }
  for (const { from, to, quote } of filled) {
    add(from.chain.chainType, BigInt(quote.input.amount))
    add(to.chain.chainType, -BigInt(quote.output.amount))
  }
  return books
}

/**
 * Tells a lie while four transfers from and to its chain are filled, and one is not and must be refunded; the audit is
 * made on the chains' own nodes. Rejects when any state or payment is wrong.
 */
export const runLieRow = async (world: FamiliesWorld, { family, lie, endpoint }: LieRow): Promise<void> => {
  const here = endOf(world, family)
  const [one, other] = FAMILIES.filter((name) => name !== family).map((name) => endOf(world, name))
  assert.ok(one && other)
  const { chainId } = here.chain
  const tell = async (told: Lie, orderId?: string): Promise<void> => {
    await world.control('/sandbox/rpc', {
      chainId,
      endpoint,
      lie: told,
      ...(orderId === undefined ? {} : { orderId }),
    })
  }
  const endLie = (): Promise<void> => tell('none')
  const before = await openBooks(world)
  try {
    await tell(lie)
    const filled = await Promise.all(
      [
        [here, one],
        [here, other],
        [one, here],
        [other, here],
      ].map(([from = here, to = one], index) => deposit(world, from, to, index + 1)),
    )
    await untilEnded(world, filled, endLie)
    for (const transfer of filled) await assertEnd(world, transfer, 'DONE')
    await world.control('/sandbox/solver', { mode: 'paused' })
    // The deadline that a lie can be about is that of the destination; what is lost is the deposit at the source.
    const unfilled =
      family === 'evm' ? await deposit(world, one, here, 6) : await deposit(world, here, one, 6)
    await tell(lie, lie === 'fake_logs' ? String(unfilled.quote.backend.tracking['swapId']) : undefined)
    await eventually('the deposit is seen', async () => (await statusOf(world, unfilled)).state === 'PENDING')
    await world.moveClock(UNTIL_REFUND)
    await untilEnded(world, [unfilled], endLie)
    await assertEnd(world, unfilled, 'REFUNDED')
    await endLie()
    const expected = expectedBooks(before, filled)
    await eventually(
      () =>
        `solvers are repaid, and vaults hold what they held: ${JSON.stringify([...expected].map(String))}`,
      async () => String([...(await openBooks(world))]) === String([...expected]),
      LOOK_MS,
    )
    for (const transfer of filled) await assertEnd(world, transfer, 'DONE')
  } finally {
    await endLie()
    await world.control('/sandbox/solver', { mode: 'normal' })
  }
}

/** Looks until all transfers have ended or some time has passed. Returns how many have ended. */
const endedWithin = async (
  world: FamiliesWorld,
  transfers: readonly Transfer[],
  ms: number,
): Promise<number> => {
  const until = performance.now() + ms
  let ended = 0
  await eventually('the transfers end, or the time is over', async () => {
    const last = await Promise.all(transfers.map((transfer) => statusOf(world, transfer)))
    ended = last.filter(({ state }) => ENDS.has(state)).length
    return ended === transfers.length || performance.now() > until
  })
  return ended
}

/** Asserts that no user was paid twice or too much, and that no vault has paid more than it received. */
const assertNothingWrong = async (
  world: FamiliesWorld,
  transfers: readonly Transfer[],
  before: ReadonlyMap<string, bigint>,
): Promise<void> => {
  for (const { quote, from, to, sender, recipient, sent, received } of transfers) {
    const got = (await heldBy(world, to, recipient)) - received
    const gave = sent - (await heldBy(world, from, sender))
    const [input, output] = [BigInt(quote.input.amount), BigInt(quote.output.amount)]
    assert.ok(got === 0n || got === output, `${quote.quoteId}: the recipient got ${got} of ${output}`)
    assert.ok(gave === input || gave === 0n, `${quote.quoteId}: the sender gave ${gave} of ${input}`)
    assert.ok(got === 0n || gave === input, `${quote.quoteId} was filled and refunded`)
  }
  const end = endOf(world, 'stellar')
  const { vault = '' } = end.chain
  const balance = await heldBy(world, end, vault)
  assert.ok(balance >= (before.get(vault) ?? 0n), 'the vault has paid more than it received')
}

/** What `/readyz` lists as held. */
const heldPayments = async (world: FamiliesWorld): Promise<readonly string[]> =>
  (await absentParts(world)).filter((name) => name.startsWith('payouts '))

/**
 * Lets two endpoints tell the same lie while transfers from and to their chain are made and one is due for a refund.
 * Rejects when anything wrong was paid. Returns how many transfers ended, and what was held.
 */
export const runAlikeRow = async (
  world: FamiliesWorld,
  { family, lie }: AlikeRow,
): Promise<{ readonly ended: number; readonly held: readonly string[] }> => {
  const here = endOf(world, family)
  const [one] = FAMILIES.filter((name) => name !== family).map((name) => endOf(world, name))
  assert.ok(one)
  const tell = async (told: Lie, orderId?: string): Promise<void> => {
    for (const endpoint of [0, 1])
      await world.control('/sandbox/rpc', {
        chainId: here.chain.chainId,
        endpoint,
        lie: told,
        ...(orderId === undefined ? {} : { orderId }),
      })
  }
  const before = await openBooks(world)
  const transfers = await Promise.all(
    [
      [here, one],
      [one, here],
    ].map(([from = here, to = one], index) => deposit(world, from, to, index + 1, () => tell(lie))),
  )
  await endedWithin(world, transfers, ALIKE_MS)
  await world.control('/sandbox/solver', { mode: 'paused' })
  await tell('none')
  const unfilled = family === 'evm' ? await deposit(world, one, here, 6) : await deposit(world, here, one, 6)
  transfers.push(unfilled)
  await eventually('the deposit is seen', async () => (await statusOf(world, unfilled)).state === 'PENDING')
  await tell(lie, lie === 'fake_logs' ? String(unfilled.quote.backend.tracking['swapId']) : undefined)
  await world.moveClock(UNTIL_REFUND)
  await endedWithin(world, transfers, ALIKE_MS)
  const held = await heldPayments(world)
  await assertNothingWrong(world, transfers, before)
  await tell('none')
  const ended = await endedWithin(world, transfers, ALIKE_MS)
  await assertNothingWrong(world, transfers, before)
  return { ended, held }
}
