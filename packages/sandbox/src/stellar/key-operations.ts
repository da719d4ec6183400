import { Operation, type xdr } from '@stellar/stellar-sdk/base'
import type { AccountKeys } from 'openrfq/vault-signers'

/** The operations that give an account its keys, the thresholds last, and let it ask payers for a memo (SEP-29). */
export const keyOperations = (
  account: string,
  { weights, thresholds }: AccountKeys,
): readonly xdr.Operation[] => [
  Operation.manageData({ name: 'config.memo_required', value: '1' }),
  ...[...weights].flatMap(([key, weight]) =>
    key === account ? [] : [Operation.setOptions({ signer: { ed25519PublicKey: key, weight } })],
  ),
  Operation.setOptions({
    masterWeight: weights.get(account) ?? 0,
    lowThreshold: thresholds.low,
    medThreshold: thresholds.medium,
    highThreshold: thresholds.high,
  }),
]
