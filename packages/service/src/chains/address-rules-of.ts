import type { ChainType } from '@openrfq/sdk'
import type { NetworkChain } from '../core/network.ts'
import type { AddressRules } from './address-rules.ts'
import { evmAddressRules } from './evm/address.ts'
import { solanaAddressRules } from './solana/address.ts'
import { stellarRulesOf } from './stellar/address.ts'

/**
 * The address rules of every family on the chains of a network. Throws ConfigError for a public Stellar network with
 * another passphrase.
 */
export const addressRulesOf = (
  chains: readonly Pick<NetworkChain, 'chainId' | 'passphrase'>[],
): Readonly<Record<ChainType, AddressRules>> => ({
  evm: evmAddressRules,
  solana: solanaAddressRules,
  stellar: stellarRulesOf(chains),
})
