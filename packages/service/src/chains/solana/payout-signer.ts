import type { Payout } from '../../core/payout.ts'
import type { PaymentChain, SignedPayout } from '../payment-chain.ts'
import { PaymentError } from '../payment-error.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import type { createAgreedBlockhash } from './agreed-blockhash.ts'
import { lastValidHeightOf } from './blockhashes.ts'
import type { HeadPoller } from './head-poller.ts'
import {
  computeBudget,
  memoInstruction,
  openTokenAccount,
  type SolanaInstruction,
  systemTransfer,
  tokenTransfer,
} from './instructions.ts'
import { PAYMENT_UNITS } from './payment-fee.ts'
import type { SolanaMint } from './programs.ts'
import { encodeRawPayout } from './raw-payout.ts'
import { parseSolanaSecret } from './secret-key.ts'
import { signTransaction } from './sign-transaction.ts'
import { type UnitPrices, writtenBy } from './unit-prices.ts'

type Deps = {
  readonly head: Pick<HeadPoller, 'head'>
  readonly unitPrices: UnitPrices
  readonly pickBlockhash: ReturnType<typeof createAgreedBlockhash>
  readonly mints: readonly SolanaMint[]
}

/** The memo directly precedes the transfer, as token accounts may require. */
const transferOf = (
  { recipient, token, amount, memo }: Payout,
  payer: string,
  mints: Deps['mints'],
): readonly SolanaInstruction[] => {
  const attached = memoInstruction(payer, memo)
  if (token === SOLANA_NATIVE_TOKEN) return [attached, systemTransfer(payer, recipient, amount)]
  const mint = mints.find(({ address }) => address === token)
  if (mint === undefined) throw new PaymentError('UNKNOWN_TOKEN', `unknown token ${token}`)
  return [openTokenAccount(payer, recipient, mint), attached, tokenTransfer(payer, recipient, mint, amount)]
}

/**
 * Signs payments: compute budget, the recipient's token account, memo, transfer. The blockhash is agreed by a quorum of
 * endpoints and chosen so that the payment expires by its last second.
 */
export const createPayoutSigner =
  ({ head, unitPrices, pickBlockhash, mints }: Deps): PaymentChain['sign'] =>
  async (payout, secret, expired = 0): Promise<SignedPayout> => {
    const pair = parseSolanaSecret(secret)
    if (head.head() === undefined) throw new RpcError('NO_HEAD', 'the head is unknown')
    const transfer = transferOf(payout, pair.address, mints)
    const [unitPrice, block] = await Promise.all([
      unitPrices.priceOf(writtenBy(pair.address, transfer), expired),
      pickBlockhash(payout.notAfterSeconds),
    ])
    const instructions = [...computeBudget(PAYMENT_UNITS, unitPrice), ...transfer]
    const { blockhash } = block
    const lastValidBlockHeight = lastValidHeightOf(block)
    const { signature, transaction } = await signTransaction({
      pair,
      instructions,
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
