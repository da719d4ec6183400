import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from 'viem'
import type { Hex, SandboxChain } from '../deployment-types.ts'
import type { HubState, TokenInstance } from './hub-state.ts'

/** The hub's record of an interchain token on one chain. */
export type TokenFacts = { readonly name: string; readonly symbol: string; readonly decimals: number }

/** A chain that the hub sends to. */
type HubChain = Pick<SandboxChain, 'axelarName' | 'maxUintBits' | 'maxDecimalsWhenTruncating'>

/** Reads a token by its id; undefined when the chain has none. */
export type TokenReader<Chain> = (chain: Chain, tokenId: Hex) => Promise<TokenFacts | undefined>

/** A token that a message makes known to the hub on a chain; its decimals, or the contract that has them. */
export type Registration<Chain> = {
  readonly chain: Chain
  readonly tokenId: Hex
  readonly supply: TokenInstance['supply']
  readonly decimals: number | { readonly of: Hex }
}

/**
 * The hub's result for a message: a second hop, a deployment to record, or a refusal, which is final where no state of the hub can change it.
 */
export type HubDecision<Chain> =
  | {
      readonly outcome: 'forward'
      readonly destination: Chain
      readonly payload: Hex
      readonly registrations: readonly Registration<Chain>[]
      readonly transfer:
        | (TokenFacts & {
            readonly tokenId: Hex
            readonly amount: bigint
            readonly amountReceived: bigint
            readonly destinationAddress: Hex
          })
        | null
    }
  | { readonly outcome: 'noted' }
  | { readonly outcome: 'refused'; readonly reason: string; readonly isFinal: boolean }

const SEND_TO_HUB = 3n
const RECEIVE_FROM_HUB = 4n
const TRANSFER = 0n
const DEPLOY = 1n
const LINK = 5n
const REGISTER_METADATA = 6n

const TYPE = parseAbiParameters('uint256')
const WRAPPED = parseAbiParameters('uint256, string, bytes')
const TRANSFER_PARAMETERS = parseAbiParameters('uint256, bytes32, bytes, bytes, uint256, bytes')
const DEPLOY_PARAMETERS = parseAbiParameters('uint256, bytes32, string, string, uint8, bytes')
const LINK_PARAMETERS = parseAbiParameters('uint256, bytes32, uint256, bytes, bytes, bytes')

type Limits = Pick<SandboxChain, 'maxUintBits' | 'maxDecimalsWhenTruncating'>

/** Decimals of a token deployed to another chain. Source: axelar-amplifier, its-hub interceptors. */
export const decimalsOnDeployment = (decimals: number, source: Limits, destination: Limits): number =>
  source.maxUintBits <= destination.maxUintBits
    ? decimals
    : Math.min(destination.maxDecimalsWhenTruncating, decimals)

/**
 * The amount that arrives, in base units of the destination, rounded down. Undefined when the hub refuses it: zero, or
 * scaled to more than the destination can represent. Source: axelar-amplifier, its-hub interceptors.
 */
export const scaledAmount = (
  amount: bigint,
  sourceDecimals: number,
  destinationDecimals: number,
  maxUintBits: number,
): bigint | undefined => {
  if (sourceDecimals === destinationDecimals) return amount === 0n ? undefined : amount
  const scaled =
    sourceDecimals > destinationDecimals
      ? amount / 10n ** BigInt(sourceDecimals - destinationDecimals)
      : amount * 10n ** BigInt(destinationDecimals - sourceDecimals)
  return scaled === 0n || scaled >= 2n ** BigInt(maxUintBits) ? undefined : scaled
}

const refused = (reason: string): HubDecision<never> => ({ outcome: 'refused', reason, isFinal: false })
const refusedForEver = (reason: string): HubDecision<never> => ({ outcome: 'refused', reason, isFinal: true })

const notDeployed = (tokenId: Hex, { axelarName }: Pick<HubChain, 'axelarName'>): string =>
  `token ${tokenId} not deployed on chain ${axelarName}`

const wrap = (source: HubChain, inner: Hex): Hex =>
  encodeAbiParameters(WRAPPED, [RECEIVE_FROM_HUB, source.axelarName, inner])

const decideTransfer = async <Chain extends HubChain>(
  source: Chain,
  destination: Chain,
  inner: Hex,
  readToken: TokenReader<Chain>,
): Promise<HubDecision<Chain>> => {
  const [, tokenId, from, to, amount, text] = decodeAbiParameters(TRANSFER_PARAMETERS, inner)
  const atSource = await readToken(source, tokenId)
  if (atSource === undefined) return refused(notDeployed(tokenId, source))
  const atDestination = await readToken(destination, tokenId)
  if (atDestination === undefined) return refused(notDeployed(tokenId, destination))
  const received = scaledAmount(amount, atSource.decimals, atDestination.decimals, destination.maxUintBits)
  if (received === undefined)
    return refusedForEver(
      `invalid transfer amount ${amount} from chain ${source.axelarName} to chain ${destination.axelarName}`,
    )
  if (received >= 2n ** BigInt(destination.maxUintBits)) return refusedForEver('translation failed')
  const scaled = encodeAbiParameters(TRANSFER_PARAMETERS, [TRANSFER, tokenId, from, to, received, text])
  return {
    outcome: 'forward',
    destination,
    payload: wrap(source, scaled),
    registrations: [],
    transfer: { ...atSource, tokenId, amount, amountReceived: received, destinationAddress: to },
  }
}

