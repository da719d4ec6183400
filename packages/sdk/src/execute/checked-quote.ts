import { type Action, ActionType } from '../wire/action.ts'
import type { Quote } from '../wire/quote.ts'
import { checkUnexpired } from './clock.ts'
import type { Execution } from './execution.ts'
import { ExecutionError } from './execution-error.ts'

type KnownQuote = Quote & { readonly backend: Exclude<Quote['backend'], { type: 'unknown' }> }

/**
 * Returns the quote when it is unexpired and fully supported. Throws ExecutionError `expired` or `unsupported`. Called
 * before anything is sent.
 */
export const checkedQuote = ({ quote, now = Date.now() }: Execution): KnownQuote => {
  const { quoteId, backend, validity, actions } = quote
  const unsupported = (what: string, actionId?: string): ExecutionError =>
    new ExecutionError('unsupported', `quote ${quoteId} ${what}`, actionId === undefined ? {} : { actionId })
  if (validity.type !== 'expires_at')
    throw unsupported(`has a validity of the unknown type ${validity.type}; update @openrfq/sdk`)
  checkUnexpired(quote, now)
  if (backend.type === 'unknown')
    throw unsupported(`is of the unknown backend ${backend.wireType}; update @openrfq/sdk`)
  if (actions.length === 0) throw unsupported('has no actions')
  const unknown = actions.find(({ type }) => !ActionType.safeParse(type).success)
  if (unknown !== undefined)
    throw unsupported(`has an action of the unknown type ${unknown.type}; update @openrfq/sdk`, unknown.id)
  return { ...quote, backend }
}

/** An action with a payload of one type. */
export type ActionOf<Type extends Action['payload']['type']> = Action & {
  readonly payload: Extract<Action['payload'], { type: Type }>
}

/** The actions of a quote, which must all have this payload type. Throws ExecutionError `unsupported`. */
export const actionsOf = <Type extends Action['payload']['type']>(
  { actions }: Quote,
  type: Type,
): readonly ActionOf<Type>[] =>
  actions.map((action) => {
    if (hasPayload(action, type)) return action
    const { payload, id: actionId } = action
    const found = payload.type === 'unknown' ? payload.wireType : payload.type
    throw new ExecutionError('unsupported', `a wallet for ${type} cannot run ${found}`, { actionId })
  })

const hasPayload = <Type extends Action['payload']['type']>(
  action: Action,
  type: Type,
): action is ActionOf<Type> => action.payload.type === type
