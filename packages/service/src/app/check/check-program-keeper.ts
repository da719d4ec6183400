import type { PaymentChain } from '../../chains/payment-chain.ts'
import { SOLANA_NATIVE_TOKEN } from '../../chains/solana/address.ts'
import type { NetworkChain } from '../../core/network.ts'
import type { Config } from '../config.ts'
import { doubtful, type Finding, fine, wrong } from './finding.ts'

/**
 * The most lamports that one refund takes from the keeper's account: 2 a unit at the highest bid, a signature, and the rent of a
 * token account that the depositor has closed. Source: Solana's rent, `MAX_UNIT_PRICE`, `REFUND_UNITS`.
 */
const MOST_OF_REFUND = 2_450_000n
/** A keeper with gas for fewer refunds than these is low. */
const REFUNDS = 10n

/**
 * The balance of the account that refunds orders of an escrow program; nothing on a chain without one. Rejects if the chain cannot
 * be read.
 */
export const checkProgramKeeper = async (
  { keeperSecrets }: Pick<Config, 'keeperSecrets'>,
  { chainId, attested, nativeToken: { symbol } }: Pick<NetworkChain, 'chainId' | 'attested' | 'nativeToken'>,
  chain: Pick<PaymentChain, 'programs' | 'accountOf' | 'balances'>,
): Promise<readonly Finding[]> => {
  if (chain.programs === undefined || attested === undefined) return []
  const subject = `chain ${chainId} keeper`
  const secret = keeperSecrets.get(chainId)
  if (secret === undefined)
    return [
      doubtful(subject, 'KEEPER_SECRETS has no account here: refunds wait until somebody else submits them'),
    ]
  const account = chain.accountOf(secret)
  const [amount = 0n] = (await chain.balances(account, [SOLANA_NATIVE_TOKEN])).amounts
  if (amount === 0n) return [wrong(subject, `${account} holds no ${symbol}: send it gas, or refunds wait`)]
  const needed = REFUNDS * MOST_OF_REFUND
  const holds = `holds ${amount} base units of ${symbol}`
  return [
    amount < needed
      ? doubtful(
          subject,
          `${account} ${holds}, less than the ${needed} that ${REFUNDS} refunds may cost: send it gas`,
        )
      : fine(subject, holds),
  ]
}
