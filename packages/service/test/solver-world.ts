import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { feesResult, sandboxGas } from '@openrfq/sandbox/src/relayer/gas.ts'
import { digestOf, type IntentOrder, orderIdOf, wrapOrder } from '@openrfq/sandbox/test/intent-order.ts'
import {
  approve,
  DEPOSITOR,
  executionOf,
  type Message,
  orderOf,
  type Side,
  startSettlerWorld,
} from '@openrfq/sandbox/test/settler-world.ts'
import {
  getAddress,
  type Hex,
  isAddress,
  type Log,
  maxUint256,
  numberToHex,
  parseAbi,
  parseEventLogs,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { z } from 'zod'
import type { Network } from '../src/core/network.ts'
import { tokenKey } from '../src/core/token-key.ts'
import type { SolverConfig } from '../src/intents/solver/config.ts'
import { type Book, createBook } from '../src/intents/solver-api/book.ts'
import { createSolverDirectory } from '../src/intents/solver-api/solver-directory.ts'
import { createSolverNetwork } from '../src/intents/solver-api/solver-network.ts'
import { systemClock } from '../src/lib/clock.ts'
import { until } from './follow-backend.ts'
import { startLocalServer } from './local-server.ts'
import { orderOfContract } from './order-of-contract.ts'
import { startTableServer } from './table-server.ts'

/** Two chains with settlers, a service that solvers log in to, Axelar's relayers, and one solver's keys and funds. */
export type SolverWorld = {
  readonly a: Side
  readonly b: Side
  readonly book: Book
  readonly account: Hex
  readonly privateKey: Hex
  readonly config: (part?: Partial<z.input<typeof SolverConfig>>) => z.input<typeof SolverConfig>
  /** Opens an order from `a` to `b` that names the solver; the service sends a notice of it, also after each login. */
  readonly open: (part?: Partial<IntentOrder>) => Promise<IntentOrder>
  /** Opens an order that the service knows nothing of. */
  readonly openUnannounced: (part?: Partial<IntentOrder>) => Promise<IntentOrder>
  /** Offers an order that names another solver to the solver, with these terms, by default its own. */
  readonly reoffer: (order: IntentOrder, terms?: IntentOrder) => void
  /** 0 none, 1 open, 2 refunded, 3 filled, 4 proven, 5 released. */
  readonly statusOf: (side: Side, order: IntentOrder) => Promise<number>
  /** The number of the settlers' events with these names for the order; `Proof`: of messages that prove its fill. */
  readonly eventsOf: (order: IntentOrder) => Promise<Readonly<Record<string, number>>>
  /** The hash of the transaction that proved the order's fill; undefined without one. */
  readonly proofOf: (order: IntentOrder) => Promise<Hex | undefined>
  /** The number of transactions of the solver that failed in the chain's blocks from this one. */
  readonly failures: (side: Side, fromBlock: number) => Promise<number>
  /** Mines no empty blocks while `work` runs. */
  readonly withoutMiner: (work: () => Promise<void>) => Promise<void>
  readonly stop: () => Promise<void>
}

const MINE_MS = 200
const RELAY_MS = 200
const STOCK = 10n ** 24n
const GATEWAY_EVENTS = parseAbi([
  'event ContractCall(address indexed sender, string destinationChain, string destinationContractAddress, bytes32 indexed payloadHash, bytes payload)',
])
const SETTLER_EVENTS = parseAbi([
  'event Filled(bytes32 indexed orderId, address indexed filler, address indexed repayTo)',
  'event Proven(bytes32 indexed orderId, address indexed payee)',
  'event Released(bytes32 indexed orderId, address indexed payee, address to, uint256 amount)',
  'event Refunded(bytes32 indexed orderId, address indexed to, uint256 amount)',
])

/** Repeats `work`, one run at a time, and reports failures when stopped. */
const repeat = (periodMs: number, work: () => Promise<void>) => {
  let isStopped = false
  const loop = async (): Promise<void> => {
    while (!isStopped) {
      await work()
      await new Promise((resolve) => setTimeout(resolve, periodMs))
    }
  }
  const running = loop()
  running.catch(() => undefined)
  return async (): Promise<void> => {
    isStopped = true
    await running
  }
}

const logsOf = async (side: Side, address: Hex): Promise<readonly Log[]> =>
  // CAST: logs of JSON-RPC have the topics and data of viem's, and parsing reads nothing else.
  (await side.rpc('eth_getLogs', { address, fromBlock: '0x0', toBlock: 'latest' })) as unknown as Log[]

type Receipt = { readonly status: Hex; readonly from: Hex }

export const blockNumberOf = async (side: Side): Promise<number> => Number(await side.rpc('eth_blockNumber'))

/** The receipts of a block; anvil has them shortly after the block, and can lose those of a block mined around a reorg. */
const receiptsOf = async (side: Side, block: number): Promise<readonly Receipt[]> => {
  const ask = async () =>
    // CAST: anvil's receipts.
    (await side.rpc('eth_getBlockReceipts', numberToHex(block))) as readonly Receipt[] | null
  return (await until(ask, (receipts) => receipts !== null)) ?? []
}

/** Carries messages like Axelar's relayers, once each, also without enough gas. */
const startRelayer = (sides: readonly Side[]) => {
  const carried = new Set<string>()
  return repeat(RELAY_MS, async () => {
    for (const from of sides) {
      const logs = parseEventLogs({ abi: GATEWAY_EVENTS, logs: [...(await logsOf(from, from.gateway))] })
      for (const { args, transactionHash, logIndex } of logs) {
        const id = `${from.number} ${transactionHash} ${logIndex}`
        const to = sides.find(({ axelarChain }) => axelarChain === args.destinationChain)
        if (carried.has(id) || to === undefined) continue
        carried.add(id)
        const message: Message = {
          sourceChain: from.axelarChain,
          sourceAddress: args.sender.toLowerCase(),
          // CAST: the settler writes an address.
          target: args.destinationContractAddress as Hex,
          payload: args.payload,
        }
        await to.run(executionOf(to, await approve(to, message), message))
      }
    }
  })
}

const startAxelarscan = (sides: readonly Side[]) => {
  const gas = sandboxGas(sides.map(({ axelarChain }) => axelarChain))
  return startLocalServer(({ url, body }, response) => {
    if (url === '/axelar/evm/v1beta1/chains?status=1') {
      response.end(JSON.stringify({ chains: sides.map(({ axelarChain }) => axelarChain) }))
      return
    }
    const { sourceChain, destinationChain } = JSON.parse(body)
    const [source, destination] = [gas[String(sourceChain)], gas[String(destinationChain)]]
    assert.ok(source !== undefined && destination !== undefined)
    response.end(JSON.stringify({ result: feesResult(source, destination) }))
  })
}

const assetKey = (chain: string, token: string): string =>
  tokenKey({ chainId: chain, address: isAddress(token) ? getAddress(token) : token })

const startService = async (account: Hex, settler: Hex) => {
  const directory = createSolverDirectory([{ name: 'tested', address: account }])
  const book = createBook({ directory, assetKey, ...systemClock })
  const network = createSolverNetwork({
    directory,
    terms: { quoteLifetimeSeconds: 60, fillWindowSeconds: 600, refundDelaySeconds: 7_200 },
    book,
    service: 'test',
    randomNonce: () => `0x${randomBytes(32).toString('hex')}`,
    now: Date.now,
    log: () => undefined,
  })
  network.open()
  const server = await startTableServer({ solvers: network })
  const announced: IntentOrder[] = []
  const notify = (order: IntentOrder): boolean =>
    network.notify(orderIdOf(settler, order), orderOfContract(settler, order), true)
  network.onLogin(() => announced.forEach(notify))
  return {
    book,
    url: `ws://127.0.0.1:${server.port}/v1/solver`,
    announce: (order: IntentOrder): void => {
      announced.push(order)
      notify(order)
    },
    reoffer: (order: IntentOrder, terms = order): void =>
      network.tell(account, {
        type: 'reoffered',
        orderId: orderIdOf(settler, order),
        order: orderOfContract(settler, terms),
      }),
    stop: () => server.close(),
  }
}

const equip = async (side: Side, account: Hex): Promise<void> => {
  for (const owner of [account, DEPOSITOR]) {
    await side.rpc('anvil_setBalance', owner, numberToHex(STOCK))
    await side.run({ from: owner, to: side.token, data: side.encode('mint', [owner, STOCK]) })
  }
  const data = side.encode('approve', [side.settler, maxUint256])
  await side.run({ from: DEPOSITOR, to: side.token, data })
}

const networkOf = (
  sides: readonly Side[],
  scanUrl: string,
  rpcUrls: readonly string[],
): z.input<typeof Network> => ({
  chains: sides.map((side, position) => ({
    chainId: `eip155:${side.number}`,
    chainLabel: side.axelarChain,
    chainType: 'evm',
    nativeToken: { symbol: 'ETH', decimals: 18 },
    rpcUrls: [rpcUrls[position] ?? ''],
    trustSingleEndpoint: true,
    // Tests move the time of one chain alone.
    maximumClockLeadSeconds: 86_400,
    finality: 2,
    axelar: {
      name: side.axelarChain,
      gateway: side.gateway,
      gasService: side.gasService,
      finalitySeconds: 1,
      executeGasLimit: 700_000,
    },
    intent: { settler: side.settler },
  })),
  tokens: sides.flatMap((side) =>
    [side.token, zeroAddress].map((address) => ({
      chainId: `eip155:${side.number}`,
      address,
      symbol: address === zeroAddress ? 'ETH' : 'TKN',
      name: 'Test',
      decimals: 18,
      verified: true,
      intent: true,
      usdPrice: '1',
    })),
  ),
  axelar: { scanUrl, lcdUrl: scanUrl, hubAddress: 'axelar1hub' },
})

/** Starts everything but the solver. The caller stops it. */
export const startSolverWorld = async (): Promise<SolverWorld> => {
  const { a, b, stop: stopChains } = await startSettlerWorld()
  const privateKey: Hex = `0x${randomBytes(32).toString('hex')}`
  const account = privateKeyToAccount(privateKey).address
  const sides = [a, b]
  for (const side of sides) await equip(side, account)
  const scan = await startAxelarscan(sides)
  const service = await startService(account, a.settler)
  const stopRelayer = startRelayer(sides)
  const startMiner = () =>
    repeat(MINE_MS, async () => {
      for (const side of sides) await side.rpc('evm_mine')
    })
  let stopMiner = startMiner()
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-solver-'))
  const statusOf = async (side: Side, order: IntentOrder): Promise<number> => {
    // CAST: the settler answers kind and account.
    const record = (await side.read(side.settler, 'record', [orderIdOf(side.settler, order)])) as readonly [
      number,
    ]
    return record[0]
  }

  const openUnannounced = async (part?: Partial<IntentOrder>): Promise<IntentOrder> => {
    const now = Math.max(await a.now(), await b.now())
    const order = orderOf(a, b, now, { solver: account, filler: account, ...part })
    const value = order.inputToken === zeroAddress ? order.inputAmount : 0n
    const data = a.encode('open', [wrapOrder(order)])
    await a.run({ from: DEPOSITOR, to: a.settler, data, value })
    return order
  }

  return {
    a,
    b,
    book: service.book,
    account,
    privateKey,
    config: (part) => ({
      serviceUrl: service.url,
      serviceName: 'test',
      name: 'tested',
      dataDirectory: directory,
      network: networkOf(sides, scan.url, [a.rpcUrl, b.rpcUrl]),
      settlement: { batchWaitMs: 200, claimWaitMs: 200 },
      ...part,
    }),
    open: async (part) => {
      const order = await openUnannounced(part)
      service.announce(order)
      return order
    },
    openUnannounced,
    reoffer: service.reoffer,
    statusOf,
    eventsOf: async (order) => {
      const counts: Record<string, number> = {}
      for (const side of sides) {
        const logs = await logsOf(side, side.settler)
        for (const { eventName, args } of parseEventLogs({ abi: SETTLER_EVENTS, logs: [...logs] }))
          if (args.orderId === orderIdOf(side.settler, order))
            counts[eventName] = (counts[eventName] ?? 0) + 1
        const sent = parseEventLogs({ abi: GATEWAY_EVENTS, logs: [...(await logsOf(side, side.gateway))] })
        const digest = digestOf(side.settler, order).slice(2)
        const proofs = sent.filter(({ args }) => args.payload.includes(digest)).length
        if (proofs > 0) counts['Proof'] = proofs
      }
      return counts
    },
    proofOf: async (order) => {
      const sent = parseEventLogs({ abi: GATEWAY_EVENTS, logs: [...(await logsOf(b, b.gateway))] })
      const digest = digestOf(b.settler, order).slice(2)
      return sent.find(({ args }) => args.payload.includes(digest))?.transactionHash ?? undefined
    },
    failures: async (side, fromBlock) => {
      let count = 0
      const last = await blockNumberOf(side)
      for (let number = fromBlock; number <= last; number += 1) {
        const receipts = await receiptsOf(side, number)
        count += receipts.filter(
          ({ from, status }) => status === '0x0' && from.toLowerCase() === account.toLowerCase(),
        ).length
      }
      return count
    },
    withoutMiner: async (work) => {
      await stopMiner()
      try {
        await work()
      } finally {
        stopMiner = startMiner()
      }
    },
    stop: async () => {
      await Promise.allSettled([stopRelayer(), stopMiner()])
      await service.stop()
      scan.stop()
      await stopChains()
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
