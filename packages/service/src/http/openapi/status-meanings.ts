import {
  ActionRequired,
  IntentDetails,
  IntentStage,
  ItsDetails,
  ReasonCode,
  RelayStage,
  RouterDetails,
  Status,
  StatusState,
  TransferDestination,
  TransferOutput,
  TransferRefund,
  TransferSource,
  TransferState,
} from '@openrfq/sdk'
import { inner, listMeaning, objectMeaning, shapeOf } from './meaning.ts'

const DETAILS = {
  reasonCode: 'Why the transfer is refunded or failed, or delivered less than was quoted.',
  stale: 'A chain or indexer cannot be read now, so that the state may be old.',
  expired: 'The quote has expired, and no deposit is known.',
  expectedBy: 'When the transfer should be over.',
  overdue: '`expectedBy` is past.',
  deliveryFinal: '`false` while the delivery of a DONE transfer is not final; absent afterwards.',
  deliveryReverted:
    'The chain took the delivery of a DONE transfer back. The state stays; the other details follow the transfer.',
  stage: 'How far the transfer has come.',
  stages:
    'The stages that the service has seen, the first one first: `state`, `stage` where the backend names one, and `at`, when the service saw it first. Absent before a deposit.',
}
const ALONE = {
  endpoints:
    '`1` when one of the chains has a single RPC endpoint, which tells the state alone; absent when several agree.',
}
const NAMED = {
  needs: 'Parameters that identify a transfer which the service does not find by the quote.',
  candidates:
    "Message ids of transfers with the quote's terms that may be another quote's: they carry no tag and belong to a newer quote of the same terms, or carry several tags for one event.",
}
const RELAYED = {
  ...NAMED,
  ...ALONE,
  backendStatus: "What Axelar's indexer calls the step.",
  transferId: "Axelar's number or id of the transfer.",
}
const Intent = shapeOf(IntentDetails)

const STATES = {
  AWAITING_DEPOSIT: 'Quote known, no source-chain execution observed yet.',
  PENDING: 'Transfer submitted and in flight.',
  DONE: 'Transfer completed; recipient received the output.',
  REFUND_PENDING:
    'Transfer will not be fulfilled and a refund is decided, but no refund transaction has been submitted.',
  REFUND_INITIATED: 'Refund submitted, source-chain refund transaction not yet observed. Not a settlement.',
  REFUNDED: 'Refund landed on the source chain; user has the funds back.',
  FAILED: 'Transfer reached a terminal failure.',
}

