import type { Address } from '@solana/kit'
import { createEmitter } from 'openrfq/lib/emitter'
import type { Log } from 'openrfq/lib/log'
import type { StoredAccount } from './account.ts'
import type { Block, Commitment } from './block.ts'
import { type Blocks, createBlocks, MAX_BLOCKHASH_AGE } from './blocks.ts'
import { createHistory, type History } from './history.ts'
import { landTransaction } from './landing.ts'
import type { SignedTransaction } from './transaction.ts'
import { createVm, type Vm } from './vm.ts'

/** The changes of one slot or fork; `reached` lists the blocks that came to each commitment, oldest first. */
export type ClusterChange = {
  readonly reached: Readonly<Record<Commitment, readonly Block[]>>
  /** False when no account has changed at any commitment. */
  readonly accountsChanged: boolean
}

/** The chain in memory: execution by the VM; modelled blocks, commitments and forks. */
export type SimulatedSolana = {
  readonly genesisHash: string
  readonly vm: Vm
  readonly blocks: Blocks
  readonly history: History
  /** The account at the block; sysvars are always those of the tip. */
  readonly readAt: (block: Block, address: Address) => StoredAccount | null
  /** The accounts owned by a program at the block. */
  readonly ownedAt: (block: Block, program: Address) => readonly Address[]
  /** Queues a transaction for the next block. Throws when 10,000 are queued. */
  readonly submit: (transaction: SignedTransaction) => void
  /** Accepts the next transactions and never includes them. */
  readonly dropNext: (count: number) => void
  /** Makes the next block with every queued transaction. */
  readonly tick: () => void
  /**
   * After a move of the clock: makes the blocks of the time since the newest one, at most twice the life of a blockhash,
   * and then as many of the new time that one of them is final.
   */
  readonly catchUp: () => void
  /** Drops the newest blocks and returns their signatures. Throws for finalized blocks. */
  readonly fork: (depth: number) => readonly string[]
  /** Sets the VM's clock and slot hashes to the tip; called before an execution or a read of a sysvar. */
  readonly synchronise: () => void
  readonly subscribe: (listener: (change: ClusterChange) => void) => () => void
  readonly onSubmitted: (listener: (signature: string) => void) => () => void
}

type ClusterOptions = {
  readonly genesisHash: string
  readonly now: () => number
  readonly log: Log
  readonly slotMs: number
  readonly confirmedAfterSlots: number
  readonly finalizedAfterSlots: number
}

const MAX_PENDING = 10_000
const MAX_SLOT_HASHES = 512
/** A longer pause in the chain is left out. */
const MAX_CAUGHT_UP = 2 * MAX_BLOCKHASH_AGE
const NOTHING_REACHED = { processed: [], confirmed: [], finalized: [] } as const

const isSysvar = (address: Address): boolean => address.startsWith('Sysvar')

const undo = (vm: Vm, history: History, dropped: readonly Block[]): readonly string[] => {
  for (const block of dropped) {
    for (const [address, account] of block.before) vm.write(address, account)
    for (const landed of block.transactions) history.remove(landed)
  }
  return dropped.flatMap((block) => block.transactions.map(({ transaction }) => transaction.signature))
}

const createReader = (
  vm: Vm,
  blocks: Blocks,
  synchronise: () => void,
): Pick<SimulatedSolana, 'readAt' | 'ownedAt'> => {
  const readAt = (block: Block, address: Address): StoredAccount | null => {
    if (isSysvar(address)) {
      synchronise()
      return vm.read(address)
    }
    const older = blocks.above(block).findLast(({ before }) => before.has(address))
    return older === undefined ? vm.read(address) : (older.before.get(address) ?? null)
  }
  return {
    readAt,
    ownedAt: (block, program) => {
      const touched = blocks.above(block).flatMap(({ before }) => [...before.keys()])
      const addresses = [...new Set([...vm.ownedBy(program), ...touched])]
      return addresses.filter((address) => readAt(block, address)?.owner === program)
    },
  }
}

/** The times of the blocks that `catchUp` makes after the newest one, in milliseconds. */
const missedTimes = (
  { now, slotMs, finalizedAfterSlots }: ClusterOptions,
  newest: Block,
): readonly number[] => {
  const timeMs = now()
  const missed = Math.floor((timeMs - newest.timeSeconds * 1000) / slotMs)
  const count = Math.max(0, Math.min(missed, MAX_CAUGHT_UP))
  return [
    ...Array.from({ length: count }, (_, position) => timeMs - (count - position) * slotMs),
    ...Array.from({ length: finalizedAfterSlots + 1 }, () => timeMs),
  ]
}

/** Creates a cluster over the VM's accounts; it makes slots only when asked to. */
export const createSimulatedSolana = (options: ClusterOptions): SimulatedSolana => {
  const vm = createVm()
  const blocks = createBlocks({ ...options, timeMs: options.now() })
  const history = createHistory()
  const pending = new Map<string, SignedTransaction>()
  const onError = (error: unknown): void =>
    options.log('error', 'listener_failed', { listener: 'solana_cluster', error })
  const changes = createEmitter<ClusterChange>(onError)
  const submissions = createEmitter<string>(onError)
  let toDrop = 0

  const synchroniseTo = (block: Block): void => vm.setTime(block, blocks.recent(MAX_SLOT_HASHES))
  const synchronise = (): void => synchroniseTo(blocks.at('processed'))
  const land = (transaction: SignedTransaction, block: Block): void => {
    try {
      landTransaction({ vm, blocks, history }, transaction, block)
    } catch (error) {
      options.log('warn', 'vm_transaction_rejected', {
        signature: transaction.signature,
        error: String(error),
      })
    }
  }
  const takePending = (): readonly SignedTransaction[] => {
    const taken = [...pending.values()]
    pending.clear()
    return taken
  }

  const makeBlock = (timeMs: number): void => {
    const block = blocks.next(timeMs)
    const taken = takePending()
    if (taken.length > 0) synchroniseTo(block)
    for (const transaction of taken) land(transaction, block)
    const reached = blocks.append(block)
    const accountsChanged = Object.values(reached).some((list) =>
      list.some(({ transactions }) => transactions.length > 0),
    )
    changes.emit({ reached, accountsChanged })
  }

  return {
    genesisHash: options.genesisHash,
    vm,
    blocks,
    history,
    ...createReader(vm, blocks, synchronise),
    submit: (transaction) => {
      if (pending.size >= MAX_PENDING) throw new Error(`${MAX_PENDING} transactions are already queued`)
      submissions.emit(transaction.signature)
      if (toDrop > 0) toDrop -= 1
      else pending.set(transaction.signature, transaction)
    },
    dropNext: (count) => {
      toDrop = count
    },
    tick: () => makeBlock(options.now()),
    catchUp: () => {
      for (const timeMs of missedTimes(options, blocks.at('processed'))) makeBlock(timeMs)
    },
    fork: (depth) => {
      const signatures = undo(vm, history, blocks.drop(depth))
      changes.emit({ reached: NOTHING_REACHED, accountsChanged: true })
      return signatures
    },
    synchronise,
    subscribe: changes.on,
    onSubmitted: submissions.on,
  }
}
