import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Call, Event } from '@openrfq/sandbox/test/chain-calls.ts'
import { DEPLOYER, nextAddress } from '@openrfq/sandbox/test/contract-deployer.ts'
import { startTwoChains, type TwoChains } from '@openrfq/sandbox/test/two-chains.ts'
import {
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  parseAbiParameters,
  toHex,
  zeroAddress,
} from 'viem'
import { buildSite, command, openPool, pathOf, ROUTER_ABI, register, type Site } from './express-site.ts'

/** A site with the router under test, two bridge tokens and a third token, with pools between all of them. */
export type Side = Site & {
  readonly router: Hex
  /** The bridge token of most tests, under this gateway's symbol. */
  readonly bridge: Hex
  readonly symbol: string
  /** Side A's wrapped native asset as represented on this side. */
  readonly ether: Hex
  readonly etherSymbol: string
  readonly token: Hex
}

/** Two chains whose routers trust each other and a router on a third chain that does not exist. */
export type ExpressWorld = TwoChains<Side>

/** An order as contracts/express/ExpressTransfer.sol declares it; amounts in base units, times in seconds. */
export type ExpressOrder = {
  readonly salt: Hex
  readonly deadline: number
  readonly inputToken: Hex
  readonly inputAmount: bigint
  readonly inputPath: Hex
  readonly symbol: string
  readonly minimumBridgeAmount: bigint
  readonly refundAddress: Hex
  readonly destinationChainId: bigint
  readonly outputToken: Hex
  readonly outputPath: Hex
  readonly minimumAmount: bigint
  readonly recipient: Hex
  readonly deliveryGas: number
}

/** A gateway message with its token, as announced or forged; `symbol` is the destination's. */
export type Message = {
  readonly sourceChain: string
  readonly sourceAddress: string
  readonly target: Hex
  readonly payload: Hex
  readonly symbol: string
  readonly amount: bigint
}

/** A chain that both routers trust and on which nothing runs. */
export const THIRD = {
  chainId: 31_339n,
  axelarChain: 'Third',
  router: '0xcccccccccccccccccccccccccccccccccccccccc',
} as const

/** Test accounts by role; the chains impersonate them. */
export const SENDER: Hex = '0x1000000000000000000000000000000000000001'
export const RECIPIENT: Hex = '0x2000000000000000000000000000000000000002'
export const REFUNDEE: Hex = '0x3000000000000000000000000000000000000003'
export const EXECUTOR: Hex = '0x4000000000000000000000000000000000000004'
export const STRANGER: Hex = '0x5000000000000000000000000000000000000005'

/** Starting balance of every account in every token, and of every pool in both of its tokens. */
export const WEALTH = 10n ** 18n
const DEPTH = 10n ** 20n
/** Native value paid for a delivery. */
export const GAS_PAYMENT = 1_000_000n

/** Gives an account tokens or native value. */
export const give = async (side: Site, token: Hex, account: Hex, amount: bigint): Promise<void> => {
  if (token === zeroAddress) {
    await side.rpc('anvil_setBalance', account, numberToHex(amount))
    return
  }
  const data = side.encode('transfer', [account, amount])
  await side.run({ from: DEPLOYER, to: token, data })
}

const stock = async (site: Site, symbol: string): Promise<void> => {
  const params = encodeAbiParameters(parseAbiParameters('string, address, uint256'), [
    symbol,
    DEPLOYER,
    DEPTH * 10n,
  ])
  await command(site, { id: keccak256(toHex(`mint ${symbol}`)), name: 'mintToken', params })
}

const by = (site: Site, from: Hex, to: Hex, name: string, args: readonly unknown[], value = 0n) =>
  site.run({ from, to, data: site.encode(name, args), value })

