import type { Metrics } from '../http/metrics.ts'
import type { Webhooks } from '../webhooks/create-webhooks.ts'

/** Adds the attempts of webhooks to the metrics; nothing without any. */
export const watchWebhooks = (metrics: Metrics, { names, attempts }: Webhooks): void => {
  if (names.length === 0) return
  metrics.watchCounts(
    'openrfq_webhook_attempts_total',
    'Attempts to tell a webhook of a change, by whether its receiver accepted it.',
    ['webhook', 'outcome'],
    attempts,
  )
}
