import type { Instant } from '../../core/instant.ts'
import type { Network } from '../../core/network.ts'
import type { Log } from '../../lib/log.ts'
import { type Axelarscan, createAxelarscan } from './gmp.ts'
import { createLcd, type Lcd } from './lcd.ts'

type AxelarSettings = NonNullable<Network['axelar']>

/** Axelar as the operator configured it, with the clients of its indexer and of its REST node. */
export type Axelar = Pick<AxelarSettings, 'hubChain' | 'hubAddress' | 'gasMarginBps'> & {
  readonly axelarscan: Axelarscan
  readonly lcd: Lcd
}

/** Connects the clients; nothing is asked before a backend asks. */
export const connectAxelar = (
  { scanUrl, lcdUrl, ...settings }: AxelarSettings,
  deps: { readonly now: () => Instant; readonly log: Log },
): Axelar => ({
  ...settings,
  axelarscan: createAxelarscan({ urls: scanUrl, ...deps }),
  lcd: createLcd({ urls: lcdUrl, ...deps }),
})
