import { z } from 'zod'
import { BackendType } from './backend-type.ts'
import {
  TransferDestination,
  TransferOutput,
  TransferRefund,
  TransferSource,
  TransferState,
} from './transfer.ts'

const StatusState = z.enum([...TransferState.options, 'NOT_FOUND'])

/** The answer of `GET /v1/rfq/status`; `backend` is null when the quote is unknown. Source: interface "Status response object". */
export const Status = z.object({
  quoteId: z.string(),
  state: StatusState,
  backend: z.object({ type: BackendType, name: z.string() }).nullable(),
  source: TransferSource.nullable(),
  destination: TransferDestination.nullable(),
  output: TransferOutput.nullable(),
  refund: TransferRefund.nullable(),
  details: z.record(z.string(), z.unknown()),
})
export type Status = z.infer<typeof Status>
