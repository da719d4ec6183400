import { ErrorBody, RfqError, TransportError } from '@openrfq/sdk'
import type { z } from 'zod'
import { ask } from './ask.ts'
import type { FlagSpec, Flags } from './flags.ts'
import { UsageError } from './usage-error.ts'

/** The flag that says where the operator's port is. */
export const OPERATOR_FLAG: FlagSpec = {
  name: 'operator-url',
  value: 'address',
  help: "the operator's port; default RFQ_OPERATOR_URL, else METRICS_PORT of this machine",
}

/** Where the operator's port is. Throws UsageError when nothing says it. */
export const operatorUrl = (
  flags: Pick<Flags, 'text'>,
  environment: Readonly<Record<string, string | undefined>>,
): URL => {
  const port = environment['METRICS_PORT'] ?? ''
  const text =
    flags.text('operator-url') ||
    environment['RFQ_OPERATOR_URL'] ||
    (port === '' ? '' : `http://127.0.0.1:${port}`)
  if (text === '')
    throw new UsageError(
      "where is the operator's port? give --operator-url, RFQ_OPERATOR_URL or METRICS_PORT",
    )
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  throw new UsageError(`not an http address: "${text}"; expected something like http://127.0.0.1:9464`)
}

/**
 * Asks the operator's port, and parses the answer. Throws RfqError for a refusal, and TransportError without a usable answer.
 */
export const askOperator = async <Answer>(
  url: URL,
  schema: z.ZodType<Answer>,
  body?: object,
): Promise<Answer> => {
  const response = await ask(url, body)
  const answer: unknown = await response.json().catch(() => undefined)
  const refused = ErrorBody.safeParse(answer)
  if (refused.success) {
    const { code, message, details } = refused.data.error
    throw new RfqError(code, message, details)
  }
  const parsed = schema.safeParse(answer)
  if (response.status === 200 && parsed.success) return parsed.data
  throw new TransportError(
    'malformed',
    `${url.pathname} answered HTTP ${response.status} out of shape`,
    false,
  )
}
