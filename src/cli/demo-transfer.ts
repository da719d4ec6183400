import { connectEvm } from '../client/execute/connect-evm.ts'
import type { Sandbox } from '../client/sandbox.ts'
import type { BackendType } from '../core/backend-type.ts'
import type { Quote } from '../core/quote.ts'
import { wholeText } from './amount-text.ts'
import { type BalanceProof, watchBalance } from './balance-proof.ts'
import { type Catalogue, findChain, findToken } from './catalogue.ts'
import type { Context } from './command.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { changeLine, exitCodeOfWait, follow } from './follow.ts'
import { queryOf, runTransfer } from './run-transfer.ts'
import { sandboxRpc } from './signer.ts'

/** What one transfer of the demo showed. */
export type Shown = {
  readonly backend: BackendType
  readonly quoteId: string
  readonly messageId: string | undefined
  readonly state: string
  readonly source: BalanceProof
  readonly destination: BalanceProof
}

/** Who takes part in one transfer of the demo. */
export type Cast = {
  readonly catalogue: Catalogue
  readonly sandbox: Sandbox
  readonly sender: Sandbox['accounts'][number]
  readonly recipient: Sandbox['accounts'][number]
}

/** How a transfer is to end: paid out, or given back. */
export type Ending = 'DONE' | 'REFUNDED'

/**
 * Executes a quote and follows it to its end, printing each change and both balances. Its exit code is `done` only when
 * it ended as wanted and the balances moved by what that means: exactly, not at all after a refund, or within the bounds of
 * a floating output.
 */
export const showTransfer = async (
  context: Context,
  quote: Quote,
  cast: Cast,
  { ending, timeoutMs }: { readonly ending: Ending; readonly timeoutMs: number },
): Promise<{ readonly result: Shown; readonly code: ExitCode }> => {
  const { terminal, json } = context
  const { input, output } = quote
  const { sender, recipient, sandbox, catalogue } = cast
  const sourceRpc = rpcOf(sandbox, catalogue, input.chain)
  const destinationRpc = rpcOf(sandbox, catalogue, output.chain)
  const proveSource = await watchBalance({ rpcUrl: sourceRpc, token: input.token, owner: sender.address })
  const proveDestination = await watchBalance({
    rpcUrl: destinationRpc,
    token: output.token,
    owner: recipient.address,
  })
  const started = await runTransfer(context, quote, connectEvm(sender.privateKey, sourceRpc))
  const query = { ...queryOf(quote, started), until: 'final' } as const
  const outcome = await follow(context, query, timeoutMs, (status, elapsedSeconds) => {
    if (!json) terminal.print(changeLine(status, elapsedSeconds, context))
  })
  const isPaid = ending === 'DONE'
  const source = await proveSource(isPaid ? -BigInt(input.amount) : 0n)
  const destination = isPaid
    ? await proveDestination(BigInt(output.amount), BigInt(output.minimumAmount))
    : await proveDestination(0n)
  if (!json) {
    const inputToken = findToken(catalogue, input.chain, input.token)
    const outputToken = findToken(catalogue, output.chain, output.token)
    terminal.print('', proofLine('source', source, inputToken, terminal))
    terminal.print(proofLine('destination', destination, outputToken, terminal), '')
  }
  const state = outcome.status?.state ?? 'unknown'
  const { messageId } = started
  const result = {
    backend: quote.backend.type,
    quoteId: quote.quoteId,
    messageId,
    state,
    source,
    destination,
  }
  if (state === ending) return { result, code: source.holds && destination.holds ? EXIT.done : EXIT.failed }
  const code = exitCodeOfWait(outcome)
  return { result, code: code === EXIT.done ? EXIT.failed : code }
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
