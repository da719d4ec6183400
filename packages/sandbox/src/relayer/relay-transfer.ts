import { getAddress, isAddress } from 'viem'
import type { GatewayAsset, SignerSet } from '../deployment-types.ts'
import { type Destination, isCommandExecuted, mintCommand, runCommand } from './gateway-commands.ts'
import { messageIdOf } from './message.ts'
import type { TokenSent } from './receipt-events.ts'
import type { RelayHistory } from './relay-history.ts'
import { retryTime } from './relay-message.ts'
import { amountReceived, mintCommandId, type TokenTransfer } from './token-transfer.ts'

type TransferDeps = {
  readonly destinations: ReadonlyMap<string, Destination>
  readonly assets: readonly GatewayAsset[]
  readonly signerSet: SignerSet
  readonly history: RelayHistory
  readonly now: () => number
}

/** Takes a transfer one step further and returns its new state. Rejects when a chain cannot be reached. */
export type RelayTransfer = (transfer: TokenTransfer) => Promise<TokenTransfer>

/** The most transfer ids tried before giving up on finding one unused on the destination. */
const MOST_TRIED_IDS = 10_000

/** The initial state of a transfer; invalid when its asset is unknown or its destination lacks the asset. */
export const newTransfer = (
  source: string,
  sent: TokenSent,
  assets: readonly GatewayAsset[],
): TokenTransfer => {
  const asset = assets.find((candidate) => candidate.symbols[source] === sent.symbol)
  const fromFee = asset?.fees[source]
  const toFee = asset?.fees[sent.destination]
  const invalid =
    asset === undefined || fromFee === undefined || toFee === undefined
      ? `asset ${sent.symbol} of ${source} is not registered on ${sent.destination}`
      : isAddress(sent.recipient, { strict: false })
        ? null
        : `recipient ${sent.recipient} is not an address of ${sent.destination}`
  return {
    id: messageIdOf(sent.landing.txHash, sent.eventIndex),
    source,
    landing: sent.landing,
    sender: sent.sender,
    gateway: sent.gateway,
    destination: sent.destination,
    recipient: sent.recipient,
    denom: asset?.denom ?? sent.symbol,
    decimals: asset?.decimals ?? 0,
    amount: sent.amount,
    fee: (fromFee ?? 0n) + (toFee ?? 0n),
    carriedIds: [],
    carriedAmount: 0n,
    carriedBy: null,
    transferId: null,
    minted: null,
    invalid,
    fault: null,
    failures: 0,
    retryAt: 0,
  }
}

const isCarriable = (candidate: TokenTransfer, transfer: TokenTransfer): boolean =>
  candidate.id !== transfer.id &&
  candidate.invalid === null &&
  candidate.transferId === null &&
  candidate.carriedBy === null &&
  candidate.amount <= candidate.fee &&
  candidate.denom === transfer.denom &&
  candidate.destination === transfer.destination &&
  candidate.recipient.toLowerCase() === transfer.recipient.toLowerCase()

/** Earlier transfers to the same recipient that did not exceed their fee. Source: axelar-core, nexus. */
const withCarried = (transfer: TokenTransfer, history: RelayHistory): TokenTransfer => {
  const carried: TokenTransfer[] = []
  for (const candidate of history.transfers.all())
    if (isCarriable(candidate, transfer)) carried.push(candidate)
  return {
    ...transfer,
    carriedIds: carried.map(({ id }) => id),
    carriedAmount: carried.reduce((sum, { amount }) => sum + amount, 0n),
  }
}

/** Carries gateway tokens: numbers each transfer once it exceeds its fee, and mints at the destination. */
export const createRelayTransfer = (deps: TransferDeps): RelayTransfer => {
  const { destinations, history, signerSet, now } = deps
  let lastTransferId = 0n

  const nextTransferId = async ({ reader }: Destination): Promise<bigint> => {
    for (let tried = 0; tried < MOST_TRIED_IDS; tried += 1) {
      lastTransferId += 1n
      const candidate = lastTransferId
      if (!(await isCommandExecuted(reader, mintCommandId(candidate)))) return candidate
    }
    throw new Error(`no free transfer id on ${reader.chain.axelarName} below ${lastTransferId}`)
  }

  const number = async (transfer: TokenTransfer, destination: Destination): Promise<TokenTransfer> => {
    const transferId = await nextTransferId(destination)
    const whole = withCarried(transfer, history)
    for (const id of whole.carriedIds) {
      const carried = history.transfers.get(id)
      if (carried !== undefined) history.transfers.put({ ...carried, carriedBy: transfer.id })
    }
    return { ...whole, transferId }
  }

  const mint = async (transfer: TokenTransfer, id: bigint, destination: Destination) => {
    const symbol = deps.assets.find(({ denom }) => denom === transfer.denom)?.symbols[transfer.destination]
    if (symbol === undefined)
      return { ...transfer, invalid: `${transfer.denom} has no symbol on ${transfer.destination}` }
    const recipient = getAddress(transfer.recipient)
    const command = mintCommand(mintCommandId(id), symbol, recipient, amountReceived(transfer))
    const attempt = await runCommand(destination, signerSet, command)
    if (attempt.landed) return { ...transfer, minted: attempt.landing, fault: null, failures: 0, retryAt: 0 }
    const nowMs = now()
    return {
      ...transfer,
      fault: { message: attempt.reason, timestampSeconds: Math.floor(nowMs / 1000), final: false },
      failures: transfer.failures + 1,
      retryAt: retryTime(transfer.failures + 1, nowMs),
    }
  }

  return async (transfer) => {
    const destination = destinations.get(transfer.destination)
    if (destination === undefined)
      return { ...transfer, invalid: `chain ${transfer.destination} is not registered` }
    if (transfer.transferId !== null) return mint(transfer, transfer.transferId, destination)
    const whole = withCarried(transfer, history)
    return amountReceived(whole) === 0n ? transfer : number(transfer, destination)
  }
}
