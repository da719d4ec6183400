import type { ProgramChain } from '../payment-chain.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { createAgreedBlockhash } from './agreed-blockhash.ts'
import { lastValidHeightOf } from './blockhashes.ts'
import type { HeadPoller } from './head-poller.ts'
import { computeBudget } from './instructions.ts'
import { encodeRawPayout } from './raw-payout.ts'
import { parseSolanaSecret } from './secret-key.ts'
import { signTransaction } from './sign-transaction.ts'
import { type UnitPrices, writtenBy } from './unit-prices.ts'

type Deps = {
  readonly head: Pick<HeadPoller, 'head'>
  readonly unitPrices: UnitPrices
  readonly pickBlockhash: ReturnType<typeof createAgreedBlockhash>
}

/** Signs instructions with the newest agreed blockhash and the present bid for the accounts that they write, behind their compute budget. */
export const createInstructionSigner =
  ({ head, unitPrices, pickBlockhash }: Deps): ProgramChain['signInstructions'] =>
  async ({ instructions, unitLimit, expired }, secret) => {
    const pair = parseSolanaSecret(secret)
    if (head.head() === undefined) throw new RpcError('NO_HEAD', 'the head is unknown')
    const [unitPrice, block] = await Promise.all([
      unitPrices.priceOf(writtenBy(pair.address, instructions), expired),
      pickBlockhash(undefined),
    ])
    const { blockhash } = block
    const lastValidBlockHeight = lastValidHeightOf(block)
    const { signature, transaction } = await signTransaction({
      pair,
      instructions: [...computeBudget(unitLimit, unitPrice), ...instructions],
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
