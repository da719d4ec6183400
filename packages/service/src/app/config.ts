import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { ConfigError } from '../core/config-error.ts'
import { EvmPrivateKey } from '../core/evm-private-key.ts'
import type { Network } from '../core/network.ts'
import { type Webhook, WebhooksByName } from '../webhooks/webhook.ts'
import { readNetwork } from './network-file.ts'

const onOff = z.enum(['on', 'off']).transform((text) => text === 'on')

/** Texts between commas. */
const list = z
  .string()
  .default('')
  .transform((text) => new Set(text.split(',').flatMap((item) => item.trim().toLowerCase() || [])))

/** Digits, as a number of at most `maximum`. */
const wholeNumber = (maximum: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) <= maximum, {
      error: ({ input }) => `expected a whole number from 0 to ${maximum}, not ${JSON.stringify(input)}`,
    })
    .transform(Number)

const MAX_PORT = 65_535
const MAX_QUOTES_PER_DAY = 999_999_999

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue('expected JSON')
    return z.NEVER
  }
})

/** A JSON object of secrets by chain. */
const secretsByChain = json.pipe(z.record(ChainId, z.string().min(1)))

const Environment = z.object({
  PORT: wholeNumber(MAX_PORT).default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'expected postgres://…')
    .optional(),
  RFQ_CONFIG: z.string().min(1).optional(),
  RFQ_OVERLAY: z.string().min(1).optional(),
  RATE_LIMIT: onOff.default(true),
  QUOTES_PER_CLIENT_DAY: wholeNumber(MAX_QUOTES_PER_DAY).default(500_000),
  TRUST_PROXY: onOff.default(false),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  KEEPER_PRIVATE_KEY: EvmPrivateKey.optional(),
  KEEPER_SECRETS: secretsByChain.optional(),
  OPENER_PRIVATE_KEY: EvmPrivateKey.optional(),
  VAULT_SECRETS: secretsByChain.optional(),
  WEBHOOKS: json.pipe(WebhooksByName).optional(),
  METRICS_PORT: wholeNumber(MAX_PORT).optional(),
  BACKENDS: list,
  ALLOWED_HOSTS: list,
  ALLOWED_ORIGINS: list,
  DRAIN_SECONDS: wholeNumber(600).default(10),
})

/** The configuration from the environment and the network file. */
export type Config = {
  readonly port: number
  readonly host: string
  readonly dataDirectory: string
  /** PostgreSQL instead of the embedded store. */
  readonly databaseUrl: string | undefined
  /** The network to serve; undefined where a sandbox provides it. */
  readonly network: Network | undefined
  /** A port for `/metrics` alone; undefined serves it with the rest. */
  readonly metricsPort: number | undefined
  /** Hosts and origins besides this machine's that may use the sandbox's controls. */
  readonly localAccess: { readonly hosts: ReadonlySet<string>; readonly origins: ReadonlySet<string> }
  readonly rateLimited: boolean
  /** The quotes that one client may have in a day. */
  readonly quotesPerClientDay: number
  /** Whether to take the client's address from `x-forwarded-for`. */
  readonly trustProxy: boolean
  readonly logLevel: z.infer<typeof Environment>['LOG_LEVEL']
  readonly drainMs: number
  /** The secret of the operator's vault on each payment chain; a vault without one pays nothing. */
  readonly vaultSecrets: ReadonlyMap<ChainId, string>
  /** The secret of the account that submits refunds on each Solana chain; one without leaves refunds to others. */
  readonly keeperSecrets: ReadonlyMap<ChainId, string>
  /** The key of the account that submits refunds on every EVM chain; undefined leaves refunds to others. */
  readonly keeperPrivateKey: EvmPrivateKey | undefined
  /** The key of the account that opens orders for their depositors; undefined opens none. */
  readonly openerPrivateKey: EvmPrivateKey | undefined
  /** Who is told of the changes of every transfer, by name. */
  readonly webhooks: ReadonlyMap<string, Webhook>
  /** The types of the backends that quote; undefined for all. */
  readonly backends: ReadonlySet<string> | undefined
}

const MAX_PROBLEMS = 5

/** The first problems in one line. */
const complain = (where: string, { issues }: z.ZodError): ConfigError => {
  const told = issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => {
    const problem = message.replace(/^Invalid input: (expected .*), received undefined$/, 'missing, $1')
    return path.length === 0 ? problem : `${path.join('.')}: ${problem}`
  })
  const more = issues.length > told.length ? [`and ${issues.length - told.length} more`] : []
  return new ConfigError(`${where} ${[...told, ...more].join('; ')}`)
}

const networkOf = ({ RFQ_CONFIG, RFQ_OVERLAY }: z.infer<typeof Environment>): Network | undefined => {
  if (RFQ_CONFIG !== undefined) return readNetwork({ RFQ_CONFIG, RFQ_OVERLAY })
  if (RFQ_OVERLAY === undefined) return undefined
  throw new ConfigError('environment RFQ_OVERLAY: set RFQ_CONFIG to the network file that it lies over')
}

/** Reads the environment; empty variables count as unset. Throws `ConfigError` for an invalid value. */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>): Config => {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(set)
  if (!parsed.success) throw complain('environment', parsed.error)
  const env = parsed.data
  // Port 0 takes any that is free.
  if (env.METRICS_PORT === env.PORT && env.PORT !== 0)
    throw new ConfigError(`environment METRICS_PORT: ${env.PORT} is PORT as well; set another, or none`)
  if (env.OPENER_PRIVATE_KEY !== undefined && env.OPENER_PRIVATE_KEY === env.KEEPER_PRIVATE_KEY)
    throw new ConfigError('environment OPENER_PRIVATE_KEY: it is KEEPER_PRIVATE_KEY as well; set another')
  return {
    port: env.PORT,
    host: env.HOST,
    dataDirectory: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    network: networkOf(env),
    metricsPort: env.METRICS_PORT,
    localAccess: { hosts: env.ALLOWED_HOSTS, origins: env.ALLOWED_ORIGINS },
    rateLimited: env.RATE_LIMIT,
    quotesPerClientDay: env.QUOTES_PER_CLIENT_DAY,
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
    drainMs: env.DRAIN_SECONDS * 1000,
    keeperPrivateKey: env.KEEPER_PRIVATE_KEY,
    openerPrivateKey: env.OPENER_PRIVATE_KEY,
    keeperSecrets: new Map(Object.entries(env.KEEPER_SECRETS ?? {})),
    vaultSecrets: new Map(Object.entries(env.VAULT_SECRETS ?? {})),
    webhooks: new Map(Object.entries(env.WEBHOOKS ?? {})),
    backends: env.BACKENDS.size === 0 ? undefined : env.BACKENDS,
  }
}
