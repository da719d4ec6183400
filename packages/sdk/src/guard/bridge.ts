import type { GuardCode } from './guard-code.ts'
import { type Guarded, ofToken } from './guards.ts'

type Refuse = (guard: GuardCode, what: string) => never

/** Refuses an Axelar name that is not the destination's. Throws what `refuse` throws. */
export const checkAxelarChain = (
  { request, guards, lacks }: Guarded,
  called: string,
  refuse: Refuse,
): void => {
  const name = guards.bridge?.[request.toChain]?.name
  if (name === undefined) lacks('destination_chain')
  // Axelar compares names in any case.
  else if (called.toLowerCase() !== name.toLowerCase()) refuse('call_chain', `ends on ${called}`)
}

/**
 * Refuses a transfer of an interchain token that is not the input and the output. Throws what `refuse` throws.
 */
export const checkAsset = (
  { quote: { input, output }, guards: { tokenIds }, lacks }: Guarded,
  tokenId: string,
  refuse: Refuse,
): void => {
  const [paid, received] = [input, output].map(({ chain, token }) =>
    ofToken(tokenIds, chain, token)?.toLowerCase(),
  )
  const sent = tokenId.toLowerCase()
  if ((paid ?? sent) !== sent || (received ?? sent) !== sent)
    refuse('token_id', `sends ${sent}, the input is ${paid} and the output ${received}`)
  if (received === undefined) lacks('output_token')
}
