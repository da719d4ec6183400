import { BackendType } from '@openrfq/sdk'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { choice } from '../quote-flags.ts'
import { table } from '../table.ts'

/** Lists the served tokens. */
export const tokensCommand: Command = {
  name: 'tokens',
  summary: 'list the tokens the service can move',
  flags: [
    { name: 'chain', value: 'chain', help: 'only tokens on this chain, CAIP-2' },
    {
      name: 'backend',
      value: 'backend',
      help: `only tokens of one backend: ${BackendType.options.join(', ')}`,
    },
    { name: 'verified', value: 'true|false', help: 'only reviewed tokens, or only the others' },
  ],
  example: 'tokens --chain eip155:31337 --backend its',
  run: async ({ client, flags, json, terminal }) => {
    const verified = choice('verified', flags, ['true', 'false'])
    const asked = client.getTokens({
      chain: flags.text('chain'),
      backend: choice('backend', flags, BackendType.options),
      verified: verified === undefined ? undefined : verified === 'true',
    })
    if (json) terminal.printJson({ tokens: await asked })
    else {
      const [tokens, chains] = await Promise.all([asked, client.getChains()])
      const labels = new Map(chains.map(({ chainId, chainLabel }) => [chainId, chainLabel]))
      terminal.print(
        ...table(
          [
            { title: 'chain' },
            { title: 'on' },
            { title: 'symbol' },
            { title: 'decimals', align: 'right' },
            { title: 'verified' },
            { title: 'backends' },
            { title: 'address' },
            { title: 'name' },
          ],
          tokens.map((token) => [
            token.chainId,
            labels.get(token.chainId) ?? '',
            token.symbol,
            String(token.decimals),
            token.verified ? 'yes' : terminal.paint('yellow', 'no'),
            token.backends.join(' '),
            token.address,
            token.name,
          ]),
        ),
      )
    }
    return EXIT.done
  },
}
