import { pbkdf2Sync } from 'node:crypto'
import { bytesToHex } from 'viem'
import { HDKey, privateKeyToAddress } from 'viem/accounts'
import type { Hex, SignerSet } from './deployment-types.ts'

/** A sandbox key with its EIP-55 address. */
export type SandboxKey = { readonly address: Hex; readonly privateKey: Hex }

const MNEMONIC = 'test test test test test test test test test test test junk'
/** The seed of a mnemonic without a password. Source: BIP-39. Node's own function: every start waits for it. */
const SEED = pbkdf2Sync(MNEMONIC, 'mnemonic', 2_048, 64, 'sha512')
const ETHEREUM_KEYS = HDKey.fromMasterSeed(SEED).derive("m/44'/60'/0'/0")

const keyAt = (addressIndex: number): SandboxKey => {
  const { privateKey } = ETHEREUM_KEYS.deriveChild(addressIndex)
  if (privateKey === null)
    throw new Error(`the sandbox mnemonic gives no private key at index ${addressIndex}`)
  const hex = bytesToHex(privateKey)
  return { address: privateKeyToAddress(hex), privateKey: hex }
}

const keysFrom = (first: number, count: number): readonly SandboxKey[] =>
  Array.from({ length: count }, (_, position) => keyAt(first + position))

/** Ten accounts for people: the first of anvil's well-known mnemonic. */
export const USERS = keysFrom(0, 10)

/** Deploys and owns every contract except those of the twin deployer. */
export const DEPLOYER = keyAt(20)

/**
 * Deploys only Create3Deployer and the contract factory, so that each has the same address everywhere; owns the factory,
 * which deploys the settlers and ExpressRouter.
 */
export const TWIN_DEPLOYER = keyAt(21)

/** Governs the gateways, sets their mint limits and updates the gas service's prices. */
export const GOVERNOR = keyAt(22)

/** Sends the relayer's transactions. */
export const RELAYER = keyAt(23)

/** Sends the service's refunds. */
export const KEEPER = keyAt(24)

/** Deploys the exchange, owns the positions in its pools, and moves their prices. */
export const LIQUIDITY_PROVIDER = keyAt(25)

/** Delivers express transfers from its own tokens before their messages are approved. */
export const EXPRESS_EXECUTOR = keyAt(26)
/** Signs attestations and sends the releases they allow. */
export const ATTESTER = keyAt(27)

/** Opens orders for their senders, in a sandbox whose service is given its key. */
export const OPENER = keyAt(28)

/** Fill intents, each from its own inventory; in the order of the plan's solvers. */
export const SOLVERS = keysFrom(40, 2)

/** The gateways' signers; two of three must sign. */
export const SIGNER_SET: SignerSet = {
  keys: [...keysFrom(30, 3)]
    .sort((one, other) => (BigInt(one.address) < BigInt(other.address) ? -1 : 1))
    .map((key) => key.privateKey),
  weights: [1n, 1n, 1n],
  threshold: 2n,
}
