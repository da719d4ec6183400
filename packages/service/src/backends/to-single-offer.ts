import type { Decline, Offer } from '../core/offer.ts'

type OnlyAnswer = Offer | Decline
type Answer = readonly [Offer] | Decline

const alone = (answer: OnlyAnswer): Answer => ('declined' in answer ? answer : [answer])

/** The answer of a backend that never has more than one offer; at once when it is there. */
export const toSingleOffer = (answer: OnlyAnswer | Promise<OnlyAnswer>): Answer | Promise<Answer> =>
  answer instanceof Promise ? answer.then(alone) : alone(answer)
