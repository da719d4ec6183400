const RESOLVED = Promise.resolve()

/**
 * Awaited between the steps of an answer, so that all requests of one turn of the event loop take a step before any takes
 * the next: what a step needs of code and data is then in the processor's caches for all but the first.
 */
export const inStep = (): Promise<void> => RESOLVED
