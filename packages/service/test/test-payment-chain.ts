import type { ChainId } from '@openrfq/sdk'
import type {
  BalanceClaimant,
  ClaimableBalances,
  PaymentChain,
  PaymentChainHead,
  PaymentsRead,
  PayoutOutcome,
  ProgramChain,
  SignedPayout,
} from '../src/chains/payment-chain.ts'
import type { Statement } from '../src/chains/rpc/statements.ts'
import type { Payment } from '../src/core/payment.ts'
import type { Payout } from '../src/core/payout.ts'

/** Tests only: an external payment; omitted fields have defaults. */
export type TestPayment = Pick<Payment, 'from' | 'to' | 'token' | 'amount'> &
  Partial<Pick<Payment, 'memo' | 'muxedId'>>

type Transaction = SignedPayout & {
  readonly expiresAfter: bigint
  /** The claimable balance that it takes. */
  readonly claims?: string
  readonly payments: readonly TestPayment[]
  readonly outcome: 'succeeded' | 'failed'
  /** The hash under which the chain contains it, if somebody wrapped it in a fee bump. */
  readonly outerTxHash?: string
}

type Options = {
  readonly chainId: ChainId
  readonly chainType?: 'solana' | 'stellar'
  readonly maximumPayouts?: number
  /** Blocks that can still be reverted. */
  readonly finality?: number
  /** Blocks for which a signature is valid. */
  readonly lifeBlocks?: number
  /** Random numbers from 0 to below 1 that decide which payments are lost, fail or are dropped; without it none are. */
  readonly random?: () => number
  readonly startSeconds?: number
}

const LIFE_BLOCKS = 8
const SECRET = 'secret of '
/** The secret of an account of a test chain. */
export const testSecretOf = (account: string): string => `${SECRET}${account}`

const accountOf = (secret: string): string => {
  if (!secret.startsWith(SECRET)) throw new Error('not the secret of an account of the test chain')
  return secret.slice(SECRET.length)
}

/** A constant with which nothing is lost and every payment is included at once. */
const CALM = (): number => 0.5

/** The nodes' pending transactions, which can be included until they expire. */
const createPool = (random: () => number) => {
  const waiting = new Map<string, Transaction>()
  return {
    /** Adds signed bytes; sometimes the node forgets them. */
    add: (transaction: Transaction) => {
      if (random() < 0.85) waiting.set(transaction.txHash, transaction)
    },
    take: (isLanded: (txHash: string) => boolean, number: bigint): readonly Transaction[] => {
      const taken: Transaction[] = []
      for (const [txHash, transaction] of waiting) {
        if (isLanded(txHash) || transaction.expiresAfter < number) waiting.delete(txHash)
        else if (random() < 0.6) {
          waiting.delete(txHash)
          taken.push(transaction)
        }
      }
      return taken
    },
  }
}

/** The blocks of a chain, one per second; the newest can be reverted. */
const createBlocks = ({ chainId, finality = 2, startSeconds = 1_800_000_000 }: Options) => {
  let blocks: (readonly Transaction[])[] = [[]]
  const number = (): bigint => BigInt(blocks.length - 1)
  let final = 0n
  const finalNumber = (): bigint => final
  const secondsOf = (block: bigint): number => startSeconds + Number(block)
  const paymentsOf = (block: bigint): readonly Payment[] =>
    (blocks[Number(block)] ?? [])
      .filter(({ outcome }) => outcome === 'succeeded')
      .flatMap(({ txHash, outerTxHash, payments }) =>
        payments.map((payment, position) => ({
          memo: undefined,
          muxedId: undefined,
          ...payment,
          chainId,
          txHash: outerTxHash ?? txHash,
          position,
          blockNumber: block,
          timestampSeconds: secondsOf(block),
        })),
      )
  return {
    number,
    finalNumber,
    secondsOf,
    startSeconds,
    landedIn: (upTo: bigint, txHash: string): Transaction | undefined =>
      blocks
        .slice(0, Number(upTo) + 1)
        .flat()
        .find((transaction) => transaction.txHash === txHash),
    paymentsBetween: (after: bigint, upTo: bigint): readonly Payment[] =>
      Array.from(
        { length: Math.max(0, Number(upTo - after)) },
        (_, index) => after + 1n + BigInt(index),
      ).flatMap(paymentsOf),
    add: (transactions: readonly Transaction[]): void => {
      blocks.push(transactions)
      // What a fork drops below the head makes no final block tentative again.
      if (number() - BigInt(finality) > final) final = number() - BigInt(finality)
    },
    /** Reverts the unfinal blocks. */
    drop: (): readonly Transaction[] => {
      const dropped = blocks.slice(Number(finalNumber()) + 1).flat()
      blocks = blocks.slice(0, Number(finalNumber()) + 1)
      return dropped
    },
  }
}

