import type { ChainId } from '../core/chain.ts'
import type { SettlerEvent } from './settler-contract.ts'

/** An event of a settler and where it stands. */
export type Sighting<Kind extends SettlerEvent['kind'] = SettlerEvent['kind']> = {
  readonly chainId: ChainId
  readonly txHash: string
  /** Index of the log among its block's logs. */
  readonly position: number
  readonly blockNumber: bigint
  /** Of the block, in seconds since the Unix epoch. */
  readonly timestampSeconds: number
  readonly final: boolean
  readonly event: SettlerEvent & { readonly kind: Kind }
}

/** A payment from the escrow; `credited`: it was refused and waits in the settler to be withdrawn. */
type Payment<Kind extends SettlerEvent['kind']> = Sighting<Kind> & { readonly credited: boolean }

/** What both chains say about one order. */
export type OrderSide = {
  readonly open: Sighting<'open'> | undefined
  readonly filled: Sighting<'filled'> | undefined
  readonly proved: Sighting<'proved'> | undefined
  readonly released: Payment<'released' | 'releaseCredited'> | undefined
  readonly refunded: Payment<'refunded' | 'refundCredited'> | undefined
  readonly declined: Sighting<'declined'> | undefined
}

const isOfKind = <Kind extends SettlerEvent['kind']>(
  sighting: Sighting,
  kinds: readonly Kind[],
): sighting is Sighting<Kind> => kinds.some((kind) => kind === sighting.event.kind)

/** The sightings of one order by what they say; a final one counts before one that is not, and each chain for its own. */
export const sideOf = (
  sightings: readonly Sighting[],
  originChain: ChainId,
  destinationChain: ChainId,
): OrderSide => {
  const find = <Kind extends SettlerEvent['kind']>(
    chain: ChainId,
    ...kinds: readonly Kind[]
  ): Sighting<Kind> | undefined => {
    const found = sightings
      .filter(({ chainId }) => chainId === chain)
      .filter((sighting): sighting is Sighting<Kind> => isOfKind(sighting, kinds))
    return found.find(({ final }) => final) ?? found.at(-1)
  }
  const released = find(originChain, 'released', 'releaseCredited')
  const refunded = find(originChain, 'refunded', 'refundCredited')
  return {
    open: find(originChain, 'open'),
    filled: find(destinationChain, 'filled'),
    proved: find(destinationChain, 'proved'),
    released: released && { ...released, credited: released.event.kind === 'releaseCredited' },
    refunded: refunded && { ...refunded, credited: refunded.event.kind === 'refundCredited' },
    declined: find(originChain, 'declined'),
  }
}
