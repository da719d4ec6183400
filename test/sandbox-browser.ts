import { after, before } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from './browser.ts'
import { type SandboxService, startSandboxService } from './sandbox-service.ts'

/**
 * Starts a sandbox with its service, and Chromium, before the tests of a file, and ends both after them. Deposits and
 * fills have time, as the machine may be busy. The parts exist once the tests run. `prepare` comes last before them: hooks of
 * a file do not wait for each other.
 */
export const useSandboxBrowser = (
  environment: Readonly<Record<string, string>> = {},
  prepare?: (world: SandboxService, browser: Browser) => Promise<void>,
) => {
  let world: SandboxService
  let browser: Browser
  before(async () => {
    world = await startSandboxService(environment, ['patient'])
    browser = await launchChromium()
    await prepare?.(world, browser)
  })
  after(async () => {
    await browser?.close()
    await world?.stop()
  })
  return {
    get world(): SandboxService {
      return world
    },
    get browser(): Browser {
      return browser
    },
  }
}
