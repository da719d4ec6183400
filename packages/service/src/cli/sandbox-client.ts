import { ChainId, ChainType, TransportError } from '@openrfq/sdk'
import { z } from 'zod'

/**
 * What a sandbox tells of itself: how its chains are reached, its funded accounts with their keys in the text form of their
 * family, and what its Stellar tokens are called on their network.
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

/** What a sandbox's solvers can be told to do with deposits. */
type SolverMode = 'normal' | 'paused' | 'declining' | 'slow' | 'late' | 'short'

/** The sandbox behind a service; both calls throw TransportError when there is no usable answer. */
export type SandboxClient = {
  /** Undefined when the service serves real chains. */
  readonly find: () => Promise<SandboxInfo | undefined>
  /** What all solvers of the sandbox do from now on. */
  readonly setSolverMode: (mode: SolverMode) => Promise<void>
}

const TIMEOUT_MS = 10_000

/** The client of the sandbox behind the service at `url`. */
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

const ask = async (url: URL, body?: object): Promise<Response> => {
  const posted = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  try {
    return await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : posted),
    })
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'TimeoutError')
      throw new TransportError('timeout', `no answer from ${url} within ${TIMEOUT_MS} ms`, true, { cause })
    throw new TransportError('unreachable', `cannot reach ${url}`, true, { cause })
  }
}
