import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from 'viem'
import type { Hex, SandboxChain } from '../deployment-types.ts'

/** The hub's record of an interchain token on one chain. */
export type TokenFacts = { readonly name: string; readonly symbol: string; readonly decimals: number }

/** A chain that the hub sends to. */
type HubChain = Pick<SandboxChain, 'axelarName' | 'maxUintBits' | 'maxDecimalsWhenTruncating'>

/** Reads a token by its id; undefined when the chain has none. */
export type TokenReader<Chain> = (chain: Chain, tokenId: Hex) => Promise<TokenFacts | undefined>

/** The hub's result for a message: a second hop, a deployment to record, or a permanent rejection. */
export type HubDecision<Chain> =
  | {
      readonly outcome: 'forward'
      readonly destination: Chain
      readonly payload: Hex
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
  | { readonly outcome: 'rejected'; readonly reason: string }

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

type Limits = Pick<SandboxChain, 'maxUintBits' | 'maxDecimalsWhenTruncating'>

/** Decimals of a token deployed to another chain. Source: axelar-amplifier, its-hub interceptors. */
export const decimalsOnDeployment = (decimals: number, source: Limits, destination: Limits): number =>
  source.maxUintBits <= destination.maxUintBits
    ? decimals
    : Math.min(destination.maxDecimalsWhenTruncating, decimals)

/**
 * The amount that arrives, in base units of the destination, rounded down. Undefined when the hub rejects it: zero, or
 * more than the destination can represent. Source: axelar-amplifier, its-hub interceptors.
 */
export const scaledAmount = (
  amount: bigint,
  sourceDecimals: number,
  destinationDecimals: number,
  maxUintBits: number,
): bigint | undefined => {
  const scaled =
    sourceDecimals > destinationDecimals
      ? amount / 10n ** BigInt(sourceDecimals - destinationDecimals)
      : amount * 10n ** BigInt(destinationDecimals - sourceDecimals)
  return scaled === 0n || scaled >= 2n ** BigInt(maxUintBits) ? undefined : scaled
}

const rejected = (reason: string): HubDecision<never> => ({ outcome: 'rejected', reason })

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
  if (atSource === undefined)
    return rejected(`token ${tokenId} is not registered on chain ${source.axelarName}`)
  const atDestination = await readToken(destination, tokenId)
  if (atDestination === undefined)
    return rejected(`token ${tokenId} is not registered on chain ${destination.axelarName}`)
  const received = scaledAmount(amount, atSource.decimals, atDestination.decimals, destination.maxUintBits)
  if (received === undefined) return rejected(`invalid transfer amount ${amount} of token ${tokenId}`)
  const scaled = encodeAbiParameters(TRANSFER_PARAMETERS, [TRANSFER, tokenId, from, to, received, text])
  return {
    outcome: 'forward',
    destination,
    payload: wrap(source, scaled),
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
  return { outcome: 'forward', destination, payload: wrap(source, scaled), transfer: null }
}

const decode = <Value>(read: () => Value): Value | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/**
 * Processes an ITS message of `source` as the ITS hub does. Rejects only when reading a token fails; then nothing is
 * decided. Source: axelar-amplifier, its-hub.
 */
export const decideHub = async <Chain extends HubChain>(
  source: Chain,
  payload: Hex,
  chains: readonly Chain[],
  readToken: TokenReader<Chain>,
): Promise<HubDecision<Chain>> => {
  const kind = decode(() => decodeAbiParameters(TYPE, payload)[0])
  if (kind === REGISTER_METADATA) return { outcome: 'noted' }
  if (kind !== SEND_TO_HUB) return rejected(`unknown hub message type ${kind ?? 'none'}`)
  const wrapped = decode(() => decodeAbiParameters(WRAPPED, payload))
  if (wrapped === undefined) return rejected('malformed hub message')
  const [, destinationName, inner] = wrapped
  const destination = chains.find((chain) => chain.axelarName === destinationName)
  if (destination === undefined) return rejected(`chain ${destinationName} is not registered with the hub`)
  if (destination === source) return rejected(`message from chain ${destinationName} to itself`)
  const innerKind = decode(() => decodeAbiParameters(TYPE, inner)[0])
  if (innerKind === LINK)
    return { outcome: 'forward', destination, payload: wrap(source, inner), transfer: null }
  if (innerKind === DEPLOY)
    return decode(() => decideDeployment(source, destination, inner)) ?? rejected('malformed deployment')
  if (innerKind !== TRANSFER) return rejected(`unknown message type ${innerKind ?? 'none'}`)
  if (decode(() => decodeAbiParameters(TRANSFER_PARAMETERS, inner)) === undefined)
    return rejected('malformed transfer')
  return decideTransfer(source, destination, inner, readToken)
}
