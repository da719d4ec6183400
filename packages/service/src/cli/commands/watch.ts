import { loadCatalogue } from '../catalogue.ts'
import type { Command } from '../command.ts'
import { changeLine, exitCodeOfWait, follow, TIMEOUT_FLAG, timeoutMsOf } from '../follow.ts'
import { statusLines } from '../show-status.ts'
import { lookupOf, STATUS_FLAGS } from '../status-flags.ts'

/** Follows a transfer to its end; as JSON, one status per line and change. */
export const watchCommand: Command = {
  name: 'watch',
  summary: 'follow a transfer to its end',
  flags: [...STATUS_FLAGS, TIMEOUT_FLAG],
  example: 'watch --quote-id quote_… --message-id 0x…-0 --source-chain eip155:31337',
  run: async (context) => {
    const { flags, json, terminal, client } = context
    const query = lookupOf(flags)
    const outcome = await follow(context, query, timeoutMsOf(flags), (status, elapsedSeconds) => {
      if (json) terminal.printJson(status)
      else terminal.print(changeLine(status, elapsedSeconds, context))
    })
    if (!json && outcome.status !== undefined)
      terminal.print('', ...statusLines(outcome.status, await loadCatalogue(client), terminal.paint))
    if (outcome.ended === 'timed_out') terminal.note('The time is up; the transfer goes on without us.')
    return exitCodeOfWait(outcome)
  },
}
