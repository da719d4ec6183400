import { createElement, type ReactElement } from 'react'
import { type TransferEnds, type TransferStep, transferSteps, transferSummary } from './transfer-steps.ts'
import type { Transfer } from './use-transfer.ts'

/** A sentence about a transfer, and its stages with their times. */
export const TransferStages = ({
  transfer,
  ends,
  className,
}: {
  readonly transfer: Transfer
  readonly ends: TransferEnds
  readonly className?: string | undefined
}): ReactElement => {
  const steps = stepsOf(transfer, ends)
  return createElement(
    'div',
    { className, 'data-state': transfer.status?.state ?? 'LOADING' },
    createElement('p', { role: 'status' }, textOf(transfer, ends)),
    steps.length === 0 ? null : createElement('ol', null, steps.map(stage)),
  )
}

const textOf = ({ status, refusal, isOffline }: Transfer, ends: TransferEnds): string => {
  if (refusal !== undefined) return refusal
  const note = isOffline ? ' The service cannot be reached now.' : ''
  if (status === undefined) return `Loading the transfer…${note}`
  const { word, text } = transferSummary(status, ends)
  return `${word}. ${text}${note}`
}

const stepsOf = ({ quote, status }: Transfer, ends: TransferEnds): readonly TransferStep[] =>
  quote == null || status === undefined ? [] : transferSteps(quote, status, ends)

const time = (at: string): ReactElement =>
  createElement('time', { dateTime: at }, new Date(at).toLocaleTimeString())

const stage = ({ id, title, text, at, standing, passed = [] }: TransferStep): ReactElement =>
  createElement(
    'li',
    { key: id, 'data-standing': standing, 'aria-current': standing === 'current' ? 'step' : undefined },
    createElement('strong', null, title),
    at === undefined ? null : ' ',
    at === undefined ? null : time(at),
    passed.length === 0
      ? null
      : createElement(
          'ul',
          null,
          passed.map((one) => createElement('li', { key: one.text }, one.text, ' ', time(one.at))),
        ),
    text === undefined ? null : ' ',
    text === undefined ? null : createElement('span', null, text),
  )
