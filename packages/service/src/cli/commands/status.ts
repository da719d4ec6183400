import { loadCatalogue } from '../catalogue.ts'
import type { Command } from '../command.ts'
import { exitCodeOfState } from '../exit-code.ts'
import { statusLines } from '../show-status.ts'
import { lookupOf, STATUS_FLAGS } from '../status-flags.ts'

/** Shows the status of a transfer. */
export const statusCommand: Command = {
  name: 'status',
  summary: 'show where a transfer stands',
  flags: STATUS_FLAGS,
  example: 'status --quote-id quote_… --message-id 0x…-0 --source-chain eip155:31337',
  run: async ({ client, flags, json, terminal }) => {
    const status = await client.getStatus(lookupOf(flags))
    if (json) terminal.printJson(status)
    else terminal.print(...statusLines(status, await loadCatalogue(client), terminal.paint))
    return exitCodeOfState(status.state)
  },
}
