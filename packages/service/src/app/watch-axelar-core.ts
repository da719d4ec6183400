import { isNewerVersion, TESTED_AXELAR_CORE } from '../core/axelar-core.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Lifecycle } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { createPoller } from '../lib/poller.ts'
import type { Lcd } from '../protocols/axelar/lcd.ts'

const PERIOD_MS = 3_600_000
const RETRY_MS = 60_000

type Deps = { readonly lcd: Pick<Lcd, 'coreVersion'>; readonly metrics: Metrics; readonly log: Log }

/**
 * Compares the version of axelar-core that Axelar's REST node runs with the newest one that the service was tested against, at the
 * start and every hour. A newer one is logged once, and is a metric while the node runs it. Nothing stops.
 */
export const watchAxelarCore = ({ lcd, metrics, log }: Deps): Lifecycle => {
  let running: string | undefined
  const isUntested = (): boolean => running !== undefined && isNewerVersion(running, TESTED_AXELAR_CORE)
  metrics.watch(
    'openrfq_axelar_core_untested',
    '1 while Axelar runs a newer version of axelar-core than this service was tested against, else 0.',
    () => Number(isUntested()),
  )
  return createPoller({
    name: 'axelar_core_read',
    run: async () => {
      const version = await lcd.coreVersion()
      if (version === running) return
      running = version
      if (isUntested()) log('warn', 'axelar_core_untested', { version, tested: TESTED_AXELAR_CORE })
    },
    periodMs: PERIOD_MS,
    retryMs: (failures) => Math.min(RETRY_MS * failures, PERIOD_MS),
    log,
    failureLevel: 'warn',
  })
}
