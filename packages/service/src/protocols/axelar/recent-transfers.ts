import type { Instant } from '../../core/instant.ts'
import type { TransferRecord } from './token-transfer.ts'

/** A gateway transfer of somebody, as Axelarscan shows it. */
export type RecentTransfer = {
  readonly sentAt: Instant
  readonly hasArrived: boolean
  /** Whether it was too small for Axelar's fee, so that it waits for a further one to the same recipient. */
  readonly isBelowFee: boolean
}

/** Transfers that should have arrived, and those of them that have not. */
export type StuckTransfers = { readonly looked: number; readonly stuck: number; readonly belowFee: number }

const LATE_MS = 3_600_000
const LOOKED_AT = 5

/** Converts a record; undefined for one without a time. */
export const toRecentTransfer = ({
  send,
  simplified_status,
  command,
}: TransferRecord): RecentTransfer | undefined => {
  const sentAt = send?.created_at?.ms
  if (sentAt === undefined || sentAt === null) return undefined
  const hasMint = typeof command?.transactionHash === 'string'
  return {
    sentAt,
    hasArrived: simplified_status === 'received' || hasMint,
    isBelowFee: send?.insufficient_fee === true,
  }
}

/** Counts the last five transfers that were sent an hour ago or earlier. */
export const countStuck = (transfers: readonly RecentTransfer[], now: Instant): StuckTransfers => {
  const due = transfers
    .filter(({ sentAt }) => now - sentAt >= LATE_MS)
    .toSorted((one, other) => other.sentAt - one.sentAt)
    .slice(0, LOOKED_AT)
  const stuck = due.filter(({ hasArrived }) => !hasArrived)
  return {
    looked: due.length,
    stuck: stuck.length,
    belowFee: stuck.filter(({ isBelowFee }) => isBelowFee).length,
  }
}