/** Opens the bridge tokens: those that side A locks and side B's gateway mints, and one without backing. */
const openTokens = async (site: Site, isHome: boolean) => {
  const token = await site.deploy('token')
  await by(site, DEPLOYER, token, 'mint', [DEPLOYER, DEPTH * 10n])
  await by(site, DEPLOYER, site.wrapped, 'deposit', [], DEPTH * 20n)
  if (!isHome) {
    const bridge = await register(site, 'axlUSDC')
    const ether = await register(site, 'axlWETH')
    await stock(site, 'axlUSDC')
    await stock(site, 'axlWETH')
    return { token, bridge, symbol: 'axlUSDC', ether, etherSymbol: 'axlWETH' }
  }
  const usdc = await site.deploy('token')
  await by(site, DEPLOYER, usdc, 'mint', [DEPLOYER, DEPTH * 20n])
  const bridge = await register(site, 'USDC', usdc)
  const ether = await register(site, 'WETH', site.wrapped)
  await by(site, DEPLOYER, bridge, 'transfer', [site.gateway, DEPTH * 10n])
  await by(site, DEPLOYER, ether, 'transfer', [site.gateway, DEPTH * 10n])
  return { token, bridge, symbol: 'USDC', ether, etherSymbol: 'WETH' }
}

const openSide = async (site: Site, isHome: boolean): Promise<Side> => {
  const tokens = await openTokens(site, isHome)
  await openPool(site, tokens.bridge, site.wrapped, 3000, DEPTH)
  await openPool(site, tokens.bridge, tokens.token, 500, DEPTH)
  await openPool(site, site.wrapped, tokens.token, 3000, DEPTH)
  if (!isHome) await openPool(site, tokens.ether, tokens.token, 3000, DEPTH)
  return { ...site, ...tokens, router: await nextAddress(site) }
}

const deployRouter = async (side: Side, other: Side): Promise<void> => {
  const remote = { chainId: BigInt(other.number), axelarChain: other.axelarChain, router: other.router }
  const { gateway, gasService, swapRouter } = side
  const deployed = await side.deploy('router', [gateway, gasService, swapRouter, [remote, THIRD]])
  assert.equal(deployed, side.router)
}

/** The tokens of a side that a router could hold; the zero address is the native asset. */
export const tokensOf = ({ bridge, ether, token, wrapped }: Side): readonly Hex[] => [
  ...new Set([zeroAddress, bridge, ether, token, wrapped]),
]

/** Gives an account all tokens and approves the router. */
export const fund = async (side: Side, account: Hex): Promise<void> => {
  for (const token of tokensOf(side)) {
    await give(side, token, account, WEALTH)
    if (token !== zeroAddress) await by(side, account, token, 'approve', [side.router, 2n ** 256n - 1n])
  }
}

/** Starts two chains with all contracts, funded senders and executors. The caller stops them. */
export const startExpressWorld = (): Promise<ExpressWorld> =>
  startTwoChains(async ([anvilA, anvilB]) => {
    const [a, b] = await Promise.all([
      buildSite(31_337, 'Sandbox-A', anvilA).then((site) => openSide(site, true)),
      buildSite(31_338, 'sandbox-b', anvilB).then((site) => openSide(site, false)),
    ])
    await Promise.all([deployRouter(a, b), deployRouter(b, a)])
    for (const account of [SENDER, EXECUTOR]) await Promise.all([fund(a, account), fund(b, account)])
    return [a, b]
  })

/** An order from one side to the other with the bridge token as input and output. */
export const orderOf = (from: Side, to: Side, part: Partial<ExpressOrder> = {}): ExpressOrder => ({
  salt: `0x${randomBytes(32).toString('hex')}`,
  deadline: 2 ** 32 - 1,
  inputToken: from.bridge,
  inputAmount: 1_000_000n,
  inputPath: '0x',
  symbol: from.symbol,
  minimumBridgeAmount: 990_000n,
  refundAddress: REFUNDEE,
  destinationChainId: BigInt(to.number),
  outputToken: to.bridge,
  outputPath: '0x',
  minimumAmount: 980_000n,
  recipient: RECIPIENT,
  deliveryGas: 500_000,
  ...part,
})

