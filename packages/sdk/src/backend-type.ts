import { z } from 'zod'

/** The execution routes the interface names; their order breaks ranking ties last. */
export const BackendType = z.enum(['intent', 'its', 'gateway', 'gateway-express'])
export type BackendType = z.infer<typeof BackendType>
