import type { xdr } from '@stellar/stellar-sdk/base'
import { type AssetFact, type ContractFact, createEventWriter } from './asset-events.ts'
import { type AssetName, assetContractOf, NATIVE } from './asset-name.ts'
import type { Entry } from './entries.ts'
import { createTokenService, type TokenService } from './token-service.ts'

/** The asset contracts, the token service, and the events they emit. */
export type AssetContracts = {
  readonly assetOf: (contractId: string) => AssetName | undefined
  readonly writeEvent: (fact: AssetFact | ContractFact) => xdr.ContractEvent
  readonly tokenService: TokenService
}

/** Contracts of the native asset and of every asset that exists at genesis; these are deployed. */
export const createAssetContracts = (
  networkPassphrase: string,
  genesis: readonly Entry[],
): AssetContracts => {
  const held = genesis.flatMap((entry) => (entry.kind === 'trustline' ? [entry.asset] : []))
  const assets = new Map(
    [...new Set<AssetName>([NATIVE, ...held])].map((asset) => [
      assetContractOf(asset, networkPassphrase),
      asset,
    ]),
  )
  return {
    assetOf: (contractId) => assets.get(contractId),
    writeEvent: createEventWriter(networkPassphrase),
    tokenService: createTokenService(),
  }
}
