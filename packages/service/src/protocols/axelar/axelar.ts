import type { Instant } from '../../core/instant.ts'
import type { Network } from '../../core/network.ts'
import type { Log } from '../../lib/log.ts'
import { type Axelarscan, createAxelarscan } from './gmp.ts'
import { createHub, type Hub } from './hub.ts'
import { createLcd, type Lcd } from './lcd.ts'

type AxelarSettings = NonNullable<Network['axelar']>

/** Axelar as the operator configured it, with the clients of its indexer and of its REST node. */
export type Axelar = Pick<AxelarSettings, 'hubChain' | 'hubAddress' | 'gasMarginBps'> & {
  readonly axelarscan: Axelarscan
  readonly lcd: Lcd
  /** Undefined where the network file does not name the router and the gateway before the hub. */
  readonly hub: Hub | undefined
}

/** Connects the clients; nothing is asked before a backend asks. */
export const connectAxelar = (
  { scanUrl, lcdUrl, routerAddress: router, gatewayAddress: gateway, ...settings }: AxelarSettings,
  deps: { readonly now: () => Instant; readonly log: Log },
): Axelar => {
  const lcd = createLcd({ urls: lcdUrl, ...deps })
  return {
    ...settings,
    axelarscan: createAxelarscan({ urls: scanUrl, ...deps }),
    lcd,
    hub:
      router === undefined || gateway === undefined
        ? undefined
        : createHub(lcd, { hub: settings.hubAddress, router, gateway }),
  }
}
