import { createHash } from 'node:crypto'
import { Keypair } from '@stellar/stellar-sdk/base'

/** A key of the sandbox: its G address and its secret in the S form. */
export type StellarKey = { readonly address: string; readonly privateKey: string }

const LABEL = 'OpenRFQ sandbox, worthless elsewhere'
const USERS = 10

/** Derives the sandbox's key of a name. Everybody can derive it; never use it elsewhere. */
export const sandboxKey = (name: string): StellarKey => {
  const keypair = Keypair.fromRawEd25519Seed(createHash('sha256').update(`${LABEL}: ${name}`).digest())
  return { address: keypair.publicKey(), privateKey: keypair.secret() }
}

/** Ten accounts for people. */
export const USER_KEYS: readonly StellarKey[] = Array.from({ length: USERS }, (_, index) =>
  sandboxKey(`user ${index}`),
)

/** Sends XLM to any account that asks. */
export const FAUCET_KEY = sandboxKey('faucet')

/** Issues the sandbox's assets. */
export const ISSUER_KEY = sandboxKey('issuer')

/** Executes the messages of Axelar's hub on the ledger. */
export const RELAYER_KEY = sandboxKey('relayer')

/** Trades XLM for the issued assets at the sandbox's prices. */
export const DEALER_KEY = sandboxKey('dealer')