type Blocks = ReturnType<typeof createBlocks>

/** Signs payments and stores all signatures. */
const createSigner = ({ random, lifeBlocks = LIFE_BLOCKS }: Options, { number, startSeconds }: Blocks) => {
  const known = new Map<string, Transaction>()
  let signatures = 0
  const name = (): string => {
    signatures += 1
    return signatures.toString(16).padStart(64, '0')
  }
  const sign = (payout: Payout, secret: string): SignedPayout => {
    const { recipient: to, token, amount, memo, notAfterSeconds, claims } = payout
    const from = accountOf(secret)
    const latest = notAfterSeconds === undefined ? undefined : BigInt(notAfterSeconds - startSeconds)
    if (latest !== undefined && latest <= number()) throw new Error('too little time is left')
    const life = number() + BigInt(lifeBlocks)
    const txHash = name()
    const rawTransaction = `signed ${txHash}`
    known.set(rawTransaction, {
      txHash,
      rawTransaction,
      expiresAfter: latest !== undefined && latest < life ? latest : life,
      ...(claims === undefined ? {} : { claims }),
      payments: [
        ...(claims === undefined ? [] : [{ from: claims, to: from, token, amount }]),
        { from, to, token, amount, memo },
      ],
      outcome: random !== undefined && random() < 0.1 ? 'failed' : 'succeeded',
    })
    return { txHash, rawTransaction }
  }
  return { sign, name, find: (rawTransaction: string) => known.get(rawTransaction) }
}

/**
 * Accounts that cannot be paid, amounts missing from all balances by token, whether the chain can be read, and includes
 * payments, whether a stranger wraps them in fee bumps, and whether one endpoint contradicts every fact.
 */
type Condition = {
  readonly closed: Set<string>
  /** What opening their accounts costs, of those that are not open. */
  readonly unopened: Map<string, bigint>
  /** What writing accounts in demand adds to the fee. */
  readonly inDemand: Map<string, bigint>
  readonly lost: Map<string, bigint>
  isReadable: boolean
  isIncluding: boolean
  isBumping: boolean
  isContradicted: boolean
  /** Final payments that two endpoints of three make up while `isInventing`. */
  readonly invented: Payment[]
  isInventing: boolean
}

/** A chain with programs that no test calls. */
const PROGRAMS_OF_NOBODY: ProgramChain = {
  seenAccounts: () => Promise.reject(new Error('the test ledger has no accounts')),
  agreedAccounts: () => Promise.reject(new Error('the test ledger has no accounts')),
  findCalls: () => Promise.reject(new Error('the test ledger has no programs')),
  eventsIn: () => Promise.reject(new Error('the test ledger has no programs')),
  signInstructions: () => Promise.reject(new Error('the test ledger has no programs')),
}

const ANNOUNCEMENT = { token: 'native', amount: 1n } as const

/** `made`: the claimants of each balance; `gone`: those clawed back. */
type Balances = {
  readonly made: ReadonlyMap<string, readonly BalanceClaimant[]>
  readonly gone: ReadonlySet<string>
}