const decideDeployment = <Chain extends HubChain>(
  source: Chain,
  destination: Chain,
  inner: Hex,
): HubDecision<Chain> => {
  const [, tokenId, name, symbol, decimals, minter] = decodeAbiParameters(DEPLOY_PARAMETERS, inner)
  const given = decimalsOnDeployment(decimals, source, destination)
  const scaled = encodeAbiParameters(DEPLOY_PARAMETERS, [DEPLOY, tokenId, name, symbol, given, minter])
  return {
    outcome: 'forward',
    destination,
    payload: wrap(source, scaled),
    registrations: [
      { chain: source, tokenId, supply: 'untracked', decimals },
      { chain: destination, tokenId, supply: minter === '0x' ? 0n : 'untracked', decimals: given },
    ],
    transfer: null,
  }
}

const decideLink = <Chain extends HubChain>(
  source: Chain,
  destination: Chain,
  inner: Hex,
): HubDecision<Chain> => {
  const [, tokenId, , here, there] = decodeAbiParameters(LINK_PARAMETERS, inner)
  return {
    outcome: 'forward',
    destination,
    payload: wrap(source, inner),
    registrations: [
      { chain: source, tokenId, supply: 'untracked', decimals: { of: here } },
      { chain: destination, tokenId, supply: 'untracked', decimals: { of: there } },
    ],
    transfer: null,
  }
}

const decode = <Value>(read: () => Value): Value | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** A message as the hub receives it. `its`: the token service that it knows of the source; undefined for a chain that it does not. */
export type HubCall = {
  readonly source: string
  readonly its: string | undefined
  readonly sender: string
  readonly payload: Hex
}

/**
 * Why the state of the hub refuses a message, in the order of its checks up to the supply of the source; undefined if it does
 * not. Source: axelar-amplifier, its-hub 1.3.
 */
export const refusalByState = (
  state: HubState,
  { source, its, sender, payload }: HubCall,
): string | undefined => {
  if (state.has('hub_disabled')) return 'execution is currently disabled'
  if (its === undefined) return `chain not found ${source}`
  if (its !== sender) return `unknown its address ${sender}`
  const [kind, destination, inner] = decode(() => decodeAbiParameters(WRAPPED, payload)) ?? []
  if (kind !== SEND_TO_HUB || destination === undefined || inner === undefined) return undefined
  const frozen = [source, destination].find((chain) => state.has('hub_frozen', { chain }))
  if (frozen !== undefined) return `chain ${frozen} is frozen`
  const [innerKind, tokenId, , , amount] = decode(() => decodeAbiParameters(TRANSFER_PARAMETERS, inner)) ?? []
  if (innerKind !== TRANSFER || tokenId === undefined || amount === undefined) return undefined
  const instance = state.instanceOf(source, tokenId)
  if (instance === undefined) return notDeployed(tokenId, { axelarName: source })
  return instance.supply !== 'untracked' && instance.supply < amount
    ? `token supply invariant violated for token ${tokenId} on chain ${source}`
    : undefined
}

/**
 * Processes an ITS message of `source` as the ITS hub does, whose state does not refuse it. Rejects only when reading a token
 * fails; then nothing is decided. Source: axelar-amplifier, its-hub.
 */
export const decideHub = async <Chain extends HubChain>(
  source: Chain,
  payload: Hex,
  chains: readonly Chain[],
  readToken: TokenReader<Chain>,
): Promise<HubDecision<Chain>> => {
  const kind = decode(() => decodeAbiParameters(TYPE, payload)[0])
  if (kind === REGISTER_METADATA) return { outcome: 'noted' }
  if (kind !== SEND_TO_HUB) return refusedForEver('invalid message type')
  const wrapped = decode(() => decodeAbiParameters(WRAPPED, payload))
  if (wrapped === undefined) return refusedForEver('failed to decode payload')
  const [, destinationName, inner] = wrapped
  const destination = chains.find((chain) => chain.axelarName === destinationName)
  if (destination === undefined) return refused(`chain not found ${destinationName}`)
  const malformed = refusedForEver('failed to decode payload')
  const innerKind = decode(() => decodeAbiParameters(TYPE, inner)[0])
  if (innerKind === LINK) return decode(() => decideLink(source, destination, inner)) ?? malformed
  if (innerKind === DEPLOY) return decode(() => decideDeployment(source, destination, inner)) ?? malformed
  if (innerKind !== TRANSFER || decode(() => decodeAbiParameters(TRANSFER_PARAMETERS, inner)) === undefined)
    return malformed
  return decideTransfer(source, destination, inner, readToken)
}
