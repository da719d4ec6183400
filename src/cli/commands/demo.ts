import { createClient } from '../../client/create-client.ts'
import { connectEvm } from '../../client/execute/connect-evm.ts'
import type { Sandbox } from '../../client/sandbox.ts'
import { ServiceFault } from '../../client/service-fault.ts'
import { BackendType } from '../../core/backend-type.ts'
import { RfqError } from '../../core/error.ts'
import type { Quote } from '../../core/quote.ts'
import { wholeText } from '../amount-text.ts'
import { type BalanceProof, watchBalance } from '../balance-proof.ts'
import { type Catalogue, findChain, findToken, loadCatalogue } from '../catalogue.ts'
import type { Command, Context } from '../command.ts'
import { demoPairs, listedBackends } from '../demo-pairs.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { changeLine, exitCodeOfWait, follow, TIMEOUT_FLAG, timeoutMsOf } from '../follow.ts'
import { startLocalService } from '../local-service.ts'
import { runTransfer } from '../run-transfer.ts'
import { quoteLines } from '../show-quote.ts'
import { sandboxRpc } from '../signer.ts'
import { UsageError } from '../usage-error.ts'

/** Enough that the sandbox's flat fees stay small beside it. */
const WHOLE_TOKENS = 100n

/** One transfer per backend on a sandbox, proven by balances; starts a service when none answers. */
export const demoCommand: Command = {
  name: 'demo',
  summary: 'one transfer per backend on a sandbox, proven by balances; starts a service if none answers',
  flags: [TIMEOUT_FLAG],
  example: 'demo',
  run: async (context) => {
    const timeoutMs = timeoutMsOf(context.flags)
    if (await answers(context)) return transferAll(context, timeoutMs)
    context.terminal.note(`No service answers at ${context.url}; starting one with its sandbox …`)
    const service = await startLocalService(context.environment)
    const withdraw = context.onInterrupt(service.stop)
    try {
      await service.ready
      const client = createClient({ baseUrl: service.url })
      return await transferAll({ ...context, client, url: service.url }, timeoutMs)
    } finally {
      await service.stop()
      withdraw()
    }
  },
}

const answers = async ({ client }: Context): Promise<boolean> => {
  try {
    await client.getChains()
    return true
  } catch (error) {
    if (error instanceof ServiceFault && error.kind === 'unreachable') return false
    throw error
  }
}

/** What one transfer of the demo showed. */
type Shown = {
  readonly backend: BackendType
  readonly quoteId: string
  readonly messageId: string
  readonly state: string
  readonly source: BalanceProof
  readonly destination: BalanceProof
}

/** Who takes part in one transfer of the demo. */
type Cast = {
  readonly catalogue: Catalogue
  readonly sandbox: Sandbox
  readonly sender: Sandbox['accounts'][number]
  readonly recipient: Sandbox['accounts'][number]
}

const transferAll = async (context: Context, timeoutMs: number): Promise<ExitCode> => {
  const { client, terminal, json } = context
  const sandbox = await client.getSandbox()
  if (sandbox === undefined)
    throw new UsageError(`${context.url} is no sandbox; the demo moves play money only`)
  const [sender, recipient] = sandbox.accounts.filter(({ chainType }) => chainType === 'evm')
  if (sender === undefined || recipient === undefined)
    throw new Error('the sandbox has fewer than two EVM accounts')
  const catalogue = await loadCatalogue(client)
  const shown: Shown[] = []
  const codes: ExitCode[] = []
  for (const backend of listedBackends(catalogue, BackendType.options)) {
    const quote = await firstQuote(context, backend, { catalogue, sandbox, sender, recipient })
    if (quote === undefined) {
      terminal.note(`${terminal.paint('red', 'missing')} no quote of backend ${backend}`)
      codes.push(EXIT.notServed)
      continue
    }
    if (!json) terminal.print(...quoteLines(quote, 'Transfer', catalogue, terminal.paint), '')
    const { result, code } = await transferOne(
      context,
      quote,
      { catalogue, sandbox, sender, recipient },
      timeoutMs,
    )
    shown.push(result)
    codes.push(code)
  }
  if (json) terminal.printJson({ transfers: shown })
  if (codes.length === 0) throw new Error('the service lists no backend')
  return codes.find((code) => code !== EXIT.done) ?? EXIT.done
}

