import { chainTypeOf } from '@openrfq/sdk'
import { type ClaimJudge, judgeNamed, refused, waiting } from './claim-answer.ts'
import type { OrderReader } from './order-reader.ts'
import { type FillChains, findPaymentFill } from './payment-fill.ts'
import type { Releaser } from './releaser.ts'

type Deps = {
  /** In EIP-55. */
  readonly attester: string
  readonly orders: Pick<OrderReader, 'find'>
  readonly paymentChains: FillChains
  readonly release: Releaser
}

/**
 * Judges the fills of orders from EVM chains, whose releases the attester sends itself. It releases an order that names its key and
 * is open in a final block, whose fill a quorum of endpoints finds in the named transaction. The solver asks until the escrow is
 * released, so that the attester keeps no claim.
 */
export const createSettlerReleases = ({ attester, orders, paymentChains, release }: Deps): ClaimJudge =>
  judgeNamed(async ({ order, orderId, transaction }) => {
    if (order.attester !== attester) return refused('the order names another attester')
    if (chainTypeOf(order.destinationChain) === 'evm') return refused('the order is proven without attester')
    const known = await orders.find(orderId)
    if (known === undefined) return waiting('the order is not open in a final block')
    if (!known.isOpen) return refused('the order is released or refunded')
    const found = await findPaymentFill(paymentChains, known, transaction)
    if ('why' in found) return refused(found.why)
    const progress = await release(known, found.payment)
    return progress === 'waiting' ? waiting('the release is under way') : refused('no release succeeds')
  })
