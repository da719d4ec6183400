import { addressWord, bytes32Word } from '../chains/evm/abi-words.ts'
import { keccak } from '../chains/evm/keccak.ts'
import { isEvmAddress, isHash } from '../core/hex.ts'

/** How the registry says that a token was deployed. */
export type Deployment = {
  /** The registered name of the chain of origin. */
  readonly originName: string
  /** The token's address on the chain of origin, where the registry has it. */
  readonly originAddress: string | undefined
  readonly deployer: string
  readonly deploySalt: string
  readonly tokenType: string
}

/**
 * Whether a token id follows from its deployment: `canonical` from the token's address on the chain of origin, which it
 * proves; `salted` from deployer and salt, which prove no address; `unknown` where the deployment says too little.
 */
export type TokenIdCheck = 'canonical' | 'salted' | 'differs' | 'unknown'

const hashWords = (...words: readonly string[]): string =>
  Buffer.from(keccak(Buffer.from(words.join(''), 'hex'))).toString('hex')
const hashText = (text: string): string => Buffer.from(keccak(Buffer.from(text, 'utf8'))).toString('hex')

const TOKEN_ID = hashText('its-interchain-token-id')
const CANONICAL_SALT = hashText('canonical-token-salt')
/** The salts of tokens that the factory deployed, and of tokens that it linked. */
const FACTORY_SALTS = [hashText('interchain-token-salt'), hashText('custom-token-salt')]
const TOKEN_SALT = hashText('its-interchain-token-salt')
/** The hash of the code that creates every interchain token. Source: `Create3AddressFixed`. */
const CREATOR_HASH = 'db4bab1640a2602c9f66f33765d12be4af115accf74b24515702961e82a71327'
/** The factory deploys in the name of the zero address. */
const FACTORY = '0'.repeat(64)

const tokenIdOf = (sender: string, salt: string): string => `0x${hashWords(TOKEN_ID, sender, salt)}`

/** The ids that the deployment can lead to: canonical, deployed or linked by the factory, or deployed by the deployer itself. */
const possibleIds = (deployment: Deployment): { readonly canonical: string[]; readonly salted: string[] } => {
  const { originName, originAddress, deployer, deploySalt } = deployment
  const chain = hashText(originName)
  const canonical =
    originAddress !== undefined && isEvmAddress(originAddress)
      ? [tokenIdOf(FACTORY, hashWords(CANONICAL_SALT, chain, addressWord(originAddress)))]
      : []
  const saltHex = deploySalt.toLowerCase()
  if (!isEvmAddress(deployer) || !isHash(saltHex)) return { canonical, salted: [] }
  const [sender, salt] = [addressWord(deployer), bytes32Word(saltHex)]
  const byFactory = FACTORY_SALTS.map((kind) => tokenIdOf(FACTORY, hashWords(kind, chain, sender, salt)))
  return { canonical, salted: [...byFactory, tokenIdOf(sender, salt), tokenIdOf(FACTORY, salt)] }
}

/**
 * Recomputes the id of a token whose origin is an EVM chain. Source: InterchainTokenService `interchainTokenId`,
 * InterchainTokenFactory `canonicalInterchainTokenDeploySalt`, `interchainTokenDeploySalt`, `linkedTokenDeploySalt`.
 */
export const checkTokenId = (tokenId: string, deployment: Deployment): TokenIdCheck => {
  const { canonical, salted } = possibleIds(deployment)
  if (canonical.includes(tokenId.toLowerCase())) return 'canonical'
  if (salted.includes(tokenId.toLowerCase())) return 'salted'
  const isTold = salted.length > 0 || (deployment.tokenType === 'canonical' && canonical.length > 0)
  return isTold ? 'differs' : 'unknown'
}

/** The last 20 bytes of a hash, as an address without `0x`. */
const addressHash = (...parts: readonly string[]): string => hashWords(...parts).slice(24)

/**
 * The lower-case address at which a chain's token service deploys the interchain token of an id; no other contract can be
 * there. Source: InterchainTokenService `interchainTokenAddress`.
 */
export const interchainTokenAddress = (its: string, tokenId: string): string => {
  const salt = hashWords(TOKEN_SALT, bytes32Word(tokenId))
  const creator = addressHash('ff', its.slice(2), salt, CREATOR_HASH)
  return `0x${addressHash('d694', creator, '01')}`
}
