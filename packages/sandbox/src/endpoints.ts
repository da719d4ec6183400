import { ChainId, RfqError } from '@openrfq/sdk'
import { PositiveAmount } from 'openrfq/amount'
import { getAddress, isAddress } from 'viem'
import { z } from 'zod'
import type { SandboxAttester } from './attester-process.ts'
import { createAxelarControl } from './axelar-control.ts'
import type { RunningChains } from './chains.ts'
import type { ClockServer } from './clock/clock-server.ts'
import { createMoveClock, MOST_AHEAD_SECONDS } from './clock/move-clock.ts'
import type { Hex } from './deployment-types.ts'
import { createSandboxFaucet } from './faucet.ts'
import { ATTESTER, USERS } from './keys.ts'
import { createMovePrice } from './move-price.ts'
import { parseBody } from './parse-body.ts'
import type { Relayer } from './relayer/index.ts'
import { LIES_OF, Lie } from './rpc/lie.ts'
import type { SandboxRpc } from './rpc/sandbox-rpc.ts'
import type { SimulatedChain } from './simulated/simulated-chain.ts'
import type { SolverFleet } from './solvers/fleet.ts'
import { SolverMode } from './solvers/solver-process.ts'

/** A control of the sandbox: takes the parsed JSON body, undefined for GET, and returns the JSON answer. */
export type SandboxEndpoint = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly handle: (body: unknown) => Promise<unknown>
}

type EndpointDeps = {
  readonly running: Pick<RunningChains, 'deployment' | 'chains' | 'reorganise' | 'catchUp'>
  readonly simulatedChains: readonly SimulatedChain[]
  readonly rpc: Pick<SandboxRpc, 'endpoints' | 'walletUrls' | 'settle'>
  readonly relayer: Pick<
    Relayer,
    'pause' | 'resume' | 'setExpress' | 'hub' | 'executeAtHub' | 'core' | 'retryFailedEvents'
  >
  readonly solvers: Pick<SolverFleet, 'setMode' | 'describe'>
  /** Undefined without payment chains. */
  readonly attester: Pick<SandboxAttester, 'pause' | 'resume'> | undefined
  readonly clock: Pick<ClockServer, 'offsetMs' | 'move'>
}

const MAX_REORG_DEPTH = 64
/** From half a price to double: the range that has liquidity. */
const MIN_MOVE_BPS = -5_000
const MAX_MOVE_BPS = 10_000

const FaucetBody = z.strictObject({
  chainId: ChainId,
  token: z.string().min(1).max(128),
  address: z.string().min(1).max(128),
  amount: PositiveAmount,
})
const RelayerBody = z.strictObject({ paused: z.boolean().optional(), express: z.boolean().optional() })
const PoolBody = z.strictObject({
  chainId: ChainId,
  tokenA: z.string().min(1).max(128),
  tokenB: z.string().min(1).max(128),
  moveBps: z.int().min(MIN_MOVE_BPS).max(MAX_MOVE_BPS),
})
const ReorgBody = z.strictObject({ chainId: ChainId, depth: z.int().min(1).max(MAX_REORG_DEPTH) })
const AttesterBody = z.strictObject({ paused: z.boolean() })
const SolverBody = z.strictObject({ mode: SolverMode })
const ClockBody = z.strictObject({ seconds: z.int().min(1).max(MOST_AHEAD_SECONDS) })
const RpcBody = z.strictObject({
  chainId: ChainId,
  up: z.boolean().optional(),
  /** One of the chain's endpoints; all of them without it. */
  endpoint: z.int().min(0).max(2).optional(),
  lie: Lie.optional(),
  /** For `fake_logs`: an order whose fill is forged, though no chain shows the order. */
  orderId: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .optional(),
})

const find = <Value>(values: ReadonlyMap<string, Value>, chainId: string): Value => {
  const value = values.get(chainId)
  if (value === undefined)
    throw new RfqError('UNSUPPORTED_CHAIN', `${chainId} is no chain of the sandbox`, { chainId })
  return value
}

const describeChain = (
  { chainId, chainLabel, rpcUrl, axelarName, ...chain }: EndpointDeps['running']['chains'][number],
  { walletUrls }: EndpointDeps['rpc'],
) => ({
  chainId,
  chainType: 'evm',
  chainLabel,
  rpcUrl: walletUrls.get(chainId) ?? rpcUrl,
  axelarName,
  contracts: {
    gateway: chain.gateway,
    gasService: chain.gasService,
    its: chain.its,
    itsFactory: chain.itsFactory,
    factory: chain.factory,
    settler: chain.settler,
    expressRouter: chain.expressRouter,
    attestedSettler: chain.attestedSettler,
  },
  exchange: chain.exchange,
})