/** The claimable balances of a chain as the service reads them. */
const createBalances = (
  { finalNumber, paymentsBetween }: Blocks,
  { made, gone }: Balances,
): ClaimableBalances => {
  const finalPayments = (): readonly Payment[] => paymentsBetween(-1n, finalNumber())
  return {
    isBalance: (address) => made.has(address),
    isAnnouncement: ({ token, amount }) => token === ANNOUNCEMENT.token && amount === ANNOUNCEMENT.amount,
    requestOf: () => undefined,
    madeIn: async (wanted) =>
      finalPayments().flatMap((payment) => {
        const claimants = payment.txHash === wanted ? made.get(payment.to) : undefined
        return claimants === undefined ? [] : [{ payment, claimants }]
      }),
    takingOf: async ({ to }) => (gone.has(to) ? 'gone' : finalPayments().find(({ from }) => from === to)),
  }
}

/** The chain as the service reads it. */
const createChain = (
  options: Options,
  blocks: Blocks,
  { sign, find }: ReturnType<typeof createSigner>,
  pool: ReturnType<typeof createPool>,
  condition: Condition,
  balances: Balances,
): PaymentChain => {
  const { number, finalNumber, secondsOf, paymentsBetween, landedIn } = blocks
  const random = options.random ?? CALM
  const read = async <Value>(value: () => Value): Promise<Value> => {
    if (!condition.isReadable) throw new Error('the test ledger cannot be read')
    return value()
  }
  const head = (): PaymentChainHead => ({
    number: number(),
    timestampSeconds: secondsOf(number()),
    finalNumber: finalNumber(),
    finalTimestampSeconds: secondsOf(finalNumber()),
    paymentFee: 5n,
  })
  const madeUp = (): readonly Payment[] => (condition.isInventing ? condition.invented : [])
  const isSame = (one: Payment, { txHash, position }: Pick<Payment, 'txHash' | 'position'>): boolean =>
    one.txHash === txHash && one.position === position
  const readPayments = (accounts: readonly string[], after: bigint): PaymentsRead => {
    const concerns = ({ from, to }: Payment) => accounts.includes(from) || accounts.includes(to)
    return {
      upTo: finalNumber(),
      upToTimestampSeconds: secondsOf(finalNumber()),
      final: [
        ...paymentsBetween(after, finalNumber()).filter(
          (one) => !madeUp().some((other) => isSame(one, other)),
        ),
        ...madeUp().filter(({ blockNumber }) => blockNumber > after),
      ].filter(concerns),
      tentative: paymentsBetween(finalNumber(), number()).filter(concerns),
    }
  }
  const heldBy = (owner: string, token: string): bigint =>
    paymentsBetween(-1n, finalNumber())
      .filter((payment) => payment.token === token)
      .reduce(
        (sum, { from, to, amount }) => sum + (to === owner ? amount : 0n) - (from === owner ? amount : 0n),
        -(condition.lost.get(token) ?? 0n),
      )
  const finalPayments = (): readonly Payment[] => paymentsBetween(-1n, finalNumber())
  const statements = (confirms: boolean): readonly Statement[] => [
    { endpoint: 0, confirms },
    ...(condition.isContradicted ? [{ endpoint: 2, confirms: !confirms }] : []),
  ]
  const paymentStatements = (payment: Payment): Promise<readonly Statement[]> =>
    read(() => {
      const isIt = (one: Payment): boolean =>
        isSame(one, payment) && one.amount === payment.amount && one.memo === payment.memo
      if (!madeUp().some(isIt)) return statements(finalPayments().some(isIt))
      return [true, true, false].map((confirms, endpoint) => ({ endpoint, confirms }))
    })
  const broadcast = (rawTransaction: string): void => {
    const transaction = find(rawTransaction)
    if (transaction === undefined) throw new Error('these bytes were never signed')
    pool.add(transaction)
    if (random() < 0.1) throw new Error('the answer was lost')
  }
  const outcome = ({ txHash, rawTransaction }: SignedPayout): PayoutOutcome => {
    const landed = landedIn(finalNumber(), txHash)
    if (landed !== undefined) return landed.outcome
    return (find(rawTransaction)?.expiresAfter ?? 0n) <= finalNumber() ? 'expired' : 'pending'
  }
  const whyNotPayable: PaymentChain['whyNotPayable'] = (recipient) =>
    read(() =>
      condition.closed.has(recipient)
        ? { reasonCode: 'no_account', reason: 'the account does not exist' }
        : undefined,
    )
  return {
    chainId: options.chainId,
    chainType: options.chainType ?? 'solana',
    head: () => (condition.isReadable ? head() : undefined),
    readPayments: (accounts, after) => read(() => readPayments(accounts, after)),
    timeOf: (block) => read(() => secondsOf(block)),
    signingMarks: {
      readMark: () =>
        read(() => ({ head: number(), lastInclusion: number() + BigInt(options.lifeBlocks ?? LIFE_BLOCKS) })),
      endOf: ({ lastInclusion }) => read(() => (finalNumber() > lastInclusion ? finalNumber() : undefined)),
    },
    paymentStatements,
    statementsOfEach: (payments) => payments.map(paymentStatements),
    paymentsIn: ({ txHash, from, to }) =>
      read(() =>
        [...finalPayments(), ...madeUp()].filter(
          (one) => one.txHash === txHash && (one.from === from || one.to === to),
        ),
      ),
    absenceStatements: ({ isSought }) => read(() => statements(!finalPayments().some(isSought))),
    whyNotPayable,
    paymentFeeFor: async (accounts) =>
      accounts.reduce((fee, one) => fee + (condition.inDemand.get(one) ?? 0n), 5n),
    openingRent: (recipient) => read(() => condition.unopened.get(recipient) ?? 0n),
    agreedWhyNotPayable: whyNotPayable,
    balances: () => read(() => ({ number: number(), amounts: [] })),
    balancesOfQuorum: () => read(() => []),
    heldBy: () => read(() => 2n ** 64n - 1n),
    agreedBalances: (owner, tokens) => read(() => tokens.map((token) => heldBy(owner, token))),
    accountOf,
    maximumPayouts: options.maximumPayouts ?? 4,
    sign: (payout, secret) => read(() => sign(payout, secret)),
    broadcast: (rawTransaction) => read(() => broadcast(rawTransaction)),
    outcome: (signed) => read(() => outcome(signed)),
    counts: () => [],
    faults: () =>
      Array.from({ length: condition.isContradicted ? 2 : 1 }, () => ({ disagreements: 0, timesAhead: 0 })),
    programs: options.chainType === 'solana' ? PROGRAMS_OF_NOBODY : undefined,
    balancesToClaim: createBalances(blocks, balances),
    isAheadOfClock: () => false,
    start: async () => undefined,
    stop: () => Promise.resolve(),
  }
}

