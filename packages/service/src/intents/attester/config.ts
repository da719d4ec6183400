import { z } from 'zod'
import { canMoveMoney } from '../../chains/rpc/quorum.ts'
import { accountOfSecret } from '../../chains/stellar/secret-account.ts'
import { ConfigError } from '../../core/config-error.ts'
import { EvmPrivateKey } from '../../core/evm-private-key.ts'
import { Network, type NetworkChain } from '../../core/network.ts'
import { parseKeyedConfig, parseSecretJson } from '../../core/process-config.ts'
import { addressOfKey } from '../../transactions/signer.ts'

const VaultSecrets = z.record(z.string(), z.string().min(1))

/** The attester's configuration file. Source: docs/running-an-attester.md. */
const AttesterConfig = z.strictObject({
  /** The folder of the attester's database. */
  dataDirectory: z.string().min(1),
  privateKey: EvmPrivateKey.optional(),
  /** The secret of the co-signer's key of the vault on each Stellar chain. */
  vaultSecrets: VaultSecrets.default({}),
  network: Network,
  /** Where the attester answers solvers that hand over their fills; port 0 takes any that is free. */
  listen: z.strictObject({
    host: z.string().min(1).default('127.0.0.1'),
    port: z.int().min(0).max(65_535),
  }),
  /** Gas limit of a release, which pays the solver. */
  releaseGas: z.int().min(200_000).max(30_000_000).default(700_000),
  /**
   * Where to start reading the orders of an EVM chain that has no stored cursor: after this block. Default: its newest
   * final one.
   */
  startAfter: z.record(z.string(), z.int().min(0)).default({}),
})
type AttesterConfig = z.infer<typeof AttesterConfig>

/** The configuration with the attestation key. */
export type KeyedAttesterConfig = AttesterConfig & { readonly privateKey: EvmPrivateKey }

/** Why the co-signer cannot sign for the vault on a chain; undefined if it can, or there is none. */
const whyNotSigned = (
  { vaultSecrets }: AttesterConfig,
  { chainId, attested }: NetworkChain,
): string | undefined => {
  const signers = attested?.signers
  const secret = vaultSecrets[chainId]
  if (signers === undefined) return undefined
  if (secret === undefined)
    return `vaultSecrets.${chainId}: missing; expected the secret of the co-signer ${signers.cosigner}`
  try {
    const account = accountOfSecret(secret)
    return account === signers.cosigner
      ? undefined
      : `vaultSecrets.${chainId}: it is of ${account}, not of the co-signer ${signers.cosigner}`
  } catch {
    return `vaultSecrets.${chainId}: expected a secret (S…)`
  }
}

/** Why the network is invalid for an attester with this address (lower case), or undefined. */
const whyUnfit = (config: AttesterConfig, attester: string): string | undefined => {
  const { network } = config
  const named = network.intent?.attester
  if (named === undefined) return 'network.intent.attester: missing'
  if (named.toLowerCase() !== attester)
    return `network.intent.attester: ${named} is not the address of the key, which is ${attester}`
  const chains = network.chains.filter(({ attested }) => attested !== undefined)
  const paymentChains = chains.filter(({ chainType }) => chainType !== 'evm')
  if (paymentChains.length === 0 || paymentChains.length === chains.length)
    return 'network.chains: expected "attested" on an EVM chain and on one of another family'
  const unsigned = paymentChains.map((chain) => whyNotSigned(config, chain)).find((why) => why !== undefined)
  if (unsigned !== undefined) return unsigned
  const alone = chains.find((chain) => !canMoveMoney(chain))
  return alone === undefined
    ? undefined
    : `network.chains: ${alone.chainId} has one RPC endpoint: expected several "rpcUrls", or "trustSingleEndpoint"`
}

/**
 * Parses a configuration. `environmentKey` (RFQ_ATTESTER_KEY) and `environmentSecrets` (RFQ_ATTESTER_VAULT_SECRETS, JSON)
 * take precedence over what is in the file. Throws ConfigError that names the problem and never contains a key.
 */
export const readAttesterConfig = (
  text: string,
  environmentKey: string | undefined,
  environmentSecrets?: string,
): KeyedAttesterConfig => {
  const subject = "the attester's configuration"
  const named = { subject, key: environmentKey, variable: 'RFQ_ATTESTER_KEY' }
  const json = withSecrets(parseSecretJson(text, subject), environmentSecrets)
  const config = parseKeyedConfig(json, AttesterConfig, named)
  const why = whyUnfit(config, addressOfKey(config.privateKey))
  if (why !== undefined) throw new ConfigError(`${subject} is wrong:\n${why}`)
  return config
}

const withSecrets = (file: unknown, secrets: string | undefined): unknown =>
  secrets === undefined || typeof file !== 'object'
    ? file
    : { ...file, vaultSecrets: parseSecretJson(secrets, 'RFQ_ATTESTER_VAULT_SECRETS') }
