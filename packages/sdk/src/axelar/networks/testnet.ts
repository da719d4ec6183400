// Written by `npm run axelar` from networks/testnet.json.
import { axelarGuards } from '../axelar-guards.ts'

/**
 * Axelar's testnet: its names for chains, its gateways and token services, and the reviewed interchain tokens.
 * @example
 * const guards: Guards = { ...axelarTestnet, minimumOutput: 24_900_000n, maximumNativeFee: 10n ** 16n }
 */
export const axelarTestnet = axelarGuards({
  "eip155:97": {"name":"binance","gateway":"0x4D147dCb984e6affEEC47e44293DA442580A3Ec0","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:296": {"name":"hedera","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:545": {"name":"flow","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:998": {"name":"hyperliquid","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:1287": {"name":"Moonbeam","gateway":"0x5769D84DD62a6fD969856c75c7D321b84d455929","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:2221": {"name":"kava","gateway":"0xC8D18F85cB0Cee5C95eC29c69DeaF6cea972349c","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:5003": {"name":"mantle-sepolia","gateway":"0xC8D18F85cB0Cee5C95eC29c69DeaF6cea972349c","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:10143": {"name":"monad-3","gateway":"0x1dd10E8909E248e554AA614e7b86fABE1d8f9E77","its":"0xF9c962bE1366cD9518D6BCCDcfC9CDFCa7a1EFE5"},
  "eip155:13473": {"name":"immutable","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:43113": {"name":"Avalanche","gateway":"0xC249632c2D40b9001FE907806902f63038B737Ab","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:59141": {"name":"linea-sepolia","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:80002": {"name":"polygon-sepolia","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:80069": {"name":"berachain","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:84532": {"name":"base-sepolia","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:98867": {"name":"plume","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:314159": {"name":"filecoin-2","gateway":"0x999117D44220F33e0441fbAb2A5aDB8FF485c54D","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:421614": {"name":"arbitrum-sepolia","gateway":"0xe1cE95479C84e9809269227C7F8524aE051Ae77a","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:534351": {"name":"scroll","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:1449000": {"name":"xrpl-evm","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:5042002": {"name":"arc-8","gateway":"0xAfde45488D741a946E2376aDf5cf94F6a2918F48","its":"0x7ca8bF7326b870Eab4ef7A9B8E59fCDb47921389"},
  "eip155:11142220": {"name":"celo-sepolia","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:11155111": {"name":"ethereum-sepolia","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:11155420": {"name":"optimism-sepolia","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
  "eip155:168587773": {"name":"blast-sepolia","gateway":"0xe432150cce91c13a887f7D836923d5597adD8E31","its":"0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C"},
}, {
  "0xcf24134c93dcca4c1cfa6595dc337849d9e9e5507c3cbffd937d617e015e81f9": {"eip155:1287":"0x8eb86b18a8AB66bAC3Be592e67bf0B2E975e07c5","eip155:2221":"0x8eb86b18a8AB66bAC3Be592e67bf0B2E975e07c5"},
})
