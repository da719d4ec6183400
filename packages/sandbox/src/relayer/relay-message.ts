import { backoffMs } from 'openrfq/lib/backoff'
import { getAddress, isAddress, keccak256, toHex } from 'viem'
import {
  type GatewayAsset,
  type Hex,
  HUB,
  type ReceivingChain,
  type SandboxChain,
  type SignerSet,
} from '../deployment-types.ts'
import { type ChainGas, hopFee, type RelayGas } from './gas.ts'
import { approvalCommand, type Destination, execute, findExecution, runCommand } from './gateway-commands.ts'
import { decideHub, type Registration, refusalByState, type TokenReader } from './hub.ts'
import type { HubState } from './hub-state.ts'
import { type GasPayment, type Landing, type Message, type MessageCall, newMessage } from './message.ts'
import type { RelayHistory } from './relay-history.ts'

type RelayDeps = {
  readonly chains: readonly SandboxChain[]
  readonly receivers: readonly ReceivingChain[]
  readonly destinations: ReadonlyMap<string, Destination>
  readonly assets: readonly GatewayAsset[]
  readonly signerSet: SignerSet
  readonly gas: RelayGas
  readonly history: RelayHistory
  readonly hub: HubState
  readonly readToken: TokenReader<SandboxChain | ReceivingChain>
  /** The decimals of a token by its contract; undefined if there is none. */
  readonly readDecimals: (chain: SandboxChain | ReceivingChain, contract: Hex) => Promise<number | undefined>
  readonly now: () => number
}

/** Takes a message one step further and returns its new state. Rejects when a chain cannot be reached. */
export type RelayMessage = (message: Message) => Promise<Message>

const REFUSAL_RETRY = { firstMs: 1_000, maximumMs: 30_000 }

/** The time of the next attempt after a rejection, with growing pauses: only a change on the chain can help. */
const retryTime = (failures: number, nowMs: number): number => nowMs + backoffMs(REFUSAL_RETRY, failures)

const refused = (message: Message, reason: string, nowMs: number, final: boolean): Message => ({
  ...message,
  fault: { message: reason, timestampSeconds: Math.floor(nowMs / 1000), final },
  failures: message.failures + 1,
  retryAt: retryTime(message.failures + 1, nowMs),
})

const advanced = (message: Message): Message => ({ ...message, fault: null, failures: 0, retryAt: 0 })

const sumOf = (payments: readonly GasPayment[]): bigint =>
  payments.reduce((sum, payment) => sum + payment.amount, 0n)

/** Remaining gas of a message in wei of the paying chain: its own payments, or its first hop's remainder. */
export const gasLeft = (message: Message, history: RelayHistory, gas: RelayGas): bigint => {
  if (message.parentId === null) return sumOf(message.payments)
  const parent = history.messages.get(message.parentId)
  if (parent === undefined) return 0n
  const source = gas[parent.call.source]
  const hub = gas[parent.call.destination]
  if (source === undefined || hub === undefined) return 0n
  const spent = hopFee(source, hub)
  return sumOf(parent.payments) - spent.baseFee - spent.executionFee
}

/** The chain that paid for a message's relay. */
export const payerOf = (message: Message, history: RelayHistory, gas: RelayGas): ChainGas | undefined => {
  const parent = message.parentId === null ? message : history.messages.get(message.parentId)
  return parent === undefined ? undefined : gas[parent.call.source]
}

const shortage = (message: Message, { history, gas }: RelayDeps): Message['shortOf'] => {
  const payer = payerOf(message, history, gas)
  const destination = gas[message.call.destination]
  if (payer === undefined || destination === undefined) return 'base_fee'
  const fee = hopFee(payer, destination)
  const left = gasLeft(message, history, gas)
  if (left < fee.baseFee) return 'base_fee'
  return left < fee.baseFee + fee.executionFee ? 'execution_fee' : null
}

/** A chain's token service as events name it. */
const itsOf = (chain: SandboxChain | ReceivingChain): string =>
  'deliver' in chain ? chain.its : getAddress(chain.its)

