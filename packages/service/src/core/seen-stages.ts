import type { SeenStage } from '@openrfq/sdk'
import { toIso } from './instant.ts'
import type { Details, Transfer } from './transfer.ts'

/** More than any transfer has; one that still has more keeps its first. */
const MOST_STAGES = 40

const stagesIn = (details: Details): readonly SeenStage[] => {
  const { stages } = details
  // CAST: this file alone writes them.
  return Array.isArray(stages) ? (stages as readonly SeenStage[]) : []
}

/**
 * The transfer with its stage noted at a time, in milliseconds, unless it was seen before: so endpoints that disagree for a
 * while, or cannot be read, write no history. A transfer without a deposit has none: what a reorg removes is forgotten.
 */
export const noteStage = (transfer: Transfer, now: number): Transfer => {
  const { stages: _, ...details } = transfer.details
  const { state } = transfer
  if (state === 'AWAITING_DEPOSIT') return { ...transfer, details }
  const stage = typeof details['stage'] === 'string' ? details['stage'] : undefined
  const seen = stagesIn(transfer.details)
  const isKnown = seen.some((one) => one.state === state && one.stage === stage)
  if (isKnown || seen.length >= MOST_STAGES) return transfer
  const entry = { state, ...(stage === undefined ? {} : { stage }), at: toIso(now) }
  return { ...transfer, details: { ...details, stages: [...seen, entry] } }
}
