import { encodeAbiParameters, parseAbiParameters } from 'viem'
import {
  callWithTokenData,
  DELIVERED_TOPIC,
  type ExpressOrder,
  REFUNDED_TOPIC,
  RETURNED_TOPIC,
} from '../src/backends/router/express-contract.ts'
import type { BridgeSide, ExpressRoute } from '../src/backends/router/routes.ts'
import { addressTopic, addressWord, uintWord } from '../src/chains/evm/abi-words.ts'
import type { EvmHead, EvmLog } from '../src/chains/evm/evm-chain.ts'
import { baseUnits } from '../src/core/amount.ts'
import { NetworkChain, NetworkToken } from '../src/core/network.ts'
import type { QuoteRecord } from '../src/core/quote-record.ts'
import { CONTRACT_CALL_WITH_TOKEN_TOPIC } from '../src/protocols/axelar/gateway-contract.ts'
import { memoryChain } from './memory-chain.ts'

/** An address of one digit. */
export const address = (digit: string): string => `0x${digit.repeat(40)}`
/** A hash of one digit. */
export const hash = (digit: string): string => `0x${digit.repeat(64)}`
export const KEEPER = `0x${'ee'.repeat(20)}`
export const [SENDER, RECIPIENT, STRANGER] = [address('a'), address('b'), address('c')]
const GATEWAY = address('1')
/** The router, which has one address on both chains. */
export const ROUTER = address('4')
export const FAR_GATEWAY = address('5')
const FAR_BRIDGE = address('8')
export const [BRIDGE, OUTPUT] = [address('7'), address('9')]
export const [FROM, TO] = ['eip155:1', 'eip155:2']
export const [SOURCE_TX, EXECUTE_TX, REFUND_TX] = [hash('e'), hash('d'), hash('6')]
export const TRANSFER_ID = hash('f')
const COMMAND = hash('5')
export const BRIDGED = 1_000_000n

/** The order the sender signed: 5 units of a token into 1 of the bridge token, and that into the output. */
export const order: ExpressOrder = {
  salt: hash('3'),
  deadlineSeconds: 1_000_090,
  inputToken: address('2'),
  inputAmount: 5_000_000n,
  inputPath: `0x${address('2').slice(2)}0001f4${BRIDGE.slice(2)}`,
  symbol: 'USDC',
  minimumBridgeAmount: 990_000n,
  refundAddress: SENDER,
  destinationChainId: 2n,
  destinationChain: 'two',
  outputToken: OUTPUT,
  outputPath: `0x${FAR_BRIDGE.slice(2)}0001f4${OUTPUT.slice(2)}`,
  minimumAmount: 400n,
  recipient: RECIPIENT,
  keeper: KEEPER,
  executor: address('d'),
  priorityUntilSeconds: 1_000_100,
  returnAfterSeconds: 1_008_000,
}

/** The quote of the order. */
export const quote: QuoteRecord = {
  quoteId: 'quote_00000000000000000000000001',
  backend: 'gateway-express',
  backendName: 'Gateway Express',
  createdAt: 1_000_000_000,
  quoteExpiresAt: 1_000_030_000,
  estimatedTimeSeconds: 20,
  orderType: 'EXACT_INPUT',
  fromChain: FROM,
  fromToken: order.inputToken,
  toChain: TO,
  toToken: OUTPUT,
  sender: SENDER,
  recipient: RECIPIENT,
  input: baseUnits(order.inputAmount),
  output: baseUnits(405n),
  minimumOutput: baseUnits(order.minimumAmount),
  binding: {
    sourceChainId: '1',
    sourceAxelarChain: 'One',
    sourceGateway: GATEWAY,
    sourceRouter: ROUTER,
    sourceBridge: BRIDGE,
    destinationAxelarChain: 'two',
    destinationGateway: FAR_GATEWAY,
    destinationSymbol: 'axlUSDC',
    destinationBridge: FAR_BRIDGE,
    destinationGasService: address('0'),
    salt: order.salt,
    deadlineSeconds: order.deadlineSeconds,
    inputPath: order.inputPath,
    symbol: order.symbol,
    minimumBridgeAmount: order.minimumBridgeAmount.toString(),
    destinationChainId: order.destinationChainId.toString(),
    outputPath: order.outputPath,
    keeper: order.keeper,
    executor: order.executor,
    priorityUntilSeconds: order.priorityUntilSeconds,
    returnAfterSeconds: order.returnAfterSeconds,
  },
}

/** Data of the gateway's log; any field of the order, the route or the amounts can be overridden. */
export const sentData = (
  changes: Partial<ExpressOrder> = {},
  { sourceChain = 'One', router = ROUTER, sourceChainId = 1n, sender = SENDER, amount = BRIDGED } = {},
): string =>
  callWithTokenData({
    router,
    order: { ...order, ...changes },
    sent: { sourceChain, sourceChainId, sender, amount },
  })

