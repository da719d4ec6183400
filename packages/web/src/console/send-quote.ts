import {
  type ActionProgress,
  type Client,
  type Guards,
  type Quote,
  type QuoteParams,
  type StartedTransfer,
  type SwapProgress,
  swap,
} from '@openrfq/sdk'
import type { FindNode, Signer } from '../wallets/payer.ts'

/** The quote that a person chose, of the request that it answers, and the decimals by which its input is shown. */
type Chosen = {
  readonly client: Client
  readonly request: QuoteParams
  readonly quote: Quote
  readonly inputDecimals: number | undefined
  readonly signer: Signer
  readonly findNode: FindNode
  readonly onAction: (progress: ActionProgress) => void
}

/**
 * Signs and sends the quote, or where its approval took longer than it was valid a fresh one that is not worse, by what the person saw:
 * nothing that pays more or guarantees less is signed. Resolves once the transfer has started. Rejects as `swap` does.
 */
export const sendQuote = async ({
  signer,
  request,
  quote,
  onAction,
  ...chosen
}: Chosen): Promise<StartedTransfer> => {
  const { client, inputDecimals, findNode } = chosen
  const { sender: _, ...order } = request
  const payer = await signer.open(quote.input.chain, findNode)
  const left = new AbortController()
  const { promise: started, resolve, reject } = Promise.withResolvers<StartedTransfer>()
  const onProgress = (progress: SwapProgress): void => {
    if (progress.step === 'sent' || progress.step === 'included') {
      const { step: event, ...of } = progress
      onAction({ event, ...of })
    }
    if (progress.step !== 'started') return
    resolve(progress.started)
    // The page of the transfer follows it.
    left.abort()
  }
  const guards = { ...shownBy(quote), inputDecimals }
  swap({ ...order, client, payer, quote, guards, onProgress, signal: left.signal }).catch(reject)
  return started
}

/** What the page showed of a quote. It comes from the service itself, so it knows no program but the quote's. */
const shownBy = ({ input, output, fees, actions }: Quote): Guards => {
  const payload = actions.at(-1)?.payload
  const program = payload?.type === 'solana_instructions' ? payload.instructions.at(-1)?.programId : undefined
  return {
    maximumInput: BigInt(input.amount),
    minimumOutput: BigInt(output.minimumAmount),
    maximumNativeFee: fees.user.paymentMethod === 'tx_value' ? BigInt(fees.user.amount) : undefined,
    ...(program === undefined ? {} : { contracts: { [input.chain]: [program] } }),
  }
}
