import { addressWord, uintAt, uintWord } from '../chains/evm/abi-words.ts'
import { MAX_BASE_UNITS } from '../core/amount.ts'
import type { ChainId } from '../core/chain.ts'
import type { Log } from '../core/log.ts'
import type { Outbox, OutboxCall } from '../outbox/outbox.ts'
import type { SolverAsset, SolverChain } from './assets.ts'
import type { TransactionState } from './decision.ts'
import type { Inventory } from './inventory.ts'
import type { OutboxStates } from './outbox-states.ts'

type UpkeepDeps = {
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  readonly assets: readonly SolverAsset[]
  readonly account: string
  readonly inventory: Pick<Inventory, 'holding' | 'isAllowed'>
  readonly outboxes: ReadonlyMap<ChainId, Outbox>
  readonly states: Pick<OutboxStates, 'look' | 'note'>
  readonly log: Log
}

/** Keeps the account able to fill: the settlers may take its tokens, and repayments that were refused are collected. */
export type Upkeep = { readonly round: () => Promise<void> }

const APPROVE = '0x095ea7b3'
const CREDIT_OF = '0x035ec584'
const WITHDRAW = '0xf940e385'
const APPROVE_GAS = 100_000n
const WITHDRAW_GAS = 400_000n
/** An allowance that no order exhausts soon. */
const AMPLE = 1n << 128n
const MAX_ATTEMPTS = 16

const isOver = (state: TransactionState): boolean => state === 'succeeded' || state === 'reverted'

/** Looks after allowances and credits; each transaction is made once, and again only after the last one was final. */
export const createUpkeep = (deps: UpkeepDeps): Upkeep => {
  const { chains, assets, account, inventory, outboxes, states, log } = deps

  const once = async (chainId: ChainId, purpose: string, call: Omit<OutboxCall, 'key'>): Promise<void> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const key = `${purpose}:${attempt}`
      const state = await states.look(key)
      if (isOver(state)) continue
      const entry = state === 'none' ? await outboxes.get(chainId)?.submit({ key, ...call }) : undefined
      if (entry === undefined) return
      states.note(entry)
      log('info', 'transaction signed', { key, chainId, txHash: entry.txHash })
      return
    }
    log('warn', 'given up after many attempts', { purpose, attempts: MAX_ATTEMPTS })
  }

  const approve = async ({ evm, settler }: SolverChain, asset: SolverAsset): Promise<void> => {
    if (inventory.holding(asset) === undefined || inventory.isAllowed(asset, AMPLE)) return
    await once(evm.chainId, `approve:${asset.key}`, {
      to: asset.address,
      data: APPROVE + addressWord(settler) + uintWord(MAX_BASE_UNITS),
      value: 0n,
      gasLimit: APPROVE_GAS,
    })
  }

  const collect = async ({ evm, settler }: SolverChain, own: readonly SolverAsset[]): Promise<void> => {
    const ofToken = ({ address }: SolverAsset): string => addressWord(account) + addressWord(address)
    const credits = await evm.callMany(
      own.map((asset) => ({ to: settler, data: CREDIT_OF + ofToken(asset) })),
    )
    for (const [position, asset] of own.entries()) {
      if ((uintAt(credits[position] ?? '0x', 0) ?? 0n) === 0n) continue
      await once(evm.chainId, `withdraw:${asset.key}`, {
        to: settler,
        data: WITHDRAW + ofToken(asset),
        value: 0n,
        gasLimit: WITHDRAW_GAS,
      })
    }
  }

  const tend = async (chain: SolverChain): Promise<void> => {
    const own = assets.filter(({ chainId }) => chainId === chain.chainId)
    for (const asset of own) await approve(chain, asset)
    await collect(chain, own)
  }

  return {
    round: async () => {
      await Promise.all(
        [...chains.values()].map((chain) =>
          tend(chain).catch((error: unknown) =>
            log('warn', 'allowances could not be seen to', { chainId: chain.chainId, error }),
          ),
        ),
      )
    },
  }
}
