import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { table } from '../table.ts'

/** Lists the served chains. */
export const chainsCommand: Command = {
  name: 'chains',
  summary: 'list the chains the service serves',
  flags: [],
  example: 'chains',
  run: async ({ client, json, terminal }) => {
    const chains = await client.getChains()
    if (json) terminal.printJson({ chains })
    else
      terminal.print(
        ...table(
          [
            { title: 'chain' },
            { title: 'name' },
            { title: 'type' },
            { title: 'gas token' },
            { title: 'decimals', align: 'right' },
          ],
          chains.map(({ chainId, chainLabel, chainType, nativeToken }) => [
            chainId,
            chainLabel,
            chainType,
            nativeToken.symbol,
            String(nativeToken.decimals),
          ]),
        ),
      )
    return EXIT.done
  },
}
