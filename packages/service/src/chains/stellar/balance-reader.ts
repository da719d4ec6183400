import { createBatches } from '../../lib/batches.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { balancesOfQuorum } from '../rpc/balances-of-quorum.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { SETTLED_BLOCKS } from '../settled-blocks.ts'
import { type AccountRead, readAccount, readAccounts, type StellarAccount } from './account-reader.ts'
import type { StellarAsset } from './asset-contract.ts'
import { loadStellarSdk } from './sdk.ts'
import type { AssetOfToken } from './token-assets.ts'

type Deps = { readonly pool: RpcPool; readonly assetOf: AssetOfToken; readonly deadlineMs: number }

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

type Holding = { readonly owner: string; readonly asset: StellarAsset }

/** The spendable balance if it has not changed for a while; nodes tell no older balances. */
const settledOf = ({ owner, asset }: Holding, read: AccountRead | undefined): bigint | undefined => {
  if (read === undefined) return undefined
  const { ledger, account } = read
  const changed = asset === 'native' ? account?.modifiedIn : account?.trustline(asset)?.modifiedIn
  const isSettled = BigInt(ledger) >= BigInt(changed ?? 0) + SETTLED_BLOCKS
  return isSettled ? spendableOf(account, owner, asset) : 0n
}

/** Reads an account's spendable balances, all as of one ledger. Throws RangeError for more than 100 tokens. */
export const createStellarBalances = ({
  pool,
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
  const held = createBatches<Holding, bigint>({
    run: async (holdings) => {
      const sdk = await loadStellarSdk()
      const wanted = holdings.map(({ owner, asset }) => ({ account: owner, assets: [asset] }))
      const reads = await pool.work((ask) => readAccounts(sdk, ask, wanted), deadlineMs)
      return holdings.map((holding, position) => settledOf(holding, reads[position]))
    },
    maximumItems: 50,
    maximumBatches: 4,
    maximumWaiting: 2_000,
  })
  return {
    heldBy: async (owner, token) => held({ owner, asset: assetOf(token) }),
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
