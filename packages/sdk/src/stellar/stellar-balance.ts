import type { xdr } from '@stellar/stellar-sdk'
import type { StellarAssetName } from './stellar-asset.ts'
import { connectStellar, type StellarSdk } from './stellar-node.ts'

/** Whose holding of which asset. */
export type StellarHolding = {
  readonly rpcUrl: string
  readonly asset: StellarAssetName
  /** A G… address. */
  readonly owner: string
}

const keyOf = (
  { xdr, Keypair, Asset }: StellarSdk,
  owner: string,
  asset: StellarAssetName,
): xdr.LedgerKey => {
  const accountId = Keypair.fromPublicKey(owner).xdrAccountId()
  return asset === undefined
    ? xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }))
    : xdr.LedgerKey.trustline(
        new xdr.LedgerKeyTrustLine({
          accountId,
          asset: new Asset(asset.code, asset.issuer).toTrustLineXdrObject(),
        }),
      )
}

/**
 * The balance at the latest ledger in base units, reserve included; 0 without an account or a trustline. Throws the SDK's
 * errors when the RPC does not answer.
 */
export const readStellarBalance = async ({ rpcUrl, asset, owner }: StellarHolding): Promise<bigint> => {
  const { sdk, server } = await connectStellar(rpcUrl)
  const [found] = (await server.getLedgerEntries(keyOf(sdk, owner, asset))).entries
  return found?.val.type === 'account' || found?.val.type === 'trustline' ? found.val.value.balance : 0n
}
