import type { Backend } from '../src/backends/backend.ts'

/** A backend of type `its` that has no route, quotes nothing and sees no transfer, but for the given parts. */
export const testBackend = (parts: Partial<Backend> = {}): Backend => ({
  type: 'its',
  name: 'its',
  contracts: () => [],
  messageEvent: null,
  serves: () => true,
  routes: () => [],
  quote: async () => ({ declined: 'unpriced', reason: '' }),
  track: async () => ({ seen: 'nothing', details: {} }),
  start: async () => undefined,
  stop: async () => undefined,
  ...parts,
})
