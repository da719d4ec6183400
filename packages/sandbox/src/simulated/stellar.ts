import type { Log } from 'openrfq/lib/log'
import type { NetworkToken } from 'openrfq/network'
import { keysOfChannel, keysOfVault } from 'openrfq/vault-signers'
import { startStellarNode } from '../stellar/index.ts'
import { sandboxKey } from '../stellar/keys.ts'
import { type SimulatedChain, simulatedToken } from './simulated-chain.ts'

type Options = { readonly log: Log; readonly now: () => number; readonly solverCount: number }

/** Closed ledgers are final at once. */
const FINALITY_SECONDS = 1
const USD_PRICES: Readonly<Record<string, string>> = { XLM: '0.1', USDC: '1', EURC: '1.1', HBR: '1.25' }
const AXELAR_NAME = 'sandbox-stellar'
/** Gas that the relayer charges for. */
const EXECUTE_GAS_LIMIT = 700_000
/** The hub's limit for Stellar. */
const MAX_UINT_BITS = 127
const UNIT = 10_000_000n
/** So many payouts are under way beside one with the vault's own sequence number. */
const CHANNELS = 4
const CHANNEL_FUNDS = { lumens: 100n * UNIT, tokens: 0n }
const OPERATOR_FUNDS = { lumens: 10_000_000n * UNIT, tokens: 1_000_000n * UNIT }

const classicAsset = (asset: string): Pick<NetworkToken, 'stellar'> => {
  const [code, issuer] = asset.split(':')
  return code === undefined || issuer === undefined ? {} : { stellar: { code, issuer } }
}

/** Starts Stellar with funded accounts for the operator's vault and the solvers, with trustlines for every asset. */
export const startSandboxStellar = async ({ log, now, solverCount }: Options): Promise<SimulatedChain> => {
  const simulatedChain = await startStellarNode({ log, now })
  const { chainId } = simulatedChain
  const vault = sandboxKey('vault')
  const solvers = Array.from({ length: solverCount }, (_, index) => sandboxKey(`solver ${index}`))
  for (const key of [vault, ...solvers]) simulatedChain.openAccount(key, OPERATOR_FUNDS)
  const cosigner = sandboxKey('cosigner')
  const signers = {
    service: vault.address,
    cosigner: cosigner.address,
    recovery: sandboxKey('recovery').address,
  }
  simulatedChain.shareAccount(vault, keysOfVault(signers))
  const channels = Array.from({ length: CHANNELS }, (_, index) => sandboxKey(`channel ${index}`))
  for (const channel of channels) {
    simulatedChain.openAccount(channel, CHANNEL_FUNDS)
    simulatedChain.shareAccount(channel, keysOfChannel(signers))
  }
  return {
    chain: {
      chainId,
      chainLabel: 'Sandbox Stellar',
      chainType: 'stellar',
      nativeToken: { symbol: 'XLM', decimals: 7 },
      finality: 'finalized',
      attested: {
        settler: vault.address,
        finalitySeconds: FINALITY_SECONDS,
        signers,
        channels: channels.map(({ address }) => address),
      },
      passphrase: simulatedChain.networkPassphrase,
      claimableBalances: true,
      tokenReceiver: {
        name: AXELAR_NAME,
        gateway: simulatedChain.axelar.gateway,
        its: simulatedChain.axelar.its,
        finalitySeconds: FINALITY_SECONDS,
        executeGasLimit: EXECUTE_GAS_LIMIT,
        maxUintBits: MAX_UINT_BITS,
      },
    },
    rpcUrl: simulatedChain.rpcUrl,
    firstBlock: 0,
    subscriptionsUrl: undefined,
    tokens: simulatedChain.assets.map((token) => ({
      ...simulatedToken(chainId, token, USD_PRICES[token.symbol]),
      ...classicAsset(token.asset),
      intent: token.symbol !== simulatedChain.axelar.symbol,
    })),
    axelar: simulatedChain.axelar,
    accounts: simulatedChain.accounts,
    vault,
    cosigner,
    keeper: undefined,
    solvers,
    faucet: async (token, address, amount) => simulatedChain.faucet(token, address, amount),
    fork: undefined,
    dropNext: simulatedChain.dropNext,
    holdNext: simulatedChain.holdNext,
    includePending: simulatedChain.closeLedger,
    catchUp: simulatedChain.closeLedger,
    stop: simulatedChain.stop,
  }
}
