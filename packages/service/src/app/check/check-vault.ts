import type { SharedAccounts } from '../../chains/payment-chain.ts'
import type { NetworkChain } from '../../core/network.ts'
import { differencesOfKeys, keysOfVault } from '../../core/vault-signers.ts'
import { type Finding, fine, wrong } from './finding.ts'

/** Compares a vault's keys and thresholds on its chain with the network file. Rejects if the chain cannot be read. */
export const checkVault = async (
  { chainId, attested }: Pick<NetworkChain, 'chainId' | 'attested'>,
  accounts: Pick<SharedAccounts, 'keysOf'>,
): Promise<readonly Finding[]> => {
  const { settler: vault, signers } = attested ?? {}
  if (vault === undefined) return []
  const subject = `chain ${chainId} attested.signers`
  if (signers === undefined)
    return [wrong(subject, 'missing: name the three keys of the vault, then run `rfq vault-signers`')]
  const found = await accounts.keysOf(vault)
  if (found === undefined) return [wrong(subject, `the vault ${vault} does not exist: fund it`)]
  const differences = differencesOfKeys(found, keysOfVault(signers))
  return differences.length === 0
    ? [fine(subject, 'the vault has these three keys and their thresholds')]
    : [wrong(subject, `${differences.join('; ')}: run \`rfq vault-signers\``)]
}
