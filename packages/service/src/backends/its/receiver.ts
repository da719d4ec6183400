import { contractIdOf } from '../../chains/stellar/asset-contract.ts'
import { decodeStrKey } from '../../chains/stellar/str-key.ts'
import type { Decline } from '../../core/offer.ts'
import { unpriced } from '../decline.ts'
import type { ItsReceiver, SolanaReceiver } from './routes.ts'

/** Whether an account belongs to the token service itself, so that no wallet can spend from it. */
const isOwnOf = ({ places }: SolanaReceiver, recipient: string): boolean =>
  recipient === places.root || recipient === places.manager

const whyNotPayable = async (
  { ledger, token }: ItsReceiver,
  recipient: string,
  amount: bigint,
): Promise<Decline | undefined> => {
  try {
    const reason = await ledger.whyNotPayable(recipient, token.address, amount)
    return reason === undefined ? undefined : { declined: 'unpayable', ...reason }
  } catch {
    return unpriced('the recipient cannot be read')
  }
}

const notAWallet = (reason: string): Decline => ({
  declined: 'unpayable',
  reasonCode: 'not_a_wallet',
  reason,
})

/**
 * Why a recipient on a chain of another family cannot receive the amount (base units); undefined if it can. A classic asset
 * of Stellar needs the recipient's trustline; a token of a contract of its own needs none. On Solana the token service opens the
 * associated account of a wallet, so that a token account is refused, and one that its owner gave away.
 */
export const whyNotReceivable = async (
  side: ItsReceiver,
  recipient: string,
  amount: bigint,
): Promise<Decline | undefined> => {
  if (side.family === 'solana')
    return isOwnOf(side, recipient)
      ? notAWallet('the recipient is an account of the token service')
      : whyNotPayable(side, recipient, amount)
  if (decodeStrKey(recipient)?.kind === 'M')
    return notAWallet('the token service of Stellar pays no muxed address: name the account')
  const { chain, token } = side
  const native = chain.passphrase === undefined ? undefined : contractIdOf('native', chain.passphrase)
  const isClassic = token.stellar !== undefined || token.address === native
  return isClassic ? whyNotPayable(side, recipient, amount) : undefined
}
