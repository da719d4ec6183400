import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ASK, PAYMENT, statements } from '../../test/one-endpoint.ts'
import type { Payment } from '../core/payment.ts'
import { createAbsenceStatements } from './absence-statements.ts'
import { RpcError } from './rpc/rpc-error.ts'
import type { RpcMember, RpcMembers } from './rpc/rpc-members.ts'
import { createStatementReader } from './rpc/statements.ts'

const BETWEEN = { from: 'filler', to: { account: 'recipient', token: 'token' }, memo: 'order' }

/**
 * One endpoint with one block per second from block 100 on; each part of a search reads one block. `failAt`: the connection breaks once at this block.
 */
const open = ({
  newest,
  failAt,
  searchMs = 60_000,
}: {
  newest: bigint
  failAt?: bigint
  searchMs?: number
}) => {
  const read: bigint[] = []
  const state = { newest, oldest: 100n, failAt }
  const ask = createAbsenceStatements<bigint>({
    pool: { statements },
    async *search({ isSought, untilSeconds }, { place, start }) {
      for (let block = (place ?? (await start())) + 1n; block <= state.newest; block += 1n) {
        if (block < state.oldest) throw new RpcError('NODE_PRUNED', 'the block is not retained')
        if (block === state.failAt) {
          state.failAt = undefined
          throw new RpcError('UNREACHABLE', 'the connection broke')
        }
        read.push(block)
        if (block === PAYMENT.blockNumber && isSought(PAYMENT)) return 'found'
        if (block > untilSeconds) return 'absent'
        yield block
      }
      throw new RpcError('NODE_BEHIND', 'the node is behind')
    },
    finalNumber: async () => state.newest,
    oldestNumber: async () => state.oldest,
    oldestSeconds: async (_ask, number) => Number(number),
    fastestBlockMs: 1,
    deadlineMs: 60_000,
    searchMs,
  })
  const told = (untilSeconds: number, isSought: (payment: Payment) => boolean = () => false) =>
    ask({
      about: `a payment is absent until ${untilSeconds}`,
      ...BETWEEN,
      sinceSeconds: 100,
      untilSeconds,
      nowSeconds: Number(state.newest),
      isSought,
    }).then(
      (all) => all.map(({ confirms }) => (confirms ? 'confirms' : 'denies')).join(),
      ({ code }: { readonly code: string }) => code,
    )
  return { told, state, read }
}

test('the search for a payment reads on until the deadline is past', async () => {
  const { told } = open({ newest: 200n })
  assert.equal(await told(104), 'confirms')
  assert.equal(await told(105, () => true), 'denies')
})

test('an endpoint that has not reached the deadline is behind, and denies a payment that it has seen', async () => {
  const { told } = open({ newest: 104n })
  assert.equal(await told(104), 'NODE_BEHIND')
  assert.equal(await told(105, () => true), 'denies')
})

test('a search that takes longer than its deadline goes on where it ended, and ends', async () => {
  const { told, read } = open({ newest: 200n, searchMs: 0 })
  const answers: string[] = []
  while (answers.at(-1) !== 'confirms') answers.push(await told(130))
  assert.equal(answers.length, 31)
  assert.deepEqual(new Set(answers.slice(0, -1)), new Set(['TOO_MUCH']))
  assert.equal(read.length, 31)
  assert.equal(new Set(read).size, 31)
})

test('a long search that found nothing is not made again, and a short one is', async () => {
  const long = open({ newest: 200n, searchMs: 0 })
  while ((await long.told(130)) !== 'confirms');
  const { length } = long.read
  assert.equal(await long.told(130, () => true), 'confirms')
  assert.equal(long.read.length, length)
  const short = open({ newest: 200n })
  assert.equal(await short.told(130), 'confirms')
  assert.equal(await short.told(130, () => true), 'denies')
})

test('a search whose connection breaks goes on where it ended', async () => {
  const { told, read } = open({ newest: 200n, failAt: 120n })
  assert.equal(await told(130), 'UNREACHABLE')
  assert.equal(await told(130), 'confirms')
  assert.equal(new Set(read).size, read.length)
})

test('an endpoint that dropped blocks before they were searched makes no statement, even if it read them in part', async () => {
  const { told, state } = open({ newest: 200n, failAt: 120n })
  assert.equal(await told(130), 'UNREACHABLE')
  state.oldest = 125n
  assert.equal(await told(130), 'NODE_PRUNED')
  assert.equal(await told(130), 'NODE_PRUNED')
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
  const absenceStatements = createAbsenceStatements({
    pool: {
      statements: createStatementReader({
        members: { all, run },
        quorum: 2,
        chainId: PAYMENT.chainId,
        now,
        log: () => undefined,
      }),
    },
    async *search({ isSought }, { endpoint, start }) {
      const after = await start()
      yield after
      const isKnown = endpoint === 2 && after < fill.blockNumber && fill.blockNumber >= oldest
      return isKnown && isSought(fill) ? 'found' : 'absent'
    },
    finalNumber: async () => BigInt(seconds),
    oldestNumber: async () => oldest,
    oldestSeconds: async (_ask, number) => Number(number),
    fastestBlockMs: 1_000,
    deadlineMs: 1_000,
    searchMs: 1_000,
  })
  return {
    /** What endpoints say of a fill since the 1,000th second, as 'C' and 'D' by their places, or the error's code. */
    ask: () =>
      absenceStatements({
        about: 'order was not filled',
        ...BETWEEN,
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
