import assert from 'node:assert/strict'
import { ConfigError } from '../core/config-error.ts'
import type { NetworkChain } from '../core/network.ts'
import type { Backend, RunningBackend } from './backend.ts'
import type { BackendDefinition, BackendDeps } from './backend-definition.ts'
import { unpriced } from './decline.ts'

const TYPE = /^[a-z][a-z0-9-]{0,31}$/

/** Operations of a backend that the network does not configure. */
const NOT_CONFIGURED: RunningBackend = {
  serves: () => false,
  routes: () => [],
  quote: async () => unpriced('the backend is not configured'),
  track: async () => ({ seen: 'unreadable', details: {} }),
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
}

/** What a backend that is switched off does not do: it goes on with what was sent. */
const SWITCHED_OFF = {
  serves: () => false,
  routes: () => [],
  quote: async () => unpriced('the backend is switched off'),
} as const satisfies Partial<RunningBackend>

/**
 * Creates the service's backends without starting them. One that the network does not configure serves nothing, but its
 * contracts are still rejected; one that is not among those switched `on` serves nothing, and its transfers are still followed.
 * Throws ConfigError for an operator's mistake; asserts that types are well-formed and unique.
 */
export const createBackends = (
  definitions: readonly BackendDefinition[],
  deps: BackendDeps,
  on: ReadonlySet<string> = new Set(definitions.map(({ type }) => type)),
): readonly Backend[] => {
  const types = definitions.map(({ type }) => type)
  for (const type of types) assert.match(type, TYPE)
  assert.equal(new Set(types).size, types.length, `a backend type is listed twice: ${types.join(', ')}`)
  checkSettings(types, deps.catalog.chains)
  checkSwitches(types, on)
  return definitions.map(({ type, name, contracts, messageEvent, create }) => ({
    type,
    name,
    contracts,
    messageEvent,
    ...(create(deps) ?? NOT_CONFIGURED),
    ...(on.has(type) ? {} : SWITCHED_OFF),
  }))
}

/** Throws ConfigError where a backend is switched on that does not exist. */
const checkSwitches = (types: readonly string[], on: ReadonlySet<string>): void => {
  const unknown = [...on].find((type) => !types.includes(type))
  if (unknown !== undefined)
    throw new ConfigError(`environment BACKENDS: ${unknown} is not a backend; there are ${types.join(', ')}`)
}

/** Throws ConfigError for settings that no backend reads. */
const checkSettings = (types: readonly string[], chains: readonly NetworkChain[]): void => {
  for (const { chainId, backends = {} } of chains) {
    const unread = Object.keys(backends).find((type) => !types.includes(type))
    if (unread !== undefined)
      throw new ConfigError(
        `chain ${chainId}: backends.${unread} is not a backend; there are ${types.join(', ')}`,
      )
  }
}
