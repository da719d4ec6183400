import type { TestContext } from 'node:test'

type Amounts<Name extends string> = Readonly<Record<Name, bigint>>

/** Balances by name, read now; `print` reads them again, prints both, and returns the changes. */
export const openBooks = async <Name extends string>(read: () => Promise<Amounts<Name>>) => {
  const start = await read()
  return {
    start,
    print: async (context: TestContext): Promise<Amounts<Name>> => {
      const end = await read()
      // CAST: `start` has a balance of every name.
      const names = Object.keys(start) as Name[]
      for (const name of names)
        context.diagnostic(
          `${name}: ${start[name]} before, ${end[name]} after, ${end[name] - start[name]} changed`,
        )
      // CAST: one entry for each name.
      return Object.fromEntries(names.map((name) => [name, end[name] - start[name]])) as Amounts<Name>
    },
  }
}
