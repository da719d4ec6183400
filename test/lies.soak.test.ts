import { after, before, test } from 'node:test'
import { createDice } from 'openrfq/test/seeded.ts'
import { openSoak } from 'openrfq/test/soak.ts'
import { type FamiliesWorld, startFamiliesWorld } from './families-world.ts'
import { alikeRows, lieRows, runAlikeRow, runLieRow } from './lies.ts'

const { seed, of } = openSoak()
const dice = createDice(seed)

/** Some rows of a table, drawn by the seed. */
const drawn = <Row>(table: readonly Row[]): readonly Row[] => {
  const rows = [...table]
  return Array.from({ length: of(table.length) }, () => rows.splice(dice(rows.length), 1)).flat()
}

let world: FamiliesWorld | undefined
const openWorld = async (): Promise<FamiliesWorld> => {
  world ??= await startFamiliesWorld()
  return world
}
const closeWorld = async (): Promise<void> => {
  const open = world
  world = undefined
  await open?.stop()
}
before(async () => {
  await openWorld()
})
after(closeWorld)

for (const row of drawn(lieRows()))
  test(`while endpoint ${row.endpoint} of ${row.family} tells ${row.lie}, no state and no payment is wrong`, async () => {
    const open = await openWorld()
    // What is left of a failed row would fail the next one.
    await runLieRow(open, row).catch(async (error: unknown) => {
      await closeWorld()
      throw error
    })
  })

// What a quorum has agreed on stays stored, so each of these rows needs a world of its own.
for (const row of drawn(alikeRows()))
  test(`while two endpoints of ${row.family} tell ${row.lie} alike, nothing wrong is paid`, async (context) => {
    await closeWorld()
    const { ended, held } = await runAlikeRow(await openWorld(), row)
    context.diagnostic(
      `${row.family} ${row.lie}: ${ended} of 3 transfers ended; held: ${held.join() || 'none'}`,
    )
  })
