import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Solver } from '../src/intents/solver-api/best-offers.ts'
import {
  encodeSolverMessage,
  ServiceMessage,
  type SolverMessage,
  type StandingQuote,
} from '../src/intents/solver-api/protocol.ts'
import { loginText, quotesText } from '../src/intents/solver-api/signed-text.ts'

/** Tests only: solver keys that are used nowhere else, and signed frames of those solvers. */
export const KEYS: readonly PrivateKeyAccount[] = ['11', '22', '33'].map((byte) =>
  privateKeyToAccount(`0x${byte.repeat(32)}`),
)

export const solverOf = (account: PrivateKeyAccount, name: string): Solver => ({
  name,
  address: account.address,
})

type Challenge = { readonly service: string; readonly nonce: string }

export const readServiceMessage = (frame: string): ServiceMessage => ServiceMessage.parse(JSON.parse(frame))

export const loginFrame = async (
  account: PrivateKeyAccount,
  challenge: Challenge,
  changes: Partial<Extract<SolverMessage, { type: 'login' }>> = {},
): Promise<string> => {
  const { address } = account
  const signature = await account.signMessage({ message: loginText({ ...challenge, address }) })
  return encodeSolverMessage({ type: 'login', version: 1, address, signature, ...changes })
}

export const quotesFrame = async (
  account: PrivateKeyAccount,
  challenge: Challenge,
  sequence: number,
  pairs: StandingQuote[],
): Promise<string> => {
  const signature = await account.signMessage({ message: quotesText(challenge, { sequence, pairs }) })
  return encodeSolverMessage({ type: 'quotes', sequence, pairs, signature })
}
