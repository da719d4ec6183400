import type { RecordedQuote, Recovery, Status } from '@openrfq/sdk'
import { aboutText } from '../shared/text.ts'

/** What a person has to do for the refund; beside a button it never says that there is nothing to do. */
export const refundText = (
  { state }: Pick<Status, 'state'>,
  { automatic, keeper, expectedSeconds }: NonNullable<RecordedQuote['refund']>,
  recoveries: readonly Pick<Recovery, 'leadsTo'>[],
): string => {
  if (recoveries.some(({ leadsTo }) => leadsTo === 'REFUNDED'))
    return keeper === false
      ? 'This service submits no refunds on that chain. Under “What you can do” you or anybody can do it now; the money is paid once, to the address below.'
      : 'The service refunds you by itself. Under “What you can do” anybody can do it sooner; the money is paid once.'
  if (keeper === false && state !== 'REFUND_INITIATED')
    return 'Your money waits for you when it cannot be delivered: this service submits no refunds on that chain. From then on this page shows, under “What you can do”, how you or anybody can submit it; it pays only the address below.'
  const nothingToDo = recoveries.length === 0 ? ' You need to do nothing.' : ''
  if (state.startsWith('REFUND')) return `Your money comes back by itself.${nothingToDo}`
  if (!automatic)
    return "There is no refund: a delivery that fails can be tried again by anybody, but the token's issuer and Axelar can stop it."
  return `Your money comes back by itself, within about ${aboutText(expectedSeconds)} of the payment.${nothingToDo}`
}