/** The hub's outgoing call; its hash is derived from the first hop, so repeating it gives the same message. */
const secondHop = (
  first: Message,
  destination: SandboxChain | ReceivingChain,
  payload: Hex,
  nowMs: number,
): MessageCall => ({
  event: 'ContractCall',
  source: HUB.chain,
  landing: {
    txHash: keccak256(toHex(`${HUB.address}_${first.id}`)),
    blockNumber: BigInt(Math.floor(nowMs / 1000)),
    timestampSeconds: Math.floor(nowMs / 1000),
  },
  transactionIndex: 0,
  logIndex: 0,
  eventIndex: 0,
  from: HUB.address,
  contract: HUB.address,
  sender: HUB.address,
  destination: destination.axelarName,
  destinationAddress: itsOf(destination),
  payload,
  payloadHash: keccak256(payload),
})

/** When the router is asked again about a chain that it has frozen. */
const ROUTER_RETRY_MS = 1_000

/** A message that the hub refuses: the gateway before it has approved it, and anybody may have it executed later. */
const refusedAtHub = (message: Message, approved: Landing, reason: string, nowMs: number): Message => ({
  ...refused(message, reason, nowMs, false),
  approved: message.approved ?? approved,
  retryAt: Number.MAX_SAFE_INTEGER,
})

/** The decimals of tokens that a message makes known; undefined if one has no contract. */
const withDecimals = async (
  registrations: readonly Registration<SandboxChain | ReceivingChain>[],
  { readDecimals }: RelayDeps,
) => {
  const known = await Promise.all(
    registrations.map(async ({ chain, decimals, ...rest }) => ({
      ...{ ...rest, chain },
      decimals: typeof decimals === 'number' ? decimals : await readDecimals(chain, decimals.of),
    })),
  )
  return known.flatMap(({ decimals, ...rest }) => (decimals === undefined ? [] : { ...rest, decimals }))
}

const relayToHub = async (message: Message, deps: RelayDeps): Promise<Message> => {
  const { call } = message
  const { hub } = deps
  const nowMs = deps.now()
  if (call.destinationAddress !== HUB.address) return { ...message, invalid: 'invalid_contract_address' }
  const shortOf = shortage(message, deps)
  if (shortOf !== null) return { ...message, shortOf }
  if (hub.has('router_disabled') || hub.has('router_frozen', { chain: call.source }))
    return { ...message, shortOf, retryAt: nowMs + ROUTER_RETRY_MS }
  const known = [...deps.chains, ...deps.receivers]
  const source = known.find((chain) => chain.axelarName === call.source)
  const landing = {
    txHash: keccak256(toHex(`${HUB.address}_${message.id}`)),
    blockNumber: BigInt(Math.floor(nowMs / 1000)),
    timestampSeconds: Math.floor(nowMs / 1000),
  }
  const refuse = (reason: string): Message => refusedAtHub({ ...message, shortOf }, landing, reason, nowMs)
  const refusal = refusalByState(hub, { ...call, its: source && itsOf(source) })
  if (refusal !== undefined || source === undefined)
    return refuse(refusal ?? `chain not found ${call.source}`)
  const decision = await decideHub<SandboxChain | ReceivingChain>(
    source,
    call.payload,
    known,
    async (chain, tokenId) => {
      const instance = hub.instanceOf(chain.axelarName, tokenId)
      const facts = instance && (await deps.readToken(chain, tokenId))
      return facts && { ...facts, decimals: instance.decimals }
    },
  )
  if (decision.outcome === 'refused') {
    const { isFinal, reason } = decision
    return isFinal
      ? { ...refused({ ...message, shortOf }, reason, nowMs, true), approved: message.approved ?? landing }
      : refuse(reason)
  }
  const done = { ...advanced(message), shortOf, approved: message.approved ?? landing, executed: landing }
  if (decision.outcome === 'noted') return done
  const { destination, payload, transfer, registrations } = decision
  if (hub.has('router_frozen', { chain: destination.axelarName })) return refuse('chain is frozen')
  const tokens = await withDecimals(registrations, deps)
  if (tokens.length < registrations.length) return refuse('token not registered')
  for (const { chain, tokenId, supply, decimals } of tokens)
    hub.register(chain.axelarName, tokenId, { supply, decimals })
  const next = newMessage(secondHop(message, destination, payload, nowMs), [], message.id, nowMs)
  if (deps.history.messages.get(next.id) === undefined) deps.history.messages.put(next)
  if (transfer !== null)
    hub.move({ ...transfer, source: source.axelarName, destination: destination.axelarName })
  return {
    ...done,
    childId: next.id,
    transfer: transfer === null ? null : { ...transfer, destination: destination.axelarName },
  }
}

