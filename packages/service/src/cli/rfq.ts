import { createClient } from '@openrfq/sdk'
import { systemClock } from '../lib/clock.ts'
import { onStopSignal } from '../lib/stop-signals.ts'
import type { Command } from './command.ts'
import { attesterCommand } from './commands/attester.ts'
import { backupCommand } from './commands/backup.ts'
import { chainsCommand } from './commands/chains.ts'
import { checkCommand } from './commands/check.ts'
import { demoCommand } from './commands/demo.ts'
import { deployCommand } from './commands/deploy.ts'
import { executeCommand } from './commands/execute.ts'
import { executorCommand } from './commands/executor.ts'
import { networkSyncCommand } from './commands/network-sync.ts'
import { quoteCommand } from './commands/quote.ts'
import { reconcileCommand } from './commands/reconcile.ts'
import { solverCommand } from './commands/solver.ts'
import { statusCommand } from './commands/status.ts'
import { tokensCommand } from './commands/tokens.ts'
import { vaultSignersCommand } from './commands/vault-signers.ts'
import { watchCommand } from './commands/watch.ts'
import {
  webhooksListCommand,
  webhooksLogCommand,
  webhooksResendCommand,
  webhooksTestCommand,
} from './commands/webhooks.ts'
import { EXIT, type ExitCode, errorDocument, exitCodeOfError } from './exit-code.ts'
import { parseFlags } from './flags.ts'
import { COMMON_FLAGS, commandHelp, overview } from './help.ts'
import { nearest } from './nearest.ts'
import { createSandboxClient } from './sandbox-client.ts'
import { createTerminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const COMMANDS: readonly Command[] = [
  chainsCommand,
  tokensCommand,
  quoteCommand,
  executeCommand,
  statusCommand,
  watchCommand,
  demoCommand,
  solverCommand,
  attesterCommand,
  executorCommand,
  reconcileCommand,
  vaultSignersCommand,
  backupCommand,
  networkSyncCommand,
  checkCommand,
  deployCommand,
  webhooksListCommand,
  webhooksLogCommand,
  webhooksTestCommand,
  webhooksResendCommand,
]
const DEFAULT_URL = 'http://127.0.0.1:8080'
/** The exit code of a process ended by Ctrl-C. */
const EXIT_INTERRUPTED = 130
/** The exit code of a program whose reader has closed its pipe: 128 and the number of SIGPIPE. */
const EXIT_UNREAD = 141

const terminal = createTerminal(process.stdout, process.stderr)

const main = async (words: readonly string[]): Promise<ExitCode> => {
  const [name] = words
  if (name === undefined || name === '--help' || name === 'help') {
    terminal.print(...overview(COMMANDS))
    return name === undefined ? EXIT.usage : EXIT.done
  }
  const command = COMMANDS.find((candidate) =>
    wordsOf(candidate).every((word, index) => words[index] === word),
  )
  if (command === undefined) throw unknownCommand(name)
  const rest = words.slice(wordsOf(command).length)
  if (rest.includes('--help')) {
    terminal.print(...commandHelp(command))
    return EXIT.done
  }
  const flags = parseFlags([...command.flags, ...COMMON_FLAGS], rest)
  const url = flags.text('url') ?? process.env['RFQ_URL'] ?? DEFAULT_URL
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(`not an http address: "${url}"; expected something like ${DEFAULT_URL}`)
  return command.run({
    client: createClient({ baseUrl: url }),
    sandbox: createSandboxClient(url),
    url,
    flags,
    json: flags.has('json'),
    terminal,
    environment: process.env,
    ...systemClock,
    onInterrupt,
  })
}

/** A command's name may be two words. */
const wordsOf = ({ name }: Command): readonly string[] => name.split(' ')

const unknownCommand = (name: string): UsageError => {
  const names = COMMANDS.map((command) => command.name)
  const meant = names.find((known) => known.startsWith(`${name} `)) ?? nearest(name, names)
  return new UsageError(
    `unknown command "${name}"; ${meant === undefined ? `known are ${names.join(', ')}` : `did you mean ${meant}?`}`,
  )
}

const cleanUps = new Set<() => Promise<unknown>>()

const onInterrupt = (cleanUp: () => Promise<unknown>): (() => void) => {
  cleanUps.add(cleanUp)
  return () => cleanUps.delete(cleanUp)
}

const interrupt = (): void => {
  void Promise.allSettled([...cleanUps].map((cleanUp) => cleanUp())).then((results) => {
    const values = results.map((result) => (result.status === 'fulfilled' ? result.value : EXIT.fault))
    process.exit(values.find((value) => typeof value === 'number') ?? EXIT_INTERRUPTED)
  })
}
onStopSignal({ stop: interrupt, force: () => process.exit(EXIT_INTERRUPTED), steady: systemClock.steady })

/** EPIPE: the reader closed stdout; exit quietly. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(EXIT_UNREAD)
})

const words = process.argv.slice(2)
try {
  process.exitCode = await main(words)
} catch (error) {
  if (words.includes('--json')) terminal.printJson(errorDocument(error))
  const message = error instanceof Error ? error.message : String(error)
  terminal.note(`${terminal.paint('red', 'error')} ${message}`)
  process.exitCode = exitCodeOfError(error)
}
