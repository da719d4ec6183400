import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Permit2 = z.object({ address: z.string(), code: z.string().regex(/^0x([0-9a-f]{2})+$/) })

/** The code of Uniswap's Permit2 as it runs on every chain, and its address. Source and licence are beside it. */
export const readPermit2 = (): z.infer<typeof Permit2> =>
  Permit2.parse(JSON.parse(readFileSync(new URL('../../permit2/permit2.json', import.meta.url), 'utf8')))
