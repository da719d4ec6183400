import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSimulatedChains } from '@openrfq/sandbox/src/simulated/index.ts'
import type { SimulatedChain } from '@openrfq/sandbox/src/simulated/simulated-chain.ts'
import {
  ATTESTER,
  type AttestedWorld,
  DEPOSITOR,
  fund,
  startAttestedWorld,
} from '@openrfq/sandbox/test/attested-world.ts'
import { type Hex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { z } from 'zod'
import { connectPaymentChains } from '../src/chains/connect-payment-chains.ts'
import { evmAddressRules } from '../src/chains/evm/address.ts'
import { createEvmChain } from '../src/chains/evm/index.ts'
import type { PaymentChain } from '../src/chains/payment-chain.ts'
import { baseUnits } from '../src/core/amount.ts'
import { EvmPrivateKey } from '../src/core/evm-private-key.ts'
import type { IntentOrder, OrderId } from '../src/core/intent-order.ts'
import { Network } from '../src/core/network.ts'
import type { Payment } from '../src/core/payment.ts'
import { firstQuoteId } from '../src/core/quote-id.ts'
import type { ClaimJudge } from '../src/intents/attester/claim-answer.ts'
import { startClaimServer } from '../src/intents/attester/claim-server.ts'
import { createEscrowAttester } from '../src/intents/attester/escrow-attestations.ts'
import { openInstruction } from '../src/intents/settlers/escrow-program.ts'
import { createEscrowReader } from '../src/intents/settlers/escrow-reader.ts'
import { createPaidFact } from '../src/intents/settlers/paid-fact.ts'
import { saltOf } from '../src/intents/settlers/quoted-order.ts'
import { orderIdOf } from '../src/intents/settlers/settler-contract.ts'
import type { SolverConfig } from '../src/intents/solver/config.ts'
import { type Book, createBook } from '../src/intents/solver-api/book.ts'
import { createSolverDirectory } from '../src/intents/solver-api/solver-directory.ts'
import { createSolverNetwork, type SolverNetwork } from '../src/intents/solver-api/solver-network.ts'
import { systemClock } from '../src/lib/clock.ts'
import { createFactCheck } from '../src/transactions/fact-check.ts'
import { createRepeatableSender } from '../src/transactions/repeatable-sender.ts'
import { eventually } from './eventually.ts'
import { startTableServer } from './table-server.ts'

/** A chain of the world: its deposit account, its token and its participants. */
export type WorldSide = {
  readonly chainId: string
  readonly settler: string
  /** The solver's own account. */
  readonly solver: string
  /** A token worth one dollar, and the base units of one dollar. */
  readonly usdc: string
  readonly unit: bigint
  readonly depositor: string
  readonly recipient: string
}

/**
 * A Solana and a Stellar chain, an EVM chain with an AttestedSettler, a service to log in to, and one solver's keys and
 * funds.
 */
export type PaymentSolverWorld = {
  readonly evm: AttestedWorld
  readonly sides: Readonly<Record<'evm' | 'solana' | 'stellar', WorldSide>>
  readonly book: Book
  /** The orders that the solver declined. */
  readonly declined: ReadonlyMap<string, readonly string[]>
  readonly config: (part?: Partial<z.input<typeof SolverConfig>>) => z.input<typeof SolverConfig>
  /** An order of a few dollars for slightly less on the other side. */
  readonly order: (from: WorldSide, to: WorldSide, part?: Partial<IntentOrder>) => IntentOrder
  /** Opens an order from Solana at the escrow program; resolves when a block includes it. */
  readonly openOnSolana: (order: IntentOrder) => Promise<void>
  /** The status of an order from Solana in a final block. */
  readonly escrowStatus: (order: IntentOrder) => Promise<string | undefined>
  /** The attester: it makes claims of orders from Solana wait while it is paused, and those of others always. */
  readonly attester: {
    readonly pause: () => void
    readonly resume: () => void
    /** Whether the solver handed a fill of the order over. */
    readonly hasClaimOf: (order: IntentOrder) => boolean
  }
  /** Leaves an order out of the notices after a login. */
  readonly forget: (order: IntentOrder) => void
  /** Notifies the solver of a deposit; false while it is not logged in. The notice is repeated after each login. */
  readonly notify: (order: IntentOrder, final: boolean) => boolean
  /** The payments on the chain with the order's id as memo. */
  readonly paid: (order: IntentOrder) => Promise<readonly Payment[]>
  readonly stop: () => Promise<void>
}

const MINE_MS = 200
const DOLLARS = 50n
const EVM = 'eip155:31337'
const EVM_UNIT = 10n ** 18n

const noLog = (): void => undefined

type Part = {
  readonly attesterUrl: string
  readonly account: Hex
  readonly solanaSolver: string
  readonly stellarSolver: string
}

const networkOf = (
  evm: AttestedWorld,
  simulatedChains: readonly SimulatedChain[],
  part: Part,
): z.input<typeof Network> => ({
  chains: [
    {
      chainId: EVM,
      chainLabel: 'EVM',
      chainType: 'evm',
      nativeToken: { symbol: 'ETH', decimals: 18 },
      rpcUrls: [evm.rpcUrl],
      trustSingleEndpoint: true,
      finality: 2,
      // Nothing is proved in this world, so no relayer answers.
      axelar: {
        name: 'evm',
        gateway: DEPOSITOR,
        gasService: DEPOSITOR,
        finalitySeconds: 1,
        executeGasLimit: 1,
      },
      intent: { settler: DEPOSITOR },
      attested: { settler: evm.settler, finalitySeconds: 1 },
    },
    ...simulatedChains.map(({ chain, rpcUrl }) => ({
      ...chain,
      rpcUrls: [rpcUrl],
      trustSingleEndpoint: true,
    })),
  ],
  tokens: [
    ...[evm.token, zeroAddress].map((address) => ({
      chainId: EVM,
      address,
      symbol: address === zeroAddress ? 'ETH' : 'USDC',
      name: 'Test',
      decimals: 18,
      verified: true,
      intent: true,
      usdPrice: address === zeroAddress ? '2000' : '1',
    })),
    ...simulatedChains.flatMap(({ tokens }) => tokens),
  ],
  axelar: { scanUrl: 'http://127.0.0.1:9', lcdUrl: 'http://127.0.0.1:9', hubAddress: 'axelar1hub' },
  intent: {
    attester: ATTESTER.address,
    attesterUrl: part.attesterUrl,
    solvers: [
      {
        name: 'tested',
        address: part.account,
        accounts: { solana: part.solanaSolver, stellar: part.stellarSolver },
      },
    ],
  },
})

const startService = async (terms: z.output<typeof Network>['intent']) => {
  assert.ok(terms !== undefined)
  const declined = new Map<string, readonly string[]>()
  const reminders = new Map<string, () => void>()
  const directory = createSolverDirectory(terms.solvers)
  const book = createBook({
    directory,
    assetKey: (chain, token) => `${chain} ${token}`,
    ...systemClock,
  })
  const network: SolverNetwork = createSolverNetwork({
    directory,
    terms,
    book,
    service: 'test',
    randomNonce: () => `0x${randomBytes(32).toString('hex')}`,
    now: Date.now,
    log: noLog,
  })
  network.onLogin(() => {
    for (const remind of reminders.values()) remind()
  })
  network.onDecline(({ orderId, reason }) => {
    declined.set(orderId, [...(declined.get(orderId) ?? []), reason])
  })
  network.open()
  const server = await startTableServer({ solvers: network })
  return {
    book,
    declined,
    url: `ws://127.0.0.1:${server.port}/v1/solver`,
    forget: (order: IntentOrder): void => {
      reminders.delete(orderIdOf(order))
    },
    notify: (order: IntentOrder, final: boolean): boolean => {
      const orderId = orderIdOf(order)
      const tell = (): boolean => network.notify(orderId, order, final)
      reminders.set(orderId, tell)
      return tell()
    },
    stop: () => server.close(),
  }
}

/** Keeps mining, so that blocks become final; reports failures when stopped. */
const startMiner = (evm: AttestedWorld) => {
  let isStopped = false
  const mine = async (): Promise<void> => {
    while (!isStopped) {
      await evm.rpc('evm_mine')
      await new Promise((resolve) => setTimeout(resolve, MINE_MS))
    }
  }
  const running = mine()
  running.catch(noLog)
  return async (): Promise<void> => {
    isStopped = true
    await running
  }
}

const paymentSide = ({ chain, tokens, accounts, solvers }: SimulatedChain): WorldSide => {
  const usdc = tokens.find(({ symbol }) => symbol === 'USDC')
  const [depositor, recipient] = accounts
  const [solver] = solvers
  assert.ok(usdc !== undefined && depositor !== undefined && recipient !== undefined && solver !== undefined)
  assert.ok(chain.attested !== undefined)
  return {
    chainId: chain.chainId,
    settler: chain.attested.settler,
    solver: solver.address,
    usdc: usdc.address,
    unit: 10n ** BigInt(usdc.decimals),
    depositor: depositor.address,
    recipient: recipient.address,
  }
}

const randomBits = (bits: number): bigint => BigInt(`0x${randomBytes(bits / 8).toString('hex')}`)

/** An order that was quoted just now, as its salt says. */
const orderBetween = (from: WorldSide, to: WorldSide, part: Partial<IntentOrder>): IntentOrder => {
  const now = Date.now()
  const nowSeconds = Math.floor(now / 1000)
  return {
    depositor: from.depositor,
    salt: saltOf(firstQuoteId(now, randomBits(80)), randomBytes(16).toString('hex')),
    originChain: from.chainId,
    originSettler: from.settler,
    destinationChain: to.chainId,
    destinationSettler: to.settler,
    openDeadline: nowSeconds + 600,
    fillDeadline: nowSeconds + 600,
    refundAfter: nowSeconds + 3_600,
    inputToken: from.usdc,
    inputAmount: baseUnits(DOLLARS * from.unit),
    outputToken: to.usdc,
    outputAmount: baseUnits((DOLLARS - 1n) * to.unit),
    recipient: to.recipient,
    solver: from.solver,
    filler: to.solver,
    attester: ATTESTER.address,
    ...part,
  }
}

/** Reads payments from now on. */
const createPaid = (chains: ReadonlyMap<string, PaymentChain>) => {
  const since = new Map([...chains].map(([chainId, chain]) => [chainId, chain.head()?.finalNumber]))
  return async (order: IntentOrder): Promise<readonly Payment[]> => {
    const paymentChain = chains.get(order.destinationChain)
    const after = since.get(order.destinationChain)
    assert.ok(paymentChain !== undefined && after !== undefined)
    const { final, tentative } = await paymentChain.readPayments([order.filler], after)
    return [...final, ...tentative].filter(({ memo }) => memo === orderIdOf(order))
  }
}

const evmSide = (evm: AttestedWorld, account: Hex, recipient: Hex): WorldSide => ({
  chainId: EVM,
  settler: evm.settler,
  solver: account,
  usdc: evm.token,
  unit: EVM_UNIT,
  depositor: DEPOSITOR,
  recipient,
})

/** An attester that reads the world's chains once they are connected. */
const startWorldAttester = async (solver: string) => {
  const wait: ClaimJudge = async () => ({ kind: 'waiting', reason: 'the attester is paused' })
  const handed = new Set<OrderId>()
  let attest = wait
  let isPaused = false
  const server = await startClaimServer({
    judge: (claim) => {
      handed.add(orderIdOf(claim.order))
      return (isPaused || claim.order.originChain === EVM ? wait : attest)(claim)
    },
    status: () => ({ attester: '', chains: [] }),
    solvers: [solver],
    host: '127.0.0.1',
    port: 0,
    log: noLog,
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    hasClaimOf: (order: IntentOrder): boolean => handed.has(orderIdOf(order)),
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
    },
    connect: async (network: Network, paymentChains: ReadonlyMap<string, PaymentChain>) => {
      const evm = network.chains.find(({ chainType }) => chainType === 'evm')
      const solana = network.chains.find(({ chainType }) => chainType === 'solana')
      const chain = paymentChains.get(solana?.chainId ?? '')
      const program = solana?.attested?.settler
      assert.ok(evm?.attested !== undefined && program !== undefined && chain?.programs !== undefined)
      const evmChain = createEvmChain({ ...evm, now: Date.now, log: noLog })
      await evmChain.start()
      const settler = evmAddressRules.parseSender(evm.attested.settler)
      assert.ok(settler !== undefined)
      attest = createEscrowAttester({
        privateKey: EvmPrivateKey.parse(`0x${'22'.repeat(32)}`),
        origins: new Map([
          [chain.chainId, { program, chain, reader: createEscrowReader(chain.programs, program) }],
        ]),
        evmFills: new Map([[evm.chainId, { evm: evmChain, settler }]]),
        paymentChains,
        paidFact: createPaidFact(paymentChains),
        factCheck: createFactCheck({ now: Date.now, log: noLog }),
      })
      return evmChain
    },
    stop: server.stop,
  }
}

const OPEN_UNITS = 200_000

/** Opens orders as their depositor, the first account of the chain; resolves when the opening is final. */
const openerOnSolana = ({ tokens, accounts }: SimulatedChain, chain: PaymentChain) => {
  const [depositor] = accounts
  assert.ok(depositor !== undefined)
  const sender = createRepeatableSender({ chain, secret: depositor.privateKey, now: Date.now })
  return async (order: IntentOrder): Promise<void> => {
    const mint = tokens.find(({ address }) => address === order.inputToken)
    assert.ok(order.depositor === depositor.address && mint !== undefined)
    const instructions = [openInstruction({ order, mint })]
    const key = `open:${orderIdOf(order)}`
    await eventually('the opening of an order', async () => {
      const sent = await sender.send({ key, instructions, unitLimit: OPEN_UNITS })
      return sent.kind === 'sent' && sent.outcome === 'succeeded'
    })
  }
}

/** Starts everything but the solver. The caller stops it. */
export const startPaymentSolverWorld = async (): Promise<PaymentSolverWorld> => {
  const privateKey: Hex = `0x${randomBytes(32).toString('hex')}`
  const account = privateKeyToAccount(privateKey).address
  const [evm, simulatedChains] = await Promise.all([
    startAttestedWorld(),
    startSimulatedChains({ log: noLog, now: Date.now, solverCount: 1 }),
  ])
  await fund(evm, account, evm.token)
  const [solana, stellar] = ['solana', 'stellar'].map((type) =>
    simulatedChains.find(({ chain }) => chain.chainType === type),
  )
  assert.ok(solana !== undefined && stellar !== undefined)
  const [solanaKey, stellarKey] = [solana.solvers[0], stellar.solvers[0]]
  assert.ok(solanaKey !== undefined && stellarKey !== undefined)
  const attester = await startWorldAttester(account)
  const network = networkOf(evm, simulatedChains, {
    attesterUrl: attester.url,
    account,
    solanaSolver: solanaKey.address,
    stellarSolver: stellarKey.address,
  })
  const parsed = Network.parse(network)
  const service = await startService(parsed.intent)
  const chains = connectPaymentChains(parsed, { now: Date.now, log: noLog })
  await Promise.all([...chains.values()].map((chain) => chain.start()))
  const evmChain = await attester.connect(parsed, chains)
  const solanaChain = chains.get(solana.chain.chainId)
  assert.ok(solanaChain?.programs !== undefined)
  const escrows = createEscrowReader(solanaChain.programs, solana.chain.attested?.settler ?? '')
  const stopMiner = startMiner(evm)
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-solver-'))
  return {
    evm,
    sides: {
      evm: evmSide(evm, account, privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`).address),
      solana: paymentSide(solana),
      stellar: paymentSide(stellar),
    },
    book: service.book,
    declined: service.declined,
    config: (part) => ({
      serviceUrl: service.url,
      serviceName: 'test',
      name: 'tested',
      dataDirectory: directory,
      privateKey,
      accounts: { solana: solanaKey.privateKey, stellar: stellarKey.privateKey },
      network,
      ...part,
    }),
    order: (from, to, part = {}) => orderBetween(from, to, part),
    attester,
    forget: service.forget,
    notify: service.notify,
    openOnSolana: openerOnSolana(solana, solanaChain),
    escrowStatus: async (order) => {
      const orderId = orderIdOf(order)
      return (await escrows.agreed([orderId], 0n)).get(orderId)?.status
    },
    paid: createPaid(chains),
    stop: async () => {
      await Promise.allSettled([stopMiner()])
      await attester.stop()
      await evmChain.stop()
      for (const chain of chains.values()) chain.stop()
      await service.stop()
      await Promise.all(simulatedChains.map((paymentChain) => paymentChain.stop()))
      await evm.stop()
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
