import { ExecutionError } from '@openrfq/sdk'
import { errorText } from '../shared/error-text.ts'

type Code = ExecutionError['code']

/** What a failed execution means for the person's money. */
const FAILURES: Readonly<Record<Code, string>> = {
  no_quote: 'Nothing prices this pair now.',
  unsafe: 'The quote does not do what it says.',
  expired: 'The quote has expired. This step was not sent.',
  wrong_wallet: 'The wallet, or its chain, is another one than the quote was made for.',
  unsupported: 'This page cannot execute the quote.',
  unreachable: 'The chain cannot be reached. This step was not sent.',
  refused: 'The wallet or the chain refused. This step was not sent.',
  reverted: 'The transaction failed on chain.',
  uncertain: 'It is not certain whether the transaction was sent. Look at your wallet before you try again.',
  no_message: 'The transaction succeeded without the expected event. Ask the operator.',
}

/** Failures before the first action of a quote. */
const BEFORE: ReadonlySet<Code> = new Set(['no_quote', 'unsafe', 'wrong_wallet', 'unsupported'])

/** Why an execution ended and what was sent, for the person whose money it is. */
export const failureText = (error: unknown): string => {
  if (!(error instanceof ExecutionError)) return errorText(error)
  const { code, sent, message } = error
  const fate = !BEFORE.has(code)
    ? ''
    : sent.length === 0
      ? ' Nothing was sent.'
      : ' The payment was not sent.'
  const before = sent.length === 0 ? '' : ` Sent before: ${sent.map(({ actionId }) => actionId).join(', ')}.`
  return `${FAILURES[code]}${fate}${before} (${message})`
}
