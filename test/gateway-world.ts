import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChains } from '@openrfq/sandbox/src/chains.ts'
import { GATEWAY_PLANS } from '@openrfq/sandbox/src/deploy/plan.ts'
import { RELAYER, SIGNER_SET, USERS } from '@openrfq/sandbox/src/keys.ts'
import { describeNetwork } from '@openrfq/sandbox/src/network.ts'
import { createChainReader } from '@openrfq/sandbox/src/relayer/chain-reader.ts'
import { sandboxGas } from '@openrfq/sandbox/src/relayer/gas.ts'
import {
  type Attempt,
  approvalCommand,
  execute,
  runCommand,
} from '@openrfq/sandbox/src/relayer/gateway-commands.ts'
import { gmpRecord } from '@openrfq/sandbox/src/relayer/gmp-record.ts'
import { type Landing, type Message, newMessage } from '@openrfq/sandbox/src/relayer/message.ts'
import { readReceipt } from '@openrfq/sandbox/src/relayer/receipt-events.ts'
import { createRelayHistory } from '@openrfq/sandbox/src/relayer/relay-history.ts'
import { createSender } from '@openrfq/sandbox/src/relayer/sender.ts'
import { SANDBOX_SECONDS } from '@openrfq/sandbox/src/solvers/plan.ts'
import { QUICK_BLOCK_MS } from '@openrfq/sandbox/test/quick-blocks.ts'
import { walletOf } from '@openrfq/sandbox/test/relayer-fixture.ts'
import { Network } from 'openrfq/network'
import { type AxelarApi, startAxelarApi } from 'openrfq/test/axelar-api.ts'
import type { SandboxDescription } from 'openrfq/test/wallet.ts'
import { getAddress, type Hex } from 'viem'
import { listTokens, temporaryDirectory, type WireToken } from './sandbox-service.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

type RunningChains = Awaited<ReturnType<typeof startChains>>

/** Plays Axelar by hand: indexes what the chains say, approves with the gateways' keys, and executes. */
export type HandmadeAxelar = {
  /** The message of a transaction, from its receipt alone. */
  readonly index: (chainId: string, txHash: Hex) => Promise<Message>
  /** Approves a message on the gateway of its destination. */
  readonly approve: (message: Message) => Promise<Message>
  /** Executes an approved message on its contract. */
  readonly execute: (message: Message) => Promise<Message>
  /** Shows a message in Axelarscan as a record of `searchGMP`; `changes` replace members of it. */
  readonly show: (message: Message, changes?: object) => void
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

const symbolOn = (message: Message): string => {
  const { call } = message
  const asset = GATEWAY_PLANS.find((plan) => plan.asset.symbols[call.source] === call.token?.symbol)?.asset
  const symbol = asset?.symbols[call.destination]
  if (symbol === undefined) throw new Error(`${call.token?.symbol} is no gateway asset of ${call.source}`)
  return symbol
}

const playAxelar = ({ chains }: RunningChains, api: AxelarApi): HandmadeAxelar => {
  const chainWhere = (isIt: (chain: (typeof chains)[number]) => boolean) => {
    const found = chains.find(isIt)
    if (found === undefined) throw new Error('no such chain')
    return found
  }
  const destinationOf = ({ call }: Message) => {
    const reader = createChainReader(chainWhere(({ axelarName }) => axelarName === call.destination))
    return { reader, sender: createSender(reader, RELAYER.privateKey), follow: () => undefined }
  }
  const landed = (attempt: Attempt): Landing => {
    if (!attempt.landed) throw new Error(attempt.reason)
    return attempt.landing
  }
  const gas = sandboxGas(chains.map(({ axelarName }) => axelarName))
  return {
    index: async (chainId, txHash) => {
      const chain = chainWhere((one) => one.chainId === chainId)
      const { client } = walletOf(chain, USERS[0])
      const receipt = await client.getTransactionReceipt({ hash: txHash })
      const { timestamp } = await client.getBlock({ blockNumber: receipt.blockNumber })
      const [found] = readReceipt(chain, receipt, Number(timestamp)).calls
      if (found === undefined) throw new Error(`${txHash} sends no message`)
      return newMessage(found.call, found.payments, null, Number(timestamp) * 1000)
    },
    approve: async (message) => {
      const command = approvalCommand(message, getAddress(message.call.destinationAddress), symbolOn(message))
      return { ...message, approved: landed(await runCommand(destinationOf(message), SIGNER_SET, command)) }
    },
    execute: async (message) => {
      const contract = getAddress(message.call.destinationAddress)
      return {
        ...message,
        executed: landed(await execute(destinationOf(message), message, contract, symbolOn(message))),
      }
    },
    show: (message, changes = {}) => {
      const history = createRelayHistory(1)
      const deps = { history, gas, relayerAddress: RELAYER.address, expressTxHashOf: () => undefined }
      api.messages.set(message.id, { ...gmpRecord(message, deps), ...changes })
    },
  }
}

/** The network of an operator who serves `gateway` alone, without an exchange, with three names of each chain's node. */
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
      express: { ...chain.express, executor: 'none', priority: undefined },
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
