import type { ProgramChain } from '../payment-chain.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { createAgreedBlockhash } from './agreed-blockhash.ts'
import { lastValidHeightOf } from './blockhashes.ts'
import type { HeadPoller } from './head-poller.ts'
import { computeBudget } from './instructions.ts'
import { unitPriceOf } from './payment-fee.ts'
import { encodeRawPayout } from './raw-payout.ts'
import { parseSolanaSecret } from './secret-key.ts'
import { signTransaction } from './sign-transaction.ts'

type Deps = {
  readonly head: Pick<HeadPoller, 'head'>
  readonly pickBlockhash: ReturnType<typeof createAgreedBlockhash>
}

/** Signs instructions with the newest agreed blockhash and the present bid, behind their compute budget. */
export const createInstructionSigner =
  ({ head, pickBlockhash }: Deps): ProgramChain['signInstructions'] =>
  async ({ instructions, unitLimit }, secret) => {
    const pair = parseSolanaSecret(secret)
    const known = head.head()
    if (known === undefined) throw new RpcError('NO_HEAD', 'the head is unknown')
    const block = await pickBlockhash(undefined)
    const { blockhash } = block
    const lastValidBlockHeight = lastValidHeightOf(block)
    const { signature, transaction } = await signTransaction({
      pair,
      instructions: [...computeBudget(unitLimit, unitPriceOf(known.paymentFee)), ...instructions],
      blockhash,
      lastValidBlockHeight,
    })
    const rawTransaction = encodeRawPayout({
      transaction,
      lastValidBlockHeight,
      signedAtSlot: block.slot,
      blockhash,
    })
    return { txHash: signature, rawTransaction }
  }
