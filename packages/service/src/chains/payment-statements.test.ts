import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payment } from '../core/payment.ts'
import { createPaymentStatements } from './payment-statements.ts'
import { RpcError } from './rpc/rpc-error.ts'
import type { RpcAsk, RpcMember, RpcMembers } from './rpc/rpc-members.ts'
import { createStatementReader, type StatementReader } from './rpc/statements.ts'

const ASK: RpcAsk = Object.assign(async () => [], { checkTime: () => undefined })
const PAYMENT: Payment = {
  chainId: 'solana:test',
  txHash: 'transaction',
  position: 0,
  blockNumber: 102n,
  timestampSeconds: 102,
  from: 'filler',
  to: 'recipient',
  token: 'token',
  amount: 1n,
  muxedId: undefined,
  memo: undefined,
}

const statements: StatementReader = async ({ confirms }) => [
  { endpoint: 0, confirms: await confirms(ASK, 0) },
]

/** What an endpoint says that hands over one block of one second per read, has reached a block, and may be slow. */
const search = async ({
  untilSeconds,
  newest,
  deadlineMs = 60_000,
}: {
  readonly untilSeconds: number
  readonly newest: bigint
  readonly deadlineMs?: number
}) => {
  const { absenceStatements } = createPaymentStatements({
    pool: { statements },
    read:
      ({ after }) =>
      async () => {
        const upTo = after + 1n
        const final = upTo === PAYMENT.blockNumber ? [PAYMENT] : []
        return { upTo, upToTimestampSeconds: Number(upTo), final, tentative: [] }
      },
    finalNumber: async () => newest,
    oldestNumber: async () => 100n,
    oldestSeconds: async () => 100,
    paymentsBeside: () => async () => [],
    newest: async () => ({ number: newest, timestampSeconds: Number(newest) }),
    fastestBlockMs: 1,
    deadlineMs,
  })
  const told = (isSought: (payment: Payment) => boolean) =>
    absenceStatements({
      about: 'a payment is absent',
      accounts: ['recipient', 'filler'],
      sinceSeconds: 100,
      untilSeconds,
      nowSeconds: Number(newest),
      isSought,
    }).then(
      (all) => all.map(({ confirms }) => (confirms ? 'confirms' : 'denies')).join(),
      ({ code }: { readonly code: string }) => code,
    )
  return { absent: await told(() => false), paid: await told(() => true) }
}

test('the search for a payment reads on until the deadline is past', async () => {
  assert.deepEqual(await search({ untilSeconds: 104, newest: 200n }), { absent: 'confirms', paid: 'denies' })
})

test('an endpoint that has not reached the deadline is behind', async () => {
  assert.deepEqual(await search({ untilSeconds: 104, newest: 104n }), {
    absent: 'NODE_BEHIND',
    paid: 'denies',
  })
})

test('a search that is too long is given up', async () => {
  assert.equal((await search({ untilSeconds: 10_000, newest: 20_000n })).absent, 'TOO_MUCH')
  assert.equal((await search({ untilSeconds: 104, newest: 200n, deadlineMs: 0 })).absent, 'TOO_MUCH')
})

test('a search that was given up goes on where it ended', async () => {
  const starts: bigint[] = []
  const { absenceStatements } = createPaymentStatements({
    pool: { statements },
    read:
      ({ after }) =>
      async () => {
        starts.push(after)
        return { upTo: after + 1n, upToTimestampSeconds: Number(after) + 1, final: [], tentative: [] }
      },
    finalNumber: async () => 200n,
    oldestNumber: async () => 100n,
    oldestSeconds: async () => 100,
    paymentsBeside: () => async () => [],
    newest: async () => ({ number: 200n, timestampSeconds: 200 }),
    fastestBlockMs: 1,
    deadlineMs: 60_000,
  })
  const ask = () =>
    absenceStatements({
      about: 'a payment is absent',
      accounts: ['recipient'],
      sinceSeconds: 100,
      untilSeconds: 130,
      nowSeconds: 200,
      isSought: () => false,
    })
  await assert.rejects(ask(), { code: 'TOO_MUCH' })
  assert.equal(starts.length, 16)
  assert.deepEqual(await ask(), [{ endpoint: 0, confirms: true }])
  assert.equal(starts.length, 31)
  assert.equal(new Set(starts).size, 31)
})

