import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Call, Event } from '@openrfq/sandbox/test/chain-calls.ts'
import { DEPLOYER } from '@openrfq/sandbox/test/contract-deployer.ts'
import { startAnvil } from 'openrfq/test/private-anvil.ts'
import {
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  parseAbiParameters,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import {
  buildSite,
  command,
  deployRouter,
  openPool,
  pathOf,
  ROUTER_ARTIFACT,
  register,
  type Site,
} from './site.ts'

/** A site with two bridge tokens and a third token, pools between all of them, and the router under test. */
export type Side = Stocked & { readonly router: Hex }

type Stocked = Site & {
  /** The bridge token of most tests, under this gateway's symbol. */
  readonly bridge: Hex
  readonly symbol: string
  /** Side A's wrapped native asset as represented on this side. */
  readonly ether: Hex
  readonly etherSymbol: string
  readonly token: Hex
}

/** Two chains with the router at one address, and its creation code. */
export type World = { readonly a: Side; readonly b: Side; readonly code: Hex }

/** An order as router/ExpressTransfer.sol declares it; amounts in base units, times in seconds. */
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
  readonly destinationChain: string
  readonly outputToken: Hex
  readonly outputPath: Hex
  readonly minimumAmount: bigint
  readonly recipient: Hex
  readonly keeper: Hex
  readonly executor: Hex
  readonly priorityUntil: number
  readonly returnAfter: number
  readonly integrator: Hex
  readonly integratorFeeBps: number
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

/** Test accounts by role; the chains impersonate them. */
export const SENDER: Hex = '0x1000000000000000000000000000000000000001'
export const RECIPIENT: Hex = '0x2000000000000000000000000000000000000002'
export const REFUNDEE: Hex = '0x3000000000000000000000000000000000000003'
export const EXECUTOR: Hex = '0x4000000000000000000000000000000000000004'
export const STRANGER: Hex = '0x5000000000000000000000000000000000000005'
export const INTEGRATOR: Hex = '0x8000000000000000000000000000000000000008'
export const KEEPER: Hex = '0x7000000000000000000000000000000000000007'

/** Starting balance of every funded account in every token, and of every pool in both of its tokens. */
export const WEALTH = 10n ** 18n
const DEPTH = 10n ** 20n
/** Native value paid for a delivery. */
export const GAS_PAYMENT = 1_000_000n

const by = (site: Site, from: Hex, to: Hex, name: string, args: readonly unknown[], value = 0n) =>
  site.run({ from, to, data: site.encode(name, args), value })

/** Gives an account tokens or native value. */
export const give = async (side: Site, token: Hex, account: Hex, amount: bigint): Promise<void> => {
  if (token === zeroAddress) await side.rpc('anvil_setBalance', account, numberToHex(amount))
  else await by(side, DEPLOYER, token, 'transfer', [account, amount])
}

const stock = async (site: Site, symbol: string): Promise<void> => {
  const params = encodeAbiParameters(parseAbiParameters('string, address, uint256'), [
    symbol,
    DEPLOYER,
    DEPTH * 10n,
  ])
  await command(site, { id: keccak256(toHex(`mint ${symbol}`)), name: 'mintToken', params })
}

/** Opens the bridge tokens: those that side A locks and side B's gateway mints, and one without backing. */
const openTokens = async (site: Site, isHome: boolean): Promise<Stocked> => {
  const token = await site.deploy('token')
  await by(site, DEPLOYER, token, 'mint', [DEPLOYER, DEPTH * 10n])
  await by(site, DEPLOYER, site.wrapped, 'deposit', [], DEPTH * 20n)
  if (!isHome) {
    const bridge = await register(site, 'axlUSDC')
    const ether = await register(site, 'axlWETH')
    await stock(site, 'axlUSDC')
    await stock(site, 'axlWETH')
    return { ...site, token, bridge, symbol: 'axlUSDC', ether, etherSymbol: 'axlWETH' }
  }
  const usdc = await site.deploy('token')
  await by(site, DEPLOYER, usdc, 'mint', [DEPLOYER, DEPTH * 20n])
  const bridge = await register(site, 'USDC', usdc)
  const ether = await register(site, 'WETH', site.wrapped)
  await by(site, DEPLOYER, bridge, 'transfer', [site.gateway, DEPTH * 10n])
  await by(site, DEPLOYER, ether, 'transfer', [site.gateway, DEPTH * 10n])
  return { ...site, token, bridge, symbol: 'USDC', ether, etherSymbol: 'WETH' }
}

const openSide = async (site: Site, isHome: boolean): Promise<Stocked> => {
  const stocked = await openTokens(site, isHome)
  await openPool(site, stocked.bridge, site.wrapped, 3000, DEPTH)
  await openPool(site, stocked.bridge, stocked.token, 500, DEPTH)
  await openPool(site, site.wrapped, stocked.token, 3000, DEPTH)
  if (!isHome) await openPool(site, stocked.ether, stocked.token, 3000, DEPTH)
  return stocked
}

/** The tokens of a side that a router could hold; the zero address is the native asset. */
export const tokensOf = ({ bridge, ether, token, wrapped }: Stocked): readonly Hex[] => [
  ...new Set([zeroAddress, bridge, ether, token, wrapped]),
]

/** Gives an account all tokens and approves the router. */
export const fund = async (side: Side, account: Hex): Promise<void> => {
  for (const token of tokensOf(side)) {
    await give(side, token, account, WEALTH)
    if (token !== zeroAddress) await by(side, account, token, 'approve', [side.router, 2n ** 256n - 1n])
  }
}

/** Puts a router of this code on both sides, and funds senders and executors for it. */
export const withRouter = async (
  sides: readonly [Stocked, Stocked],
  code: Hex = ROUTER_ARTIFACT.bytecode,
  salt: Hex = zeroHash,
): Promise<World> => {
  const [a, b] = await Promise.all(
    sides.map(async (bare): Promise<Side> => {
      const side = { ...bare, router: await deployRouter(bare, code, salt) }
      for (const account of [SENDER, EXECUTOR]) await fund(side, account)
      await give(side, zeroAddress, STRANGER, WEALTH)
      await give(side, zeroAddress, KEEPER, WEALTH)
      return side
    }),
  )
  assert.ok(a && b)
  assert.equal(a.router, b.router)
  return { a, b, code }
}

/** Starts two chains with all contracts but the router. The caller stops them. */
export const startSides = async (): Promise<{
  readonly sides: readonly [Stocked, Stocked]
  readonly stop: () => Promise<void>
}> => {
  const options = ['--gas-price', '0', '--block-base-fee-per-gas', '0', '--auto-impersonate']
  const anvils = await Promise.all([startAnvil(31_337, ...options), startAnvil(31_338, ...options)])
  const stop = async (): Promise<void> => {
    await Promise.all(anvils.map((anvil) => anvil.stop()))
  }
  try {
    const sides = await Promise.all([
      buildSite(31_337, 'Sandbox-A', anvils[0]).then((site) => openSide(site, true)),
      buildSite(31_338, 'sandbox-b', anvils[1]).then((site) => openSide(site, false)),
    ])
    return { sides, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}

/** Starts two chains with all contracts. The caller stops them. */
export const startWorld = async () => {
  const { sides, stop } = await startSides()
  try {
    return { world: await withRouter(sides), stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}

/** An order from one side to the other with the bridge token as input and output, returnable by strangers in an hour. */
export const orderOf = async (
  from: Side,
  to: Side,
  part: Partial<ExpressOrder> = {},
): Promise<ExpressOrder> => ({
  salt: `0x${randomBytes(32).toString('hex')}`,
  deadline: 2 ** 32 - 1,
  inputToken: from.bridge,
  inputAmount: 1_000_000n,
  inputPath: '0x',
  symbol: from.symbol,
  minimumBridgeAmount: 990_000n,
  refundAddress: REFUNDEE,
  destinationChainId: BigInt(to.number),
  destinationChain: to.axelarName,
  outputToken: to.bridge,
  outputPath: '0x',
  minimumAmount: 980_000n,
  recipient: RECIPIENT,
  keeper: KEEPER,
  executor: zeroAddress,
  priorityUntil: 0,
  returnAfter: Math.max(await from.now(), await to.now()) + 3600,
  integrator: zeroAddress,
  integratorFeeBps: 0,
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
  assert.equal(destinationChain, to.axelarName)
  return {
    sourceChain: from.axelarName,
    sourceAddress: sender,
    target: destinationContractAddress,
    payload,
    symbol: symbol === from.symbol ? to.symbol : to.etherSymbol,
    amount,
  }
}

/** Sends an order. Returns its message. */
export const send = async (from: Side, to: Side, part: Partial<ExpressOrder> = {}): Promise<Message> =>
  messageOf(from, to, await from.run(sending(from, await orderOf(from, to, part))))

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
  (to: Side, id: Hex, message: Message, from: Hex = STRANGER, ...rest: readonly unknown[]): Call => ({
    from,
    to: message.target,
    data: to.encode(name, [
      id,
      message.sourceChain,
      message.sourceAddress,
      message.payload,
      message.symbol,
      message.amount,
      ...rest,
    ]),
  })

/** The call that executes an approved message. */
export const executing = carry('executeWithToken')
/** The call that delivers an unapproved message from the caller's own tokens. */
export const expressing = carry('expressExecuteWithToken')
/** The call that gives an approved message back. */
export const returning = carry('giveBack')
/** The call that pays a message that was given back to another account, which comes last. */
export const redirecting = carry('refundTo')

const DECODED = ROUTER_ARTIFACT.abi.flatMap((item) =>
  item.type === 'function' && item.name === 'decode' ? item.outputs : [],
)

/** Copies a message with some payload fields changed. */
export const alter = (payload: Hex, change: Readonly<Record<string, unknown>>): Hex => {
  const [transfer] = decodeAbiParameters(DECODED, payload)
  // CAST: the ABI says that it is a struct.
  return encodeAbiParameters(DECODED, [{ ...(transfer as Record<string, unknown>), ...change }])
}

/** The router holds no value and has granted the gateway no allowance. */
export const assertEmpty = async (side: Side): Promise<void> => {
  for (const token of tokensOf(side)) {
    assert.equal(await side.balanceOf(token, side.router), 0n, `the router holds ${token}`)
    if (token !== zeroAddress)
      assert.equal(await side.read(token, 'allowance', [side.router, side.gateway]), 0n)
  }
}

/** Notes what an attack costs and gains. */
export type Note = (text: string) => void

/** One attempt at the routers. It throws when they do not behave. */
export type Case = { readonly name: string; readonly run: (world: World, note: Note) => Promise<void> }

/** The only event of a name in a transaction, or undefined. */
export const eventOf = (
  events: readonly Event[],
  name: string,
): Readonly<Record<string, unknown>> | undefined => events.find(({ eventName }) => eventName === name)?.args
