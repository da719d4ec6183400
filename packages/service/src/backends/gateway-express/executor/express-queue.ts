import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../../core/instant.ts'
import type { Lifecycle } from '../../../lib/lifecycle.ts'
import type { Log } from '../../../lib/log.ts'
import { createLru } from '../../../lib/lru.ts'
import { createPoller } from '../../../lib/poller.ts'
import type { Verdict } from './fronter.ts'
import type { SentTransfer, ServedTransfer } from './sent-message.ts'
import { createWaitingTransfers, type WaitingTransfer } from './waiting-transfers.ts'

/** The transfers to one destination that the executor may front, and the work on them. */
export type ExpressQueue = Lifecycle & {
  readonly note: (sent: ServedTransfer, isFinal: boolean) => void
  /** Forgets a transfer whose block left its chain. */
  readonly drop: (sent: Pick<SentTransfer, 'transferId'>) => void
}

type Deps = {
  readonly chainId: ChainId
  readonly lookAt: (transfer: WaitingTransfer) => Promise<Verdict>
  readonly now: () => Instant
  readonly log: Log
}

const ROUND_MS = 500
const LOOKS_PER_ROUND = 16
/** A delivery that fails so often in a row is left to the ordinary way. */
const MOST_FAILURES = 5
const REMEMBERED = 20_000

/** Creates a queue; one transfer is looked at after the other, so that each sees what was decided before it. */
export const createExpressQueue = ({ chainId, lookAt, now, log }: Deps): ExpressQueue => {
  const waiting = createWaitingTransfers(now)
  const delivered = createLru<string, true>(REMEMBERED)

  const leave = ({ transferId, sourceChain, txHash }: WaitingTransfer, reason: string): void => {
    waiting.drop(transferId)
    log('info', 'express_left', { chainId, sourceChain, transferId, txHash, reason })
  }

  const act = (transfer: WaitingTransfer, verdict: Verdict): void => {
    const { transferId, sourceChain, failures, holds, amount } = transfer
    if ('txHash' in verdict) {
      waiting.drop(transferId)
      delivered.set(transferId, true)
      const { txHash } = verdict
      const told = { chainId, sourceChain, transferId, amount, txHash }
      if (verdict.verdict === 'fronted') log('info', 'express_fronted', told)
      else log('info', 'express_executed', told)
    } else if (verdict.verdict === 'refuse') leave(transfer, verdict.reason)
    else if (verdict.verdict === 'wait')
      waiting.postpone(transferId, { failures: 0, holds: verdict.isSlowing ? holds + 1 : 0 })
    else if (failures + 1 >= MOST_FAILURES) leave(transfer, verdict.reason)
    else waiting.postpone(transferId, { failures: failures + 1, holds: 0 })
  }

  const poller = createPoller({
    name: 'express_round',
    periodMs: ROUND_MS,
    run: async () => {
      for (const transfer of waiting.due(LOOKS_PER_ROUND))
        try {
          act(transfer, await lookAt(transfer))
        } catch (error) {
          waiting.postpone(transfer.transferId, transfer)
          log('warn', 'express_look_failed', { chainId, transferId: transfer.transferId, error })
        }
    },
    log,
    fields: { chainId },
  })

  return {
    note: (sent, isFinal) => {
      if (delivered.get(sent.transferId) === true) return
      const dropped = waiting.note(sent, isFinal)
      if (dropped !== undefined) leave(dropped, 'too_many')
      poller.wake()
    },
    drop: ({ transferId }) => waiting.drop(transferId),
    start: poller.start,
    stop: poller.stop,
  }
}
