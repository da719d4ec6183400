import { formatUnits } from 'viem'
import type { RelayHistory } from './relay-history.ts'
import { amountReceived, isQueued, mintCommandId, type TokenTransfer } from './token-transfer.ts'

/** Whole tokens as Axelarscan's JSON number, for display only. */
const whole = (amount: bigint, { decimals }: TokenTransfer): number => Number(formatUnits(amount, decimals))

const statusOf = (carrier: TokenTransfer): string => {
  if (carrier.minted !== null) return 'executed'
  return carrier.transferId === null ? 'asset_sent' : 'batch_signed'
}

const simplifiedStatusOf = (carrier: TokenTransfer): string => {
  if (carrier.minted !== null) return 'received'
  if (carrier.invalid !== null) return 'failed'
  return carrier.transferId === null ? 'sent' : 'approved'
}

/** A gateway transfer in the form of Axelarscan's searchTransfers. Source: axelarscan-api. */
export const transferRecord = (transfer: TokenTransfer, history: RelayHistory) => {
  const carrier =
    (transfer.carriedBy === null ? undefined : history.transfers.get(transfer.carriedBy)) ?? transfer
  const { transferId, minted } = carrier
  const received = transfer.amount > transfer.fee ? transfer.amount - transfer.fee : 0n
  const sent = {
    txhash: transfer.landing.txHash,
    height: Number(transfer.landing.blockNumber),
    created_at: { ms: transfer.landing.timestampSeconds * 1000 },
    source_chain: transfer.source.toLowerCase(),
    destination_chain: transfer.destination.toLowerCase(),
    sender_address: transfer.sender,
    denom: transfer.denom,
  }
  return {
    id: `${transfer.landing.txHash}_${transfer.source.toLowerCase()}`,
    type: 'send_token',
    status: statusOf(carrier),
    simplified_status: simplifiedStatusOf(carrier),
    transfer_id: transferId === null ? null : Number(transferId),
    link: { ...sent, type: 'gateway', recipient_address: transfer.recipient, asset: transfer.denom },
    send: {
      ...sent,
      status: 'success',
      type: 'evm',
      // Axelarscan names the contract that the transaction went to; the recipient is in the link.
      recipient_address: transfer.gateway,
      amount: whole(transfer.amount, transfer),
      fee: whole(transfer.fee, transfer),
      amount_received: whole(received, transfer),
      insufficient_fee: isQueued(transfer),
    },
    ...(transfer.invalid === null ? {} : { error: transfer.invalid }),
    ...(transferId === null
      ? {}
      : {
          vote: { success: true, transfer_id: Number(transferId), poll_id: `${transferId}` },
          command: {
            chain: transfer.destination.toLowerCase(),
            command_id: mintCommandId(transferId).slice(2),
            transfer_id: Number(transferId),
            amount: whole(amountReceived(carrier), carrier),
            executed: minted !== null,
            ...(minted === null
              ? {}
              : {
                  transactionHash: minted.txHash,
                  block_timestamp: minted.timestampSeconds,
                  blockNumber: Number(minted.blockNumber),
                }),
          },
        }),
    time_spent:
      minted === null
        ? {}
        : { total: Math.max(0, minted.timestampSeconds - transfer.landing.timestampSeconds) },
  }
}
