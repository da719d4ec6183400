import type { Quote } from '@openrfq/sdk'
import { createClient, type QuoteParams, RfqError, TransportError } from '@openrfq/sdk'
import { loadCatalogue } from '../catalogue.ts'
import type { Command, Context } from '../command.ts'
import { demoPairs, listedBackends } from '../demo-pairs.ts'
import { type DemoParams, paidScenes, REFUNDS, refundScenes, type Scene } from '../demo-scenes.ts'
import { type Cast, type Shown, showTransfer } from '../demo-transfer.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { TIMEOUT_FLAG, timeoutMsOf } from '../follow.ts'
import { startLocalService } from '../local-service.ts'
import { choice } from '../quote-flags.ts'
import { accountsOf } from '../sandbox-account.ts'
import { createSandboxClient } from '../sandbox-client.ts'
import { quoteLines } from '../show-quote.ts'
import { UsageError } from '../usage-error.ts'

/** Large enough for the sandbox's flat fees to be small in comparison. */
const WHOLE_TOKENS = 100n

/** What the demo shows, and the time limit per transfer. */
type DemoRun = DemoParams & { readonly timeoutMs: number }

/** The environment of the demo; payer and recipient depend on the scene. */
type Stage = Pick<Cast, 'catalogue' | 'sandbox'>

/**
 * Demonstrates transfers over every backend and family, and refunds, on a sandbox, verified by balances; starts a
 * service if none answers.
 */
export const demoCommand: Command = {
  name: 'demo',
  summary:
    'a transfer per backend and between chain families, and a refund, proven by balances; starts a service if none answers',
  flags: [
    {
      name: 'refund',
      value: REFUNDS.join('|'),
      help: 'solvers give one deposit back at once (default), leave one on each family until its deadlines are over, or no refund',
    },
    { name: 'all-pairs', help: 'intents over all seven pairs of families instead of a round over them' },
    TIMEOUT_FLAG,
  ],
  example: 'demo --refund paused',
  run: async (context) => {
    const timeoutMs = timeoutMsOf(context.flags)
    const params: DemoRun = {
      timeoutMs,
      refund: choice('refund', context.flags, REFUNDS) ?? 'declining',
      allPairs: context.flags.has('all-pairs'),
    }
    if (await answers(context)) return transferAll(context, params)
    context.terminal.note(`No service answers at ${context.url}; starting one with its sandbox …`)
    const service = await startLocalService(context.environment)
    const withdraw = context.onInterrupt(service.stop)
    try {
      await service.ready
      const client = createClient({ baseUrl: service.url })
      const sandbox = createSandboxClient(service.url)
      return await transferAll({ ...context, client, sandbox, url: service.url }, params)
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
    if (error instanceof TransportError && error.code === 'unreachable') return false
    throw error
  }
}

const stageOf = async ({ client, sandbox: { find }, url }: Context): Promise<Stage> => {
  const sandbox = await find()
  if (sandbox === undefined) throw new UsageError(`${url} is no sandbox; the demo moves play money only`)
  return { catalogue: await loadCatalogue(client), sandbox }
}

/** Pays from the first account of the source's family to the second one of the destination's. */
const castOf = (stage: Stage, { families }: Scene): Cast => {
  const sender = accountsOf(stage.sandbox, families.from)[0]
  const recipient = accountsOf(stage.sandbox, families.to)[1]
  if (sender === undefined || recipient === undefined)
    throw new Error(`the sandbox has too few accounts of ${families.from} or ${families.to}`)
  return { ...stage, sender, recipient }
}

const transferAll = async (context: Context, params: DemoRun): Promise<ExitCode> => {
  const stage = await stageOf(context)
  const { BACKENDS } = await import('../../backends/index.ts')
  const backends = listedBackends(stage.catalogue, BACKENDS)
  if (backends.length === 0) throw new Error('the service lists no backend')
  const shown: Shown[] = []
  const codes: ExitCode[] = []
  const show = async (scene: Scene): Promise<void> => {
    const { result, code } = await showOne(context, castOf(stage, scene), scene, params.timeoutMs)
    if (result !== undefined) shown.push(result)
    codes.push(code)
  }
  for (const scene of paidScenes(stage.catalogue, backends, params)) await show(scene)
  const refunds = refundScenes(stage.catalogue, backends, params)
  if (params.refund !== 'none' && refunds.length > 0) {
    await context.sandbox.setSolverMode(params.refund)
    const withdraw = context.onInterrupt(() => context.sandbox.setSolverMode('normal'))
    try {
      for (const scene of refunds) await show(scene)
    } finally {
      await context.sandbox.setSolverMode('normal')
      withdraw()
    }
  }
  if (context.json) context.terminal.printJson({ transfers: shown })
  return codes.find((code) => code !== EXIT.done) ?? EXIT.done
}

/** Executes one quote; without quotes prints that and returns no result. */
const showOne = async (
  context: Context,
  cast: Cast,
  scene: Scene,
  timeoutMs: number,
): Promise<{ readonly result?: Shown; readonly code: ExitCode }> => {
  const { terminal, json } = context
  const quote = await firstQuote(context, scene, cast)
  if (quote === undefined) {
    const { from, to } = scene.families
    terminal.note(
      `${terminal.paint('red', 'missing')} no quote of backend ${scene.backend.type} from ${from} to ${to}`,
    )
    return { code: EXIT.notServed }
  }
  if (!json) terminal.print(...quoteLines(quote, scene.title, cast.catalogue, context), '')
  return showTransfer(context, quote, cast, { ending: scene.ending, timeoutMs })
}

const firstQuote = async (
  context: Context,
  { backend, families }: Scene,
  cast: Cast,
): Promise<Quote | undefined> => {
  for (const { from, to } of demoPairs(cast.catalogue, backend, families)) {
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
    const quote = quotes.find((candidate) => candidate.backend.type === backend.type)
    if (quote !== undefined) return quote
  }
  return undefined
}

/** An unserved pair is not an error here: the next one may be served. */
const quotesOrNone = async ({ client }: Context, params: QuoteParams): Promise<readonly Quote[]> => {
  try {
    return await client.getQuotes(params)
  } catch (error) {
    if (error instanceof RfqError && /^(UNSUPPORTED_|AMOUNT_)/.test(error.code)) return []
    throw error
  }
}
