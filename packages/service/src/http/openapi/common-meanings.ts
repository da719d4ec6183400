import {
  BackendType,
  Chain,
  ChainId,
  ChainsAnswer,
  ChainType,
  ListedToken,
  Quote,
  TokensAnswer,
} from '@openrfq/sdk'
import { inner, listMeaning, objectMeaning, plainMeaning } from './meaning.ts'

/**
 * Chains, tokens, and texts that occur in every answer. Source: interface "Conventions", "Chain object", "Token
 * object".
 */
export const COMMON_MEANINGS = {
  ChainId: plainMeaning(
    ChainId,
    'CAIP-2 identifier: `eip155:<chain_reference>` for EVM chains, `solana:<genesis_reference>` for Solana, `stellar:pubnet` for the Stellar public network.',
  ),
  Amount: plainMeaning(
    Quote.shape.input.shape.amount,
    "An integer in the token's base (smallest) units, as a decimal string.",
  ),
  Timestamp: plainMeaning(Quote.shape.validity.shape.quoteExpiresAt, 'ISO 8601 in UTC, in whole seconds.'),
  BackendType: listMeaning(
    BackendType,
    'An execution route. The schema of quotes is the same for all routes.',
    {
      intent: 'A solver fills the order from its own inventory; the deposit goes back if no solver does.',
      its: "Axelar's Interchain Token Service moves the token itself.",
      gateway:
        "A token that Axelar's gateway knows on both chains crosses whole, and comes back where it cannot be delivered.",
      'gateway-express':
        'Swaps before and after a gateway token crosses, delivered early by an express executor.',
    },
  ),
  ChainType: listMeaning(
    ChainType,
    'Chain family. It decides which payload type the actions of quotes on the chain use.',
    {
      evm: 'Actions carry `evm_transaction`.',
      solana: 'Actions carry `solana_instructions`.',
      stellar: 'Actions carry `deposit_address`.',
    },
  ),
  NativeToken: objectMeaning(
    Chain.shape.nativeToken,
    'The gas token of a chain. Gas fees in quotes are denominated in it.',
    {
      symbol: 'Symbol, such as `ETH`.',
      decimals: 'Decimals of its base units, in which quotes tell fees and balances.',
      valueDecimals:
        'Decimals in which transactions carry it as `value`, and nodes tell balances and gas prices; absent where they are `decimals`. On Hedera 18, with `decimals` 8.',
    },
  ),
  Chain: objectMeaning(Chain, 'A chain that is supported as source or destination.', {
    chainId: 'CAIP-2 identifier. Used as `fromChain` and `toChain` in quote requests.',
    chainLabel: 'Display name.',
    chainType: 'Decides which action payload type quotes on this chain use.',
    nativeToken: 'Gas fees in quotes are denominated in this token.',
    logoUrl: 'A picture of the chain.',
    explorerUrl: "The chain's block explorer.",
  }),
  ChainsAnswer: objectMeaning(ChainsAnswer, 'The answer of `GET /v1/rfq/chains`.', {
    chains: 'All chains that are supported as source or destination.',
  }),
  StellarAsset: objectMeaning(
    inner(ListedToken.shape.stellar),
    "The asset behind a token's contract on Stellar, as wallets there know it.",
    {
      code: "The asset's code, such as `USDC`.",
      issuer: "The issuer's account (G…).",
    },
  ),
  Token: objectMeaning(
    ListedToken,
    'A token that at least one route supports. It does not guarantee that every pair of listed tokens can be quoted: an unsupported pair gives UNSUPPORTED_ROUTE.',
    {
      chainId: "CAIP-2 identifier of the token's chain.",
      address:
        "Token address in the chain's native format: an ERC-20 address on EVM chains, a mint address on Solana, a contract address (C…) on Stellar. Used as `fromToken` and `toToken` in quote requests. The native asset has no contract; its identifier is `0x` and 40 zeros on EVM chains, the all-zero account `11111111111111111111111111111111` on Solana (a sentinel that coincides with the system program address; not a transfer target, and not the wrapped-SOL mint), and on Stellar the native asset's contract of that network.",
      symbol: 'Token symbol.',
      name: 'Token name.',
      decimals: 'Token decimals; amounts in quotes are in base units of this precision.',
      verified:
        'True when the token identity has been reviewed and is in the curated list. Interfaces should warn users before they interact with unverified tokens.',
      backends: 'Backend types that can serve the token.',
      logoUrl: 'A picture of the token.',
      coinGeckoId: "The token's id at CoinGecko, for prices of others.",
      stellar:
        'The asset behind the contract of a token on Stellar, as wallets there know it; the native asset has none.',
    },
  ),
  TokensAnswer: objectMeaning(TokensAnswer, 'The answer of `GET /v1/rfq/tokens`.', {
    tokens: 'The tokens that pass every given filter.',
  }),
}
