import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseBlockhash, lastValidHeightOf } from './blockhashes.ts'

test('a payment uses a young blockhash that expires before its deadline, at the observed pace', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 200, max: 2_000 }),
      fc.integer({ min: 41, max: 500 }),
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 2, max: 12 }),
      async (slotMs, slots, secondsLeft, skipped) => {
        // Every nth slot is skipped.
        const blocks = Array.from({ length: slots }, (_, slot) => slot)
          .filter((slot) => slot % skipped !== 1 || slot === slots - 1)
          .map((slot, height) => ({
            slot: BigInt(slot),
            blockhash: `${slot}`,
            height: BigInt(height),
            timestampSeconds: Math.floor((slot * slotMs) / 1_000),
          }))
        const newest = blocks.at(-1)
        assert.ok(newest)
        const blockAt = (wanted: bigint) => Promise.resolve(blocks.find(({ slot }) => slot === wanted))
        const deps = { newest, blockAt }
        assert.equal(await chooseBlockhash(deps, undefined), newest)
        const notAfter = newest.timestampSeconds + secondsLeft
        try {
          const blocksLeft = Number(lastValidHeightOf(await chooseBlockhash(deps, notAfter)) - newest.height)
          assert.ok(blocksLeft >= 10)
          const blockMs = blocks.length < 140 ? 1 : (slots * slotMs) / blocks.length
          // Holds even if the chain slows down by a quarter.
          assert.ok(newest.timestampSeconds + (blocksLeft * blockMs * 1.25) / 1_000 <= notAfter)
        } catch (error) {
          assert.match(String(error), /too little time/)
          // After a long enough observation, some blockhash always expires soon.
          assert.ok(slots < 320 || secondsLeft < 4 + 14 * 1.5 * 2 * (slotMs / 1_000 + 1 / 40))
        }
      },
    ),
  )
})
