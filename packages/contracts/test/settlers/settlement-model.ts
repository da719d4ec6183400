/** The origin's clock: until the open deadline, the exclusive time, the refund, and after it. */
export type OriginPhase = 0 | 1 | 2 | 3
/** The destination's clock: until the exclusive time, the fill deadline, and after it. */
export type DestinationPhase = 0 | 1 | 2
/** Who filled, and so who is repaid. */
export type Payee = 'solver' | 'stranger'

/**
 * One order between two chains whose clocks are independent. `isCareful` says that a stranger filled after it had seen
 * the order open at the origin past its exclusive time; `isDeclined` that the solver has declined the order.
 */
export type State = {
  readonly origin: 'none' | 'open' | 'refunded' | 'proven' | 'released'
  readonly filled: Payee | null
  readonly isProofSent: boolean
  readonly originPhase: OriginPhase
  readonly destinationPhase: DestinationPhase
  readonly isCareful: boolean
  readonly isDeclined: boolean
}

/** Everything that any party can try. */
export const ACTIONS = [
  'open',
  'decline',
  'decline as another account',
  'refund',
  'refund to another account',
  'fill',
  'fill as a stranger',
  'prove',
  'execute the proof',
  'execute a hostile chain’s proof',
  'claim',
  'claim to another account',
  'claim as another payee',
  'pass time at the origin',
  'pass time at the destination',
] as const
export type Action = (typeof ACTIONS)[number]

/** Before anything happened. */
export const START: State = {
  origin: 'none',
  filled: null,
  isProofSent: false,
  originPhase: 0,
  destinationPhase: 0,
  isCareful: false,
  isDeclined: false,
}

/** The errors that the contracts refuse actions with. */
export type Refusal =
  | 'OpenDeadlinePassed'
  | 'FillDeadlinePassed'
  | 'RefundTooEarly'
  | 'NotFiller'
  | 'NotPayee'
  | 'WrongKind'

const later = <Phase extends number>(phase: Phase, last: Phase): Phase | null =>
  // CAST: the next of a row of numbers that ends with `last`.
  phase === last ? null : ((phase + 1) as Phase)

const wrongKind = (isWrong: boolean): Refusal | null => (isWrong ? 'WrongKind' : null)

/** Why the contracts refuse a payment of the escrow; null if they pay it. */
const refusalOfPayment = ({ origin, originPhase }: State, action: Action): Refusal | null => {
  switch (action) {
    case 'decline':
      // After the refund is due, the solver refunds like any other account.
      return originPhase === 2 ? 'RefundTooEarly' : wrongKind(origin !== 'open')
    case 'decline as another account':
    case 'refund':
      return originPhase < 3 ? 'RefundTooEarly' : wrongKind(origin !== 'open')
    case 'refund to another account':
      return originPhase < 3 ? 'RefundTooEarly' : 'NotPayee'
    case 'claim':
      // An escrow that was never proven has no payee.
      return origin === 'proven' || origin === 'released' ? wrongKind(origin === 'released') : 'NotPayee'
    case 'claim to another account':
    case 'claim as another payee':
      return 'NotPayee'
    default:
      return null
  }
}

/** Why the contracts must refuse an action; null if they take it, or if no call exists for it. */
export const refusalOf = (state: State, action: Action): Refusal | null => {
  const { origin, originPhase, filled, destinationPhase } = state
  switch (action) {
    case 'open':
      return originPhase === 0 ? wrongKind(origin !== 'none') : 'OpenDeadlinePassed'
    case 'fill':
      return destinationPhase === 2 ? 'FillDeadlinePassed' : wrongKind(filled !== null)
    case 'fill as a stranger':
      if (destinationPhase === 1) return wrongKind(filled !== null)
      return destinationPhase === 0 ? 'NotFiller' : 'FillDeadlinePassed'
    case 'prove':
      return wrongKind(filled === null)
    default:
      return refusalOfPayment(state, action)
  }
}

/** What an action leads to that is not refused; null if there is nothing to do. */
const lead = (state: State, action: Action): State | null => {
  const { origin, originPhase, destinationPhase, isProofSent } = state
  switch (action) {
    case 'open':
      return { ...state, origin: 'open' }
    case 'decline':
      return { ...state, origin: 'refunded', isDeclined: originPhase <= 1 }
    case 'fill':
      return { ...state, filled: 'solver' }
    case 'fill as a stranger':
      return { ...state, filled: 'stranger', isCareful: origin === 'open' && originPhase >= 2 }
    case 'prove':
      return { ...state, isProofSent: true }
    case 'execute the proof':
      return isProofSent ? { ...state, origin: origin === 'open' ? 'proven' : origin } : null
    case 'execute a hostile chain’s proof':
      return state
    case 'claim':
      return { ...state, origin: 'released' }
    case 'pass time at the origin': {
      const phase = later(originPhase, 3)
      return phase === null ? null : { ...state, originPhase: phase }
    }
    case 'pass time at the destination': {
      const phase = later(destinationPhase, 2)
      return phase === null ? null : { ...state, destinationPhase: phase }
    }
    default:
      return { ...state, origin: 'refunded' }
  }
}

/** What an action leads to; null when the contracts must refuse it, or when no call exists for it. */
export const step = (state: State, action: Action): State | null =>
  refusalOf(state, action) === null ? lead(state, action) : null

/** A state as text, equal for equal states. */
export const keyOf = (state: State): string => JSON.stringify(state)

/** Every state that any order of actions reaches, by key, and every step between them. */
export const explore = () => {
  const states = new Map([[keyOf(START), START]])
  const steps: { readonly from: State; readonly action: Action; readonly to: State }[] = []
  for (const from of states.values())
    for (const action of ACTIONS) {
      const to = step(from, action)
      if (to === null) continue
      steps.push({ from, action, to })
      states.set(keyOf(to), to)
    }
  return { states: [...states.values()], steps }
}
