/** Why something is not signed: not yet, or never. */
export type Objection = { readonly kind: 'waiting' | 'refused'; readonly reason: string }

export const waiting = (reason: string): Objection => ({ kind: 'waiting', reason })
export const refused = (reason: string): Objection => ({ kind: 'refused', reason })

/** Whether a finding is an objection. */
export const isObjection = (finding: object): finding is Objection => 'reason' in finding
