import { createBatches } from '../../lib/batches.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { balancesOfQuorum } from '../rpc/balances-of-quorum.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { SETTLED_BLOCKS } from '../settled-blocks.ts'
import { type AccountRead, readAccount, readAccounts, type StellarAccount } from './account-reader.ts'
import type { StellarAsset } from './asset-contract.ts'
import { createCreditReader } from './recent-credits.ts'
import { loadStellarSdk } from './sdk.ts'
import type { AssetOfToken } from './token-assets.ts'

type Deps = {
  readonly pool: RpcPool
  readonly passphrase: string
  readonly assetOf: AssetOfToken
  readonly deadlineMs: number
}

const MAX_TOKENS = 100
const MAX_AMOUNT = (1n << 63n) - 1n

const spendableOf = (account: StellarAccount | undefined, owner: string, asset: StellarAsset): bigint => {
  if (account === undefined) return 0n
  if (asset === 'native') return account.spendable
  // An issuer creates what it pays.
  if (asset.issuer === owner) return MAX_AMOUNT
  const line = account.trustline(asset)
  return line?.isAuthorized === true && line.balance > line.selling ? line.balance - line.selling : 0n
}

type Holding = { readonly owner: string; readonly token: string; readonly asset: StellarAsset }

/** A holding as of a ledger. */
type Held = Holding & { readonly ledger: number; readonly spendable: bigint; readonly isSettled: boolean }

/** `isSettled`: the balance has not changed for a while. */
const heldOf = (holding: Holding, { ledger, account }: AccountRead): Held => {
  const { owner, asset } = holding
  const changed = asset === 'native' ? account?.modifiedIn : account?.trustline(asset)?.modifiedIn
  const isSettled = BigInt(ledger) >= BigInt(changed ?? 0) + SETTLED_BLOCKS
  return { ...holding, ledger, spendable: spendableOf(account, owner, asset), isSettled }
}

/**
 * What has been held for a while: nodes tell no older balances, so what was paid in within the last ledgers is subtracted.
 * A stranger's payment thus hides no more than itself.
 */
const settledAmounts = async (
  read: ReturnType<typeof createCreditReader>,
  ask: RpcAsk,
  all: readonly Held[],
): Promise<readonly bigint[]> => {
  const moved = all.filter(({ isSettled, spendable }) => !isSettled && spendable > 0n)
  const accounts = [...new Set(moved.map(({ owner }) => owner))]
  const upTo = Math.max(0, ...moved.map(({ ledger }) => ledger))
  const after = Math.max(0, upTo - Number(SETTLED_BLOCKS))
  const creditOf = await read(ask, accounts, { after, upTo })
  return all.map(({ owner, token, spendable, isSettled }) => {
    if (isSettled) return spendable
    const credit = creditOf(owner, token) ?? spendable
    return credit < spendable ? spendable - credit : 0n
  })
}

/** Reads an account's spendable balances, all as of one ledger. Throws RangeError for more than 100 tokens. */
export const createStellarBalances = ({
  pool,
  passphrase,
  assetOf,
  deadlineMs,
}: Deps): Pick<PaymentChain, 'balances' | 'balancesOfQuorum' | 'heldBy' | 'agreedBalances'> => {
  type Balances = Awaited<ReturnType<PaymentChain['balances']>>
  const readerOf = async (
    owner: string,
    tokens: readonly string[],
  ): Promise<(ask: RpcAsk) => Promise<Balances>> => {
    if (tokens.length > MAX_TOKENS) throw new RangeError(`balances of ${tokens.length} tokens at once`)
    const assets = tokens.map(assetOf)
    const sdk = await loadStellarSdk()
    return async (ask) => {
      const { ledger, account } = await readAccount(sdk, ask, owner, assets)
      return { number: BigInt(ledger), amounts: assets.map((asset) => spendableOf(account, owner, asset)) }
    }
  }
  const readCredits = createCreditReader(passphrase)
  const held = createBatches<Holding, bigint>({
    run: async (holdings) => {
      const sdk = await loadStellarSdk()
      const wanted = holdings.map(({ owner, asset }) => ({ account: owner, assets: [asset] }))
      return pool.work(async (ask) => {
        const reads = await readAccounts(sdk, ask, wanted)
        const all = reads.flatMap((read, position) => {
          const holding = holdings[position]
          return holding === undefined ? [] : [heldOf(holding, read)]
        })
        return settledAmounts(readCredits, ask, all)
      }, deadlineMs)
    },
    maximumItems: 50,
    maximumBatches: 4,
    maximumWaiting: 2_000,
  })
  return {
    heldBy: async (owner, token) => held({ owner, token, asset: assetOf(token) }),
    balances: async (owner, tokens) => pool.work(await readerOf(owner, tokens), deadlineMs),
    balancesOfQuorum: async (owner, tokens) =>
      balancesOfQuorum({ pool, deadlineMs }, await readerOf(owner, tokens), tokens.length),
    agreedBalances: async (owner, tokens) => {
      const work = await readerOf(owner, tokens)
      const keyOf = ({ amounts }: Balances): string => amounts.join(' ')
      return (await pool.agree({ work, keyOf, deadlineMs })).amounts
    },
  }
}
