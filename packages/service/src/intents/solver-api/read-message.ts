import { OrderId } from '../../core/intent-order.ts'
import type { BookRejection } from './book.ts'
import { SolverMessage } from './protocol.ts'

/** Why a message was refused, and its sequence or order id, null if it could not be read. */
export type MessageRefusal = BookRejection & { readonly reference: string | null }

/** A parsed message, or the reason for refusing the frame. */
export type ReadMessage = { readonly message: SolverMessage } | { readonly refusal: MessageRefusal }

const MAX_MESSAGE_LENGTH = 300

/** Parses a text frame by the schemas of the protocol. Never throws. */
export const readSolverMessage = (text: string): ReadMessage => {
  const value = parseJson(text)
  if (value === undefined) return malformed('the frame is not JSON', null)
  const parsed = SolverMessage.safeParse(value)
  if (parsed.success) return { message: parsed.data }
  const [issue] = parsed.error.issues
  const path = issue === undefined || issue.path.length === 0 ? 'the message' : issue.path.join('.')
  return malformed(`${path}: ${issue?.message ?? 'unexpected'}`, referenceIn(value))
}

/** The reference of a message in a refusal. */
export const referenceOf = (message: SolverMessage): string | null => referenceIn(message)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const malformed = (message: string, reference: string | null): ReadMessage => ({
  refusal: { reason: 'malformed', message: message.slice(0, MAX_MESSAGE_LENGTH), reference },
})

const referenceIn = (value: unknown): string | null => {
  if (typeof value !== 'object' || value === null) return null
  if ('sequence' in value && Number.isSafeInteger(value.sequence)) return String(value.sequence)
  if ('orderId' in value && OrderId.safeParse(value.orderId).success) return String(value.orderId)
  return null
}
