import { contractIdOf } from '../../chains/stellar/asset-contract.ts'
import { decodeStrKey } from '../../chains/stellar/str-key.ts'
import type { Decline } from '../../core/offer.ts'
import { unpriced } from '../decline.ts'
import type { ItsReceiver } from './routes.ts'

/**
 * Why a recipient on a chain of another family cannot receive the amount (base units); undefined if it can. A classic asset
 * of Stellar needs the recipient's trustline; a token of a contract of its own needs none.
 */
export const whyNotReceivable = async (
  { ledger, chain, token }: ItsReceiver,
  recipient: string,
  amount: bigint,
): Promise<Decline | undefined> => {
  if (decodeStrKey(recipient)?.kind === 'M')
    return {
      declined: 'unpayable',
      reasonCode: 'not_a_wallet',
      reason: 'the token service of Stellar pays no muxed address: name the account',
    }
  const native = chain.passphrase === undefined ? undefined : contractIdOf('native', chain.passphrase)
  const isClassic = token.stellar !== undefined || token.address === native
  if (!isClassic) return undefined
  try {
    const reason = await ledger.whyNotPayable(recipient, token.address, amount)
    return reason === undefined ? undefined : { declined: 'unpayable', ...reason }
  } catch {
    return unpriced('the recipient cannot be read')
  }
}
