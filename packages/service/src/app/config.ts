import { readFileSync } from 'node:fs'
import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { ConfigError } from '../core/config-error.ts'
import { EvmPrivateKey } from '../core/evm-private-key.ts'
import { Network } from '../core/network.ts'

const onOff = z.enum(['on', 'off']).transform((text) => text === 'on')

/** Texts between commas. */
const list = z
  .string()
  .default('')
  .transform((text) => new Set(text.split(',').flatMap((item) => item.trim().toLowerCase() || [])))

const Environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'expected postgres://…')
    .optional(),
  RFQ_CONFIG: z.string().min(1).optional(),
  RATE_LIMIT: onOff.default(true),
  TRUST_PROXY: onOff.default(false),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  KEEPER_PRIVATE_KEY: EvmPrivateKey.optional(),
  VAULT_SECRETS: z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue('expected JSON')
        return z.NEVER
      }
    })
    .pipe(z.record(ChainId, z.string().min(1)))
    .optional(),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  ALLOWED_HOSTS: list,
  ALLOWED_ORIGINS: list,
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(600).default(10),
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
  /** Whether to take the client's address from `x-forwarded-for`. */
  readonly trustProxy: boolean
  readonly logLevel: z.infer<typeof Environment>['LOG_LEVEL']
  readonly drainMs: number
  /** The secret of the operator's vault on each payment chain; a vault without one pays nothing. */
  readonly vaultSecrets: ReadonlyMap<ChainId, string>
  /** The key of the account that submits refunds on every EVM chain; undefined leaves refunds to others. */
  readonly keeperPrivateKey: EvmPrivateKey | undefined
}

const complain = (where: string, error: z.ZodError): ConfigError =>
  new ConfigError(
    error.issues
      .map(
        (issue) => `${where}${issue.path.length === 0 ? '' : ` ${issue.path.join('.')}`}: ${issue.message}`,
      )
      .join('\n'),
  )

const readNetwork = (path: string): Network => {
  try {
    const parsed = Network.safeParse(JSON.parse(readFileSync(path, 'utf8')))
    if (!parsed.success) throw complain(`RFQ_CONFIG ${path}:`, parsed.error)
    return parsed.data
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`RFQ_CONFIG ${path}: cannot be read as JSON (${String(error)})`, { cause: error })
  }
}

/** Reads the environment; empty variables count as unset. Throws `ConfigError` for an invalid value. */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>): Config => {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(set)
  if (!parsed.success) throw complain('environment', parsed.error)
  const env = parsed.data
  return {
    port: env.PORT,
    host: env.HOST,
    dataDirectory: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    network: env.RFQ_CONFIG === undefined ? undefined : readNetwork(env.RFQ_CONFIG),
    metricsPort: env.METRICS_PORT,
    localAccess: { hosts: env.ALLOWED_HOSTS, origins: env.ALLOWED_ORIGINS },
    rateLimited: env.RATE_LIMIT,
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
    drainMs: env.DRAIN_SECONDS * 1000,
    keeperPrivateKey: env.KEEPER_PRIVATE_KEY,
    vaultSecrets: new Map(Object.entries(env.VAULT_SECRETS ?? {})),
  }
}
