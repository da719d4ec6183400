import { ListedToken } from '@openrfq/sdk'
import { z } from 'zod'
import { WebAddress } from './web-address.ts'

const { backends: _, ...identity } = ListedToken.shape

/** A token of the catalogue: its identity and how it is shown. The address is in the chain's canonical text form. */
export const Token = z.object({ ...identity, logoUrl: WebAddress.optional() })
export type Token = z.infer<typeof Token>
