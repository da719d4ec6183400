import type { Decline, Offer } from '../core/offer.ts'

type OnlyAnswer = Offer | Decline
type Answer = readonly [Offer] | Decline

const alone = (answer: OnlyAnswer): Answer => ('declined' in answer ? answer : [answer])

/** Wraps the result of a backend that has at most one offer; stays synchronous if the result is. */
export const toSingleOffer = (answer: OnlyAnswer | Promise<OnlyAnswer>): Answer | Promise<Answer> =>
  answer instanceof Promise ? answer.then(alone) : alone(answer)