const firstQuote = async (context: Context, backend: BackendType, cast: Cast): Promise<Quote | undefined> => {
  for (const { from, to } of demoPairs(cast.catalogue, backend)) {
    const quotes = await quotesOrNone(context, {
      fromChain: from.chainId,
      fromToken: from.address,
      toChain: to.chainId,
      toToken: to.address,
      amount: WHOLE_TOKENS * 10n ** BigInt(from.decimals),
      orderType: 'EXACT_INPUT',
      sender: cast.sender.address,
      recipient: cast.recipient.address,
    })
    const quote = quotes.find((candidate) => candidate.backend.type === backend)
    if (quote !== undefined) return quote
  }
  return undefined
}

type Wish = Parameters<Context['client']['getQuotes']>[0]

/** A pair that is not served is no fault here: the next one may be. */
const quotesOrNone = async ({ client }: Context, wish: Wish): Promise<readonly Quote[]> => {
  try {
    return await client.getQuotes(wish)
  } catch (error) {
    if (error instanceof RfqError && /^(UNSUPPORTED_|AMOUNT_)/.test(error.code)) return []
    throw error
  }
}

const transferOne = async (
  context: Context,
  quote: Quote,
  { catalogue, sandbox, sender, recipient }: Cast,
  timeoutMs: number,
): Promise<{ readonly result: Shown; readonly code: ExitCode }> => {
  const { terminal, json } = context
  const { input, output } = quote
  const sourceRpc = rpcOf(sandbox, catalogue, input.chain)
  const destinationRpc = rpcOf(sandbox, catalogue, output.chain)
  const proveSource = await watchBalance({ rpcUrl: sourceRpc, token: input.token, owner: sender.address })
  const proveDestination = await watchBalance({
    rpcUrl: destinationRpc,
    token: output.token,
    owner: recipient.address,
  })
  const started = await runTransfer(context, quote, connectEvm(sender.privateKey, sourceRpc))
  const query = { quoteId: quote.quoteId, messageId: started.messageId, sourceChain: started.sourceChain }
  const outcome = await follow(context, query, timeoutMs, (status, elapsedSeconds) => {
    if (!json) terminal.print(changeLine(status, elapsedSeconds, context))
  })
  const source = await proveSource(-BigInt(input.amount))
  const destination = await proveDestination(BigInt(output.amount))
  const result: Shown = {
    backend: quote.backend.type,
    quoteId: quote.quoteId,
    messageId: started.messageId,
    state: outcome.status?.state ?? 'unknown',
    source,
    destination,
  }
  if (!json) {
    terminal.print('', proofLine('source', source, findToken(catalogue, input.chain, input.token), terminal))
    terminal.print(
      proofLine('destination', destination, findToken(catalogue, output.chain, output.token), terminal),
      '',
    )
  }
  const code = exitCodeOfWait(outcome)
  return { result, code: code === EXIT.done && !(source.holds && destination.holds) ? EXIT.failed : code }
}

const rpcOf = (sandbox: Sandbox, catalogue: Catalogue, chainId: string): string => {
  const rpcUrl = sandboxRpc(sandbox, findChain(catalogue, chainId))
  if (rpcUrl === undefined) throw new Error(`the sandbox names no RPC address of ${chainId}`)
  return rpcUrl
}

const proofLine = (
  side: string,
  { before, after, promised, holds }: BalanceProof,
  { symbol, decimals }: { readonly symbol: string; readonly decimals: number },
  { paint }: Context['terminal'],
): string => {
  const verdict = holds
    ? paint('green', 'as promised')
    : paint('red', `promised ${signed(promised, decimals)}`)
  const change = `${wholeText(before, decimals)} → ${wholeText(after, decimals)} ${symbol}`
  return `${side.padEnd(11)}  ${change}  (${signed(after - before, decimals)}, ${after - before} base units)  ${verdict}`
}

const signed = (amount: bigint, decimals: number): string =>
  amount < 0n ? `-${wholeText(-amount, decimals)}` : `+${wholeText(amount, decimals)}`
