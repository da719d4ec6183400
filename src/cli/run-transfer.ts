import { type EvmWallet, executeEvm, type StartedTransfer } from '../client/execute/evm.ts'
import type { StatusQuery } from '../client/status-query.ts'
import type { Quote } from '../core/quote.ts'
import type { Context } from './command.ts'

/** Signs and sends a quote's actions, noting each on standard error. Throws ExecutionError. */
export const runTransfer = (context: Context, quote: Quote, wallet: EvmWallet): Promise<StartedTransfer> =>
  executeEvm({
    ...wallet,
    quote,
    now: context.now(),
    onAction: (action, event, txHash) => {
      if (event === 'sent') context.terminal.progress(`${action.label}: waiting for ${txHash} …`)
      else context.terminal.note(`${action.id.padEnd(14)}  mined  ${txHash}`)
    },
  })

/** How a started transfer is looked up: by its message where there is one, else by its quote alone. */
export const queryOf = ({ quoteId }: Quote, { messageId, sourceChain }: StartedTransfer): StatusQuery =>
  messageId === undefined ? { quoteId } : { quoteId, messageId, sourceChain }
