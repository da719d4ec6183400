import { RfqError } from '@openrfq/sdk'
import { Operation, StrKey, xdr } from '@stellar/stellar-sdk/base'
import { accountNameOf } from './address.ts'
import { type AssetIssuer, sdkAsset, wholeUnits } from './asset-issuer.ts'
import { type AssetName, NATIVE } from './asset-name.ts'
import { roomFor } from './balances.ts'
import { findAccount, findTrustline } from './entry-view.ts'
import { FAUCET_KEY, ISSUER_KEY, type StellarKey, USER_KEYS } from './keys.ts'
import { BASE_RESERVE, RESERVES_OF_ACCOUNT } from './reserves.ts'
import type { SimulatedStellar } from './simulated-stellar.ts'

/** Sends base units of an asset to a G or M address and closes a ledger for it. */
export type StellarFaucet = (asset: AssetName, recipient: string, amount: bigint) => void

const LEAST_LUMENS = BigInt(RESERVES_OF_ACCOUNT) * BASE_RESERVE

const accountIn = (recipient: string): string => {
  if (StrKey.isValidEd25519PublicKey(recipient)) return recipient
  if (!StrKey.isValidMed25519PublicKey(recipient))
    throw new RfqError('INVALID_REQUEST', `address: expected a G or M address, not ${recipient}`, {
      field: 'address',
    })
  const bytes = StrKey.decodeMed25519PublicKey(recipient)
  const med25519 = { ed25519: bytes.subarray(0, 32), id: Buffer.from(bytes.subarray(32)).readBigUInt64BE() }
  return accountNameOf(xdr.MuxedAccount.keyTypeMuxedEd25519(new xdr.MuxedAccountMed25519(med25519))).address
}

const refuse = (message: string): RfqError => new RfqError('INVALID_REQUEST', message, { field: 'address' })

/**
 * The sandbox's faucet. XLM creates a missing account, for at least 1 XLM. Issued assets need a trustline, which the
 * faucet opens for the sandbox's own users. Throws RfqError INVALID_REQUEST when the recipient cannot be paid.
 */
export const createStellarFaucet = (ledger: SimulatedStellar, assetIssuer: AssetIssuer): StellarFaucet => {
  const users = new Map<string, StellarKey>(USER_KEYS.map((key) => [key.address, key]))

  const giveLumens = (destination: string, amount: bigint): void => {
    if (findAccount(ledger, destination) !== undefined) {
      assetIssuer.run(
        [FAUCET_KEY],
        [Operation.payment({ destination, asset: sdkAsset(NATIVE), amount: wholeUnits(amount) })],
      )
      return
    }
    if (amount < LEAST_LUMENS)
      throw refuse(`${destination} does not exist yet: creating it takes at least ${LEAST_LUMENS} stroops`)
    assetIssuer.run(
      [FAUCET_KEY],
      [Operation.createAccount({ destination, startingBalance: wholeUnits(amount) })],
    )
  }

  const giveIssued = (asset: AssetName, destination: string, amount: bigint): void => {
    if (findAccount(ledger, destination) === undefined)
      throw refuse(`${destination} does not exist: send it XLM first`)
    const pay = Operation.payment({
      source: ISSUER_KEY.address,
      destination,
      asset: sdkAsset(asset),
      amount: wholeUnits(amount),
    })
    if (findTrustline(ledger, destination, asset) === undefined) {
      const user = users.get(destination)
      if (user === undefined) throw refuse(`${destination} has no trustline for ${asset}: open it first`)
      const trust = Operation.changeTrust({ source: destination, asset: sdkAsset(asset) })
      assetIssuer.run([FAUCET_KEY, user, ISSUER_KEY], [trust, pay])
      return
    }
    const room = roomFor(ledger, destination, asset)
    if (room < amount)
      throw new RfqError('AMOUNT_OUT_OF_RANGE', `${destination} can receive ${room} base units more`, {
        maximum: room.toString(),
      })
    assetIssuer.run([FAUCET_KEY, ISSUER_KEY], [pay])
  }

  return (asset, recipient, amount) => {
    const account = accountIn(recipient)
    const supply = findAccount(ledger, FAUCET_KEY.address)?.balance ?? 0n
    if (amount > supply)
      throw new RfqError('AMOUNT_OUT_OF_RANGE', `the faucet gives ${supply} base units at most`, {
        maximum: supply.toString(),
      })
    if (asset === NATIVE) giveLumens(account, amount)
    else giveIssued(asset, account, amount)
  }
}
