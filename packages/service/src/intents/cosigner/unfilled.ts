import { chainTypeOf } from '@openrfq/sdk'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import type { Fact } from '../../transactions/fact-check.ts'
import { readStatus, settlerKindOf, statusCall } from '../settlers/order-status.ts'
import { quotedAtOfSalt } from '../settlers/quoted-order.ts'
import { isFillOf, payeeOf } from '../vault/fill-facts.ts'
import type { CosignerDeps, SettlerToAsk } from './vault-to-sign.ts'
import { type Objection, refused, waiting } from './verdict.ts'

type Deps = Pick<CosignerDeps, 'settlers' | 'payments' | 'now'>

const unfilledAtSettler = async (
  { evm, settler }: SettlerToAsk,
  orderId: OrderId,
  order: IntentOrder,
): Promise<Fact | Objection> => {
  const { destinationSettler, fillDeadline } = order
  const { chainId } = evm
  if (destinationSettler !== settler) return refused(`${destinationSettler} is no settler of ${chainId}`)
  const head = evm.head()
  if (head === undefined) return waiting(`${chainId} cannot be read`)
  const after = await evm.finalBlock(head.finalNumber)
  if (after.timestampSeconds <= fillDeadline) return waiting('the order may still be filled')
  const kind = settlerKindOf(order)
  const call = statusCall({ settler }, orderId)
  const [result] = await evm.callAgreed([call], { after })
  const status = readStatus(kind, result)
  if (status !== 'none') return refused(`the order is ${status ?? 'unknown'} on ${chainId}`)
  const text = `order ${orderId} was not filled`
  const confirms = (answer: string | undefined): boolean => readStatus(kind, answer) === 'none'
  return { chainId, text, ask: () => evm.callStatements({ about: text, call, confirms, after }) }
}

/**
 * The fact that an order was not filled and never can be, as a quorum of the destination's endpoints gives it and none denies, or
 * why it is not known. Rejects if the chain cannot be read.
 */
export const findUnfilled = async (
  { settlers, payments, now }: Deps,
  orderId: OrderId,
  order: IntentOrder,
): Promise<Fact | Objection> => {
  const {
    destinationChain: chainId,
    fillDeadline: untilSeconds,
    recipient,
    filler,
    salt,
    outputToken,
  } = order
  const settler = settlers.get(chainId)
  if (settler !== undefined) return unfilledAtSettler(settler, orderId, order)
  const asked = chainTypeOf(chainId) === 'evm' ? undefined : payments.get(chainId)
  if (asked === undefined) return refused(`${chainId} is not read here`)
  const text = `order ${orderId} was not filled`
  const ask = () =>
    asked.chain.absenceStatements({
      about: text,
      from: filler,
      to: { account: payeeOf(recipient).account, token: outputToken },
      memo: orderId,
      sinceSeconds: Math.floor(quotedAtOfSalt(salt) / 1000),
      untilSeconds,
      nowSeconds: Math.floor(now() / 1000),
      isSought: (payment: Payment) => isFillOf(orderId, order, payment),
    })
  const statements = await ask()
  if (statements.some(({ confirms }) => !confirms)) return refused('an endpoint knows a fill of the order')
  if (statements.length < asked.quorum)
    return waiting(`too few endpoints of ${chainId} know the time of the fill`)
  return { chainId, text, ask }
}
