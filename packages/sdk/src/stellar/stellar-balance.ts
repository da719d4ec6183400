import type { xdr } from '@stellar/stellar-sdk'
import type { StellarAssetName } from './stellar-asset.ts'
import { connectNode, loadStellarSdk, type StellarSdk } from './stellar-node.ts'

/**
 * Owner (a G… address) and asset of a balance.
 * @example
 * const lumens: StellarBalanceQuery = {
 *   rpcUrl: 'https://rpc.example',
 *   asset: undefined,
 *   owner: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
 * }
 */
export type StellarBalanceQuery = {
  readonly rpcUrl: string
  readonly asset: StellarAssetName
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
 * Reads the balance at the latest ledger in base units, including the reserve; 0 without an account or trustline.
 * Throws the SDK's errors when the RPC does not answer.
 * @example
 * const stroopsOf = (owner: string) =>
 *   readStellarBalance({ rpcUrl: 'https://rpc.example', asset: undefined, owner })
 */
export const readStellarBalance = async ({ rpcUrl, asset, owner }: StellarBalanceQuery): Promise<bigint> => {
  const sdk = await loadStellarSdk()
  const [found] = (await connectNode(sdk, rpcUrl).getLedgerEntries(keyOf(sdk, owner, asset))).entries
  return found?.val.type === 'account' || found?.val.type === 'trustline' ? found.val.value.balance : 0n
}
