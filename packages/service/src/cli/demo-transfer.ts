import type { Quote } from '@openrfq/sdk'
import { formatUnits } from '@openrfq/sdk'
import { type BalanceProof, watchBalance } from './balance-proof.ts'
import { type Catalogue, findChain, findToken } from './catalogue.ts'
import { nodeOf } from './chain-node.ts'
import type { Context } from './command.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { changeLine, exitCodeOfWait, follow } from './follow.ts'
import { queryOf, runTransfer } from './run-transfer.ts'
import type { SandboxInfo } from './sandbox-client.ts'
import { connectWallet } from './wallets/connect-wallet.ts'

/** The result of one transfer of the demo. */
export type Shown = {
  readonly backend: Quote['backend']['type']
  readonly sourceChain: string
  readonly destinationChain: string
  readonly quoteId: string
  readonly messageId: string | undefined
  readonly state: string
  readonly source: BalanceProof
  readonly destination: BalanceProof
}

/** The parties of one transfer of the demo. */
export type Cast = {
  readonly catalogue: Catalogue
  readonly sandbox: SandboxInfo
  readonly sender: SandboxInfo['accounts'][number]
  readonly recipient: SandboxInfo['accounts'][number]
}

/** How a transfer should end: delivered, or refunded. */
export type Ending = 'DONE' | 'REFUNDED'

/**
 * Executes a quote and follows it to its end, printing each change and both balances. The exit code is `done` only if
 * it ended as expected and the balances changed accordingly: exactly, not at all after a refund, or within the bounds
 * of a floating output.
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
  const nodeAt = (chainId: string) =>
    nodeOf(findChain(catalogue, chainId), {}, () => Promise.resolve(sandbox))
  const sourceNode = await nodeAt(input.chain)
  const proveSource = await watchBalance(sourceNode, { token: input.token, owner: sender.address })
  const proveDestination = await watchBalance(await nodeAt(output.chain), {
    token: output.token,
    owner: recipient.address,
  })
  const { wallets } = await connectWallet(sourceNode, sender.privateKey)
  const started = await runTransfer(context, quote, wallets)
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
    sourceChain: input.chain,
    destinationChain: output.chain,
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

const proofLine = (
  side: string,
  { before, after, promised, holds }: BalanceProof,
  { symbol, decimals }: { readonly symbol: string; readonly decimals: number },
  { paint }: Context['terminal'],
): string => {
  const verdict = holds
    ? paint('green', 'as promised')
    : paint('red', `promised ${signed(promised, decimals)}`)
  const change = `${formatUnits(before, decimals)} → ${formatUnits(after, decimals)} ${symbol}`
  return `${side.padEnd(11)}  ${change}  (${signed(after - before, decimals)}, ${after - before} base units)  ${verdict}`
}

const signed = (amount: bigint, decimals: number): string =>
  amount < 0n ? `-${formatUnits(-amount, decimals)}` : `+${formatUnits(amount, decimals)}`
