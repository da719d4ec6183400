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

/** Whether a token id follows from its deployment; `unknown` where the deployment says too little to compute it. */
export type TokenIdCheck = 'agrees' | 'differs' | 'unknown'

const hashWords = (...words: readonly string[]): string =>
  Buffer.from(keccak(Buffer.from(words.join(''), 'hex'))).toString('hex')
const hashText = (text: string): string => Buffer.from(keccak(Buffer.from(text, 'utf8'))).toString('hex')

const TOKEN_ID = hashText('its-interchain-token-id')
const CANONICAL_SALT = hashText('canonical-token-salt')
/** The salts of tokens that the factory deployed, and of tokens that it linked. */
const FACTORY_SALTS = [hashText('interchain-token-salt'), hashText('custom-token-salt')]
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
  if ([...canonical, ...salted].includes(tokenId.toLowerCase())) return 'agrees'
  const isTold = salted.length > 0 || (deployment.tokenType === 'canonical' && canonical.length > 0)
  return isTold ? 'differs' : 'unknown'
}
