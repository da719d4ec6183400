import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSigningMarks } from './signing-mark.ts'

const HUGE = 10n ** 18n

/** Marks of a chain whose endpoints stand at these block numbers; undefined for one that does not answer. */
const marksOf = (standings: readonly (bigint | undefined)[], quorum: number) =>
  createSigningMarks({
    pool: {
      quorum,
      workEach: (work) =>
        standings.map((number, endpoint) =>
          number === undefined
            ? Promise.reject(new Error('no answer'))
            : work(
                Object.assign(async () => [{ ok: true as const, result: number }], {
                  checkTime: () => undefined,
                }),
                endpoint,
              ),
        ),
    },
    newest: async (ask) => standingOf(await ask([])),
    final: async (ask) => standingOf(await ask([])),
    life: 150n,
    lag: { number: 2n, measure: 10n },
    deadlineMs: 1_000,
  })

const standingOf = ([answer]: readonly { readonly ok: boolean; readonly result?: unknown }[]) => {
  const number = BigInt(String(answer?.result))
  return { number, measure: number * 2n }
}

test('marks the present by a quorum, and ignores a single lying endpoint', async () => {
  for (const lie of [0n, HUGE, undefined]) {
    const { head, lastInclusion } = await marksOf([lie, 100n, 99n], 2).readMark()
    assert.ok(head >= 101n && head <= 102n, `${lie} led to ${head}`)
    assert.ok(lastInclusion >= 358n && lastInclusion <= 360n, `${lie} led to ${lastInclusion}`)
  }
})

test('ends a mark only when a quorum of endpoints has passed its last inclusion', async () => {
  const mark = { head: 102n, lastInclusion: 360n }
  for (const lie of [0n, HUGE, undefined]) {
    assert.equal(await marksOf([lie, 180n, 180n], 2).endOf(mark), undefined)
    const end = await marksOf([lie, 181n, 182n], 2).endOf(mark)
    assert.ok(end === 181n || end === 182n, `${lie} led to ${end}`)
  }
})

test('marks nothing while too few endpoints answer', async () => {
  await assert.rejects(marksOf([undefined, undefined, 100n], 2).readMark(), { code: 'NO_AGREEMENT' })
})
