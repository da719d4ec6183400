/** Hooks and a component for React. */

export { TransferStatus, type TransferStatusProps } from './transfer-status.ts'
export { type Quotes, useQuotes } from './use-quotes.ts'
export { type Transfer, useTransfer } from './use-transfer.ts'
