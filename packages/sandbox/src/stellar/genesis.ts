import type { AssetName } from './asset-name.ts'
import { TOTAL_STROOPS } from './closed-ledger.ts'
import { type Entry, MAX_INT64, TRUST_FLAGS, type TrustlineEntry } from './entries.ts'
import { DEALER_KEY, FAUCET_KEY, ISSUER_KEY, RELAYER_KEY, USER_KEYS } from './keys.ts'
import { newAccount } from './operations/create-account.ts'

/** The sandbox's issued assets, all with seven decimals. */
export const ISSUED_ASSETS = [
  { symbol: 'USDC', name: 'USD Coin', asset: `USDC:${ISSUER_KEY.address}` },
  { symbol: 'EURC', name: 'Euro Coin', asset: `EURC:${ISSUER_KEY.address}` },
] as const satisfies readonly { symbol: string; name: string; asset: AssetName }[]

/** The interchain token on Stellar: a classic asset that the token service mints. */
export const INTERCHAIN_ASSET = {
  symbol: 'HBR',
  name: 'Harbour',
  asset: `HBR:${ISSUER_KEY.address}`,
} as const satisfies { symbol: string; name: string; asset: AssetName }

/** The decimals of every asset on Stellar. */
export const STELLAR_DECIMALS = 7

const UNIT = 10n ** BigInt(STELLAR_DECIMALS)
const USER_LUMENS = 1_000_000n * UNIT
const DEALER_LUMENS = 100_000_000n * UNIT
const USER_TOKENS = 1_000_000n * UNIT
const DEALER_TOKENS = 10_000_000n * UNIT
const FIRST_LEDGER = { sequence: 0, closeTime: 0n }

const trustline = (account: string, asset: AssetName, balance: bigint): TrustlineEntry => ({
  kind: 'trustline',
  account,
  asset,
  balance,
  limit: MAX_INT64,
  flags: TRUST_FLAGS.authorized,
  selling: 0n,
  buying: 0n,
  poolUses: 0,
  sponsor: undefined,
})

const holder = (address: string, lumens: bigint, tokens: bigint): readonly Entry[] => [
  { ...newAccount(address, lumens, FIRST_LEDGER), subentries: ISSUED_ASSETS.length },
  ...ISSUED_ASSETS.map(({ asset }) => trustline(address, asset, tokens)),
]

/** The first ledger's accounts: users, issuer, dealer and faucet, all with XLM. */
export const genesisEntries = (): readonly Entry[] => {
  const users = USER_KEYS.flatMap(({ address }) => holder(address, USER_LUMENS, USER_TOKENS))
  const dealer = holder(DEALER_KEY.address, DEALER_LUMENS, DEALER_TOKENS)
  const issuer = newAccount(ISSUER_KEY.address, USER_LUMENS, FIRST_LEDGER)
  const relayer = [
    { ...newAccount(RELAYER_KEY.address, USER_LUMENS, FIRST_LEDGER), subentries: 1 },
    trustline(RELAYER_KEY.address, INTERCHAIN_ASSET.asset, 0n),
  ]
  const given = [...users, ...dealer, ...relayer, issuer].reduce(
    (sum, entry) => sum + (entry.kind === 'account' ? entry.balance : 0n),
    0n,
  )
  return [
    newAccount(FAUCET_KEY.address, TOTAL_STROOPS - given, FIRST_LEDGER),
    issuer,
    ...dealer,
    ...relayer,
    ...users,
  ]
}
