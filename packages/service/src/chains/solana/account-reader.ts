import type { AccountRead, ProgramChain } from '../payment-chain.ts'
import { agreeOnEach } from '../rpc/agree-each.ts'
import { expectResult } from '../rpc/expect-result.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcWork } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { Accounts } from './rpc-answers.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number }

/** The most accounts of one call. Source: Solana RPC "getMultipleAccounts". */
const PAGE = 100

const pagesOf = (addresses: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(addresses.length / PAGE) }, (_, page) =>
    addresses.slice(page * PAGE, (page + 1) * PAGE),
  )

/**
 * Reads accounts by their addresses, 100 a call; sending transactions cannot make the reading longer. Source: Solana RPC "getMultipleAccounts".
 */
export const createAccountReader = ({
  pool,
  deadlineMs,
}: Deps): Pick<ProgramChain, 'seenAccounts' | 'agreedAccounts'> => {
  const readerOf =
    <View extends object>(
      { addresses, viewOf }: AccountRead<View>,
      commitment: string,
    ): RpcWork<readonly View[]> =>
    async (ask) => {
      const views: View[] = []
      for (const page of pagesOf(addresses)) {
        const [answer] = await ask([
          { method: 'getMultipleAccounts', params: [page, { commitment, encoding: 'base64' }] },
        ])
        const { context, value } = expectResult(answer, Accounts)
        if (value.length !== page.length)
          throw new RpcError('MALFORMED', `expected ${page.length} accounts, not ${value.length}`)
        views.push(...value.map((account) => viewOf(account, context.slot)))
      }
      return views
    }
  return {
    seenAccounts: (read) => pool.work(readerOf(read, 'confirmed'), deadlineMs),
    agreedAccounts: (read) =>
      agreeOnEach(pool, {
        work: readerOf(read, 'finalized'),
        count: read.addresses.length,
        keyOf: (view) => JSON.stringify(view),
        deadlineMs,
      }),
  }
}
