import type { GuardCode } from './guard-code.ts'
import { type Guarded, type Guards, ofToken } from './guards.ts'

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
 * Refuses a transfer of an asset that is not the input and the output. `asset` is what the call names, undefined where it names
 * a symbol. Throws what `refuse` throws.
 */
export const checkAsset = (
  { quote: { input, output }, lacks }: Guarded,
  known: Guards['tokenIds'],
  asset: string | undefined,
  refuse: Refuse,
): void => {
  const [paid, received] = [input, output].map(({ chain, token }) =>
    ofToken(known, chain, token)?.toLowerCase(),
  )
  const sent = asset?.toLowerCase() ?? paid
  if ((paid ?? sent) !== sent || (sent !== undefined && (received ?? sent) !== sent))
    refuse('token_id', `sends ${sent}, the input is ${paid} and the output ${received}`)
  if (sent === undefined || received === undefined) lacks('output_token')
}
