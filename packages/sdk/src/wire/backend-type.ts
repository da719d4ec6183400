import * as z from 'zod/mini'

/**
 * The execution routes of the interface; their order is the last tie-breaker in the ranking.
 * @example
 * const tokens = await createClient({ baseUrl: 'https://rfq.example' }).getTokens({ backend: 'its' })
 * for (const type of BackendType.options) console.log(type, tokens.some(({ backends }) => backends.includes(type)))
 */
export const BackendType = z.enum(['intent', 'its', 'gateway', 'gateway-express'])
export type BackendType = z.infer<typeof BackendType>
