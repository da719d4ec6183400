import { visibleLine } from '../../lib/visible-text.ts'

/** One thing that `rfq check` looked at. */
export type Finding = {
  readonly level: 'ok' | 'warning' | 'error'
  /** The file, chain, token or part that was looked at. */
  readonly subject: string
  /** What was found, and for a mistake what to do. */
  readonly says: string
}

/** Endpoints and contracts write parts of what a finding says. */
const finding = (level: Finding['level'], subject: string, says: string): Finding => ({
  level,
  subject: visibleLine(subject),
  says: visibleLine(says),
})

/** Nothing to do. */
export const fine = (subject: string, says: string): Finding => finding('ok', subject, says)
/** The service works without this, but an operator should know. */
export const doubtful = (subject: string, says: string): Finding => finding('warning', subject, says)
/** The service cannot keep its word with this. */
export const wrong = (subject: string, says: string): Finding => finding('error', subject, says)
