import { z } from 'zod'
import type { LandedTransaction } from './block.ts'
import { AccountFormat, encodeAccount } from './encoded-account.ts'
import { encodeJson } from './json.ts'
import { readerAt } from './rpc/account-methods.ts'
import { AddressParam, ContextParam, inContext, parseParams, SignatureParam } from './rpc/params.ts'
import type { ClusterChange, SimulatedSolana } from './simulated-solana.ts'

/** A subscription's handler of cluster events. */
export type Subscriber = {
  readonly onChange?: (change: ClusterChange) => void
  readonly onSubmitted?: (signature: string) => void
}

/** Sends a notification to the client, and says whether it is the last. */
type Notify = { readonly tell: (result: unknown) => void; readonly finish: () => void }

type Open = (cluster: SimulatedSolana, params: readonly unknown[], notify: Notify) => Subscriber

const DEFAULT_COMMITMENT = 'finalized'
const AccountConfig = z.object({ ...ContextParam.shape, ...AccountFormat.shape })

const openSlots: Open = (cluster, _params, { tell }) => ({
  onChange: ({ reached }) => {
    const root = cluster.blocks.at('finalized').slot
    for (const { slot, parentSlot } of reached.processed) tell({ parent: parentSlot, root, slot })
  },
})

const openRoots: Open = (_cluster, _params, { tell }) => ({
  onChange: ({ reached }) => {
    for (const { slot } of reached.finalized) tell(slot)
  },
})

const openSignature: Open = (cluster, params, { tell, finish }) => {
  const Config = z.object({ ...ContextParam.shape, enableReceivedNotification: z.boolean().nullish() })
  const [signature, config] = parseParams(z.tuple([SignatureParam, Config.nullable()]), params, 2)
  const check = (): void => {
    const block = cluster.blocks.at(config?.commitment ?? DEFAULT_COMMITMENT)
    const landed = cluster.history.find(signature)
    if (landed === undefined || landed.block.height > block.height) return
    tell(inContext(block, { err: landed.execution.error }))
    finish()
  }
  return {
    onChange: check,
    onSubmitted: (submitted) => {
      if (config?.enableReceivedNotification === true && submitted === signature)
        tell(inContext(cluster.blocks.at('processed'), 'receivedSignature'))
    },
  }
}

const openLogs: Open = (_cluster, params, { tell }) => {
  const Filter = z.union([
    z.enum(['all', 'allWithVotes']),
    z.object({ mentions: z.array(AddressParam).length(1) }),
  ])
  const [filter, config] = parseParams(z.tuple([Filter, ContextParam.nullable()]), params, 2)
  const commitment = config?.commitment ?? DEFAULT_COMMITMENT
  const isWanted = ({ accounts }: LandedTransaction): boolean =>
    typeof filter === 'string' || filter.mentions.every((address) => accounts.addresses.includes(address))
  return {
    onChange: ({ reached }) => {
      for (const block of reached[commitment])
        for (const landed of block.transactions.filter(isWanted)) {
          const { error, logs } = landed.execution
          tell(inContext(block, { err: error, logs, signature: landed.transaction.signature }))
        }
    },
  }
}

const openAccount: Open = (cluster, params, { tell }) => {
  const [address, config] = parseParams(z.tuple([AddressParam, AccountConfig.nullable()]), params, 2)
  const commitment = config?.commitment ?? DEFAULT_COMMITMENT
  const read = () => {
    const block = cluster.blocks.at(commitment)
    const reader = readerAt(cluster, block)
    const account = encodeAccount(reader(address), config, reader)
    return { block, account, text: encodeJson(account) }
  }
  let known = read().text
  return {
    onChange: ({ accountsChanged }) => {
      if (!accountsChanged) return
      const { block, account, text } = read()
      if (text === known) return
      known = text
      tell(inContext(block, account ?? EMPTY_ACCOUNT))
    },
  }
}

/** The nodes' answer for an account that no longer exists. */
const EMPTY_ACCOUNT = {
  data: ['', 'base64'],
  executable: false,
  lamports: 0,
  owner: '11111111111111111111111111111111',
  rentEpoch: 0,
  space: 0,
}

const openProgram: Open = (cluster, params, { tell }) => {
  const [program, config] = parseParams(z.tuple([AddressParam, AccountConfig.nullable()]), params, 2)
  const commitment = config?.commitment ?? DEFAULT_COMMITMENT
  return {
    onChange: ({ reached }) => {
      for (const block of reached[commitment]) {
        const reader = readerAt(cluster, block)
        const touched = block.transactions.flatMap(({ accounts }) =>
          accounts.addresses.filter((_, index) => accounts.isWritable(index)),
        )
        for (const pubkey of new Set(touched)) {
          const account = reader(pubkey)
          if (account?.owner === program)
            tell(inContext(block, { account: encodeAccount(account, config, reader), pubkey }))
        }
      }
    },
  }
}

/**
 * The kinds of subscription, with methods `<kind>Subscribe`, `<kind>Unsubscribe` and `<kind>Notification`. Existing
 * state is notified with the next slot, as by a node. Source: solana.com/docs/rpc/websocket.
 */
export const SUBSCRIPTIONS = {
  account: openAccount,
  logs: openLogs,
  program: openProgram,
  root: openRoots,
  signature: openSignature,
  slot: openSlots,
} as const satisfies Readonly<Record<string, Open>>
