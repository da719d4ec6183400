import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { UnsignedAmount } from '../core/amount.ts'
import { parseOrBlame } from './rows.ts'
import type { Sql } from './sql.ts'
import type { FrontedDelivery, Store } from './store.ts'

const Row = z.object({
  command_id: z.string(),
  source_chain: ChainId,
  chain_id: ChainId,
  token: z.string(),
  transfer_id: z.string(),
  amount: UnsignedAmount,
  most_cost: UnsignedAmount,
  decided_at: z.coerce.number().int().min(0),
  outcome: z.enum(['open', 'repaid', 'void']),
})

const decode = (row: unknown): FrontedDelivery => {
  const stored = parseOrBlame('a fronted delivery', () => Row.parse(row))
  return {
    commandId: stored.command_id,
    sourceChain: stored.source_chain,
    chainId: stored.chain_id,
    token: stored.token,
    transferId: stored.transfer_id,
    amount: stored.amount,
    mostCost: stored.most_cost,
    decidedAt: stored.decided_at,
    outcome: stored.outcome,
  }
}

/** The deliveries that an executor has fronted, over either database. */
export const frontedDeliveryMethods = ({
  read,
  change,
}: Sql): Pick<
  Store,
  'addFrontedDelivery' | 'endFrontedDelivery' | 'listFrontedDeliveries' | 'hasRepaidDelivery'
> => ({
  addFrontedDelivery: async (delivery) => {
    const { commandId, sourceChain, chainId, token, transferId, amount, mostCost, decidedAt } = delivery
    const row = [commandId, sourceChain, chainId, token, transferId, `${amount}`, `${mostCost}`, decidedAt]
    return (await change('addFrontedDelivery', row)) === 1
  },
  endFrontedDelivery: async (commandId, outcome) =>
    (await change('endFrontedDelivery', [commandId, outcome])) === 1,
  listFrontedDeliveries: async (since, limit, after) =>
    (await read('listFrontedDeliveries', [since, after ?? '', limit])).map(decode),
  hasRepaidDelivery: async (sourceChain, chainId) =>
    (await read('findRepaidDelivery', [sourceChain, chainId])).length > 0,
})
