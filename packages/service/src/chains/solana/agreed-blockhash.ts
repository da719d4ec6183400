import { shareInFlight } from '../../lib/share-in-flight.ts'
import { askFor } from '../rpc/ask-for.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAnswer } from '../rpc/json-rpc.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { chooseBlockhash, type HashedBlock } from './blockhashes.ts'
import { ConfirmedBlock, U64 } from './rpc-answers.ts'

type Deps = { readonly pool: Pick<RpcPool, 'agree' | 'workEach' | 'quorum'>; readonly deadlineMs: number }

/** How long slow endpoints are waited for. */
const SLOTS_MS = 2_000
const CONFIRMED = { commitment: 'confirmed' }
/** Codes for a slot without a block. A node that has not reached the slot answers the first too. Source: Agave. */
const NO_BLOCK: readonly number[] = [-32004, -32007, -32009]

const readSlot = (ask: RpcAsk): Promise<bigint> =>
  askFor(ask, { method: 'getSlot', params: [CONFIRMED] }, U64)

const isMissing = (answer: RpcAnswer | undefined): boolean =>
  answer?.ok === false && NO_BLOCK.includes(answer.code)

/** The block of a slot by one endpoint; undefined for a skipped slot. Throws NODE_BEHIND for one that has not reached it. */
const readBlock =
  (slot: bigint) =>
  async (ask: RpcAsk): Promise<HashedBlock | undefined> => {
    const [reached, answer] = await ask([
      { method: 'getSlot', params: [CONFIRMED] },
      {
        method: 'getBlock',
        params: [Number(slot), { ...CONFIRMED, transactionDetails: 'none', rewards: false }],
      },
    ])
    const newest = expectResult(reached, U64)
    if (newest < slot) throw new RpcError('NODE_BEHIND', `node is behind, at slot ${newest}`)
    if (isMissing(answer)) return undefined
    const { blockhash, blockHeight, blockTime } = expectResult(answer, ConfirmedBlock)
    ask.checkTime(blockTime)
    return { slot, blockhash, height: blockHeight, timestampSeconds: blockTime }
  }

/**
 * Creates a function that returns the block whose hash a payment names, and that cannot land after the given second,
 * as `chooseBlockhash`. A quorum of endpoints tells hash, height and time of the block: the height decides when the
 * payment has expired and may be signed again. Throws RpcError NO_AGREEMENT or NODE_BEHIND without a quorum.
 */
export const createAgreedBlockhash = ({ pool, deadlineMs }: Deps) => {
  const share = shareInFlight<'newest', HashedBlock>()

  const blockAt = (slot: bigint): Promise<HashedBlock | undefined> =>
    pool.agree({ work: readBlock(slot), blames: false, deadlineMs })

  /** A block at the newest slot that a quorum reach, or at the next lower one that an endpoint told. */
  const findNewest = async (): Promise<HashedBlock> => {
    const answers = await Promise.allSettled(pool.workEach(readSlot, Math.min(SLOTS_MS, deadlineMs)))
    const told = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    const slots = told.toSorted((one, other) => Number(other - one)).slice(pool.quorum - 1)
    const errors: unknown[] = []
    for (const slot of new Set(slots)) {
      const found = await blockAt(slot).catch((error: unknown) => void errors.push(error))
      if (found !== undefined) return found
    }
    throw errors.at(-1) ?? new RpcError('NO_AGREEMENT', 'too few endpoints tell a confirmed block')
  }

  return async (notAfterSeconds: number | undefined): Promise<HashedBlock> =>
    chooseBlockhash({ newest: await share('newest', findNewest), blockAt }, notAfterSeconds)
}
