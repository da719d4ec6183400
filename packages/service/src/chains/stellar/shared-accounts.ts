import type { xdr } from '@stellar/stellar-sdk/base'
import type { Instant } from '../../core/instant.ts'
import { type AccountKeys, differencesOfKeys, type KeysChange } from '../../core/vault-signers.ts'
import type { SharedAccounts } from '../payment-chain.ts'
import { PaymentError } from '../payment-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { MEMO_REQUIRED, readAccount, type StellarAccount } from './account-reader.ts'
import { loadStellarSdk, type StellarSdk } from './sdk.ts'
import { writeSigned } from './signed-text.ts'
import { decodeStrKey } from './str-key.ts'

type Deps = {
  readonly pool: RpcPool
  readonly passphrase: string
  readonly wallTime: () => Instant
  readonly deadlineMs: number
}

/** A plan may be signed in several places. */
const VALID_SECONDS = 86_400
/** The bid for each operation in stroops; the ledger usually charges a hundred. */
const FEE_BID = '10000'

const readAgreed = async (
  { pool, deadlineMs }: Deps,
  sdk: StellarSdk,
  account: string,
): Promise<StellarAccount | undefined> =>
  pool.agree({
    work: async (ask) => (await readAccount(sdk, ask, account, [])).account,
    keyOf: (found) =>
      found === undefined
        ? 'none'
        : JSON.stringify([
            found.sequence.toString(),
            [...found.keys.weights],
            found.keys.thresholds,
            found.wantsMemo,
          ]),
    blames: false,
    deadlineMs,
  })

/** Asks payers for a memo: a medium operation, which the recovery key and another one cannot make. */
const memoOperation = ({ Operation }: StellarSdk): xdr.Operation => Operation.manageData(MEMO_REQUIRED)

const isAlone = (account: string, { weights, thresholds }: AccountKeys): boolean =>
  (weights.get(account) ?? 0) >= Math.max(thresholds.medium, thresholds.high)

/**
 * What gives an account the wanted keys and lets it ask for memos; empty if there is nothing to do. Keys are replaced first where the keys
 * that replace them cannot do both.
 */
const planFor = (
  sdk: StellarSdk,
  account: string,
  { keys, wantsMemo }: Pick<StellarAccount, 'keys' | 'wantsMemo'>,
  wanted: AccountKeys,
): readonly xdr.Operation[] => {
  const isKept = differencesOfKeys(keys, wanted).length === 0
  const asking = !wantsMemo && (isKept || isAlone(account, keys)) ? [memoOperation(sdk)] : []
  return isKept ? asking : [...asking, ...keyOperations(sdk, account, keys, wanted)]
}

/** New signers come before the thresholds that need them. */
const keyOperations = (
  { Operation }: StellarSdk,
  account: string,
  found: AccountKeys,
  wanted: AccountKeys,
): readonly xdr.Operation[] => {
  const others = [...new Set([...wanted.weights.keys(), ...found.weights.keys()])].filter(
    (key) => key !== account && wanted.weights.get(key) !== found.weights.get(key),
  )
  const { low, medium, high } = wanted.thresholds
  return [
    ...others.map((key) => {
      if (decodeStrKey(key)?.kind !== 'G')
        throw new RangeError(`${account} has a signer that is no account (G…): remove ${key} first`)
      return Operation.setOptions({
        signer: { ed25519PublicKey: key, weight: wanted.weights.get(key) ?? 0 },
      })
    }),
    Operation.setOptions({
      masterWeight: wanted.weights.get(account) ?? 0,
      lowThreshold: low,
      medThreshold: medium,
      highThreshold: high,
    }),
  ]
}

const parse = ({ TransactionBuilder, Transaction }: StellarSdk, passphrase: string, text: string) => {
  let parsed: ReturnType<typeof TransactionBuilder.fromXdr> | undefined
  try {
    parsed = TransactionBuilder.fromXdr(text, passphrase)
  } catch {
    // The text is told below.
  }
  if (!(parsed instanceof Transaction)) throw new RangeError('expected a transaction of Stellar (base64 XDR)')
  return parsed
}

type Parsed = ReturnType<typeof parse>

type Change = KeysChange & { readonly asksForMemo: boolean }

