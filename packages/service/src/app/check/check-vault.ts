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

/** What a channel should hold for fees, in base units: one payout may bid two operations of 2 XLM each (`MOST_BID`). */
const LEAST_LUMENS = 40_000_000n

/** What a vault's check reads of its chain. */
type Accounts = Pick<SharedAccounts, 'keysOf' | 'asksForMemo'> & {
  /** The native asset that an account can spend, in base units. */
  readonly lumensOf: (account: string) => Promise<bigint | undefined>
}

/** A channel without the fee of a payout costs each payout that takes its turn a minute. */
const lumensFinding = async (chainId: string, channel: string, accounts: Accounts): Promise<Finding> => {
  const subject = `chain ${chainId} attested.channels`
  const lumens = (await accounts.lumensOf(channel)) ?? 0n
  const holds = `${channel} can spend ${lumens} base units of XLM`
  return lumens < LEAST_LUMENS
    ? doubtful(
        subject,
        `${holds}, less than the ${LEAST_LUMENS} that the fee of one payout may reach: send it lumens`,
      )
    : fine(subject, holds)
}

/** A channel that cannot sign costs each payout that takes its turn a minute. */
const checkChannel = async (
  chainId: string,
  channel: string,
  { signers, accounts }: { readonly signers: VaultSigners; readonly accounts: Accounts },
): Promise<readonly Finding[]> => {
  const subject = `chain ${chainId} attested.channels`
  const found = await accounts.keysOf(channel)
  if (found === undefined) return [doubtful(subject, `the channel ${channel} does not exist: fund it`)]
  const differences = differencesOfKeys(found, keysOfChannel(signers))
  return [
    differences.length === 0
      ? fine(subject, `the service's key alone signs for ${channel}`)
      : doubtful(
          subject,
          `${channel}: ${differences.join('; ')}: run \`rfq vault-signers --channel ${channel}\``,
        ),
    await lumensFinding(chainId, channel, accounts),
  ]
}

/**
 * Compares a vault's keys and thresholds on its chain with the network file, whether it asks for memos, and the
 * keys and lumens of its channels. Rejects if the
 * chain cannot be read.
 */
export const checkVault = async (
  { chainId, attested }: Pick<NetworkChain, 'chainId' | 'attested'>,
  accounts: Accounts,
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
    ...(
      await Promise.all(channels.map((channel) => checkChannel(chainId, channel, { signers, accounts })))
    ).flat(),
  ]
}
