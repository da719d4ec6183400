import type { Client } from '@openrfq/sdk'
import type { Clock } from '../lib/clock.ts'
import type { ExitCode } from './exit-code.ts'
import type { FlagSpec, Flags } from './flags.ts'
import type { SandboxClient } from './sandbox-client.ts'
import type { Terminal } from './terminal.ts'

/** The context of a command. */
export type Context = Clock & {
  readonly client: Client
  readonly sandbox: SandboxClient
  readonly url: string
  readonly flags: Flags
  /** Whether to print JSON: one document, or one per line for a command that follows something. */
  readonly json: boolean
  readonly terminal: Terminal
  readonly environment: Readonly<Record<string, string | undefined>>
  /**
   * Runs the clean-up when the user interrupts the command, and exits with its result if that is an exit code; returns
   * how to remove it.
   */
  readonly onInterrupt: (cleanUp: () => Promise<unknown>) => () => void
}

/** One subcommand of `rfq`. `rfq.ts` turns its errors into messages and exit codes. */
export type Command = {
  readonly name: string
  readonly summary: string
  readonly flags: readonly FlagSpec[]
  readonly example: string
  readonly run: (context: Context) => Promise<ExitCode>
}
