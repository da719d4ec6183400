import type { ChainId } from '@openrfq/sdk'
import type { SettlerEvent } from './settler-events.ts'

/** An event of a settler and its position on chain. */
export type SettlerEventRecord<Kind extends SettlerEvent['kind'] = SettlerEvent['kind']> = {
  readonly chainId: ChainId
  readonly txHash: string
  /** Index of the log among its block's logs. */
  readonly position: number
  readonly blockNumber: bigint
  /** The block's timestamp, in seconds since the Unix epoch. */
  readonly timestampSeconds: number
  readonly final: boolean
  readonly event: SettlerEvent & { readonly kind: Kind }
}

/** A fill at a settler of either kind. */
export type FillRecord = SettlerEventRecord<'filled' | 'attestedFilled'>

/** The events of one order on both chains. */
export type OrderEvents = {
  readonly open: SettlerEventRecord<'open'> | undefined
  readonly filled: FillRecord | undefined
  /** The fill is proven on the origin chain, and not repaid yet. */
  readonly proven: SettlerEventRecord<'proven'> | undefined
  readonly released: SettlerEventRecord<'released'> | undefined
  readonly refunded: SettlerEventRecord<'refunded'> | undefined
}

const isOfKind = <Kind extends SettlerEvent['kind']>(
  record: SettlerEventRecord,
  kinds: readonly Kind[],
): record is SettlerEventRecord<Kind> => kinds.some((kind) => kind === record.event.kind)

/** Groups the records of one order by event; prefers final records, and takes each event from its own chain only. */
export const groupOrderEvents = (
  records: readonly SettlerEventRecord[],
  originChain: ChainId,
  destinationChain: ChainId,
): OrderEvents => {
  const find = <Kind extends SettlerEvent['kind']>(
    chain: ChainId,
    ...kinds: readonly Kind[]
  ): SettlerEventRecord<Kind> | undefined => {
    const found = records
      .filter(({ chainId }) => chainId === chain)
      .filter((record): record is SettlerEventRecord<Kind> => isOfKind(record, kinds))
    return found.find(({ final }) => final) ?? found.at(-1)
  }
  return {
    open: find(originChain, 'open'),
    filled: find(destinationChain, 'filled', 'attestedFilled'),
    proven: find(originChain, 'proven'),
    released: find(originChain, 'released'),
    refunded: find(originChain, 'refunded'),
  }
}