/** Order fields that swap a side's native asset into the bridge token. */
export const fromNative = (side: Side): Partial<ExpressOrder> => ({
  inputToken: zeroAddress,
  inputPath: pathOf(side.wrapped, [3000, side.bridge]),
})

/** Order fields that swap the bridge token into a side's native asset. */
export const toNative = (side: Side): Partial<ExpressOrder> => ({
  outputToken: zeroAddress,
  outputPath: pathOf(side.bridge, [3000, side.wrapped]),
})

/** The call that sends an order, with the native value it needs. */
export const sending = (from: Side, order: ExpressOrder, sender: Hex = SENDER): Call => ({
  from: sender,
  to: from.router,
  data: from.encode('send', [order]),
  value: GAS_PAYMENT + (order.inputToken === zeroAddress ? order.inputAmount : 0n),
})

/** The message that a router's transaction passed to its gateway. */
export const messageOf = (from: Side, to: Side, events: readonly Event[]): Message => {
  const found = events.find(({ eventName }) => eventName === 'ContractCallWithToken')
  assert.ok(found, 'the transaction contains no message')
  // CAST: the arguments of the gateway's ContractCallWithToken.
  const { sender, destinationChain, destinationContractAddress, payload, symbol, amount } =
    found.args as unknown as Record<'sender' | 'destinationContractAddress' | 'payload', Hex> & {
      readonly destinationChain: string
      readonly symbol: string
      readonly amount: bigint
    }
  assert.equal(destinationChain, to.axelarChain)
  return {
    sourceChain: from.axelarChain,
    sourceAddress: sender,
    target: destinationContractAddress,
    payload,
    symbol: symbol === from.symbol ? to.symbol : to.etherSymbol,
    amount,
  }
}

/** An unused command id. */
export const freshId = (): Hex => `0x${randomBytes(32).toString('hex')}`

/** Signs and executes the approval of a message on a chain's gateway. */
export const approve = async (to: Side, message: Message, id: Hex = freshId()): Promise<Hex> => {
  const { sourceChain, sourceAddress, target, payload, symbol, amount } = message
  const params = encodeAbiParameters(
    parseAbiParameters('string, string, address, bytes32, string, uint256, bytes32, uint256'),
    [sourceChain, sourceAddress, target, keccak256(payload), symbol, amount, id, 0n],
  )
  await command(to, { id, name: 'approveContractCallWithMint', params })
  return id
}

const carry =
  (name: string) =>
  (to: Side, id: Hex, message: Message, from: Hex): Call => ({
    from,
    to: message.target,
    data: to.encode(name, [
      id,
      message.sourceChain,
      message.sourceAddress,
      message.payload,
      message.symbol,
      message.amount,
    ]),
  })

/** The call that executes an approved message. */
export const executing = carry('executeWithToken')
/** The call that delivers an unapproved message from the caller's own tokens. */
export const expressing = carry('expressExecuteWithToken')

/** ABI of a message's payload. */
export const TRANSFER = ROUTER_ABI.flatMap((item) =>
  item.type === 'function' && item.name === 'deliver' ? item.inputs.slice(1) : [],
)

/** Copies a message with some payload fields changed. */
export const alter = (payload: Hex, change: Readonly<Record<string, unknown>>): Hex => {
  const [transfer] = decodeAbiParameters(TRANSFER, payload)
  // CAST: the ABI says that it is a struct.
  return encodeAbiParameters(TRANSFER, [{ ...(transfer as Record<string, unknown>), ...change }])
}

/** The router holds no value and has granted no allowance. */
export const assertEmpty = async (side: Side): Promise<void> => {
  for (const token of tokensOf(side)) {
    assert.equal(await side.balanceOf(token, side.router), 0n, `the router holds ${token}`)
    if (token === zeroAddress) continue
    for (const spender of [side.gateway, side.swapRouter])
      assert.equal(await side.read(token, 'allowance', [side.router, spender]), 0n)
  }
}
