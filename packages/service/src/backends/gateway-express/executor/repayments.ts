import { addressAt } from '../../../chains/evm/abi-words.ts'
import { EVM_NATIVE_TOKEN } from '../../../chains/evm/address.ts'
import type { Instant } from '../../../core/instant.ts'
import { createConditions } from '../../../lib/conditions.ts'
import type { Log } from '../../../lib/log.ts'
import { expressExecutorData } from '../../../protocols/axelar/gateway-approval.ts'
import type { FrontedDelivery, Store } from '../../../store/store.ts'
import type { Exposure } from './exposure.ts'
import { frontKey } from './fronter.ts'
import type { Direction } from './sent-message.ts'

type Deps = {
  readonly exposure: Pick<Exposure, 'open' | 'end'>
  readonly store: Pick<Store, 'findTransaction'>
  /** The direction of a delivery; undefined if it is not configured any more. */
  readonly directionOf: (delivery: FrontedDelivery) => Direction | undefined
  readonly patienceMs: (sourceChain: string, chainId: string) => number
  readonly now: () => Instant
  readonly log: Log
}

/** A decision that nothing was signed for, and for which nothing will be: its message was not seen again. */
const UNSIGNED_MS = 4 * 3_600_000

/**
 * Whether the router has repaid the executor of a delivery whose transaction is final, as a quorum say to whose chain that
 * transaction belongs.
 */
const isRepaid = async ({ from, to }: Direction, delivery: FrontedDelivery): Promise<boolean> => {
  const head = to.evm.head()
  if (head === undefined) return false
  const data = expressExecutorData({
    commandId: delivery.commandId,
    sourceChain: from.axelarName,
    sourceAddress: from.router,
    payloadHash: delivery.transferId,
    token: { symbol: to.symbol, amount: delivery.amount },
  })
  const [executor] = await to.evm.callAgreed([{ to: to.router, data }], {
    after: { number: head.finalNumber },
  })
  return executor !== undefined && addressAt(executor, 0) === EVM_NATIVE_TOKEN
}

/** Follows the deliveries that are not over: notes repayments, and what was never made. A round never rejects. */
export const createRepayments = (deps: Deps): (() => Promise<void>) => {
  const { exposure, store, now, log } = deps
  const overdue = createConditions<string>()

  const end = async (delivery: FrontedDelivery, outcome: 'repaid' | 'void', why: string): Promise<void> => {
    await exposure.end(delivery.commandId, outcome)
    overdue.end(delivery.commandId)
    const { commandId, chainId, amount } = delivery
    const told = { chainId, commandId, amount }
    if (outcome === 'repaid') log('info', 'express_repaid', told)
    else if (why !== 'succeeded') log('warn', 'express_not_made', { ...told, why })
  }

  const alarm = ({ commandId, sourceChain, chainId, amount, decidedAt }: FrontedDelivery): void => {
    if (
      amount === 0n ||
      now() - decidedAt <= deps.patienceMs(sourceChain, chainId) ||
      !overdue.begin(commandId)
    )
      return
    log('error', 'express_unrepaid', { chainId, sourceChain, commandId, amount })
  }

  const follow = async (delivery: FrontedDelivery): Promise<void> => {
    const direction = deps.directionOf(delivery)
    const transaction = await store.findTransaction(frontKey(delivery.commandId))
    if (transaction === undefined) {
      if (now() - delivery.decidedAt > UNSIGNED_MS) await end(delivery, 'void', 'never_signed')
      return
    }
    const { outcome } = transaction
    // An execution pays gas alone: nothing is repaid.
    if (outcome === 'succeeded' && delivery.amount === 0n) return end(delivery, 'void', outcome)
    if (outcome === 'reverted' || outcome === 'replaced') return end(delivery, 'void', outcome)
    if (outcome === 'succeeded' && direction !== undefined && (await isRepaid(direction, delivery)))
      return end(delivery, 'repaid', outcome)
    alarm(delivery)
  }

  return async () => {
    for (const delivery of exposure.open())
      await follow(delivery).catch((error: unknown) =>
        log('warn', 'express_repayment_read_failed', {
          chainId: delivery.chainId,
          commandId: delivery.commandId,
          error,
        }),
      )
  }
}
