import type { ChainId } from '@openrfq/sdk'
import type { AttesterStatus } from '../settlers/attester-status.ts'

/** A chain of the attester: its newest block, and whether orders or fills there can be judged. */
type ReadChain = {
  readonly chainId: ChainId
  readonly head: () => { readonly number: bigint; readonly timestampSeconds: number } | undefined
}

type Deps = {
  /** In EIP-55. */
  readonly attester: string
  readonly chains: readonly ReadChain[]
  /** Whether the orders of an EVM chain are read up to its head; true for a chain whose orders are not followed. */
  readonly isRead: (chainId: ChainId) => boolean
}

/** Tells how far the chains are read, from memory. */
export const createChainStatus =
  ({ attester, chains, isRead }: Deps) =>
  (): AttesterStatus => ({
    attester,
    chains: chains.map(({ chainId, head: newest }) => {
      const head = newest()
      return {
        chainId,
        isCurrent: head !== undefined && isRead(chainId),
        head:
          head === undefined
            ? null
            : { number: Number(head.number), timestampSeconds: head.timestampSeconds },
      }
    }),
  })
