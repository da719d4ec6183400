import { isIP } from 'node:net'
import { z } from 'zod'
import { isLoopback } from '../lib/loopback.ts'
import { isPublicAddress } from '../lib/public-address.ts'

const MAX_URL_CHARACTERS = 2_000
const MIN_SECRET_BYTES = 24
const MAX_SECRET_BYTES = 64
/** The new and the old one of a rotation. */
const MAX_SECRETS = 2

/** A signing secret as its bytes. Its error contains no part of it. Source: Standard Webhooks, "Signature scheme". */
const WebhookSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/, 'expected whsec_ and base64')
  .transform((text) => Buffer.from(text.slice('whsec_'.length), 'base64'))
  .refine(({ length }) => length >= MIN_SECRET_BYTES && length <= MAX_SECRET_BYTES, {
    error: `expected whsec_ and base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes`,
  })

const WebhookUrl = z
  .string()
  .max(MAX_URL_CHARACTERS, `expected at most ${MAX_URL_CHARACTERS} characters`)
  .transform((text) => URL.parse(text))
  .refine((url): url is URL => url !== null && /^https?:$/.test(url.protocol), {
    abort: true,
    error: 'expected a URL that begins with https://',
  })
  .refine((url) => url.username + url.password + url.hash === '', {
    error: 'expected a URL without user, password and fragment',
  })

/** Whether a URL names no host of the public internet, as far as that can be told without DNS. */
const isPrivate = ({ hostname }: URL): boolean => {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  return isLoopback(hostname) || (isIP(address) !== 0 && !isPublicAddress(address))
}

/** A receiver of notifications, as the operator configures it: only addresses of the public internet unless it says so. */
export const Webhook = z
  .strictObject({
    url: WebhookUrl,
    /** Every notification is signed with each. */
    secrets: z
      .array(WebhookSecret)
      .min(1, 'expected a secret')
      .max(MAX_SECRETS, 'expected one or two secrets'),
    /** Allows http, and addresses of this machine and of private networks. */
    privateAddresses: z.boolean().default(false),
  })
  .refine(({ url, privateAddresses }) => privateAddresses || url.protocol === 'https:', {
    path: ['url'],
    error: 'expected https://, or privateAddresses',
  })
  .refine(({ url, privateAddresses }) => privateAddresses || !isPrivate(url), {
    path: ['url'],
    error: 'expected a host on the public internet, or privateAddresses',
  })
export type Webhook = z.infer<typeof Webhook>

const MAX_WEBHOOKS = 16

/** The operator's webhooks by name. */
export const WebhooksByName = z
  .record(z.string().regex(/^[a-z0-9-]{1,32}$/, 'expected a name of a-z, 0-9 and -, at most 32'), Webhook)
  .refine((webhooks) => Object.keys(webhooks).length <= MAX_WEBHOOKS, {
    error: `expected at most ${MAX_WEBHOOKS} webhooks`,
  })
