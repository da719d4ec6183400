import type { ChainId } from '@openrfq/sdk'
import { addressWord, uintAt } from '../../chains/evm/abi-words.ts'
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
  readonly account: string
  readonly inventory: Pick<Inventory, 'holding' | 'isAllowed'>
  readonly outboxes: ReadonlyMap<ChainId, TransactionOutbox>
  readonly states: Pick<TransactionStates, 'lookUpTransaction' | 'note'>
  readonly log: Log
}

/** Keeps the account able to fill: renews the settlers' allowances, and withdraws repayments that an AttestedSettler credited. */
export type Upkeep = { readonly round: () => Promise<void> }

const CREDIT_OF = '0x035ec584'
const WITHDRAW = '0xf940e385'
const APPROVE_GAS = 100_000n
const WITHDRAW_GAS = 400_000n
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
 * Renews allowances and withdraws credits; each transaction is sent once, and again only after the last one was final.
 */
export const createUpkeep = (deps: UpkeepDeps): Upkeep => {
  const { chains, assets, account, inventory, outboxes, states, log } = deps

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

  const collect = async (chain: SolverChain, own: readonly SolverAsset[]): Promise<void> => {
    const settler = chain.attestedSettler
    if (settler === undefined) return
    const ofToken = ({ address }: SolverAsset): string => addressWord(account) + addressWord(address)
    const credits = await chain.evm.callMany(
      own.map((asset) => ({ to: settler, data: CREDIT_OF + ofToken(asset) })),
    )
    for (const [position, asset] of own.entries()) {
      if ((uintAt(credits[position] ?? '0x', 0) ?? 0n) === 0n) continue
      await once(chain.chainId, `withdraw attested:${asset.key}`, {
        to: settler,
        data: WITHDRAW + ofToken(asset),
        value: 0n,
        gasLimit: WITHDRAW_GAS,
      })
    }
  }

  const tend = async (chain: SolverChain): Promise<void> => {
    const own = assets.filter(({ chainId }) => chainId === chain.chainId)
    for (const kind of SETTLER_KINDS) for (const asset of own) await approve(chain, asset, kind)
    await collect(chain, own)
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
