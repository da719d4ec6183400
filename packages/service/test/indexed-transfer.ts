/** What Axelar has done with a `sendToken`, in Axelarscan's words and in their order. */
const STAGES = ['asset_sent', 'deposit_confirmed', 'voted', 'batch_signed', 'executed'] as const
export type TransferStage = (typeof STAGES)[number]

/** A `sendToken` that Axelarscan has indexed; amounts in whole tokens, as it writes them. */
export type IndexedTransfer = {
  readonly txHash: string
  readonly sourceChain: string
  readonly destinationChain: string
  readonly sender: string
  readonly recipient: string
  /** The source chain's gateway contract, to which the transaction went. */
  readonly gateway: string
  readonly denom: string
  readonly amount: number
  readonly fee: number
  /** The block of the transaction; the recorded transfer's by default. */
  readonly height?: number
  /** Milliseconds; the recorded transfer's by default. */
  readonly sentAt?: number
  /** `asset_sent` by default. */
  readonly stage?: TransferStage
  /** Axelar's number for the transfer, which its validators' vote gives. */
  readonly transferId?: number
  /** The mint on the destination, if it was executed and its event was indexed. */
  readonly mint?: { readonly txHash: string; readonly blockNumber: number; readonly timestampSeconds: number }
}

/** A record of searchTransfers. */
export type TransferShape = Readonly<Record<string, unknown>> & {
  readonly link: Readonly<Record<string, unknown>>
  readonly send: Readonly<Record<string, unknown>>
}

const SENT_MS = 1_791_114_977_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAYS_OF_WEEK = 7
/** The first Sunday of 1970, on which weeks begin. */
const FIRST_WEEK_MS = 3 * DAY_MS

/** A time as Axelarscan keeps it: the moment, and the starts of the periods that it counts by. */
const timeOf = (ms: number) => {
  const date = new Date(ms)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const since = (start: number, periodMs: number): number => ms - ((ms - start) % periodMs)
  return {
    ms,
    hour: since(0, HOUR_MS),
    day: since(0, DAY_MS),
    week: since(FIRST_WEEK_MS, DAYS_OF_WEEK * DAY_MS),
    month: Date.UTC(year, month),
    quarter: Date.UTC(year, month - (month % 3)),
    year: Date.UTC(year, 0),
  }
}

/** A transaction on Axelar's own chain: hashes in capitals without `0x`. */
const axelarTransaction = (type: string, digit: string, ms: number, sourceChain: string) => ({
  txhash: digit.repeat(64),
  height: 18_734_201,
  status: 'success',
  type,
  created_at: timeOf(ms),
  source_chain: sourceChain,
})

const simplifiedStatusOf = (stage: TransferStage): string => {
  if (stage === 'executed') return 'received'
  return stage === 'asset_sent' ? 'sent' : 'approved'
}

/** What the record holds beside the sending, by stage. */
const progressOf = ({ stage = 'asset_sent', transferId, mint, ...transfer }: IndexedTransfer) => {
  const { sourceChain, destinationChain, sentAt = SENT_MS, txHash } = transfer
  const source = sourceChain.toLowerCase()
  const reached = STAGES.indexOf(stage)
  const has = (wanted: TransferStage): boolean => reached >= STAGES.indexOf(wanted)
  const poll = { poll_id: '1402113', transaction_id: txHash }
  const confirm = { ...axelarTransaction('ConfirmGatewayTx', 'C', sentAt + 60_000, source), ...poll }
  const vote = {
    ...axelarTransaction('Vote', 'E', sentAt + 75_000, source),
    ...poll,
    confirmation: true,
    success: true,
    event: 'token_sent',
    transfer_id: transferId,
  }
  const command = {
    chain: destinationChain.toLowerCase(),
    batch_id: '10818f6d7950a7d66bbe1b6f4079a87526d398894054fb35f36bab6fbbed0d15',
    command_id: (transferId ?? 0).toString(16).padStart(64, '0'),
    transfer_id: transferId,
    created_at: timeOf(sentAt + 90_000),
    executed: stage === 'executed',
    ...(mint === undefined
      ? {}
      : {
          transactionHash: mint.txHash,
          blockNumber: mint.blockNumber,
          transactionIndex: 83,
          logIndex: 3,
          block_timestamp: mint.timestampSeconds,
        }),
  }
  return {
    ...(has('deposit_confirmed') ? { confirm } : {}),
    ...(has('voted') ? { vote } : {}),
    ...(has('batch_signed') ? { command } : {}),
    status: stage,
    simplified_status: simplifiedStatusOf(stage),
  }
}

/**
 * A record of searchTransfers in the recorded shape: `send.recipient_address` is the contract that the transaction went to,
 * `link.recipient_address` the recipient; the vote and the command hold the transfer's number. Source: api.axelarscan.io,
 * 2026-10-04, and the steps and statuses of axelarscan-ui and axelarscan-api.
 */
export const transferRecord = (transfer: IndexedTransfer): TransferShape => {
  const { txHash: txhash, sourceChain, destinationChain, sender, recipient, gateway, denom } = transfer
  const { amount, fee, height = 52_076_981, sentAt = SENT_MS } = transfer
  const pair = {
    source_chain: sourceChain.toLowerCase(),
    destination_chain: destinationChain.toLowerCase(),
    sender_address: sender,
    denom,
  }
  const about = { txhash, height, created_at: timeOf(sentAt), ...pair }
  return {
    link: { ...about, type: 'gateway', recipient_address: recipient, asset: denom, price: 0.999945 },
    send: {
      ...about,
      status: 'success',
      type: 'evm',
      recipient_address: gateway,
      amount,
      value: amount * 0.999945,
      fee,
      insufficient_fee: amount <= fee,
      amount_received: Math.max(0, amount - fee),
      fee_value: fee * 0.999945,
    },
    type: 'send_token',
    time_spent: { total: 24_287 },
    id: `${txhash}_${sourceChain.toLowerCase()}`,
    ...progressOf(transfer),
  }
}
