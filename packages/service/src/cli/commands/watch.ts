import { loadCatalogue } from '../catalogue.ts'
import type { Command } from '../command.ts'
import { changeLine, exitCodeOfWait, follow, stoppedText, TIMEOUT_FLAG, timeoutMsOf } from '../follow.ts'
import { statusLines } from '../show-status.ts'
import { lookupFlags, lookupOf, STATUS_FLAGS } from '../status-flags.ts'

/** Follows a transfer to its end; as JSON, one status per line and change. */
export const watchCommand: Command = {
  name: 'watch',
  summary: 'follow a transfer to its end',
  flags: [...STATUS_FLAGS, TIMEOUT_FLAG],
  example: 'watch --quote-id quote_… --message-id 0x…-0 --source-chain eip155:31337',
  run: async (context) => {
    const { flags, json, terminal, client } = context
    const query = lookupOf(flags)
    const timeoutMs = timeoutMsOf(flags)
    const outcome = await follow(context, query, timeoutMs, (status, elapsedSeconds) => {
      if (json) terminal.printJson(status)
      else terminal.print(changeLine(status, elapsedSeconds, context))
    })
    if (!json && outcome.status !== undefined)
      terminal.print('', ...statusLines(outcome.status, await loadCatalogue(client), terminal.paint))
    if (outcome.ended === 'timed_out') terminal.note(stoppedText(timeoutMs, lookupFlags(query)))
    return exitCodeOfWait(outcome)
  },
}
