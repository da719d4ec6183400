import type { TestContext } from 'node:test'

type Amounts<Name extends string> = Readonly<Record<Name, bigint>>

const changeOf = (start: bigint, end: bigint): bigint => end - start

/** Balances by name, read now; `print` reads them again, prints both, and returns the changes. */
export const openBooks = async <Name extends string>(read: () => Promise<Amounts<Name>>) => {
  const start = await read()
  return {
    start,
    print: async (context: TestContext): Promise<Amounts<Name>> => {
      const end = await read()
      // CAST: `start` has a balance of every name.
      const names = Object.keys(start) as Name[]
      const changes = names.map((name) => [name, changeOf(start[name], end[name])] as const)
      for (const [name, change] of changes)
        context.diagnostic(`${name}: ${start[name]} before, ${end[name]} after, ${change} changed`)
      // CAST: one entry for each name.
      return Object.fromEntries(changes) as Record<Name, bigint>
    },
  }
}