/** The gateway's log of the quote's message. */
export const sent: EvmLog = {
  address: GATEWAY,
  topics: [CONTRACT_CALL_WITH_TOKEN_TOPIC, addressTopic(ROUTER), TRANSFER_ID],
  data: sentData(),
}

type Claim = { topic?: string; transferId?: string; payee?: string; token?: string; amount?: bigint }

const eventOf = (router: string, topic: string, payee: string, token: string, amount: bigint) => {
  const build = (changes: Claim = {}, emitter = router): EvmLog => ({
    address: emitter,
    topics: [
      changes.topic ?? topic,
      changes.transferId ?? TRANSFER_ID,
      COMMAND,
      addressTopic(changes.payee ?? payee),
    ],
    data: `0x${addressWord(changes.token ?? token)}${uintWord(changes.amount ?? amount)}`,
  })
  return build
}
/** The routers' events of the transfer; any field can be overridden. */
export const delivered = eventOf(ROUTER, DELIVERED_TOPIC, RECIPIENT, OUTPUT, 403n)
export const returned = eventOf(ROUTER, RETURNED_TOPIC, address('0'), FAR_BRIDGE, BRIDGED)
export const refunded = eventOf(ROUTER, REFUNDED_TOPIC, SENDER, BRIDGE, BRIDGED)
const GAS_PAID = parseAbiParameters(
  'string destinationChain, string destinationAddress, string symbol, uint256 amount, uint256 gasFeeAmount, address refundAddress',
)
/** The gas service's event of a payment in wei, by default for the way back. */
export const gasPaid = (
  fee: bigint,
  { chain = 'One', contract = ROUTER, symbol = 'axlUSDC', amount = BRIDGED } = {},
): EvmLog => ({
  address: address('0'),
  topics: [
    '0x999d431b58761213cf53af96262b67a069cbd963499fd8effd1e21556217b841',
    addressTopic(ROUTER),
    TRANSFER_ID,
  ],
  data: encodeAbiParameters(GAS_PAID, [chain, contract, symbol, amount, fee, `0x${KEEPER.slice(2)}`]),
})
/** The same log with truncated data. */
const truncated = (log: EvmLog, bytes: number): EvmLog => ({ ...log, data: log.data.slice(0, 2 + 2 * bytes) })
/** Forged events that resemble the transfer's. */
export const forgeriesOf = (build: typeof delivered, lower: bigint): readonly EvmLog[] => [
  build({}, STRANGER),
  build({ topic: hash('8') }),
  build({ transferId: hash('8') }),
  build({ token: STRANGER }),
  build({ amount: lower }),
  truncated(build(), 0),
  truncated(build(), 32),
  truncated(build(), 63),
]

/** A head at which all the events are final. */
export const head: EvmHead = {
  number: 200n,
  hash: hash('1'),
  timestampSeconds: 1_000_060,
  finalNumber: 150n,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 1n,
  readAt: 1_000_060_000,
}

const exchange = { router: address('0'), factory: address('0'), tickLens: address('0'), pools: [] }

/**
 * One side of a route that crosses the bridge token unswapped. The keeper pays up to 1,000 for a return leg; executors
 * deliver up to 500,000.
 */
const sideOf = (chainId: string, token: string, changes: Partial<BridgeSide>): BridgeSide => {
  const isSource = chainId === FROM
  const gateway = isSource ? GATEWAY : FAR_GATEWAY
  const name = isSource ? 'one' : 'two'
  const wrappedNative = address('0')
  return {
    chain: NetworkChain.parse({
      chainId,
      chainLabel: name,
      chainType: 'evm',
      nativeToken: { symbol: 'ETH', decimals: 18 },
      rpcUrls: ['http://localhost'],
      finality: 2,
    }),
    token: NetworkToken.parse({
      chainId,
      address: token,
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      verified: true,
    }),
    evm: memoryChain(chainId, [], { head: () => head, allowance: () => Promise.resolve(0n) }),
    denom: 'uusdc',
    symbol: 'USDC',
    axelarName: name,
    gateway,
    finalitySeconds: 100,
    exchange: { ...exchange, wrappedNative },
    router: ROUTER,
    gasService: address('0'),
    chainNumber: isSource ? 1n : 2n,
    executeGasLimit: 700_000,
    minimumBridged: 10n,
    executor: 'axelar',
    executorSeconds: 7,
    expressCap: 500_000n,
    returnGasCap: 1_000n,
    priority: undefined,
    patienceMs: 60_000,
    ...changes,
  }
}

/** The bridge token's route between the two chains. */
export const bridgeRoute = (changes: Partial<BridgeSide> = {}): ExpressRoute => {
  const [from, to] = [sideOf(FROM, BRIDGE, changes), sideOf(TO, FAR_BRIDGE, changes)]
  return { from, to, input: from.token, output: to.token }
}