const describeSimulatedChain = ({ chain, rpcUrl, subscriptionsUrl, vault }: SimulatedChain) => ({
  chainId: chain.chainId,
  chainType: chain.chainType,
  chainLabel: chain.chainLabel,
  rpcUrl,
  ...(subscriptionsUrl === undefined ? {} : { subscriptionsUrl }),
  ...(chain.passphrase === undefined ? {} : { networkPassphrase: chain.passphrase }),
  ...(vault === undefined
    ? { contracts: { escrowProgram: chain.attested?.settler } }
    : { vault: vault.address }),
})

const describe = ({
  running: { deployment, chains },
  simulatedChains,
  solvers,
  clock,
  rpc,
}: EndpointDeps) => ({
  chains: [
    ...chains.map((chain) => describeChain(chain, rpc)),
    ...simulatedChains.map(describeSimulatedChain),
  ],
  accounts: [
    ...USERS.map(({ address, privateKey }) => ({ chainType: 'evm', address, privateKey })),
    ...simulatedChains.flatMap(({ chain: { chainType }, accounts }) =>
      accounts.map(({ address, privateKey }) => ({ chainType, address, privateKey })),
    ),
  ],
  solvers: solvers.describe(),
  ...(simulatedChains.length === 0 ? {} : { attester: ATTESTER.address }),
  tokens: [...deployment.tokens, ...simulatedChains.flatMap(({ tokens }) => tokens)],
  clock: { secondsAhead: clock.offsetMs() / 1000 },
})
/** An EVM address in EIP-55. Throws RfqError INVALID_REQUEST, naming the field. */
const evmAddress = (field: string, text: string): Hex => {
  if (isAddress(text)) return getAddress(text)
  throw new RfqError('INVALID_REQUEST', `${field}: expected an EVM address with a right checksum`, { field })
}

const unknownToken = (chainId: string, token: string): RfqError =>
  new RfqError('UNSUPPORTED_TOKEN', `${token} is no token of ${chainId}`, { chainId, token })

const faucetEndpoint = ({
  running: { deployment, chains },
  simulatedChains,
}: EndpointDeps): SandboxEndpoint => {
  const evmFaucets = new Map(chains.map((chain) => [chain.chainId, createSandboxFaucet(chain)]))
  const faucets = new Map<string, SimulatedChain['faucet']>([
    ...[...evmFaucets].map(([chainId, give]) => {
      const check: SimulatedChain['faucet'] = async (text, account, amount) => {
        const token = evmAddress('token', text)
        if (!deployment.tokens.some((known) => known.chainId === chainId && known.address === token))
          throw unknownToken(chainId, token)
        await give(token, evmAddress('address', account), amount)
      }
      return [chainId, check] as const
    }),
    ...simulatedChains.map(({ chain, faucet }) => [chain.chainId, faucet] as const),
  ])
  return {
    method: 'POST',
    path: '/sandbox/faucet',
    handle: async (body) => {
      const { chainId, token, address, amount } = parseBody(FaucetBody, body)
      await find(faucets, chainId)(token, address, amount)
      return {}
    },
  }
}

const poolEndpoint = ({ running: { chains }, simulatedChains }: EndpointDeps): SandboxEndpoint => {
  const movers = new Map(chains.map((chain) => [chain.chainId, createMovePrice(chain)]))
  return {
    method: 'POST',
    path: '/sandbox/pool',
    handle: async (body) => {
      const { chainId, tokenA, tokenB, moveBps } = parseBody(PoolBody, body)
      if (simulatedChains.some(({ chain }) => chain.chainId === chainId))
        throw new RfqError('UNSUPPORTED_CHAIN', `${chainId} has no pools; expected an EVM chain`, { chainId })
      await find(movers, chainId)(evmAddress('tokenA', tokenA), evmAddress('tokenB', tokenB), moveBps)
      return {}
    },
  }
}

const relayerEndpoint = ({ relayer }: EndpointDeps): SandboxEndpoint => ({
  method: 'POST',
  path: '/sandbox/relayer',
  handle: async (body) => {
    const { paused, express } = parseBody(RelayerBody, body)
    if (express !== undefined) relayer.setExpress(express)
    if (paused === true) await relayer.pause()
    if (paused === false) relayer.resume()
    return {}
  },
})

