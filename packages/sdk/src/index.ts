/** The typed client and the schemas of the interface, without any chain library. */
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type OpeningParams,
  type QuoteParams,
  type RecoveryQuery,
  type TokenFilter,
  type TransfersQuery,
} from './client/create-client.ts'
export { isTransient } from './client/request.ts'
export { RfqError } from './client/rfq-error.ts'
export type { StatusQuery } from './client/status-query.ts'
export { TransportError, type TransportErrorCode } from './client/transport-error.ts'
export { untilAnswered } from './client/until-answered.ts'
export type { TransferWait, WaitOutcome } from './client/wait-for-transfer.ts'
export type { WatchOptions } from './client/watch.ts'
export { isEvmPrivateKey } from './evm-private-key.ts'
export type { ActionProgress, Execution, StartedTransfer } from './execute/execution.ts'
export { ExecutionError, type ExecutionErrorCode, type SentAction } from './execute/execution-error.ts'
export { type MessageReceipt, messageIdOf } from './execute/message-id.ts'
export type { Payer } from './execute/payer.ts'
export { type Swap, type SwapOutcome, type SwapProgress, swap } from './execute/swap.ts'
export { formatUnits } from './format-units.ts'
export type { GuardCode } from './guard/guard-code.ts'
export type { Bridge, Guarded, Guards } from './guard/guards.ts'
export type { MissingGuard } from './guard/missing-guard.ts'
export { Action, ActionType, DepositAddress, EvmTransaction, SolanaInstructions } from './wire/action.ts'
export { Amount } from './wire/amount.ts'
export { BackendType } from './wire/backend-type.ts'
export { ActionRequired, CommonDetails, ReasonCode, RelayStage, SeenStage } from './wire/backends/details.ts'
export { IntentBackend, IntentDetails, IntentStage } from './wire/backends/intent.ts'
export { ItsBackend, ItsDetails } from './wire/backends/its.ts'
export { GatewayBackend, GatewayExpressBackend, RouterDetails } from './wire/backends/router.ts'
export { MessageEvent, RefundTerms, Warning, WarningCode } from './wire/backends/terms.ts'
export { Chain, ChainId, ChainsAnswer, ChainType } from './wire/chain.ts'
export { chainTypeOf, evmChainIdOf, evmChainNumberOf, isChainIdOf, solanaChainIdOf } from './wire/chain-id.ts'
export { ErrorBody, ErrorCode, ErrorDetails, RecipientReason } from './wire/error-body.ts'
export { FeeEntry, FeeToken, IntegratorFee, PaymentMethod, QuoteTreatment } from './wire/fee.ts'
export type { Unlisted } from './wire/open.ts'
export {
  Opening,
  OpeningAnswer,
  OpeningMethod,
  OpeningReason,
  OpeningState,
  TypedData,
} from './wire/opening.ts'
export { ApprovalMode, OrderType } from './wire/order-type.ts'
export { Quote, QuoteAnswer, QuoteBackend, SelectionReason } from './wire/quote.ts'
export { Recovery, RecoveryAnswer, RecoveryKind, RecoveryOutcome } from './wire/recovery.ts'
export { SolverAssetSummary, SolverPairSummary, SolverSummary, SolversAnswer } from './wire/solver.ts'
export { isSettled, isStatusOf, isTerminal, Status } from './wire/status.ts'
export { ListedToken, TokensAnswer } from './wire/token.ts'
export {
  StatusState,
  TransferDestination,
  TransferOutput,
  TransferRefund,
  TransferSource,
  TransferState,
} from './wire/transfer.ts'
export { RecordedQuote, SearchAnswer, TransferAnswer, TransfersAnswer } from './wire/transfer-answer.ts'
export { valueScaleOf } from './wire/value-scale.ts'
