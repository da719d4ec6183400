import type { Quote } from '@openrfq/sdk'
import { BackendType } from '@openrfq/sdk'
import { type Catalogue, findChain, loadCatalogue } from '../catalogue.ts'
import type { Command, Context } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { changeLine, exitCodeOfWait, follow, stoppedText, TIMEOUT_FLAG, timeoutMsOf } from '../follow.ts'
import { pageUrl } from '../page-url.ts'
import { choice, QUOTE_FLAGS, quoteParamsOf } from '../quote-flags.ts'
import { queryOf, runTransfer } from '../run-transfer.ts'
import { quoteLines, unverifiedTokens } from '../show-quote.ts'
import { statusLines } from '../show-status.ts'
import { SIGNER_FLAGS, signerOf } from '../signer.ts'
import { lookupFlags } from '../status-flags.ts'
import { UsageError } from '../usage-error.ts'

/** Takes a quote, signs its actions, and follows the transfer to its end. */
export const executeCommand: Command = {
  name: 'execute',
  summary: 'take a quote, sign its actions, and follow the transfer to its end',
  flags: [
    ...QUOTE_FLAGS,
    ...SIGNER_FLAGS,
    { name: 'backend', value: 'backend', help: 'the best quote of this backend instead of the best of all' },
    { name: 'allow-unverified', help: 'go on although a token was not reviewed' },
    {
      name: 'claimable-balance',
      help: 'on Stellar: deposit in a claimable balance instead of the vault',
    },
    { name: 'no-wait', help: 'end once the transfer is started' },
    TIMEOUT_FLAG,
  ],
  example:
    'execute --from-chain eip155:31337 --from-token HBR --to-chain eip155:31338 --to-token HBR --amount 10.0 --account 0',
  run: async (context) => {
    const { client, sandbox, flags, json, terminal } = context
    const timeoutMs = timeoutMsOf(flags)
    const backend = choice('backend', flags, BackendType.options)
    const catalogue = await loadCatalogue(client)
    const { address, wallets } = await signerOf(context, findChain(catalogue, flags.required('from-chain')))
    const asking = { flags, catalogue, findSandbox: sandbox.find }
    const quotes = await client.getQuotes(await quoteParamsOf(asking, address))
    const quote = quotes.find((candidate) => backend === undefined || candidate.backend.type === backend)
    if (quote === undefined) {
      const pricing = backend === undefined ? 'no backend prices it now' : `${backend} does not price it now`
      terminal.note(`The pair is served, but ${pricing}; /readyz says what is missing.`)
      if (json) terminal.printJson({ quote: null, started: null, status: null })
      return EXIT.notServed
    }
    checkReviewed(context, quote, catalogue)
    if (!json) terminal.print(...quoteLines(quote, 'Quote', catalogue, context), '')
    const started = await runTransfer(
      context,
      quote,
      wallets,
      flags.has('claimable-balance') ? 'claimable_balance' : 'vault',
    )
    const query = queryOf(quote, started)
    terminal.note(`started         ${lookupFlags(query)}`)
    terminal.note(`page            ${pageUrl(context.url, query)}`)
    if (flags.has('no-wait')) {
      if (json) terminal.printJson({ quote, started, status: null })
      return EXIT.done
    }
    const outcome = await follow(context, query, timeoutMs, (status, elapsedSeconds) => {
      if (!json) terminal.print(changeLine(status, elapsedSeconds, context))
    })
    if (json) terminal.printJson({ quote, started, status: outcome.status ?? null })
    else if (outcome.status !== undefined)
      terminal.print('', ...statusLines(outcome.status, catalogue, terminal.paint))
    if (outcome.ended === 'timed_out') terminal.note(stoppedText(timeoutMs, lookupFlags(query)))
    return exitCodeOfWait(outcome)
  },
}

const checkReviewed = ({ flags }: Context, quote: Quote, catalogue: Catalogue): void => {
  const warnings = unverifiedTokens(quote, catalogue)
  if (warnings.length > 0 && !flags.has('allow-unverified'))
    throw new UsageError(`${warnings.join('; ')}; add --allow-unverified to go on`)
}
