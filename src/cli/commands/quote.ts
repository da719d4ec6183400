import { loadCatalogue } from '../catalogue.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { QUOTE_FLAGS, wishOf } from '../quote-flags.ts'
import { quoteLines } from '../show-quote.ts'

/** Asks for quotes and shows them by rank. */
export const quoteCommand: Command = {
  name: 'quote',
  summary: 'ask for quotes and show them by rank',
  flags: [...QUOTE_FLAGS, { name: 'sender', value: 'address', help: 'who pays and signs' }],
  example:
    'quote --from-chain eip155:31337 --from-token HBR --to-chain eip155:31338 --to-token HBR --amount 10.0 --sender 0x…',
  run: async ({ client, flags, json, terminal }) => {
    const catalogue = await loadCatalogue(client)
    const quotes = await client.getQuotes(wishOf(flags, catalogue, flags.required('sender')))
    if (json) terminal.printJson({ quotes })
    else
      for (const [index, quote] of quotes.entries()) {
        const heading = `Quote ${index + 1} of ${quotes.length}`
        terminal.print(...(index === 0 ? [] : ['']), ...quoteLines(quote, heading, catalogue, terminal.paint))
      }
    if (quotes.length === 0) {
      terminal.note('The route is supported, but nothing prices it at the moment; try again.')
      return EXIT.notServed
    }
    return EXIT.done
  },
}
