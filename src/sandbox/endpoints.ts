import { getAddress, isAddress } from 'viem'
import { z } from 'zod'
import { PositiveAmount } from '../core/amount.ts'
import { ChainId } from '../core/chain.ts'
import { RfqError } from '../core/error.ts'
import type { RunningChains } from './chains.ts'
import { createFaucet } from './faucet.ts'
import { USERS } from './keys.ts'
import { createMovePrice } from './move-price.ts'
import type { Relayer } from './relayer/index.ts'
import type { RpcProxy } from './rpc-proxy.ts'
import type { SolverFleet } from './solvers/fleet.ts'
import { SolverMode } from './solvers/solver-process.ts'
import type { Hex } from './world-types.ts'

/** A control of the sandbox: the parsed JSON body in, undefined for GET, and the JSON answer out. */
export type SandboxEndpoint = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly handle: (body: unknown) => Promise<unknown>
}

type EndpointDeps = {
  readonly running: Pick<RunningChains, 'world' | 'chains' | 'reorganise'>
  readonly proxies: ReadonlyMap<string, RpcProxy>
  readonly relayer: Pick<Relayer, 'pause' | 'resume' | 'setExpress'>
  readonly solvers: Pick<SolverFleet, 'setMode' | 'describe'>
}

const MAX_REORG_DEPTH = 64
/** From half a price to double: so far the pools have liquidity. */
const MIN_MOVE_BPS = -5_000
const MAX_MOVE_BPS = 10_000

const Address = z
  .string()
  .refine((text) => isAddress(text), { error: 'expected an EVM address with a right checksum' })
  .transform((text): Hex => getAddress(text))

const FaucetBody = z.strictObject({
  chainId: ChainId,
  token: Address,
  address: Address,
  amount: PositiveAmount,
})
const RelayerBody = z.strictObject({ paused: z.boolean().optional(), express: z.boolean().optional() })
const PoolBody = z.strictObject({
  chainId: ChainId,
  tokenA: Address,
  tokenB: Address,
  moveBps: z.int().min(MIN_MOVE_BPS).max(MAX_MOVE_BPS),
})
const ReorgBody = z.strictObject({ chainId: ChainId, depth: z.int().min(1).max(MAX_REORG_DEPTH) })
const SolverBody = z.strictObject({ mode: SolverMode })
const RpcBody = z.strictObject({ chainId: ChainId, up: z.boolean() })

const parse = <Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> => {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.') ?? ''
  throw new RfqError(
    'INVALID_REQUEST',
    `${field === '' ? 'body' : field}: ${issue?.message ?? 'malformed'}`,
    {
      field,
    },
  )
}

const find = <Value>(values: ReadonlyMap<string, Value>, chainId: string): Value => {
  const value = values.get(chainId)
  if (value === undefined)
    throw new RfqError('UNSUPPORTED_CHAIN', `${chainId} is no chain of the sandbox`, { chainId })
  return value
}

const describe = ({ running: { world, chains }, solvers }: EndpointDeps) => ({
  chains: chains.map(({ chainId, chainLabel, rpcUrl, axelarName, ...chain }) => ({
    chainId,
    chainType: 'evm',
    chainLabel,
    rpcUrl,
    axelarName,
    contracts: {
      gateway: chain.gateway,
      gasService: chain.gasService,
      its: chain.its,
      itsFactory: chain.itsFactory,
      settler: chain.settler,
      expressRouter: chain.expressRouter,
    },
    exchange: chain.exchange,
  })),
  accounts: USERS.map(({ address, privateKey }) => ({ chainType: 'evm', address, privateKey })),
  solvers: solvers.describe(),
  tokens: world.tokens,
})

const faucetEndpoint = ({ running: { world, chains } }: EndpointDeps): SandboxEndpoint => {
  const faucets = new Map(chains.map((chain) => [chain.chainId, createFaucet(chain)]))
  return {
    method: 'POST',
    path: '/sandbox/faucet',
    handle: async (body) => {
      const { chainId, token, address, amount } = parse(FaucetBody, body)
      const faucet = find(faucets, chainId)
      if (!world.tokens.some((known) => known.chainId === chainId && known.address === token))
        throw new RfqError('UNSUPPORTED_TOKEN', `${token} is no token of ${chainId}`, { chainId, token })
      await faucet(token, address, amount)
      return {}
    },
  }
}

const poolEndpoint = ({ running: { chains } }: EndpointDeps): SandboxEndpoint => {
  const movers = new Map(chains.map((chain) => [chain.chainId, createMovePrice(chain)]))
  return {
    method: 'POST',
    path: '/sandbox/pool',
    handle: async (body) => {
      const { chainId, tokenA, tokenB, moveBps } = parse(PoolBody, body)
      await find(movers, chainId)(tokenA, tokenB, moveBps)
      return {}
    },
  }
}

const relayerEndpoint = ({ relayer }: EndpointDeps): SandboxEndpoint => ({
  method: 'POST',
  path: '/sandbox/relayer',
  handle: async (body) => {
    const { paused, express } = parse(RelayerBody, body)
    if (express !== undefined) relayer.setExpress(express)
    if (paused === true) await relayer.pause()
    if (paused === false) relayer.resume()
    return {}
  },
})

const solverEndpoint = ({ solvers }: EndpointDeps): SandboxEndpoint => ({
  method: 'POST',
  path: '/sandbox/solver',
  handle: async (body) => {
    await solvers.setMode(parse(SolverBody, body).mode)
    return {}
  },
})

const reorgEndpoint = ({ running }: EndpointDeps): SandboxEndpoint => ({
  method: 'POST',
  path: '/sandbox/reorg',
  handle: async (body) => {
    const { chainId, depth } = parse(ReorgBody, body)
    await find(running.reorganise, chainId)(depth)
    return {}
  },
})

const rpcEndpoint = ({ proxies }: EndpointDeps): SandboxEndpoint => ({
  method: 'POST',
  path: '/sandbox/rpc',
  handle: async (body) => {
    const { chainId, up } = parse(RpcBody, body)
    find(proxies, chainId).setUp(up)
    return {}
  },
})

/** What the sandbox answers over HTTP: its description, and the controls that force what users must be able to see. */
export const sandboxEndpoints = (deps: EndpointDeps): readonly SandboxEndpoint[] => [
  { method: 'GET', path: '/sandbox', handle: () => Promise.resolve(describe(deps)) },
  faucetEndpoint(deps),
  relayerEndpoint(deps),
  solverEndpoint(deps),
  poolEndpoint(deps),
  reorgEndpoint(deps),
  rpcEndpoint(deps),
]