/** What an operation of a plan changes. Throws RangeError for anything but signers, thresholds and the request for memos. */
const changeOf = (operation: Parsed['operations'][number], account: string): Change => {
  if (operation.type === 'manageData' && operation.source === undefined) {
    const value = Buffer.from(operation.value ?? []).toString()
    if (operation.name === MEMO_REQUIRED.name && value === MEMO_REQUIRED.value)
      return { weights: new Map(), thresholds: {}, asksForMemo: true }
  }
  if (operation.type !== 'setOptions' || operation.source !== undefined)
    throw new RangeError(`expected changes of ${account}'s signers only, not ${operation.type}`)
  const { type: _type, source: _source, signer, masterWeight, ...rest } = operation
  const { lowThreshold: low, medThreshold: medium, highThreshold: high, ...further } = rest
  const [other] = Object.entries(further).find(([, value]) => value !== undefined) ?? []
  if (other !== undefined) throw new RangeError(`expected changes of signers only, not of ${other}`)
  const weights = [
    ...(signer === undefined ? [] : [weightOf(signer)]),
    ...(masterWeight === undefined ? [] : [[account, Number(masterWeight)] as const]),
  ]
  const thresholds = Object.entries({ low, medium, high }).filter(([, value]) => value !== undefined)
  return { weights: new Map(weights), thresholds: Object.fromEntries(thresholds), asksForMemo: false }
}

const weightOf = (signer: object & { readonly weight?: number | string | undefined }) => {
  if (!('ed25519PublicKey' in signer) || typeof signer.ed25519PublicKey !== 'string')
    throw new RangeError('expected signers that are accounts (G…)')
  return [signer.ed25519PublicKey, Number(signer.weight)] as const
}

/** A change as text for people. */
const textsOf = ({ weights, thresholds, asksForMemo }: Change, account: string): readonly string[] => [
  ...(asksForMemo ? [`wallets ask for a memo where a payment to ${account} has no muxed id`] : []),
  ...[...weights].map(([key, weight]) =>
    weight === 0 ? `${key} signs no more` : `${key} signs with weight ${weight}`,
  ),
  ...Object.entries(thresholds).map(([level, value]) => `the ${level} threshold becomes ${value}`),
]

/** Reads and changes the keys of accounts. Source: the Set Options operation, CAP-21. */
export const createSharedAccounts = (
  deps: Deps,
): Pick<SharedAccounts, 'keysOf' | 'asksForMemo' | 'planKeys' | 'readPlan' | 'signPlan' | 'submission'> => {
  const { passphrase, wallTime } = deps
  const read = async (text: string) => {
    const sdk = await loadStellarSdk()
    const transaction = parse(sdk, passphrase, text)
    const { operations, fee, source } = transaction
    if (Number(fee) > Number(FEE_BID) * operations.length)
      throw new RangeError(
        `expected a fee of at most ${FEE_BID} stroops for each operation, not ${fee} in all`,
      )
    return { sdk, transaction, changes: operations.map((operation) => changeOf(operation, source)) }
  }
  return {
    keysOf: async (account) => (await readAgreed(deps, await loadStellarSdk(), account))?.keys,
    asksForMemo: async (account) =>
      (await readAgreed(deps, await loadStellarSdk(), account))?.wantsMemo === true,
    planKeys: async (account, wanted) => {
      const sdk = await loadStellarSdk()
      const found = await readAgreed(deps, sdk, account)
      if (found === undefined) throw new PaymentError('NO_ACCOUNT', `account ${account} does not exist`)
      const operations = planFor(sdk, account, found, wanted)
      if (operations.length === 0) return undefined
      const builder = new sdk.TransactionBuilder(new sdk.Account(account, found.sequence.toString()), {
        fee: FEE_BID,
        networkPassphrase: passphrase,
        timebounds: { minTime: 0, maxTime: Math.floor(wallTime() / 1000) + VALID_SECONDS },
      })
      for (const operation of operations) builder.addOperation(operation)
      return builder.build().toEnvelope().toXdr('base64')
    },
    readPlan: async (text) => {
      const { transaction, changes } = await read(text)
      const { source: account, signatures } = transaction
      return {
        account,
        changes: changes.flatMap((change) => textsOf(change, account)),
        weights: new Map(changes.flatMap(({ weights }) => [...weights])),
        thresholds: Object.assign({}, ...changes.map(({ thresholds }) => thresholds)),
        signatures: signatures.length,
      }
    },
    signPlan: async (text, secrets) => {
      const { sdk, transaction } = await read(text)
      for (const secret of secrets) transaction.sign(sdk.Keypair.fromSecret(secret))
      return transaction.toEnvelope().toXdr('base64')
    },
    submission: async (text) => {
      const { transaction } = await read(text)
      return {
        txHash: Buffer.from(transaction.hash()).toString('hex'),
        rawTransaction: writeSigned({
          envelopeXdr: text,
          maxTimeSeconds: Number(transaction.timeBounds?.maxTime ?? 0),
          signedAfterSeconds: Math.floor(wallTime() / 1000),
        }),
      }
    },
  }
}
