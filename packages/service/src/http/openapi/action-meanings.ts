import { Action, ActionType, DepositAddress, EvmTransaction, SolanaInstructions } from '@openrfq/sdk'
import { inner, listMeaning, objectMeaning, plainMeaning } from './meaning.ts'

const SUGGESTED =
  'Base units of the native asset. A suggestion, estimated at quote time: wallets may re-estimate or override it.'
const Instruction = inner(SolanaInstructions.shape.instructions)

/** The actions that a quote's sender signs. Source: interface "Action envelope", "Payload types". */
export const ACTION_MEANINGS = {
  Action: objectMeaning(
    Action,
    'One on-chain step for the user. More action and payload types may be added later: do not execute a quote with one that you do not know.',
    {
      id: 'Stable identifier of the action within the quote: `approve_reset` (sets an allowance to zero, for tokens that refuse to change one that is not), `approve` or `transfer`.',
      label: 'Human-readable label.',
      type: 'What the action is for.',
      chain: 'CAIP-2 chain the action runs on.',
      payload: 'Chain-specific payload, discriminated by `payload.type`.',
    },
  ),
  ActionType: listMeaning(ActionType, 'What an action is for.', {
    approval: 'Token allowance transaction required before the transfer can start.',
    transaction: 'The transaction that starts the transfer.',
    deposit_address: 'Send funds to a deposit address; no contract interaction.',
  }),
  ActionPayload: plainMeaning(Action.shape.payload, "What to execute, in the form of the chain's family."),
  EvmTransaction: objectMeaning(
    EvmTransaction,
    'A ready-to-sign EVM transaction. `from`, `to`, `data` and `value` encode the route and must be submitted exactly as returned; the gas fields are suggestions, estimated at quote time, and may be missing.',
    {
      type: 'Always `evm_transaction`.',
      from: 'Sender address.',
      to: 'Target address.',
      data: 'Hex calldata.',
      value: 'Native value in base units.',
      gasLimit: 'Gas units. A suggestion, estimated at quote time: wallets may re-estimate or override it.',
      maxFeePerGas: SUGGESTED,
      maxPriorityFeePerGas: SUGGESTED,
    },
  ),
  SolanaInstructions: objectMeaning(
    SolanaInstructions,
    'Instructions to assemble into one Solana transaction, which the sender pays for and signs.',
    {
      type: 'Always `solana_instructions`.',
      instructions: 'In this order, exactly as returned.',
      addressLookupTableAddresses: 'Lookup tables that shorten the transaction; may be empty.',
    },
  ),
  SolanaInstruction: objectMeaning(Instruction, 'One instruction of a Solana transaction.', {
    programId: 'Address of the program that is called.',
    keys: 'Accounts in the order that the program expects.',
    data: 'Instruction data as base64 text.',
  }),
  SolanaAccountMeta: objectMeaning(inner(Instruction.shape.keys), 'An account that an instruction uses.', {
    pubkey: 'Address of the account.',
    isSigner: 'The account must sign the transaction.',
    isWritable: 'The instruction may change the account.',
  }),
  DepositAddress: objectMeaning(
    DepositAddress,
    'A payment in place of a transaction: pay exactly `amount` of `token` to the whole `address`, from the sender of the quote request and before the quote expires. A refund goes to that sender.',
    {
      type: 'Always `deposit_address`.',
      address:
        'Where to send the funds. The address identifies this quote: on Stellar it is a muxed account (M…), to be used as a whole.',
      amount: 'Base units; equal to `input.amount`.',
      token: 'Token address; equal to `input.token`.',
    },
  ),
}
