import { uintAt } from '../../chains/evm/abi-words.ts'
import { IS_ASSOCIATED_DATA } from '../../chains/evm/erc20.ts'
import { contractIdOf } from '../../chains/stellar/asset-contract.ts'
import { decodeStrKey } from '../../chains/stellar/str-key.ts'
import type { Decline } from '../../core/offer.ts'
import { unpriced } from '../decline.ts'
import { type ItsReceiver, type ItsSide, isReceiver, type SolanaReceiver } from './routes.ts'

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
 * Why an account of Hedera cannot receive a token; undefined if a quorum of endpoints say that it is associated. Accounts with room for
 * automatic associations may receive it without one, which a call does not show: they are declined too. Source: HIP-719.
 */
const whyNotAssociated = async ({ evm, token }: ItsSide, recipient: string): Promise<Decline | undefined> => {
  try {
    const call = { to: token.address, data: IS_ASSOCIATED_DATA, from: recipient, mayRevert: true } as const
    const [answer] = await evm.callAgreed([call], {})
    if (uintAt(answer ?? '0x', 0) === 1n) return undefined
  } catch {
    return unpriced('the recipient cannot be read')
  }
  const reason = `the account is not associated with ${token.symbol}: call associate() of the token from it first`
  return { declined: 'unpayable', reasonCode: 'not_associated', reason }
}

/**
 * Why a recipient cannot receive the amount (base units); undefined if it can. A classic asset of Stellar needs the recipient's trustline; a
 * token of a contract of its own needs none. On Solana the token service opens the associated account of a wallet, so that a token account is
 * refused, and one that its owner gave away. On Hedera the recipient must be associated with the token; on other EVM chains all can receive.
 */
export const whyNotReceivable = async (
  side: ItsSide | ItsReceiver,
  recipient: string,
  amount: bigint,
): Promise<Decline | undefined> => {
  if (!isReceiver(side))
    return side.chain.tokenStandard === 'hts' ? whyNotAssociated(side, recipient) : undefined
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
