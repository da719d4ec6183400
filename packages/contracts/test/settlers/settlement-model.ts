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
  'refund',
  'fill',
  'fill as a stranger',
  'prove',
  'execute the proof',
  'execute a hostile chain’s proof',
  'claim',
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

const later = <Phase extends number>(phase: Phase, last: Phase): Phase | null =>
  // CAST: the next of a row of numbers that ends with `last`.
  phase === last ? null : ((phase + 1) as Phase)

const atOrigin = (state: State, action: Action): State | null => {
  const { origin, originPhase, isProofSent } = state
  switch (action) {
    case 'open':
      return origin === 'none' && originPhase === 0 ? { ...state, origin: 'open' } : null
    case 'decline':
      // After the refund is due, the solver refunds like anybody.
      return origin === 'open' && originPhase !== 2
        ? { ...state, origin: 'refunded', isDeclined: originPhase <= 1 }
        : null
    case 'refund':
      return origin === 'open' && originPhase === 3 ? { ...state, origin: 'refunded' } : null
    case 'execute the proof':
      return isProofSent ? { ...state, origin: origin === 'open' ? 'proven' : origin } : null
    case 'execute a hostile chain’s proof':
      return state
    case 'claim':
      return origin === 'proven' ? { ...state, origin: 'released' } : null
    default: {
      const phase = later(originPhase, 3)
      return phase === null ? null : { ...state, originPhase: phase }
    }
  }
}

/** What an action leads to; null when the contracts must refuse it. */
export const step = (state: State, action: Action): State | null => {
  const { filled, destinationPhase } = state
  switch (action) {
    case 'fill':
      return filled === null && destinationPhase <= 1 ? { ...state, filled: 'solver' } : null
    case 'fill as a stranger': {
      const isCareful = state.origin === 'open' && state.originPhase >= 2
      return filled === null && destinationPhase === 1 ? { ...state, filled: 'stranger', isCareful } : null
    }
    case 'prove':
      return filled === null ? null : { ...state, isProofSent: true }
    case 'pass time at the destination': {
      const phase = later(destinationPhase, 2)
      return phase === null ? null : { ...state, destinationPhase: phase }
    }
    default:
      return atOrigin(state, action)
  }
}

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
