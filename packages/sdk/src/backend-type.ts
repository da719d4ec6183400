import { z } from 'zod'

/** The execution routes of the interface; their order is the last tie-breaker in the ranking. */
export const BackendType = z.enum(['intent', 'its', 'gateway', 'gateway-express'])
export type BackendType = z.infer<typeof BackendType>
