import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChains } from '@openrfq/sandbox/src/chains.ts'
import { GATEWAY_PLANS } from '@openrfq/sandbox/src/deploy/plan.ts'
import { RELAYER, SIGNER_SET, USERS } from '@openrfq/sandbox/src/keys.ts'
import { describeNetwork } from '@openrfq/sandbox/src/network.ts'
import { GATEWAY_ABI } from '@openrfq/sandbox/src/relayer/abi.ts'
import { mintCommand } from '@openrfq/sandbox/src/relayer/gateway-commands.ts'
import { signGatewayBatch } from '@openrfq/sandbox/src/relayer/sign.ts'
import { mintCommandId } from '@openrfq/sandbox/src/relayer/token-transfer.ts'
import { SANDBOX_SECONDS } from '@openrfq/sandbox/src/solvers/plan.ts'
import { QUICK_BLOCK_MS } from '@openrfq/sandbox/test/quick-blocks.ts'
import { walletOf } from '@openrfq/sandbox/test/relayer-fixture.ts'
import { Network } from 'openrfq/network'
import { type AxelarApi, startAxelarApi } from 'openrfq/test/axelar-api.ts'
import type { IndexedTransfer } from 'openrfq/test/indexed-transfer.ts'
import type { SandboxDescription } from 'openrfq/test/wallet.ts'
import { formatUnits, getAddress, type Hex, parseEventLogs } from 'viem'
import { listTokens, temporaryDirectory, type WireToken } from './sandbox-service.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

type RunningChains = Awaited<ReturnType<typeof startChains>>

/** A mint as Axelarscan indexes it. */
type Mint = NonNullable<IndexedTransfer['mint']>

/** Plays Axelar by hand: indexes what the chains say, and signs mints with the gateways' keys. */
export type HandmadeAxelar = {
  /** The record of a transaction that sends a token, as Axelarscan first shows it; from its receipt alone. */
  readonly index: (chainId: string, txHash: Hex) => Promise<IndexedTransfer>
  /** The next number of a transfer, as the validators' vote gives it. */
  readonly nextId: () => number
  /** Mints what a transfer delivers, with its number as the command's id. */
  readonly mint: (transfer: IndexedTransfer, transferId: number) => Promise<Mint>
  /** Shows a transfer in Axelarscan, instead of what it has shown of it before. */
  readonly show: (transfer: IndexedTransfer) => void
}

/** A service over local chains with Axelar's gateways, and no relayer: Axelar is an HTTP server and the test's own hand. */
export type GatewayWorld = {
  readonly service: ServiceProcess
  readonly sandbox: SandboxDescription
  readonly tokens: readonly WireToken[]
  readonly chains: RunningChains
  readonly api: AxelarApi
  readonly axelar: HandmadeAxelar
  readonly stop: () => Promise<void>
}

/** What Axelar's REST node in the tests takes on both chains together, in base units of any asset. */
const FEE = 1_500_000n
const FIRST_ID = 54_161
const COMMAND_GAS = 3_000_000n

const assetWhere = (isIt: (asset: (typeof GATEWAY_PLANS)[number]['asset']) => boolean) => {
  const found = GATEWAY_PLANS.map(({ asset }) => asset).find(isIt)
  if (found === undefined) throw new Error('the sandbox has no such gateway asset')
  return found
}

const playAxelar = ({ chains }: RunningChains, api: AxelarApi): HandmadeAxelar => {
  let lastId = FIRST_ID - 1
  const chainWhere = (isIt: (chain: (typeof chains)[number]) => boolean) => {
    const found = chains.find(isIt)
    if (found === undefined) throw new Error('no such chain')
    return found
  }
  /** What was sent, in base units, which Axelarscan's numbers do not keep. */
  const sentAmounts = new Map<string, bigint>()
  return {
    index: async (chainId, txHash) => {
      const chain = chainWhere((one) => one.chainId === chainId)
      const { client } = walletOf(chain, USERS[0])
      const receipt = await client.getTransactionReceipt({ hash: txHash })
      const { timestamp } = await client.getBlock({ blockNumber: receipt.blockNumber })
      const [sent] = parseEventLogs({ abi: GATEWAY_ABI, logs: receipt.logs, eventName: 'TokenSent' })
      if (sent === undefined || receipt.to === null) throw new Error(`${txHash} sends no token`)
      const { denom, decimals } = assetWhere(({ symbols }) => symbols[chain.axelarName] === sent.args.symbol)
      sentAmounts.set(txHash, sent.args.amount)
      return {
        ...{ txHash, sourceChain: chain.axelarName, destinationChain: sent.args.destinationChain, denom },
        sender: getAddress(receipt.from),
        recipient: sent.args.destinationAddress,
        gateway: getAddress(receipt.to),
        amount: Number(formatUnits(sent.args.amount, decimals)),
        fee: Number(formatUnits(FEE, decimals)),
        height: Number(receipt.blockNumber),
        sentAt: Number(timestamp) * 1000,
      }
    },
    nextId: () => {
      lastId += 1
      return lastId
    },
    mint: async ({ txHash, destinationChain, denom, recipient }, transferId) => {
      const chain = chainWhere(({ axelarName }) => axelarName === destinationChain)
      const { symbols } = assetWhere((asset) => asset.denom === denom)
      const command = mintCommand(
        mintCommandId(BigInt(transferId)),
        symbols[destinationChain] ?? '',
        getAddress(recipient),
        (sentAmounts.get(txHash) ?? 0n) - FEE,
      )
      const { wallet, client, done } = walletOf(chain, RELAYER)
      const input = await signGatewayBatch(SIGNER_SET, BigInt(await client.getChainId()), [command])
      const call = {
        address: chain.gateway,
        abi: GATEWAY_ABI,
        functionName: 'execute',
        args: [input],
      } as const
      const receipt = await done(await wallet.writeContract({ ...call, gas: COMMAND_GAS }))
      const { timestamp } = await client.getBlock({ blockNumber: receipt.blockNumber })
      return {
        txHash: receipt.transactionHash,
        blockNumber: Number(receipt.blockNumber),
        timestampSeconds: Number(timestamp),
      }
    },
    show: (transfer) => {
      const at = api.transfers.findIndex(({ txHash }) => txHash === transfer.txHash)
      api.transfers.splice(at === -1 ? api.transfers.length : at, at === -1 ? 0 : 1, transfer)
    },
  }
}

