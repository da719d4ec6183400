import type { IntentTrackDeps } from '../src/backends/intent/track.ts'

/** The escrow programs of a network that has none. */
export const NO_ESCROWS: IntentTrackDeps['escrows'] = {
  factsOf: () => undefined,
  isRefundInFlight: () => false,
  payerOf: async () => undefined,
  follow: () => undefined,
}
