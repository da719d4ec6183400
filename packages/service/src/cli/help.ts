import type { Command } from './command.ts'
import { EXIT_HELP } from './exit-code.ts'
import type { FlagSpec } from './flags.ts'
import { fields } from './table.ts'

/** The flags of every command. */
export const COMMON_FLAGS: readonly FlagSpec[] = [
  { name: 'url', value: 'address', help: 'the service; default RFQ_URL, else http://127.0.0.1:8080' },
  { name: 'json', help: 'machine output: JSON on standard output' },
  { name: 'help', help: 'show this' },
]

/** The output of `rfq --help`. */
export const overview = (commands: readonly Command[]): readonly string[] => [
  'Usage: npm run rfq -- <command> [flags]',
  '',
  ...indented(fields(commands.map(({ name, summary }) => [name, summary]))),
  '',
  'Every command explains itself with --help. For --json, run npm with --silent.',
  'Exit codes:',
  ...indented(fields(EXIT_HELP)),
]

/** The output of `rfq <command> --help`. */
export const commandHelp = (command: Command): readonly string[] => [
  `Usage: npm run rfq -- ${command.name} [flags]`,
  `  ${command.summary}`,
  '',
  ...indented(fields([...command.flags, ...COMMON_FLAGS].map(flagLine))),
  '',
  'Example:',
  `  npm run rfq -- ${command.example}`,
]

const flagLine = ({ name, value, help }: FlagSpec): readonly [string, string] => [
  value === undefined ? `--${name}` : `--${name} <${value}>`,
  help,
]

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`)