const attesterEndpoint = ({ attester }: EndpointDeps): SandboxEndpoint => ({
  method: 'POST',
  path: '/sandbox/attester',
  handle: async (body) => {
    const { paused } = parseBody(AttesterBody, body)
    if (paused) await attester?.pause()
    else attester?.resume()
    return {}
  },
})

const solverEndpoint = ({ solvers }: EndpointDeps): SandboxEndpoint => ({
  method: 'POST',
  path: '/sandbox/solver',
  handle: async (body) => {
    await solvers.setMode(parseBody(SolverBody, body).mode)
    return {}
  },
})

/** Forks a simulated chain. Throws RfqError INVALID_REQUEST if it has no forks, or not that deep. */
const forkOf =
  ({ chain, fork }: SimulatedChain) =>
  async (depth: number): Promise<void> => {
    const refuse = (why: string): RfqError =>
      new RfqError('INVALID_REQUEST', `depth: ${why}`, { field: 'depth' })
    if (fork === undefined) throw refuse(`a closed ledger of ${chain.chainLabel} is final`)
    try {
      fork(depth)
    } catch (error) {
      throw error instanceof RangeError ? refuse(error.message) : error
    }
  }

const reorgEndpoint = ({ running, simulatedChains }: EndpointDeps): SandboxEndpoint => {
  const reorganise = new Map<string, (depth: number) => Promise<void>>([
    ...running.reorganise,
    ...simulatedChains.map(
      (simulatedChain) => [simulatedChain.chain.chainId, forkOf(simulatedChain)] as const,
    ),
  ])
  return {
    method: 'POST',
    path: '/sandbox/reorg',
    handle: async (body) => {
      const { chainId, depth } = parseBody(ReorgBody, body)
      await find(reorganise, chainId)(depth)
      return {}
    },
  }
}

/** Throws RfqError INVALID_REQUEST for a lie that the chain's family does not know. */
const expectLieOf = (chainId: string, lie: Lie): void => {
  const [family] = ['solana', 'stellar'].filter((name) => chainId.startsWith(`${name}:`))
  const lies: readonly Lie[] = LIES_OF[family === 'solana' || family === 'stellar' ? family : 'evm']
  if (lies.includes(lie)) return
  const message = `lie: ${chainId} has no ${lie}; expected one of ${lies.join(', ')}`
  throw new RfqError('INVALID_REQUEST', message, { field: 'lie' })
}

const rpcEndpoint = ({ rpc }: EndpointDeps): SandboxEndpoint => ({
  method: 'POST',
  path: '/sandbox/rpc',
  handle: async (body) => {
    const { chainId, up, endpoint, lie, orderId } = parseBody(RpcBody, body)
    const endpoints = find(rpc.endpoints, chainId)
    if (up === undefined && lie === undefined)
      throw new RfqError('INVALID_REQUEST', 'up: expected up, lie or both', { field: 'up' })
    if (lie !== undefined) {
      expectLieOf(chainId, lie)
      endpoints.setLie(lie, endpoint, { orderId })
    }
    if (up !== undefined) endpoints.setUp(up, endpoint)
    return {}
  },
})

const clockEndpoint = ({ running, simulatedChains, clock, rpc }: EndpointDeps): SandboxEndpoint => {
  const moveClock = createMoveClock({ clock, chains: running, simulatedChains, rpc })
  return {
    method: 'POST',
    path: '/sandbox/clock',
    handle: async (body) => {
      await moveClock(parseBody(ClockBody, body).seconds)
      return {}
    },
  }
}

const axelarEndpoint = ({ relayer, running, simulatedChains }: EndpointDeps): SandboxEndpoint => {
  const control = createAxelarControl({ relayer, running, simulatedChains })
  return {
    method: 'POST',
    path: '/sandbox/axelar',
    handle: async (body) => {
      await control(body)
      return {}
    },
  }
}

/** The sandbox's HTTP endpoints: its description, and the controls that force what users must be able to see. */
export const sandboxEndpoints = (deps: EndpointDeps): readonly SandboxEndpoint[] => [
  { method: 'GET', path: '/sandbox', handle: () => Promise.resolve(describe(deps)) },
  faucetEndpoint(deps),
  relayerEndpoint(deps),
  axelarEndpoint(deps),
  solverEndpoint(deps),
  attesterEndpoint(deps),
  poolEndpoint(deps),
  reorgEndpoint(deps),
  rpcEndpoint(deps),
  clockEndpoint(deps),
]
