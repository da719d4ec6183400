import { z } from 'zod'
import { ConfigError } from './config-error.ts'
import { EvmPrivateKey } from './evm-private-key.ts'

/** Parses JSON that may hold a secret. Throws ConfigError with the subject alone: the parser's own message quotes part of the text. */
export const parseSecretJson = (text: string, subject: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new ConfigError(`${subject} is not JSON`)
  }
}

/**
 * Parses the configuration of a solver, an attester or an executor: its members, and the private key, which `key` of the environment
 * takes precedence over. Throws ConfigError that names the problem and never contains a key.
 */
export const parseKeyedConfig = <Config extends { readonly privateKey?: EvmPrivateKey | undefined }>(
  json: unknown,
  schema: z.ZodType<Config>,
  {
    subject,
    key,
    variable,
  }: { readonly subject: string; readonly key: string | undefined; readonly variable: string },
): Config & { readonly privateKey: EvmPrivateKey } => {
  const parsed = schema.safeParse(json)
  if (!parsed.success) throw new ConfigError(`${subject} is wrong:\n${z.prettifyError(parsed.error)}`)
  const privateKey = EvmPrivateKey.safeParse(key ?? parsed.data.privateKey)
  if (!privateKey.success)
    throw new ConfigError(
      `no private key in ${variable} or "privateKey": ${privateKey.error.issues[0]?.message}`,
    )
  return { ...parsed.data, privateKey: privateKey.data }
}
