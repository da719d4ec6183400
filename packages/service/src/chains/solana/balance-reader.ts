import { createBatches } from '../../lib/batches.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { PaymentError } from '../payment-error.ts'
import { balancesOfQuorum } from '../rpc/balances-of-quorum.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcCall } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import { associatedTokenOf } from './associated-token.ts'
import { programOf, type SolanaMint } from './programs.ts'
import { type Account, Accounts, U64 } from './rpc-answers.ts'
import { parseTokenAccount } from './token-account.ts'

type Deps = {
  readonly pool: RpcPool
  readonly mints: readonly SolanaMint[]
  readonly deadlineMs: number
}

const RENT: RpcCall = { method: 'getMinimumBalanceForRentExemption', params: [0] }

/** A token of an owner, and the account that has it. */
type Holding = { readonly owner: string; readonly token: string; readonly account: string }

const spendableTokens = (account: Account, owner: string): bigint => {
  const held = account === null ? undefined : parseTokenAccount(account.data)
  return held === undefined || held.isFrozen || held.owner !== owner ? 0n : held.amount
}

/** A paying account must keep its rent-exempt minimum. */
const spendableLamports = (account: Account, rentLamports: bigint): bigint => {
  const lamports = account?.lamports ?? 0n
  return lamports > rentLamports ? lamports - rentLamports : 0n
}

/**
 * Reads an owner's spendable balances in one request: SOL above the rent-exempt minimum, and the associated token
 * accounts. Rejects for a token that is not in the catalogue.
 */
export const createBalanceReader = ({
  pool,
  mints,
  deadlineMs,
}: Deps): Pick<PaymentChain, 'balances' | 'balancesOfQuorum' | 'heldBy' | 'agreedBalances'> => {
  type Balances = Awaited<ReturnType<PaymentChain['balances']>>
  const accountOf = (owner: string, token: string): string => {
    if (token === SOLANA_NATIVE_TOKEN) return owner
    const mint = mints.find(({ address }) => address === token)
    if (mint === undefined) throw new PaymentError('UNKNOWN_TOKEN', `unknown token ${token}`)
    return associatedTokenOf(owner, token, programOf(mint))
  }
  const readerOf = (owner: string, tokens: readonly string[], commitment: string) => {
    const accounts = tokens.map((token) => accountOf(owner, token))
    return async (ask: RpcAsk): Promise<Balances> => {
      const [answer, rent] = await ask([
        { method: 'getMultipleAccounts', params: [accounts, { commitment, encoding: 'base64' }] },
        RENT,
      ])
      const { context, value } = expectResult(answer, Accounts)
      const rentLamports = expectResult(rent, U64)
      const amounts = tokens.map((token, position) => {
        const account = value[position]
        if (account === undefined) throw new RpcError('MALFORMED', `no balance of ${token}`)
        return amountOf(account, owner, token, rentLamports)
      })
      return { number: context.slot, amounts }
    }
  }
  const amountOf = (account: Account, owner: string, token: string, rentLamports: bigint): bigint =>
    token === SOLANA_NATIVE_TOKEN ? spendableLamports(account, rentLamports) : spendableTokens(account, owner)
  /** A finalized slot is some thirty slots older than a confirmed one: more than `SETTLED_BLOCKS`. */
  const held = createBatches<Holding, bigint>({
    run: (holdings) =>
      pool.work(async (ask) => {
        const accounts = holdings.map(({ account }) => account)
        const read = (commitment: string) => ({
          method: 'getMultipleAccounts',
          params: [accounts, { commitment, encoding: 'base64' }],
        })
        const answers = await ask([read('confirmed'), read('finalized'), RENT])
        const rentLamports = expectResult(answers[2], U64)
        const [now, before] = answers.slice(0, 2).map((answer) => expectResult(answer, Accounts).value)
        return holdings.map(({ owner, token }, position) => {
          const amounts = [now, before].map((found) =>
            amountOf(found?.[position] ?? null, owner, token, rentLamports),
          )
          return amounts.reduce((least, amount) => (amount < least ? amount : least))
        })
      }, deadlineMs),
    maximumItems: 100,
    maximumBatches: 4,
    maximumWaiting: 2_000,
  })
  return {
    heldBy: async (owner, token) => held({ owner, token, account: accountOf(owner, token) }),
    balances: async (owner, tokens) => pool.work(readerOf(owner, tokens, 'confirmed'), deadlineMs),
    balancesOfQuorum: async (owner, tokens) =>
      balancesOfQuorum({ pool, deadlineMs }, readerOf(owner, tokens, 'confirmed'), tokens.length),
    agreedBalances: async (owner, tokens) => {
      const work = readerOf(owner, tokens, 'finalized')
      const keyOf = ({ amounts }: Balances): string => amounts.join(' ')
      return (await pool.agree({ work, keyOf, deadlineMs })).amounts
    },
  }
}
