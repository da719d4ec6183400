import fc from 'fast-check'
import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { pathOf, ROUTER_ABI } from './express-site.ts'
import {
  EXECUTOR,
  executing,
  type Message,
  SENDER,
  type Side,
  STRANGER,
  THIRD,
  TRANSFER,
} from './express-world.ts'

/** An attack on a router: the call, its native value and its kind. */
export type Forgery = { readonly kind: string; readonly callData: Hex; readonly value: bigint }

/** Approved messages from untrusted senders, by command id. */
export type ForgedMessage = { readonly id: Hex; readonly message: Message }

const ERC20_ABI = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes data)',
])
const SELECTORS = ROUTER_ABI.flatMap((item) => (item.type === 'function' ? [toFunctionSelector(item)] : []))

/** Hex digits of a one-pool path. */
const ONE_POOL = 2 + 2 * 43

const often = <T>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: unusual })

const bytesOf = (length: number): fc.Arbitrary<Hex> =>
  // CAST: hex digits after 0x.
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as Hex)

const uint = (bits: number): fc.Arbitrary<bigint> => fc.bigInt(0n, 2n ** BigInt(bits) - 1n)
const amountArbitrary = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt(1n, 10n ** 15n) },
  { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 10n ** 18n, 10n ** 18n + 1n) },
  { weight: 1, arbitrary: uint(256) },
)
const minimumArbitrary = often(fc.bigInt(1n, 1000n), amountArbitrary)

const partsOf = (side: Side, other: Side, prober: Hex) => {
  const tokens = [side.bridge, side.token, side.wrapped, side.ether]
  const token = fc.constantFrom(...tokens)
  const places = [side.router, side.gateway, side.gasService, side.swapRouter, side.positions, other.router]
  const account = fc.constantFrom(prober, SENDER, EXECUTOR, STRANGER, zeroAddress, ...tokens, ...places)
  const fee = fc.constantFrom(500, 3000)
  const hop = fc.tuple(fee, token)
  const path = fc.oneof(
    { weight: 1, arbitrary: fc.constant<Hex>('0x') },
    { weight: 4, arbitrary: fc.tuple(token, hop).map(([first, next]) => pathOf(first, next)) },
    { weight: 2, arbitrary: fc.tuple(token, hop, hop).map(([first, ...rest]) => pathOf(first, ...rest)) },
    { weight: 1, arbitrary: fc.tuple(account, fee, account).map(([first, ...rest]) => pathOf(first, rest)) },
    { weight: 1, arbitrary: bytesOf(50) },
  )
  const asset = often(fc.constantFrom(zeroAddress, ...tokens), account)
  const symbol = often(fc.constantFrom(side.symbol, side.etherSymbol), fc.constant(other.symbol))
  const chainId = fc.constantFrom(BigInt(side.number), BigInt(other.number), THIRD.chainId)
  return { account, path, asset, symbol, chainId }
}

/**
 * The path with its end tokens replaced to fit the forged order, for one-pool paths; an empty path when no swap is
 * needed.
 */
const fitted = (side: Side, path: Hex, input: Hex, output: Hex): Hex => {
  const wrap = (token: Hex): Hex => (token === zeroAddress ? side.wrapped : token)
  if (path.length !== ONE_POOL) return path
  if (wrap(input) === wrap(output)) return '0x'
  return pathOf(wrap(input), [Number(`0x${path.slice(42, 48)}`), wrap(output)])
}

const sends = (side: Side, other: Side, prober: Hex): fc.Arbitrary<Forgery> => {
  const { account, path, asset, symbol } = partsOf(side, other, prober)
  const order = fc.record({
    salt: bytesOf(32),
    deadline: often(fc.constant(2 ** 32 - 1), fc.constant(0)),
    inputToken: asset,
    inputAmount: amountArbitrary,
    inputPath: path,
    symbol,
    minimumBridgeAmount: minimumArbitrary,
    refundAddress: often(fc.constant(prober), account),
    destinationChainId: often(fc.constant(BigInt(other.number)), uint(256)),
    outputToken: account,
    outputPath: path,
    minimumAmount: minimumArbitrary,
    recipient: account,
    deliveryGas: often(
      fc.integer({ min: 100_000, max: 3_000_000 }),
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    ),
  })
  return fc
    .record({ order, extra: often(fc.constant(1000n), fc.constant(0n)) })
    .map(({ order: one, extra }) => {
      const bridge = one.symbol === side.symbol ? side.bridge : side.ether
      const inputPath = fitted(side, one.inputPath, one.inputToken, bridge)
      const args = [{ ...one, inputPath }]
      const value = (one.inputToken === zeroAddress ? one.inputAmount % 10n ** 16n : 0n) + extra
      return {
        kind: 'send',
        callData: encodeFunctionData({ abi: ROUTER_ABI, functionName: 'send', args }),
        value,
      }
    })
}

const transfersOf = (side: Side, other: Side, prober: Hex) => {
  const { account, path, asset, symbol, chainId } = partsOf(side, other, prober)
  const [here, there] = [BigInt(side.number), BigInt(other.number)]
  const direction = often(fc.constantFrom([there, here], [here, there]), fc.tuple(chainId, chainId))
  const transfer = fc.record({
    direction,
    sender: account,
    salt: bytesOf(32),
    refundAddress: account,
    symbol,
    amount: amountArbitrary,
    outputToken: asset,
    outputPath: path,
    minimumAmount: minimumArbitrary,
    recipient: account,
    deliveryGas: fc.integer({ min: 0, max: 1_000_000 }),
  })
  return transfer.map(({ direction: [sourceChainId, destinationChainId], ...rest }) => {
    const bridge = rest.symbol === side.symbol ? side.bridge : side.ether
    const outputPath = fitted(side, rest.outputPath, bridge, rest.outputToken)
    return { ...rest, sourceChainId, destinationChainId, outputPath }
  })
}

