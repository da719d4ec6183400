import type { ChainId } from '@openrfq/sdk'
import { approveData } from '../../chains/evm/erc20.ts'
import { MAX_BASE_UNITS } from '../../core/amount.ts'
import type { Log } from '../../lib/log.ts'
import type { KeyedCall, TransactionOutbox } from '../../transactions/transaction-outbox.ts'
import { SETTLER_KINDS, type SettlerKind } from '../settlers/order-status.ts'
import type { SolverAsset, SolverChain } from './assets.ts'
import type { TransactionState } from './decision.ts'
import type { Inventory } from './inventory.ts'
import type { TransactionStates } from './transaction-states.ts'

type UpkeepDeps = {
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  readonly assets: readonly SolverAsset[]
  readonly inventory: Pick<Inventory, 'holding' | 'isAllowed'>
  readonly outboxes: ReadonlyMap<ChainId, TransactionOutbox>
  readonly states: Pick<TransactionStates, 'lookUpTransaction' | 'note'>
  readonly log: Log
}

/** Keeps the account able to fill: renews the settlers' allowances. */
export type Upkeep = { readonly round: () => Promise<void> }

const APPROVE_GAS = 100_000n
/** An allowance that orders do not exhaust soon. */
const AMPLE = 1n << 128n
const MAX_ATTEMPTS = 16

/** What the outbox keys of approvals begin with, per settler. */
const APPROVE = { intent: 'approve', attested: 'approve attested' } as const satisfies Record<
  SettlerKind,
  string
>

const settlerOf = ({ settler, attestedSettler }: SolverChain, kind: SettlerKind): string | undefined =>
  kind === 'intent' ? settler : attestedSettler

const isOver = (state: TransactionState): boolean => state === 'succeeded' || state === 'reverted'

/**
 * Renews allowances; each transaction is sent once, and again only after the last one was final.
 */
export const createUpkeep = (deps: UpkeepDeps): Upkeep => {
  const { chains, assets, inventory, outboxes, states, log } = deps

  const once = async (chainId: ChainId, purpose: string, call: Omit<KeyedCall, 'key'>): Promise<void> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const key = `${purpose}:${attempt}`
      const state = await states.lookUpTransaction(key)
      if (isOver(state)) continue
      const entry = state === 'none' ? await outboxes.get(chainId)?.submit({ key, ...call }) : undefined
      if (entry === undefined) return
      states.note(entry)
      log('info', 'transaction_signed', { key, chainId, txHash: entry.txHash })
      return
    }
    log('warn', 'upkeep_given_up', { purpose, attempts: MAX_ATTEMPTS })
  }

  const approve = async (chain: SolverChain, asset: SolverAsset, kind: SettlerKind): Promise<void> => {
    const settler = settlerOf(chain, kind)
    if (settler === undefined || inventory.holding(asset) === undefined) return
    if (inventory.isAllowed(asset, AMPLE, kind)) return
    await once(chain.chainId, `${APPROVE[kind]}:${asset.key}`, {
      to: asset.address,
      data: approveData(settler, MAX_BASE_UNITS),
      value: 0n,
      gasLimit: APPROVE_GAS,
    })
  }

  const tend = async (chain: SolverChain): Promise<void> => {
    const own = assets.filter(({ chainId }) => chainId === chain.chainId)
    for (const kind of SETTLER_KINDS) for (const asset of own) await approve(chain, asset, kind)
  }

  return {
    round: async () => {
      await Promise.all(
        [...chains.values()].map((chain) =>
          tend(chain).catch((error: unknown) =>
            log('warn', 'allowance_refresh_failed', { chainId: chain.chainId, error }),
          ),
        ),
      )
    },
  }
}
