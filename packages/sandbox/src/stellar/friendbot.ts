import { Operation, StrKey } from '@stellar/stellar-sdk/base'
import { type AssetIssuer, wholeUnits } from './asset-issuer.ts'
import { findAccount } from './entry-view.ts'
import { FAUCET_KEY } from './keys.ts'
import type { SimulatedStellar } from './simulated-stellar.ts'

/** An HTTP answer of the friendbot. */
type FriendbotAnswer = { readonly status: 200 | 400; readonly body: object }

/** Opens accounts for anybody, as the friendbots of Stellar's test networks do. Source: Stellar SDK, `requestAirdrop`. */
export type Friendbot = (address: string | null) => FriendbotAnswer

/** 10,000 XLM, as on the test networks. */
const LUMENS = 100_000_000_000n

const refuse = (detail: string): FriendbotAnswer => ({
  status: 400,
  body: {
    type: 'https://stellar.org/friendbot-errors/bad_request',
    title: 'Bad Request',
    status: 400,
    detail,
  },
})

/** Creates the friendbot; it pays from the sandbox's faucet. */
export const createFriendbot =
  (ledger: SimulatedStellar, assetIssuer: AssetIssuer): Friendbot =>
  (address) => {
    if (address === null || !StrKey.isValidEd25519PublicKey(address))
      return refuse('addr: expected the address of an account, G…')
    if (findAccount(ledger, address) !== undefined) return refuse('createAccountAlreadyExist')
    const open = Operation.createAccount({ destination: address, startingBalance: wholeUnits(LUMENS) })
    return { status: 200, body: { hash: assetIssuer.run([FAUCET_KEY], [open]), successful: true } }
  }
