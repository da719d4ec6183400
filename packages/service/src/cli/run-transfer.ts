import type { Action, Quote, StartedTransfer, StatusQuery } from '@openrfq/sdk'
import type { Context } from './command.ts'
import { type ExecuteOptions, execute, type Wallets } from './wallets/execute.ts'

/** How to describe an included transaction, by payload type. */
const TAKEN = {
  evm_transaction: 'mined',
  solana_instructions: 'confirmed',
  deposit_address: 'in a ledger',
  unknown: 'included',
} as const satisfies Record<Action['payload']['type'], string>

/** Signs and sends a quote's actions, printing each on standard error. Throws ExecutionError. */
export const runTransfer = (
  context: Context,
  quote: Quote,
  wallets: Wallets,
  holding: ExecuteOptions['holding'] = 'vault',
): Promise<StartedTransfer> =>
  execute({
    quote,
    wallets,
    holding,
    now: context.now(),
    onAction: ({ action, event, txHash }) => {
      if (event === 'sent') context.terminal.progress(`${action.label}: waiting for ${txHash} …`)
      else context.terminal.note(`${action.id.padEnd(14)}  ${TAKEN[action.payload.type]}  ${txHash}`)
    },
  })

/** The status query of a started transfer: by its message if it has one, else by its quote only. */
export const queryOf = ({ quoteId }: Quote, { messageId, sourceChain }: StartedTransfer): StatusQuery =>
  messageId === undefined ? { quoteId } : { quoteId, messageId, sourceChain }
