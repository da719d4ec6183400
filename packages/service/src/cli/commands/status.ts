import { loadCatalogue } from '../catalogue.ts'
import type { Command } from '../command.ts'
import { exitCodeOfState } from '../exit-code.ts'
import { pageUrl } from '../page-url.ts'
import { statusLines } from '../show-status.ts'
import { lookupOf, STATUS_FLAGS } from '../status-flags.ts'

/** Shows the status of a transfer. */
export const statusCommand: Command = {
  name: 'status',
  summary: 'show where a transfer stands',
  flags: STATUS_FLAGS,
  example: 'status --quote-id quote_… --message-id 0x…-0 --source-chain eip155:31337',
  run: async ({ client, flags, json, terminal, url }) => {
    const query = lookupOf(flags)
    const status = await client.getStatus(query)
    if (json) terminal.printJson(status)
    else {
      terminal.print(...statusLines(status, await loadCatalogue(client), terminal.paint))
      if (status.state !== 'NOT_FOUND') terminal.note(`page: ${pageUrl(url, query)}`)
    }
    return exitCodeOfState(status.state)
  },
}
