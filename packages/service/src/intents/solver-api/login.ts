import { isSignedBy } from '../../chains/evm/message-signature.ts'
import type { Solver } from './best-offers.ts'
import { PROTOCOL_VERSIONS, type RejectedReason, type SolverMessage } from './protocol.ts'
import { loginText } from './signed-text.ts'

/** What both sides sign: the service's name, and the nonce of this connection. */
export type Challenge = { readonly service: string; readonly nonce: string }

/** A solver that has proven its identity, and the version that it speaks. */
export type LoggedIn = { readonly solver: Solver; readonly version: number }

/**
 * The solver proven by a login message, or the reason for rejection. Checks the signature last, because it is
 * expensive.
 */
export const checkLogin = (
  message: SolverMessage | undefined,
  solvers: readonly Solver[],
  { service, nonce }: Challenge,
): LoggedIn | RejectedReason => {
  if (message?.type !== 'login') return 'login_expected'
  const { version, address, signature } = message
  if (!PROTOCOL_VERSIONS.includes(version)) return 'unsupported_version'
  const solver = solvers.find((known) => known.address.toLowerCase() === address.toLowerCase())
  if (solver === undefined) return 'unknown_solver'
  const signed = isSignedBy(loginText({ service, nonce, address }), signature, solver.address)
  return signed ? { solver, version } : 'bad_signature'
}
