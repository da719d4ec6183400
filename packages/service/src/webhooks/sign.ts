import { createHmac } from 'node:crypto'

/** What is signed: the id of a notification, the time of the attempt in seconds, and the body as it is sent. */
export type Signed = { readonly id: string; readonly timestampSeconds: number; readonly body: string }

/**
 * The header `webhook-signature`: one signature for each secret, separated by spaces. Source: Standard Webhooks, "Signature
 * scheme".
 */
export const webhookSignature = (
  secrets: readonly Uint8Array[],
  { id, timestampSeconds, body }: Signed,
): string =>
  secrets
    .map((secret) =>
      createHmac('sha256', secret).update(`${id}.${timestampSeconds}.${body}`).digest('base64'),
    )
    .map((signature) => `v1,${signature}`)
    .join(' ')
