import * as z from 'zod/mini'
import { BackendType } from './backend-type.ts'
import { CommonDetails } from './backends/details.ts'
import { IntentDetails } from './backends/intent.ts'
import { ItsDetails } from './backends/its.ts'
import { RouterDetails } from './backends/router.ts'
import { UnknownStatusBackend } from './backends/unknown.ts'
import { orUnlisted, parsedAs } from './open.ts'
import {
  StatusState,
  TransferDestination,
  TransferOutput,
  TransferRefund,
  TransferSource,
} from './transfer.ts'

const STATE = {
  quoteId: z.string(),
  state: orUnlisted(StatusState),
}

const ENDS = {
  source: z.nullable(TransferSource),
  destination: z.nullable(TransferDestination),
  output: z.nullable(TransferOutput),
  refund: z.nullable(TransferRefund),
}

const answer = <Backend extends z.ZodMiniType, Details extends z.ZodMiniType>(
  backend: Backend,
  details: Details,
) => z.object({ ...STATE, ...ENDS, backend, details })

const of = <Type extends BackendType>(type: Type) => z.object({ type: z.literal(type), name: z.string() })

/**
 * The answer of `GET /v1/rfq/status`; `backend` is null when the quote is unknown. `details` are those of the backend:
 * `isStatusOf` tells TypeScript which. Source: interface "Status response object".
 * @example
 * const textOf = (status: Status): string => {
 *   if (isStatusOf(status, 'its')) return `${status.state}, ${status.details.hops?.length ?? 0} hops`
 *   return status.details.stage === undefined ? status.state : `${status.state}, ${status.details.stage}`
 * }
 */
export const Status = parsedAs(
  z.object({
    ...STATE,
    backend: z.nullable(z.looseObject({ type: orUnlisted(BackendType), name: z.string() })),
    ...ENDS,
    details: z.record(z.string(), z.unknown()),
  }),
  z.union([
    answer(of('intent'), IntentDetails),
    answer(of('its'), ItsDetails),
    answer(of('gateway'), RouterDetails),
    answer(of('gateway-express'), RouterDetails),
    answer(z.nullable(UnknownStatusBackend), CommonDetails),
  ]),
)
export type Status = z.infer<typeof Status>

/**
 * Whether a status is one of the backend, and so what its `details` are.
 * @example
 * const status = await createClient({ baseUrl: 'https://rfq.example' }).getStatus({ quoteId: 'quote_…' })
 * if (isStatusOf(status, 'intent')) console.log(status.details.swapId)
 */
export const isStatusOf = <Type extends BackendType>(
  status: Status,
  type: Type,
): status is Extract<Status, { backend: { type: Type } }> => status.backend?.type === type

const TERMINAL_STATES: ReadonlySet<string> = new Set(['DONE', 'REFUNDED', 'FAILED'])

/**
 * Whether nothing can change the state any more. Source: interface "States and transitions".
 * @example
 * const { state } = await createClient({ baseUrl: 'https://rfq.example' }).getStatus({ quoteId: 'quote_…' })
 * console.log(isTerminal(state) ? 'over' : 'under way')
 */
export const isTerminal = (state: Status['state']): boolean => TERMINAL_STATES.has(state)

/**
 * Whether the status is the last one: its state is terminal, and a delivery that counts already (`details.deliveryFinal`) is final.
 * Goods are handed over for a settled transfer.
 * @example
 * const status = await createClient({ baseUrl: 'https://rfq.example' }).getStatus({ quoteId: 'quote_…' })
 * console.log(isSettled(status) ? 'final' : 'wait')
 */
export const isSettled = ({
  state,
  details,
}: {
  readonly state: Status['state']
  readonly details: { readonly deliveryFinal?: unknown }
}): boolean => isTerminal(state) && details.deliveryFinal !== false
