/** Hooks and a component for React. */

export { TransferStatus, type TransferStatusProps } from './transfer-status.ts'
export {
  type TransferEnds,
  type TransferStep,
  type TransferSummary,
  transferSteps,
  transferSummary,
} from './transfer-steps.ts'
export { type Quotes, useQuotes } from './use-quotes.ts'
export { type Transfer, useTransfer } from './use-transfer.ts'
