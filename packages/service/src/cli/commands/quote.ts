import type { Quote } from '@openrfq/sdk'
import type { StellarAssets } from '@openrfq/sdk/stellar'
import { type Catalogue, familyOf, findChain, loadCatalogue } from '../catalogue.ts'
import { stellarAssetsOf } from '../chain-node.ts'
import type { Command, Context } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { QUOTE_FLAGS, quoteParamsOf } from '../quote-flags.ts'
import { numberedAccount } from '../sandbox-account.ts'
import { depositLines, hasDepositAddress } from '../show-deposit.ts'
import { quoteLines } from '../show-quote.ts'
import { parseAssetName } from '../token-name.ts'
import { UsageError } from '../usage-error.ts'

/** Requests quotes and shows them by rank. */
export const quoteCommand: Command = {
  name: 'quote',
  summary: 'ask for quotes and show them by rank',
  flags: [
    ...QUOTE_FLAGS,
    { name: 'sender', value: 'address', help: 'who pays and signs' },
    {
      name: 'account',
      value: 'number',
      help: "one of the sandbox's accounts of the source chain's family, from 0, as the sender",
    },
    { name: 'qr', help: 'deposit addresses as QR codes also where standard output is no terminal' },
  ],
  example:
    'quote --from-chain eip155:31337 --from-token HBR --to-chain eip155:31338 --to-token HBR --amount 10.0 --sender 0x…',
  run: async (context) => {
    const { client, sandbox, flags, json, terminal } = context
    const catalogue = await loadCatalogue(client)
    const asking = { flags, catalogue, findSandbox: sandbox.find }
    const quotes = await client.getQuotes(await quoteParamsOf(asking, await senderOf(context, catalogue)))
    if (json) terminal.printJson({ quotes })
    else await showAll(context, catalogue, quotes)
    if (quotes.length === 0) {
      terminal.note('The route is supported, but nothing prices it at the moment; try again.')
      return EXIT.notServed
    }
    return EXIT.done
  },
}

const senderOf = async ({ sandbox, flags }: Context, catalogue: Catalogue): Promise<string> => {
  const account = flags.text('account')
  if (account === undefined) return flags.required('sender')
  if (flags.has('sender')) throw new UsageError('--sender and --account both say who pays; give one')
  const family = familyOf(findChain(catalogue, flags.required('from-chain')))
  return numberedAccount(await sandbox.find(), family, account).address
}

const showAll = async (context: Context, catalogue: Catalogue, quotes: readonly Quote[]): Promise<void> => {
  const { flags, terminal } = context
  const network = quotes.some(hasDepositAddress) ? await networkOf(context) : undefined
  const withCode = flags.has('qr') || terminal.columns !== undefined
  for (const [index, quote] of quotes.entries()) {
    const heading = `Quote ${index + 1} of ${quotes.length}`
    terminal.print(
      ...(index === 0 ? [] : ['']),
      ...quoteLines(quote, heading, catalogue, context),
      ...(await depositLines(quote, network, { terminal, withCode })),
    )
  }
}

const networkOf = ({ sandbox, flags }: Context): Promise<StellarAssets | undefined> => {
  const named = parseAssetName(flags.required('from-token'))
  return stellarAssetsOf(flags.required('from-chain'), named === undefined ? [] : [named], sandbox.find)
}