/** The answer of the status endpoint, and errors. Source: interface "Status response object", "States and transitions", "Errors". */
export const STATUS_MEANINGS = {
  Status: objectMeaning(
    Status,
    'Where a transfer is now. `source`, `destination`, `output` and `refund` fill in as it advances: AWAITING_DEPOSIT has none, PENDING `source`, DONE `source`, `destination` and `output`, REFUNDED `source` and `refund`.',
    {
      quoteId: 'The quote the transfer was executed from.',
      state: 'Normalized state.',
      backend: 'The execution route; null for an unknown quote.',
      source: 'The source transaction; null until it is observed.',
      destination: 'The delivery; null until delivered.',
      output: 'What the recipient received; populated on DONE.',
      refund:
        'Refund to the user on the source chain; null through REFUND_PENDING and REFUND_INITIATED, populated on REFUNDED.',
      details:
        'Backend-specific context; informational. Its shape depends on `backend.type`, and it is empty without a backend. Decide by `state` instead. New members and values may be added.',
    },
  ),
  StatusState: listMeaning(
    StatusState,
    'State of a transfer. DONE, REFUNDED and FAILED are terminal. Within a refund only REFUNDED confirms that the user has the funds back; a route that cannot observe the refund transaction stops at REFUND_INITIATED, so do not wait for REFUNDED to treat such a transfer as resolved.',
    {
      ...STATES,
      NOT_FOUND:
        'No transfer matches the supplied identifier. Answered with HTTP 200: an identifier that the service does not (yet) recognize is not an error.',
    },
  ),
  TransferState: listMeaning(TransferState, 'State of a transfer that is known.', STATES),
  SeenStage: objectMeaning(
    inner(Intent.stages),
    'A stage of a transfer, and when the service first saw it.',
    {
      state: 'The state of the transfer then.',
      stage: 'The stage; absent where the backend names none.',
      at: 'When the service first saw it.',
    },
  ),
  StatusBackend: objectMeaning(inner(shapeOf(Status).backend), 'The execution route of a transfer.', {
    type: 'Backend type.',
    name: 'Human-readable route name.',
  }),
  TransferSource: objectMeaning(TransferSource, 'The transaction that started the transfer.', {
    chain: 'CAIP-2 identifier.',
    txHash: "Transaction hash in the chain's own form.",
    messageId: 'Identifier of the Axelar message; null for intents.',
    timestamp: 'Time of its block.',
  }),
  TransferDestination: objectMeaning(TransferDestination, 'The transaction that delivered the transfer.', {
    chain: 'CAIP-2 identifier.',
    txHash: "Transaction hash in the chain's own form.",
    timestamp: 'Time of its block.',
  }),
  TransferOutput: objectMeaning(TransferOutput, 'What the recipient received.', {
    chain: 'CAIP-2 identifier.',
    token: 'Token address.',
    amount: 'Base units.',
  }),
  TransferRefund: objectMeaning(TransferRefund, 'What the user got back on the source chain.', {
    chain: 'CAIP-2 identifier.',
    token: 'Token address.',
    amount: 'Base units.',
    txHash: 'The transaction that paid it.',
  }),
  IntentDetails: objectMeaning(
    IntentDetails,
    'Details when `backend.type` is `intent`. Deposits on Stellar that are not as quoted show up as `excessRefund`, `extraDeposits` and `parked`.',
    {
      ...DETAILS,
      swapId: "The order's id on the source chain.",
      solver: 'Address of the solver.',
      fillDeadline: 'The recipient must have been paid by then.',
      refundAfter: 'From then on an order that was not filled is refunded.',
      fillTxHash: 'The payment to the recipient, before it is final.',
      filledBy: "The account that delivered, if it was not the quote's solver.",
      refundTxHash: 'The refund, before it is final.',
      refundWaitsFor:
        "What has to happen before a due refund can be paid, such as SOL in the sender's empty wallet; absent if nothing.",
      deposited: 'Base units of the input token that count so far.',
      expected: 'Base units of the input token that the quote asks for.',
      excessRefund: 'What was deposited beyond the input.',
      extraDeposits: 'Deposits that do not count for the order.',
      parked: 'Deposits that an operator has to look at.',
    },
  ),
  IntentStage: listMeaning(IntentStage, 'How far an intent has come. New stages may be added.', {
    deposit_seen: 'The deposit is in a block.',
    deposit_partial: 'A part of the deposit is in a block.',
    deposit_final: 'The deposit is final.',
    filled_without_deposit: 'The order was filled although no deposit is seen.',
    filled_not_final: 'The fill is in a block.',
    fill_proven: 'The fill is proven on the source chain.',
    delivered: 'The fill is final.',
    declined_not_final: "The solver's decline is in a block.",
    awaiting_refund: 'A refund is due.',
    refund_submitted: 'The refund was sent.',
    refund_not_final: 'The refund is in a block.',
    refunded: 'The refund is final.',
    chain_unreadable: 'A chain cannot be read now.',
  }),
  UnusedDeposit: objectMeaning(inner(Intent.extraDeposits), 'A deposit, or a part of it, that goes back.', {
    reason: 'Why it does not count.',
    token: 'Token address.',
    amount: 'Base units.',
    depositTxHash: 'The transaction that deposited it.',
    refundTxHash: 'The transaction that paid it back; null until then.',
  }),
  HeldDeposit: objectMeaning(inner(Intent.parked), 'A deposit that an operator has to look at.', {
    token: 'Token address.',
    amount: 'Base units.',
  }),
  ItsDetails: objectMeaning(ItsDetails, 'Details when `backend.type` is `its`.', {
    ...DETAILS,
    ...NAMED,
    ...ALONE,
    hops: "The message to Axelar's hub and the one from it.",
    error: "What the execution failed with, as Axelar's indexer tells it.",
    actionRequired: 'What somebody has to do on Axelar before the message moves on.',
  }),
  ItsHop: objectMeaning(inner(shapeOf(ItsDetails).hops), 'One message of an interchain transfer.', {
    from: "Axelar's name of the chain it comes from.",
    to: "Axelar's name of the chain it goes to.",
    messageId: 'Its identifier.',
    status: "What Axelar's indexer calls its state.",
    approvedAt: 'When it was approved.',
    executedAt: 'When it was executed.',
  }),
  ActionRequired: listMeaning(
    ActionRequired,
    'What somebody has to do on Axelar before a message moves on.',
    {
      add_gas: "The cross-chain gas does not suffice: pay more through Axelar's gas service.",
      confirm: 'Axelar could not confirm the source transaction: have it confirmed again.',
      retry_failed_event:
        "The message's event has failed: have RetryFailedEvent sent on Axelar, once the cause is gone.",
      execute_at_hub:
        "Once the cause in `reasonCode` is gone, have an account of Axelar execute the message at the gateway before the hub: `execute` with its `cc_id` (the source chain's Axelar name and the message id of the first of `hops`) and its payload.",
    },
  ),
  RouterDetails: objectMeaning(
    RouterDetails,
    'Details when `backend.type` is `gateway` or `gateway-express`.',
    {
      ...DETAILS,
      ...RELAYED,
      bridgedAmount: 'What crosses, in base units of the bridge token.',
      returnTxHash: 'The transaction that sent the bridge token back.',
      refundTxHash: 'The payment on the source chain.',
      actionRequired: 'What somebody has to do on Axelar before the message moves on.',
    },
  ),
  RelayStage: listMeaning(
    RelayStage,
    'How far a transfer over Axelar has come. From `called` to `executed` they are the steps of its indexer. New stages may be added.',
    {
      source_reverted_not_final: 'The source transaction reverted, in a block that is not final.',
      source_reverted: 'The source transaction reverted.',
      awaiting_finality: 'Waits for the source chain to make the transaction final.',
      awaiting_relay: 'Waits for Axelar.',
      relay_unreadable: "Axelar's indexer cannot be read now.",
      called: "Axelar's indexer has seen the source transaction.",
      confirmable: 'Axelar can confirm the source transaction.',
      confirming: 'Axelar is confirming the source transaction.',
      confirmed: 'Axelar has confirmed the source transaction.',
      approvable: 'Axelar can approve the delivery.',
      approving: 'Axelar is approving the delivery.',
      approved: 'Axelar has approved the delivery.',
      express_executable: 'An express executor can deliver in advance.',
      express_executed: 'An express executor has delivered in advance.',
      executable: 'The delivery can be executed.',
      executing: 'The delivery is being executed.',
      executed: 'The delivery was executed.',
      hub_refused:
        "Axelar's hub has refused the message for the cause in `reasonCode`; its gateway keeps it, and any account of Axelar may execute it there later: see `actionRequired`.",
      leaving_hub: "Between the two messages of the transfer, in Axelar's hub.",
      core_failed:
        'The event of the message has failed at axelar-core: see `reasonCode` and `actionRequired`.',
      invalid_message:
        'Axelar says that the message can never be executed: see `reasonCode`. FAILED follows where its hub itself shows that, and the delivery is an hour overdue.',
      gas_insufficient: 'The cross-chain gas does not suffice: see `actionRequired`.',
      execution_error: 'The delivery failed and can be retried.',
      confirmation_failed: 'Axelar could not confirm the source transaction: see `actionRequired`.',
      delivery_not_seen: 'The delivery is reported, and the destination chain does not have it.',
      delivery_not_verified: 'The reported delivery does not show the payment.',
      destination_unreadable: 'The destination chain cannot be read now.',
      delivered_not_final: 'The delivery is in a block.',
      delivered: 'The delivery is final.',
      returned_not_final: 'The failed delivery sent the bridge token back, in a block that is not final.',
      awaiting_return_gas: 'The bridge token waits for its way back to be paid.',
      returning: 'The bridge token is on its way back.',
      refund_not_final: 'The refund is in a block.',
      refunded: 'The refund is final.',
    },
  ),
  ReasonCode: listMeaning(
    ReasonCode,
    'Why a transfer is refunded, failed or not found, or a deposit goes back. Codes are stable; new ones may be added.',
    {
      source_tx_reverted: 'The source transaction reverted; nothing was deposited.',
      delivery_failed: 'The delivery failed, and the bridge token goes back.',
      hub_frozen:
        "Axelar's hub or router has frozen a chain of the transfer: it goes on when the chain is unfrozen and anybody executes it there.",
      hub_disabled:
        "Axelar's hub or router carries nothing: the transfer goes on when it is enabled and anybody executes it there.",
      not_on_hub:
        "Axelar's hub does not have the token on one of the chains: the transfer goes on when it is registered and anybody executes it there.",
      supply_short:
        "Axelar's hub has brought less of the token to the source chain than the transfer takes back: it goes on when the supply is corrected and anybody executes it there.",
      amount_too_small:
        "The amount is nothing in the destination's decimals, so that Axelar's hub can never execute the transfer.",
      destination_deactivated: 'Axelar has switched the destination chain off; the message can be retried.',
      core_failed: 'Axelar could not route the message; it can be retried.',
      invalid_call: 'Axelar can never execute the message.',
      invalid_destination_chain: 'Axelar does not know the destination chain of the message.',
      invalid_source_address: 'Axelar does not accept the source address of the message.',
      invalid_contract_address: 'Axelar does not accept the destination address of the message.',
      output_below_minimum: 'Less than the quoted minimum arrived.',
      not_filled: 'No solver filled the order before its deadline.',
      declined: 'The solver declined the order.',
      deposit_short: 'Less than the input was deposited in time.',
      excess: 'More than the input was deposited.',
      second: 'The order had been deposited for already.',
      late: 'The deposit came too late.',
      wrong_asset: 'Another asset than the input was deposited.',
      unknown_quote: 'The service has no such quote, or has it no longer.',
      other_source_chain: "`sourceChain` is not the quote's source chain.",
      message_of_other_transfer:
        "The source transaction exists, and the named event is not the quote's: it differs in token, amount, sender, recipient or destination, is older, carries another quote's tag, or is another quote's transfer.",
    },
  ),
}