/** Messages without approval: sent by express, for which the forger pays, or executed as if approved. */
const messages = (side: Side, other: Side, prober: Hex): fc.Arbitrary<Forgery> => {
  const { account, symbol } = partsOf(side, other, prober)
  return fc
    .record({
      functionName: fc.constantFrom(
        'expressExecuteWithToken',
        'expressExecuteWithToken',
        'expressExecuteWithToken',
        'executeWithToken',
        'expressExecute',
        'execute',
      ),
      transfer: transfersOf(side, other, prober),
      id: bytesOf(32),
      sourceChain: often(
        fc.constant(other.axelarChain),
        fc.constantFrom(THIRD.axelarChain, side.axelarChain, ''),
      ),
      sourceAddress: often<string>(fc.constant(other.router), account),
      payload: often(fc.constant(undefined), bytesOf(400)),
      symbol,
      isSameAmount: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
      amount: amountArbitrary,
      value: often(fc.constant(0n), fc.constant(1n)),
    })
    .map((one) => {
      const payload = one.payload ?? encodeAbiParameters(TRANSFER, [one.transfer])
      const amount = one.isSameAmount ? one.transfer.amount : one.amount
      const withToken = one.functionName.endsWith('WithToken')
      const token = withToken ? [one.isSameAmount ? one.transfer.symbol : one.symbol, amount] : []
      const args = [one.id, one.sourceChain, one.sourceAddress, payload, ...token]
      const { functionName, value } = one
      return {
        kind: functionName,
        callData: encodeFunctionData({ abi: ROUTER_ABI, functionName, args }),
        value,
      }
    })
}

const deliveries = (side: Side, other: Side, prober: Hex): fc.Arbitrary<Forgery> =>
  fc.tuple(partsOf(side, other, prober).asset, transfersOf(side, other, prober)).map((args) => ({
    kind: 'deliver',
    callData: encodeFunctionData({ abi: ROUTER_ABI, functionName: 'deliver', args }),
    value: 0n,
  }))

/** Executions of messages that the gateway approved for an untrusted sender. */
const approved = (side: Side, forged: readonly ForgedMessage[]): fc.Arbitrary<Forgery> =>
  fc.constantFrom(...forged).map(({ id, message }) => ({
    kind: 'approved',
    callData: executing(side, id, message, STRANGER).data,
    value: 0n,
  }))

/** Calls meant for a token or the exchange, sent to the router; and random bytes. */
const noise = (side: Side, other: Side, prober: Hex): fc.Arbitrary<Forgery> => {
  const { account } = partsOf(side, other, prober)
  const known = fc
    .tuple(
      fc.constantFrom('transfer', 'transferFrom', 'approve', 'uniswapV3SwapCallback'),
      account,
      account,
      amountArbitrary,
    )
    .map(([functionName, one, two, amount]) => {
      const callback = [amount / 2n, -(amount / 2n), encodeAbiParameters([{ type: 'address' }], [one])]
      const args = { transfer: [one, amount], transferFrom: [one, two, amount], approve: [one, amount] }
      return encodeFunctionData({
        abi: ERC20_ABI,
        functionName,
        args: functionName in args ? args[functionName as keyof typeof args] : callback,
      } as never)
    })
  const garbage = fc
    .tuple(
      fc.constantFrom(...SELECTORS),
      fc.integer({ min: 0, max: 20 }).chain((words) => bytesOf(words * 32)),
    )
    .map(([selector, rest]) => `${selector}${rest.slice(2)}` as Hex)
  return fc
    .tuple(fc.oneof(known, garbage), often(fc.constant(0n), fc.constant(1n)))
    .map(([callData, value]) => ({ kind: 'noise', callData, value }))
}

/** A valid call with some bytes changed. */
const mutated = (calls: fc.Arbitrary<Forgery>): fc.Arbitrary<Forgery> =>
  fc
    .tuple(calls, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }))
    .map(([{ callData, value }, changes]) => {
      const bytes = Buffer.from(callData.slice(2), 'hex')
      for (const [position, byte] of changes) bytes[4 + (position % (bytes.length - 4))] = byte
      return { kind: 'mutated', callData: `0x${bytes.toString('hex')}` as Hex, value }
    })

/** Any attack on one side's router. */
export const forgeries = (
  side: Side,
  other: Side,
  prober: Hex,
  forged: readonly ForgedMessage[],
): fc.Arbitrary<Forgery> => {
  const [sending, carrying] = [sends(side, other, prober), messages(side, other, prober)]
  return fc.oneof(
    { weight: 4, arbitrary: sending },
    { weight: 5, arbitrary: carrying },
    { weight: 1, arbitrary: deliveries(side, other, prober) },
    { weight: 1, arbitrary: approved(side, forged) },
    { weight: 1, arbitrary: noise(side, other, prober) },
    { weight: 3, arbitrary: mutated(fc.oneof(sending, carrying)) },
  )
}