/**
 * The symbol of a message's token on its destination; null without a token, undefined when the destination lacks it.
 */
const destinationSymbol = (
  { token, source, destination }: MessageCall,
  assets: readonly GatewayAsset[],
): string | null | undefined => {
  if (token === undefined) return null
  return assets.find((asset) => asset.symbols[source] === token.symbol)?.symbols[destination]
}

const relayToChain = async (
  message: Message,
  destination: Destination,
  deps: RelayDeps,
): Promise<Message> => {
  const { destinationAddress } = message.call
  if (!isAddress(destinationAddress, { strict: false }))
    return { ...message, invalid: 'invalid_contract_address' }
  const contract = getAddress(destinationAddress)
  const symbol = destinationSymbol(message.call, deps.assets)
  if (symbol === undefined) return { ...message, invalid: 'invalid_call' }
  const shortOf = shortage(message, deps)
  const known = { ...message, shortOf }
  if (shortOf === 'base_fee') return known
  if (known.approved === null) {
    const command = approvalCommand(known, contract, symbol)
    const attempt = await runCommand(destination, deps.signerSet, command)
    return attempt.landed
      ? { ...advanced(known), approved: attempt.landing }
      : refused(known, attempt.reason, deps.now(), false)
  }
  if (shortOf !== null) {
    const executed = await findExecution(destination, known, contract, symbol)
    return executed === undefined ? known : { ...advanced(known), executed }
  }
  if ((await destination.reader.client.getCode({ address: contract })) === undefined)
    return { ...known, invalid: 'invalid_contract_address' }
  const attempt = await execute(destination, known, contract, symbol)
  if (!attempt.landed && attempt.unapproved === true) return { ...known, approved: null }
  return attempt.landed
    ? { ...advanced(known), executed: attempt.landing }
    : refused(known, attempt.reason, deps.now(), false)
}

const relayToReceiver = async (
  message: Message,
  receiver: ReceivingChain,
  deps: RelayDeps,
): Promise<Message> => {
  const { source, sender, destinationAddress, payload } = message.call
  if (source !== HUB.chain || destinationAddress !== receiver.its)
    return { ...message, invalid: 'invalid_contract_address' }
  const shortOf = shortage(message, deps)
  const known = { ...message, shortOf }
  if (shortOf !== null) return known
  const result = await receiver.deliver({
    sourceChain: source,
    messageId: message.id,
    sourceAddress: sender,
    payload,
  })
  if (!result.landed) return refused(known, result.reason, deps.now(), false)
  const { txHash, ledger, timestampSeconds } = result
  const landing = { txHash, blockNumber: BigInt(ledger), timestampSeconds }
  return { ...advanced(known), approved: landing, executed: landing }
}

/** Carries messages to the hub and to the chains. A message short of gas changes only its `shortOf`. */
export const createRelayMessage =
  (deps: RelayDeps): RelayMessage =>
  (message) => {
    if (message.call.destination === HUB.chain) return relayToHub(message, deps)
    const receiver = deps.receivers.find(({ axelarName }) => axelarName === message.call.destination)
    if (receiver !== undefined) return relayToReceiver(message, receiver, deps)
    const destination = deps.destinations.get(message.call.destination)
    if (destination === undefined)
      return Promise.resolve({ ...message, invalid: 'invalid_destination_chain' })
    return relayToChain(message, destination, deps)
  }

/** Lets every message that waits refused at the hub be executed again, as any account may. */
export const executeRefused = ({ messages }: RelayHistory): void => {
  for (const message of messages.open())
    if (message.call.destination === HUB.chain && message.fault !== null)
      messages.put({ ...message, fault: null, retryAt: 0 })
}
