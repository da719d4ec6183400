import type { SharedAccounts } from '../../chains/payment-chain.ts'
import type { NetworkChain } from '../../core/network.ts'
import { differencesOfKeys, keysOfChannel, keysOfVault, type VaultSigners } from '../../core/vault-signers.ts'
import { doubtful, type Finding, fine, wrong } from './finding.ts'

/** An account that asks for no memo is paid without one, and such a payment names no order. Source: SEP-29. */
const memoFinding = (chainId: string, vault: string, asks: boolean): Finding => {
  const subject = `chain ${chainId} attested.settler`
  return asks
    ? fine(subject, 'wallets do not pay the vault without a muxed id or a memo')
    : doubtful(
        subject,
        `${vault} does not have config.memo_required = 1, so wallets pay it without naming an order, and such payments are returned: run \`rfq vault-signers\``,
      )
}

/** A channel that cannot sign costs each payout that takes its turn a minute. */
const checkChannel = async (
  chainId: string,
  channel: string,
  {
    signers,
    accounts,
  }: { readonly signers: VaultSigners; readonly accounts: Pick<SharedAccounts, 'keysOf'> },
): Promise<Finding> => {
  const subject = `chain ${chainId} attested.channels`
  const found = await accounts.keysOf(channel)
  if (found === undefined) return doubtful(subject, `the channel ${channel} does not exist: fund it`)
  const differences = differencesOfKeys(found, keysOfChannel(signers))
  return differences.length === 0
    ? fine(subject, `the service's key alone signs for ${channel}`)
    : doubtful(
        subject,
        `${channel}: ${differences.join('; ')}: run \`rfq vault-signers --channel ${channel}\``,
      )
}

/**
 * Compares a vault's keys and thresholds on its chain with the network file, and whether it asks for memos. Rejects if the
 * chain cannot be read.
 */
export const checkVault = async (
  { chainId, attested }: Pick<NetworkChain, 'chainId' | 'attested'>,
  accounts: Pick<SharedAccounts, 'keysOf' | 'asksForMemo'>,
): Promise<readonly Finding[]> => {
  const { settler: vault, signers, channels = [] } = attested ?? {}
  if (vault === undefined) return []
  const subject = `chain ${chainId} attested.signers`
  if (signers === undefined)
    return [wrong(subject, 'missing: name the three keys of the vault, then run `rfq vault-signers`')]
  const found = await accounts.keysOf(vault)
  if (found === undefined) return [wrong(subject, `the vault ${vault} does not exist: fund it`)]
  const differences = differencesOfKeys(found, keysOfVault(signers))
  return [
    differences.length === 0
      ? fine(subject, 'the vault has these three keys and their thresholds')
      : wrong(subject, `${differences.join('; ')}: run \`rfq vault-signers\``),
    memoFinding(chainId, vault, await accounts.asksForMemo(vault)),
    ...(await Promise.all(channels.map((channel) => checkChannel(chainId, channel, { signers, accounts })))),
  ]
}