for (const [newest, told] of [
  [{ number: 101n, timestampSeconds: 102 }, 'NODE_BEHIND'],
  [{ number: 101n, timestampSeconds: 103 }, 'denies'],
  [{ number: 102n, timestampSeconds: 103 }, 'NODE_BEHIND'],
] as const)
  test(`an endpoint at block ${newest.number} and second ${newest.timestampSeconds} says ${told} about a payment in block 102 at second 102`, async () => {
    const { paymentStatements } = createPaymentStatements({
      pool: { statements },
      read: () => async () => ({ upTo: 0n, upToTimestampSeconds: 0, final: [], tentative: [] }),
      finalNumber: async () => 0n,
      oldestNumber: async () => 0n,
      oldestSeconds: async () => 0,
      paymentsBeside: () => async () => {
        throw new RpcError('NODE_BEHIND', 'the block is not final here')
      },
      newest: async () => newest,
      fastestBlockMs: 1,
      deadlineMs: 60_000,
    })
    const said = await paymentStatements(PAYMENT).then(
      ([statement]) => (statement?.confirms === true ? 'confirms' : 'denies'),
      ({ code }: { readonly code: string }) => code,
    )
    assert.equal(said, told)
  })

/** Three endpoints with a block per second. The first two hide the fill at block 1,050. */
const hiddenFill = () => {
  let seconds = 1_200
  let oldest = 1n
  const fill = { ...PAYMENT, blockNumber: 1_050n, timestampSeconds: 1_050 }
  const all = [0, 1, 2].map((position) => {
    const member: Pick<RpcMember, 'position'> = { position }
    // CAST: the reader uses no more of an endpoint than its place.
    return member as RpcMember
  })
  const run: RpcMembers['run'] = (member, work) => work(ASK, member.position)
  const now = () => seconds * 1000
  const { absenceStatements } = createPaymentStatements({
    pool: {
      statements: createStatementReader({
        members: { all, run },
        quorum: 2,
        chainId: PAYMENT.chainId,
        now,
        log: () => undefined,
      }),
    },
    read:
      ({ after, upTo = 0n }) =>
      async (_ask, endpoint) => {
        const isKnown = endpoint === 2 && after < fill.blockNumber && fill.blockNumber >= oldest
        return { upTo, upToTimestampSeconds: Number(upTo), tentative: [], final: isKnown ? [fill] : [] }
      },
    finalNumber: async () => BigInt(seconds),
    oldestNumber: async () => oldest,
    oldestSeconds: async (_ask, number) => Number(number),
    paymentsBeside: () => async () => [],
    newest: async () => ({ number: BigInt(seconds), timestampSeconds: seconds }),
    fastestBlockMs: 1_000,
    deadlineMs: 1_000,
  })
  return {
    /** What endpoints say of a fill since the 1,000th second, as 'C' and 'D' by their places, or the error's code. */
    ask: () =>
      absenceStatements({
        about: 'order was not filled',
        accounts: ['recipient'],
        sinceSeconds: 1_000,
        untilSeconds: 1_100,
        nowSeconds: seconds,
        isSought: () => true,
      }).then(
        (told) => told.map(({ endpoint, confirms }) => `${endpoint}${confirms ? 'C' : 'D'}`).join(' '),
        ({ code }: { readonly code: string }) => code,
      ),
    pass: (passed: number, first = oldest) => {
      seconds += passed
      oldest = first
    },
  }
}

test('an endpoint that told of a fill denies its absence when it no longer retains the fill', async () => {
  const { ask, pass } = hiddenFill()
  assert.equal(await ask(), '0C 1C 2D')
  pass(3_600, 1_040n)
  assert.equal(await ask(), '2D')
  pass(86_400, 80_000n)
  assert.equal(await ask(), '2D')
})

test('an endpoint whose history begins after the time searched says nothing', async () => {
  const { ask, pass } = hiddenFill()
  pass(100, 1_001n)
  assert.equal(await ask(), 'NODE_BEHIND')
  pass(0, 1_000n)
  assert.equal(await ask(), '0C 1C 2D')
})
