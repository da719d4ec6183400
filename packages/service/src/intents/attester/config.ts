import { z } from 'zod'
import { canMoveMoney } from '../../chains/rpc/quorum.ts'
import { ConfigError } from '../../core/config-error.ts'
import { EvmPrivateKey } from '../../core/evm-private-key.ts'
import { Network } from '../../core/network.ts'
import { addressOfKey } from '../../transactions/signer.ts'

/** The attester's configuration file. Source: docs/running-an-attester.md. */
const AttesterConfig = z.strictObject({
  /** The folder of the attester's database. */
  dataDirectory: z.string().min(1),
  privateKey: EvmPrivateKey.optional(),
  network: Network,
  /** Where the attester answers solvers that hand over their fills; port 0 takes any that is free. */
  listen: z.strictObject({
    host: z.string().min(1).default('127.0.0.1'),
    port: z.int().min(0).max(65_535),
  }),
  /** Gas limit of a release; the settler requires 404,761 before it pays. Source: contracts/intent/Payments.sol. */
  releaseGas: z.int().min(450_000).max(30_000_000).default(700_000),
  /**
   * Where to start reading the orders of an EVM chain that has no stored cursor: after this block. Default: its newest
   * final one.
   */
  startAfter: z.record(z.string(), z.int().min(0)).default({}),
})
type AttesterConfig = z.infer<typeof AttesterConfig>

/** The configuration with the attestation key. */
export type KeyedAttesterConfig = AttesterConfig & { readonly privateKey: EvmPrivateKey }

/** Why the network is invalid for an attester with this address (lower case), or undefined. */
const whyUnfit = ({ network }: AttesterConfig, attester: string): string | undefined => {
  const named = network.intent?.attester
  if (named === undefined) return 'network.intent.attester: missing'
  if (named.toLowerCase() !== attester)
    return `network.intent.attester: ${named} is not the address of the key, which is ${attester}`
  const chains = network.chains.filter(({ attested }) => attested !== undefined)
  const paymentChains = chains.filter(({ chainType }) => chainType !== 'evm')
  if (paymentChains.length === 0 || paymentChains.length === chains.length)
    return 'network.chains: expected "attested" on an EVM chain and on one of another family'
  const alone = chains.find((chain) => !canMoveMoney(chain))
  return alone === undefined
    ? undefined
    : `network.chains: ${alone.chainId} has one RPC endpoint: expected several "rpcUrls", or "trustSingleEndpoint"`
}

/**
 * Parses a configuration. `environmentKey` (RFQ_ATTESTER_KEY) takes precedence over the key in the file. Throws
 * ConfigError that names the problem and never contains a key.
 */
export const readAttesterConfig = (text: string, environmentKey: string | undefined): KeyedAttesterConfig => {
  const parsed = AttesterConfig.safeParse(parseJson(text))
  if (!parsed.success)
    throw new ConfigError(`the attester's configuration is wrong:\n${z.prettifyError(parsed.error)}`)
  const key = EvmPrivateKey.safeParse(environmentKey ?? parsed.data.privateKey)
  if (!key.success)
    throw new ConfigError(
      `no private key in RFQ_ATTESTER_KEY or "privateKey": ${key.error.issues[0]?.message}`,
    )
  const why = whyUnfit(parsed.data, addressOfKey(key.data))
  if (why !== undefined) throw new ConfigError(`the attester's configuration is wrong:\n${why}`)
  return { ...parsed.data, privateKey: key.data }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes part of the text, which may be the key.
    throw new ConfigError("the attester's configuration is not JSON")
  }
}
