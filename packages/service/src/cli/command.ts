import type { Client } from '@openrfq/sdk'
import type { Instant } from '../core/instant.ts'
import type { ExitCode } from './exit-code.ts'
import type { FlagSpec, Flags } from './flags.ts'
import type { SandboxClient } from './sandbox-client.ts'
import type { Terminal } from './terminal.ts'

/** What a command works with. */
export type Context = {
  readonly client: Client
  readonly sandbox: SandboxClient
  readonly url: string
  readonly flags: Flags
  /** Machine output: one JSON document, or one per line where a command follows something. */
  readonly json: boolean
  readonly terminal: Terminal
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly now: () => Instant
  /**
   * Runs the clean-up when the user interrupts the command, and ends with its result where that is an exit code; gives back
   * how to withdraw it.
   */
  readonly onInterrupt: (cleanUp: () => Promise<unknown>) => () => void
}

/** One word after `rfq`. Its errors become messages and exit codes in one place, `rfq.ts`. */
export type Command = {
  readonly name: string
  readonly summary: string
  readonly flags: readonly FlagSpec[]
  readonly example: string
  readonly run: (context: Context) => Promise<ExitCode>
}
