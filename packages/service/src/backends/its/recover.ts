import type { Catalog } from '../../chains/catalog.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { requireBinding } from '../../core/require-binding.ts'
import { valueScaleOf } from '../../core/value-scale.ts'
import type { GasFees } from '../../protocols/axelar/gas-fees.ts'
import { receiveFromHubPayload } from '../../protocols/axelar/its-contract.ts'
import type { Lookup, RecoveryCall } from '../backend.ts'
import { executionRecovery, gasRecovery } from '../message-recovery.ts'
import { readSource, type SourceMessage } from '../source-message.ts'
import { expectedMessage, type ItsTrackDeps, recipientOf } from './track.ts'

export type ItsRecoverDeps = ItsTrackDeps & {
  readonly catalog: Pick<Catalog, 'chain' | 'contract'>
  readonly gasFees: Pick<GasFees, 'transferFee'>
}

/** The payment that both messages of a transfer lack; none while its cost is unknown. */
const addGas = async (
  { catalog, gasFees }: ItsRecoverDeps,
  quote: QuoteRecord,
  { receipt, logPosition }: SourceMessage,
): Promise<readonly RecoveryCall[]> => {
  const chain = catalog.chain(quote.fromChain)
  const [from, to] = ['sourceAxelarChain', 'destinationAxelarChain'].map((name) =>
    requireBinding(quote, name),
  )
  const value = await gasFees.transferFee(from ?? '', to ?? '')
  if (chain?.axelar === undefined || value === undefined) return []
  return [
    gasRecovery({
      chainId: quote.fromChain,
      leadsTo: 'DONE',
      gasService: catalog.contract(chain, chain.axelar.gasService),
      txHash: receipt.txHash,
      logPosition,
      value,
      valueScale: valueScaleOf(chain),
    }),
  ]
}

/** The execution of the hub's message on the destination, once its gateway has approved exactly the quote's transfer. */
const execute = async (
  { catalog, evmChains }: ItsRecoverDeps,
  quote: QuoteRecord,
  commandId: string,
): Promise<readonly RecoveryCall[]> => {
  const chain = catalog.chain(quote.toChain)
  if (chain?.axelar === undefined) return []
  const payload = receiveFromHubPayload(requireBinding(quote, 'sourceAxelarChain'), {
    tokenId: requireBinding(quote, 'tokenId'),
    destinationChain: requireBinding(quote, 'destinationAxelarChain'),
    sender: quote.sender,
    recipient: recipientOf(quote),
    amount: quote.output,
  })
  return executionRecovery(evmChains, {
    chainId: quote.toChain,
    leadsTo: 'DONE',
    gateway: catalog.contract(chain, chain.axelar.gateway),
    message: {
      commandId,
      sourceChain: requireBinding(quote, 'hubChain'),
      sourceAddress: requireBinding(quote, 'hubAddress'),
      contract: requireBinding(quote, 'destinationIts'),
      payload,
    },
  })
}

/** What moves an interchain transfer on: gas that its messages lack, or the execution of the last one by hand. */
export const itsRecoveries = async (
  deps: ItsRecoverDeps,
  quote: QuoteRecord,
  lookup: Lookup,
): Promise<readonly RecoveryCall[]> => {
  // No call of ours moves a message of Solana on.
  if (deps.paymentChains.has(quote.fromChain)) return []
  const { found } = await readSource(deps, { quote, lookup, expected: expectedMessage(quote) })
  if (found === undefined || !found.receipt.final) return []
  const toHub = await deps.axelarscan.findMessage(found.messageId, requireBinding(quote, 'sourceAxelarChain'))
  if (toHub === undefined || toHub.invalid !== undefined) return []
  const child = toHub.childMessageId
  const fromHub =
    child === undefined
      ? undefined
      : await deps.axelarscan.findMessage(child, requireBinding(quote, 'hubChain'))
  if (fromHub?.expressTxHash !== undefined) return []
  // The indexer may report an execution that a reorg reverted; the gateway then shows the message as approved again.
  const lacksGas = fromHub?.executedTxHash === undefined && (fromHub ?? toHub).gasInsufficient
  return [
    ...(lacksGas ? await addGas(deps, quote, found) : []),
    ...(fromHub?.commandId === undefined ? [] : await execute(deps, quote, fromHub.commandId)),
  ]
}
