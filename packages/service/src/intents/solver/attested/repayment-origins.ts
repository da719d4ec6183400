import type { EvmChain } from '../../../chains/evm/evm-chain.ts'
import { SOLANA_NATIVE_TOKEN } from '../../../chains/solana/address.ts'
import { openTokenAccount } from '../../../chains/solana/instructions.ts'
import type { OrderId } from '../../../core/intent-order.ts'
import type { Log } from '../../../lib/log.ts'
import type { Claim } from '../../../store/store.ts'
import { type EscrowAttestation, releaseInstruction } from '../../settlers/escrow-program.ts'
import type { EscrowState } from '../../settlers/escrow-reader.ts'
import { readStatus, statusCall } from '../../settlers/order-status.ts'
import type { EscrowSide } from './escrow-side.ts'

/** How the solver follows orders that were opened on a chain until they are repaid. */
export type RepaymentOrigin = {
  /** The status of orders as a quorum of endpoints gives it, without those that are not agreed; rejects if the chain cannot be read. */
  readonly read: (orderIds: readonly OrderId[]) => Promise<ReadonlyMap<OrderId, Pick<EscrowState, 'status'>>>
  /** How an order that is missing ended, or undefined if that is not found; absent where orders do not disappear. */
  readonly endOf?: (orderId: OrderId) => Promise<'released' | 'refunded' | undefined>
  /** Sends the release with the attestation; undefined where the attester sends it. */
  readonly release: ((claim: Claim, attestation: EscrowAttestation) => Promise<void>) | undefined
}

/** Opening a token account and searching addresses included. */
const RELEASE_UNITS = 200_000

/** Orders of the escrow program, whose releases the solver sends. */
export const programOrigin = (side: EscrowSide, log: Log): RepaymentOrigin => ({
  read: side.read,
  endOf: async (orderId) => {
    const { released, refunded } = await side.history(orderId, 'finalized')
    if (refunded !== undefined) return 'refunded'
    return released === undefined ? undefined : 'released'
  },
  release: async ({ orderId, order }, attestation) => {
    const escrow = side.escrowOf(order)
    if (escrow === undefined) return
    const { solver, inputToken } = order
    const opening = inputToken === SOLANA_NATIVE_TOKEN ? [] : [openTokenAccount(solver, solver, escrow.mint)]
    const sent = await side.sender.send({
      key: `release:${orderId}`,
      unitLimit: RELEASE_UNITS,
      instructions: [...opening, releaseInstruction(escrow, attestation)],
    })
    if (sent.kind === 'sent' && sent.outcome === 'failed')
      log('warn', 'release_failed', { orderId, txHash: sent.txHash })
  },
})

/** Orders of an AttestedSettler on an EVM chain, which the attester releases. */
export const settlerOrigin = ({
  evm,
  settler,
}: {
  readonly evm: Pick<EvmChain, 'callAgreed'>
  readonly settler: string
}): RepaymentOrigin => ({
  read: async (orderIds) => {
    const results = await evm.callAgreed(
      orderIds.map((orderId) => statusCall({ settler }, orderId)),
      {},
    )
    return new Map(
      orderIds.flatMap((orderId, position) => {
        const status = readStatus('attested', results[position])
        if (status === undefined || status === 'filled' || status === 'proven') return []
        return [[orderId, { status: status === 'none' ? 'missing' : status }] as const]
      }),
    )
  },
  release: undefined,
})
