import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { EVM_NATIVE_TOKEN } from '../../../chains/evm/address.ts'
import { canMoveMoney } from '../../../chains/rpc/quorum.ts'
import { PositiveAmountText } from '../../../core/amount.ts'
import { ConfigError } from '../../../core/config-error.ts'
import { EvmPrivateKey } from '../../../core/evm-private-key.ts'
import { Network, type NetworkChain } from '../../../core/network.ts'
import { parseKeyedConfig, parseSecretJson } from '../../../core/process-config.ts'
import { addressOfKey } from '../../../transactions/signer.ts'

/** A bridge token that the executor delivers on a chain, and how much of it; base units. */
const Inventory = z.strictObject({
  chainId: ChainId,
  token: z.string().min(1),
  /** A smaller message is left to the ordinary delivery. */
  minimumAmount: PositiveAmountText,
  /** The most per message. */
  maximumAmount: PositiveAmountText,
  /** The most in 24 hours. */
  dailyAmount: PositiveAmountText,
})

/** The most that deliveries on a chain cost, in wei. */
const GasBounds = z.strictObject({ costCap: PositiveAmountText, dailyCostCap: PositiveAmountText })

/** The executor's configuration file. Source: docs/running-an-executor.md. */
const ExecutorConfig = z.strictObject({
  /** The folder of the executor's database. */
  dataDirectory: z.string().min(1),
  privateKey: EvmPrivateKey.optional(),
  network: Network,
  inventory: z.array(Inventory).min(1),
  /** By destination. */
  gas: z.record(ChainId, GasBounds),
  /** After how many confirmations a message of a chain is delivered; one of any other chain when it is final. */
  confirmations: z.record(ChainId, z.int().min(1).max(100_000)).default({}),
  /** The most deliveries in 24 hours. */
  dailyDeliveries: z.int().min(1).max(5_000).default(1_000),
})
type ExecutorConfig = z.infer<typeof ExecutorConfig>
export type InventoryBounds = ExecutorConfig['inventory'][number]

/** The configuration with the executor's key. */
export type KeyedExecutorConfig = ExecutorConfig & { readonly privateKey: EvmPrivateKey }

/** Why an entry of the inventory cannot be delivered; undefined if it can. */
const whyNotStocked = (
  { network, gas }: ExecutorConfig,
  { chainId, token: address, minimumAmount, maximumAmount, dailyAmount }: InventoryBounds,
  account: string,
): string | undefined => {
  const chain = network.chains.find((one) => one.chainId === chainId)
  if (chain?.express?.executor !== 'own')
    return `${chainId}: expected a chain of the network whose express.executor is own`
  const named = chain.express.priority?.executor
  if (named !== undefined && named.toLowerCase() !== account)
    return `${chainId}: express.priority names ${named}, not the address of the key, which is ${account}`
  const isSame = (one: { readonly chainId: string; readonly address: string }): boolean =>
    one.chainId === chainId && one.address.toLowerCase() === address.toLowerCase()
  const cap = network.tokens.find(isSame)?.gateway?.expressCap
  if (cap === undefined || address === EVM_NATIVE_TOKEN)
    return `${address}: expected a token of the network with gateway.expressCap on ${chainId}`
  if (BigInt(maximumAmount) < BigInt(cap))
    return `${address}: maximumAmount is below gateway.expressCap, up to which quotes tell an early delivery`
  if (BigInt(minimumAmount) > BigInt(maximumAmount) || BigInt(maximumAmount) > BigInt(dailyAmount))
    return `${address}: expected minimumAmount <= maximumAmount <= dailyAmount`
  return gas[chainId] === undefined ? `gas.${chainId}: missing; expected costCap and dailyCostCap` : undefined
}

/** Whether an express router stands on a chain: the executor relies on the endpoints of these chains. */
export const hasRouter = ({ express, axelar }: Pick<NetworkChain, 'express' | 'axelar'>): boolean =>
  express !== undefined && axelar !== undefined

const whyUnfit = (config: ExecutorConfig, account: string): string | undefined => {
  const { network, inventory } = config
  if (network.axelar === undefined) return 'network.axelar: missing'
  const keys = inventory.map(({ chainId, token }) => `${chainId} ${token.toLowerCase()}`)
  const double = keys.find((key, position) => keys.indexOf(key) !== position)
  if (double !== undefined) return `inventory: ${double} is listed twice`
  const why = inventory
    .map((entry) => whyNotStocked(config, entry, account))
    .find((reason) => reason !== undefined)
  if (why !== undefined) return `inventory: ${why}`
  const alone = network.chains.find((chain) => hasRouter(chain) && !canMoveMoney(chain))
  return alone === undefined
    ? undefined
    : `network.chains: ${alone.chainId} has one RPC endpoint: expected several "rpcUrls", or "trustSingleEndpoint"`
}

/**
 * Parses a configuration. `environmentKey` (RFQ_EXECUTOR_KEY) takes precedence over the key in the file. Throws ConfigError that
 * names the problem and never contains a key.
 */
export const readExecutorConfig = (text: string, environmentKey: string | undefined): KeyedExecutorConfig => {
  const subject = "the executor's configuration"
  const named = { subject, key: environmentKey, variable: 'RFQ_EXECUTOR_KEY' }
  const config = parseKeyedConfig(parseSecretJson(text, subject), ExecutorConfig, named)
  const why = whyUnfit(config, addressOfKey(config.privateKey))
  if (why !== undefined) throw new ConfigError(`${subject} is wrong:\n${why}`)
  return config
}
