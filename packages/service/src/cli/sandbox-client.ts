import { ChainId, ChainType, TransportError } from '@openrfq/sdk'
import { z } from 'zod'
import { ask } from './ask.ts'

/**
 * The sandbox's description of itself: chains and how to reach them, funded accounts with their keys, and the names of
 * its Stellar tokens.
 */
const SandboxInfo = z.object({
  chains: z.array(
    z.object({
      chainId: ChainId,
      chainType: ChainType,
      rpcUrl: z.string(),
      subscriptionsUrl: z.string().optional(),
      networkPassphrase: z.string().optional(),
    }),
  ),
  accounts: z.array(z.object({ chainType: ChainType, address: z.string(), privateKey: z.string() })),
  tokens: z
    .array(
      z.object({
        chainId: ChainId,
        stellar: z.object({ code: z.string(), issuer: z.string() }).optional(),
      }),
    )
    .default([]),
})
export type SandboxInfo = z.infer<typeof SandboxInfo>

/** The modes of the sandbox's solvers. */
type SolverMode = 'normal' | 'paused' | 'declining' | 'slow' | 'late' | 'short'

/** The sandbox behind a service; both calls throw TransportError without a usable answer. */
export type SandboxClient = {
  /** Undefined if the service serves real chains. */
  readonly find: () => Promise<SandboxInfo | undefined>
  /** Sets the mode of all solvers of the sandbox. */
  readonly setSolverMode: (mode: SolverMode) => Promise<void>
}

/** Creates a client of the sandbox behind the service at `url`. */
export const createSandboxClient = (url: string): SandboxClient => ({
  find: async () => {
    const response = await ask(new URL('/sandbox', url))
    if (response.status === 404) return undefined
    const body = SandboxInfo.safeParse(await response.json().catch(() => undefined))
    if (response.status === 200 && body.success) return body.data
    throw new TransportError('malformed', `GET /sandbox answered HTTP ${response.status} out of shape`, false)
  },
  setSolverMode: async (mode) => {
    const { status } = await ask(new URL('/sandbox/solver', url), { mode })
    if (status !== 200)
      throw new TransportError('malformed', `POST /sandbox/solver answered HTTP ${status} to ${mode}`, false)
  },
})
