import type { Catalog } from '../../chains/catalog.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { requireBinding } from '../../core/require-binding.ts'
import { valueScaleOf } from '../../core/value-scale.ts'
import type { GasFees } from '../../protocols/axelar/gas-fees.ts'
import { receiveFromHubPayload } from '../../protocols/axelar/its-contract.ts'
import { addGasInstruction, sendingPlaces } from '../../protocols/axelar/its-solana.ts'
import type { Lookup, RecoveryCall } from '../backend.ts'
import { executionRecovery, gasRecovery, PAY_LABEL } from '../message-recovery.ts'
import { readSource, type SourceMessage } from '../source-message.ts'
import { sentFromSolana } from './from-solana.ts'
import { expectedMessage, type ItsTrackDeps, recipientOf, senderOf } from './track.ts'

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

/** The same payment on a Solana chain, by the gas service's own instruction; none where the network file does not name it. */
const addGasOnSolana = async (
  { catalog, gasFees }: ItsRecoverDeps,
  quote: QuoteRecord,
  messageId: string,
): Promise<readonly RecoveryCall[]> => {
  const chain = catalog.chain(quote.fromChain)
  const receiver = chain?.tokenReceiver
  const [from, to] = ['sourceAxelarChain', 'destinationAxelarChain'].map((name) =>
    requireBinding(quote, name),
  )
  const value = await gasFees.transferFee(from ?? '', to ?? '')
  if (chain === undefined || receiver?.gasService === undefined || value === undefined) return []
  const [gateway, gasService, its] = [receiver.gateway, receiver.gasService, receiver.its].map((address) =>
    catalog.contract(chain, address),
  )
  const places = sendingPlaces(gateway ?? '', gasService ?? '', its ?? '')
  return [
    {
      kind: 'add_gas',
      label: PAY_LABEL,
      chainId: quote.fromChain,
      leadsTo: 'DONE',
      value,
      payloadBy: (payer) => ({
        type: 'solana_instructions',
        instructions: [addGasInstruction({ payer, messageId, amount: value }, places)],
        addressLookupTableAddresses: [],
      }),
    },
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
    sender: senderOf(quote),
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

/** The quote's final message on its source, and the payment that it may lack; undefined while there is none. */
const sentMessage = async (deps: ItsRecoverDeps, quote: QuoteRecord, lookup: Lookup) => {
  const onSolana = deps.paymentChains.get(quote.fromChain)
  if (onSolana !== undefined) {
    const sent = onSolana.programs && (await sentFromSolana(onSolana.programs, quote, lookup))
    return sent && { messageId: sent.messageId, pay: () => addGasOnSolana(deps, quote, sent.messageId) }
  }
  const { found } = await readSource(deps, { quote, lookup, expected: expectedMessage(quote) })
  return found?.receipt.final === true
    ? { messageId: found.messageId, pay: () => addGas(deps, quote, found) }
    : undefined
}

/** What moves an interchain transfer on: gas that its messages lack, or the execution of the last one by hand. */
export const itsRecoveries = async (
  deps: ItsRecoverDeps,
  quote: QuoteRecord,
  lookup: Lookup,
): Promise<readonly RecoveryCall[]> => {
  const sent = await sentMessage(deps, quote, lookup)
  if (sent === undefined) return []
  const toHub = await deps.axelarscan.findMessage(sent.messageId, requireBinding(quote, 'sourceAxelarChain'))
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
    ...(lacksGas ? await sent.pay() : []),
    ...(fromHub?.commandId === undefined ? [] : await execute(deps, quote, fromHub.commandId)),
  ]
}