/** Tests only: a model of a payment chain with one-second blocks, forks, expiry, and lost and duplicate broadcasts. */
export const createTestPaymentChain = (options: Options) => {
  const pool = createPool(options.random ?? CALM)
  const blocks = createBlocks(options)
  const signer = createSigner(options, blocks)
  const condition: Condition = {
    closed: new Set(),
    unopened: new Map(),
    inDemand: new Map(),
    lost: new Map(),
    isReadable: true,
    isIncluding: true,
    isBumping: false,
    isContradicted: false,
    invented: [],
    isInventing: false,
  }
  const { number } = blocks
  const made = new Map<string, readonly BalanceClaimant[]>()
  const gone = new Set<string>()
  /** A transaction that claims what was claimed before fails. */
  const applied = (transaction: Transaction): Transaction =>
    blocks.paymentsBetween(-1n, number()).some(({ from }) => from === transaction.claims)
      ? { ...transaction, outcome: 'failed' }
      : transaction
  const isLanded = (txHash: string): boolean => blocks.landedIn(number(), txHash) !== undefined
  const bumped = (transaction: Transaction): Transaction =>
    condition.isBumping ? { ...transaction, outerTxHash: signer.name() } : transaction
  return {
    chain: createChain(options, blocks, signer, pool, condition, { made, gone }),
    /** Makes blocks; each pending payment is included sooner or later, and only once. */
    advance: (count = 1): void => {
      for (let made = 0; made < count; made += 1)
        blocks.add(
          condition.isIncluding
            ? pool
                .take(isLanded, number() + 1n)
                .map(bumped)
                .map(applied)
            : [],
        )
    },
    /** Makes a block with external payments as one transaction. Returns its hash. */
    pay: (...payments: readonly TestPayment[]): string => {
      const txHash = signer.name()
      blocks.add([{ txHash, rawTransaction: txHash, expiresAfter: 0n, payments, outcome: 'succeeded' }])
      return txHash
    },
    /** Takes a balance away by its issuer. */
    clawBack: (balance: string): void => void gone.add(balance),
    /** Makes a block with a transaction that makes claimable balances, and announces them to the vault. Returns them. */
    makeBalances: (
      muxedId: bigint,
      ...balances: readonly (Omit<TestPayment, 'to'> & { readonly claimants: readonly BalanceClaimant[] })[]
    ): readonly string[] => {
      const txHash = signer.name()
      const named = balances.map(({ claimants, ...payment }, index) => {
        const to = `balance ${index} of ${txHash}`
        made.set(to, claimants)
        return { ...payment, to }
      })
      const [first] = balances
      if (first === undefined) throw new Error('expected a balance')
      const payments = [...named, { from: first.from, to: 'vault', muxedId, ...ANNOUNCEMENT }]
      blocks.add([{ txHash, rawTransaction: txHash, expiresAfter: 0n, payments, outcome: 'succeeded' }])
      return named.map(({ to }) => to)
    },
    /** Reverts all unfinal blocks; the nodes keep some of their transactions. */
    fork: (): void => {
      for (const transaction of blocks.drop()) if ((options.random ?? CALM)() < 0.7) pool.add(transaction)
    },
    /** All payments in blocks, final or not. */
    landed: (): readonly Payment[] => blocks.paymentsBetween(-1n, number()),
    /** What endpoints made up so far. */
    invented: (): readonly Payment[] => condition.invented,
    setReadable: (isReadable: boolean): void => {
      condition.isReadable = isReadable
    },
    /** Makes blocks without signed payments, which wait meanwhile. */
    setIncluding: (isIncluding: boolean): void => {
      condition.isIncluding = isIncluding
    },
    /** Lets a stranger wrap all signed payments in fee bumps, which have hashes of their own. */
    setBumping: (isBumping: boolean): void => {
      condition.isBumping = isBumping
    },
    /** Lets one endpoint deny every fact that it is asked about. */
    setContradicted: (isContradicted: boolean): void => {
      condition.isContradicted = isContradicted
    },
    /** Lets two endpoints of three make up a payment in the newest final block, until `endInvention`. */
    invent: (payment: TestPayment): string => {
      const txHash = signer.name()
      const blockNumber = blocks.finalNumber()
      condition.isInventing = true
      condition.invented.push({
        memo: undefined,
        muxedId: undefined,
        ...payment,
        chainId: options.chainId,
        txHash,
        position: 0,
        blockNumber,
        timestampSeconds: blocks.secondsOf(blockNumber),
      })
      return txHash
    },
    /** Lets two endpoints of three tell another payment in the place of a real one, until `endInvention`. */
    alter: (txHash: string, changes: Partial<Payment>): void => {
      condition.isInventing = true
      const landed = blocks.paymentsBetween(-1n, number()).filter((one) => one.txHash === txHash)
      condition.invented.push(...landed.map((payment) => ({ ...payment, ...changes })))
    },
    endInvention: (): void => {
      condition.isInventing = false
    },
    /** Subtracts an amount from every balance without a payment; 0 restores it. */
    lose: (token: string, amount: bigint): void => {
      condition.lost.set(token, amount)
    },
    /** Makes an account unable to receive payments. */
    close: (account: string): void => {
      condition.closed.add(account)
    },
    /** Makes payments to an account cost its payer so much more. */
    setOpeningRent: (account: string, rent: bigint): void => {
      condition.unopened.set(account, rent)
    },
    /** Makes transactions that write an account cost so much more. */
    setDemand: (account: string, fee: bigint): void => {
      condition.inDemand.set(account, fee)
    },
    reopen: (account: string): void => {
      condition.closed.delete(account)
    },
  }
}
