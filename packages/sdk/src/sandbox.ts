import { z } from 'zod'
import { ChainId, ChainType } from './chain.ts'
import { type Connection, sendRequest } from './send-request.ts'
import { ServiceFault } from './service-fault.ts'

/**
 * What a sandbox tells of itself: how its chains are reached, its funded accounts with their keys in the text form of their
 * family, and what its Stellar tokens are called on their network.
 */
export const SandboxInfo = z.object({
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

/** The sandbox behind the service, or undefined when it serves real chains. Throws ServiceFault when that stays unclear. */
export const findSandbox = async (connection: Connection): Promise<SandboxInfo | undefined> => {
  const answer = await sendRequest(connection, { method: 'GET', path: 'sandbox' })
  if (answer.status === 404) return undefined
  const body = SandboxInfo.safeParse(answer.json)
  if (answer.status === 200 && body.success) return body.data
  throw new ServiceFault('malformed', `GET sandbox answered HTTP ${answer.status} out of shape`, false)
}

/** What a sandbox's solvers can be told to do with deposits. */
export type SolverMode = 'normal' | 'paused' | 'declining' | 'slow' | 'late' | 'short'

/** Tells all solvers of a sandbox what to do from now on. Throws ServiceFault when there is no such sandbox. */
export const setSolverMode = async (connection: Connection, mode: SolverMode): Promise<void> => {
  const { status } = await sendRequest(connection, { method: 'POST', path: 'sandbox/solver', body: { mode } })
  if (status !== 200)
    throw new ServiceFault('malformed', `POST sandbox/solver answered HTTP ${status} to ${mode}`, false)
}
