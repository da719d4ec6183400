import type { PaymentChain } from '../payment-chain.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { readAccount, type StellarAccount } from './account-reader.ts'
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

/** Reads an account's spendable balances, all as of one ledger. Throws RangeError for more than 100 tokens. */
export const createStellarBalances = ({
  pool,
  assetOf,
  deadlineMs,
}: Deps): Pick<PaymentChain, 'balances' | 'agreedBalances'> => {
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
  return {
    balances: async (owner, tokens) => pool.work(await readerOf(owner, tokens), deadlineMs),
    agreedBalances: async (owner, tokens) => {
      const work = await readerOf(owner, tokens)
      const keyOf = ({ amounts }: Balances): string => amounts.join(' ')
      return (await pool.agree({ work, keyOf, deadlineMs })).amounts
    },
  }
}