/** The network of an operator who serves `gateway` alone, with three names of each chain's node. */
const gatewayNetwork = (
  { deployment }: RunningChains,
  axelarUrl: string,
  rpcUrlOf: (chainId: string) => string,
  finality: Readonly<Record<string, number>>,
): Network => {
  const described = describeNetwork(deployment, {
    ...{ simulatedChains: [], relayerUrl: axelarUrl, attesterUrl: axelarUrl, clockUrl: axelarUrl },
    ...{ seconds: SANDBOX_SECONDS, slowFinality: finality, l1Fees: {} },
    rpcUrlsOf: (chainId) => ['one', 'two', 'three'].map((name) => `${rpcUrlOf(chainId)}/?${name}`),
  })
  return Network.parse({
    axelar: described.axelar,
    chains: described.chains.map(({ chainId, chainLabel, chainType, nativeToken, axelar, ...chain }) => ({
      ...{ chainId, chainLabel, chainType, nativeToken, axelar },
      ...{ rpcUrls: chain.rpcUrls, finality: chain.finality },
    })),
    tokens: described.tokens.flatMap(({ gateway, its: _its, intent: _intent, ...token }) =>
      gateway === undefined ? [] : { ...token, gateway: { denom: gateway.denom, symbol: gateway.symbol } },
    ),
  })
}

const describeSandbox = ({ chains }: RunningChains): SandboxDescription => ({
  chains: chains.map(({ chainId, rpcUrl, gateway, gasService, settler, expressRouter, exchange }) => ({
    ...{ chainId, chainType: 'evm', rpcUrl },
    exchange: {
      factory: getAddress(exchange.factory),
      wrappedNative: getAddress(exchange.wrappedNative),
    },
    contracts: { gateway, gasService, settler, expressRouter },
  })),
  accounts: USERS.map(({ address, privateKey }) => ({ chainType: 'evm', address, privateKey })),
  solvers: [],
})

type Options = {
  /** The URL that the service reads a chain from, by the node's own. */
  readonly readThrough?: (chainId: string, rpcUrl: string) => Promise<string>
  /** Confirmations of single chains that differ, by Axelar name. */
  readonly finality?: Readonly<Record<string, number>>
}

/** Starts the world. The caller stops it. */
export const startGatewayWorld = async ({
  readThrough = async (_, rpcUrl) => rpcUrl,
  finality = {},
}: Options = {}): Promise<GatewayWorld> => {
  const stops: (() => unknown)[] = []
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    const folder = temporaryDirectory()
    stops.push(folder.remove)
    const api = await startAxelarApi()
    stops.push(api.stop)
    const chains = await startChains({ log: () => undefined, now: Date.now, blockMs: QUICK_BLOCK_MS })
    stops.push(chains.stop)
    api.activeChains = chains.chains.map(({ axelarName }) => axelarName)
    const urls = new Map<string, string>()
    for (const { chainId, rpcUrl } of chains.chains) urls.set(chainId, await readThrough(chainId, rpcUrl))
    const network = gatewayNetwork(chains, api.url, (chainId) => urls.get(chainId) ?? '', finality)
    const file = join(folder.path, 'network.json')
    writeFileSync(file, JSON.stringify(network))
    const service = await startServiceProcess({
      ...{ RFQ_CONFIG: file, DATA_DIR: join(folder.path, 'service'), RATE_LIMIT: 'off' },
    })
    stops.push(service.stop)
    const tokens = await listTokens(service.url)
    const sandbox = describeSandbox(chains)
    return { service, sandbox, tokens, chains, api, axelar: playAxelar(chains, api), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
