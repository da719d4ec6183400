import type { PaymentChain } from '../src/chains/payment-chain.ts'
import { type BaseUnits, baseUnits } from '../src/core/amount.ts'
import type { IntentOrder } from '../src/core/intent-order.ts'
import { createSettlerReleases } from '../src/intents/attester/settler-releases.ts'

const EVM = '0x00000000000000000000000000000000000000E1'

/** Where an order is filled, by which account, and what its recipient gets. */
type Filled = Pick<
  IntentOrder,
  'destinationChain' | 'destinationSettler' | 'outputToken' | 'recipient' | 'filler'
> & { readonly amount: bigint; readonly nowSeconds: number }

/** Orders from an EVM chain to a payment chain, each another, and an attester of theirs. */
export const openClaimScene = () => {
  let salt = 0
  const released: string[] = []
  return {
    /** The ids of the orders whose release the attester asked for. */
    released,
    newOrder: ({ amount, nowSeconds, ...part }: Filled): IntentOrder => {
      salt += 1
      const units: BaseUnits = baseUnits(amount)
      return {
        depositor: EVM,
        salt: `0x${salt.toString(16).padStart(64, '0')}`,
        originChain: 'eip155:31337',
        originSettler: EVM,
        openDeadline: nowSeconds + 600,
        fillDeadline: nowSeconds + 1_200,
        refundAfter: nowSeconds + 3_600,
        inputToken: EVM,
        inputAmount: units,
        outputAmount: units,
        solver: EVM,
        attester: EVM,
        ...part,
      }
    },
    /** What the attester answers to the claim of a solver; every order is open. */
    claim: async (chain: PaymentChain, order: IntentOrder, transaction: string): Promise<string> => {
      const judge = createSettlerReleases({
        attester: EVM,
        orders: { find: async (orderId) => ({ orderId, order, isOpen: true }) },
        paymentChains: new Map([[order.destinationChain, chain]]),
        releaser: {
          release: async ({ orderId }) => {
            released.push(orderId)
            return 'waiting'
          },
          hasReleased: async () => false,
        },
      })
      const answer = await judge({ order, transaction })
      return answer.kind === 'attested' ? answer.kind : `${answer.kind}: ${answer.reason}`
    },
  }
}
