import { chainTypeOf } from '@openrfq/sdk'
import { type ClaimAnswer, type ClaimJudge, judgeNamed, refused, waiting } from './claim-answer.ts'
import type { OrderReader } from './order-reader.ts'
import { type FillChains, findPaymentFill } from './payment-fill.ts'
import type { Progress, Releaser } from './releaser.ts'

type Deps = {
  /** In EIP-55. */
  readonly attester: string
  readonly orders: Pick<OrderReader, 'find'>
  readonly paymentChains: FillChains
  readonly releaser: Releaser
}

/** The solver's endpoints may show the released escrow later than the attester's. */
const RELEASED = waiting('the order is released')
const ANSWERS = {
  waiting: waiting('the release is under way'),
  released: RELEASED,
  'given up': refused('no release succeeds'),
} as const satisfies Record<Progress, ClaimAnswer>

/**
 * Judges the fills of orders from EVM chains, whose releases the attester sends itself. It releases an order that names its key and
 * is open in a final block, whose fill a quorum of endpoints finds in the named transaction. The solver asks until the escrow is
 * released, so that the attester keeps no claim.
 */
export const createSettlerReleases = ({ attester, orders, paymentChains, releaser }: Deps): ClaimJudge =>
  judgeNamed(async ({ order, orderId, transaction }) => {
    if (order.attester !== attester) return refused('the order names another attester')
    if (chainTypeOf(order.destinationChain) === 'evm') return refused('the order is proven without attester')
    const known = await orders.find(orderId)
    if (known === undefined) return waiting('the order is not open in a final block')
    if (!known.isOpen)
      return (await releaser.hasReleased(orderId)) ? RELEASED : refused('the order is released or refunded')
    const found = await findPaymentFill(paymentChains, known, transaction)
    if ('why' in found) return refused(found.why)
    return ANSWERS[await releaser.release(known, found.payment)]
  })
