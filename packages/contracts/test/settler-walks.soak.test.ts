import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { IntentOrder } from '@openrfq/sandbox/test/intent-order.ts'
import { orderIdOf } from '@openrfq/sandbox/test/intent-order.ts'
import {
  DEPOSITOR,
  orderOf,
  RECIPIENT,
  type SettlerWorld,
  SOLVER,
  STRANGER,
  startSettlerWorld,
} from '@openrfq/sandbox/test/settler-world.ts'
import fc from 'fast-check'
import { openSoak } from 'openrfq/test/soak.ts'
import { type Hex, zeroAddress } from 'viem'
import {
  type Action,
  creditors,
  type Model,
  type ModelOrder,
  type ModelSide,
  otherOf,
  type SideIndex,
  STATUS,
  step,
} from './settler-model.ts'
import {
  BEGINNING,
  END,
  type Move,
  moveArbitrary,
  ORDERS,
  type OrderSeed,
  orderArbitrary,
} from './settler-moves.ts'
import { openStage, type Play, PUPPETS, perform, type Stage, tick } from './settler-play.ts'

const { seed, of } = openSoak()
const WALKS = of(80)
/** A minute for each walk; shrinking a failure to its smallest walk ends here too. */
const LIMIT_MS = WALKS * 60_000
const MOVES = 60
/** Walks that are the same in every run, and cover every kind of action. */
const FIXED = { seed: 7, numRuns: 8 }

let world: SettlerWorld
let stages: readonly [Stage, Stage]
let startSeconds: number
let first: readonly [Ledger, Ledger]
const counts = new Map<string, number>()

before(async () => {
  world = await startSettlerWorld()
  stages = [await openStage(world.a), await openStage(world.b)]
  first = [await readLedger(stages[0], []), await readLedger(stages[1], [])]
  startSeconds = Math.max(await world.a.now(), await world.b.now()) + 1000
})
after(() => world.stop())

/** Balances and credits of one side, and the status of each order by id. */
type Ledger = {
  readonly balances: ReadonlyMap<string, bigint>
  readonly credits: ReadonlyMap<string, bigint>
  readonly statuses: readonly unknown[]
}

const tokensOf = ({ side }: Stage): readonly Hex[] => [zeroAddress, side.token]

const readLedger = async (stage: Stage, orderIds: readonly Hex[]): Promise<Ledger> => {
  const { side, accounts } = stage
  const places = accounts.flatMap((account) => tokensOf(stage).map((token) => [account, token] as const))
  const entries = (read: (account: Hex, token: Hex) => Promise<unknown>) =>
    Promise.all(
      places.map(async ([account, token]) => {
        // CAST: balances and credits are uint256.
        const amount = (await read(account, token)) as bigint
        return [`${account} ${token}`, amount] as const
      }),
    )
  const balances = await entries((account, token) => side.balanceOf(token, account))
  const credits = await entries((...place) => side.read(side.settler, 'creditOf', place))
  const statuses = await Promise.all(orderIds.map((id) => side.read(side.settler, 'statusOf', [id])))
  return { balances: new Map(balances), credits: new Map(credits), statuses }
}

const sumOf = (book: ReadonlyMap<string, bigint>, token: Hex): bigint =>
  [...book].reduce((sum, [key, amount]) => (key.endsWith(token) ? sum + amount : sum), 0n)

const intentOf = (seed: OrderSeed): IntentOrder => {
  const [from, to] = [stages[seed.from], stages[otherOf(seed.from)]]
  const openDeadline = startSeconds + seed.toOpen
  const fillDeadline = openDeadline + seed.toFill
  return orderOf(from.side, to.side, startSeconds, {
    openDeadline,
    fillDeadline,
    refundAfter: fillDeadline + seed.toRefund,
    depositor: seed.hasPuppetDepositor ? from.puppets.depositor : DEPOSITOR,
    inputToken: seed.isNativeIn ? zeroAddress : from.side.token,
    inputAmount: seed.inputAmount,
    outputToken: seed.isNativeOut ? zeroAddress : to.side.token,
    outputAmount: seed.outputAmount,
    recipient: seed.hasPuppetRecipient ? to.puppets.recipient : RECIPIENT,
    solver: seed.hasPuppetSolver ? from.puppets.solver : SOLVER,
  })
}

const actionOf = (model: Model, move: Move): Action => {
  if (move.kind === 'deliver' || move.kind === 'replay')
    return { ...move, message: move.message % Math.max(1, model.messages.length) }
  if (move.kind !== 'withdraw' && move.kind !== 'mood') return move
  const { side: chain, puppets } = stages[move.side]
  if (move.kind === 'withdraw') {
    const owed = creditors(model.sides[move.side])
    const [account, token] = owed[move.who % Math.max(1, owed.length)] ?? [SOLVER, chain.token]
    return { kind: 'withdraw', side: move.side, account, token }
  }
  const name = PUPPETS[move.who]
  if (name !== undefined) return { kind: 'mood', side: move.side, puppet: puppets[name], mood: move.mood }
  // Tokens and puppets number their rejecting mood differently.
  return { kind: 'mood', side: move.side, puppet: chain.token, mood: move.mood === 0 ? 0 : 3 }
}

const openModelSide = (index: SideIndex): ModelSide => ({
  time: startSeconds,
  settler: stages[index].side.settler,
  balances: new Map(first[index].balances),
  credits: new Map(),
  statuses: new Map(),
  moods: new Map(),
})

const modelOrder = (intent: IntentOrder, { from }: OrderSeed): ModelOrder => ({ ...intent, from })

const sideOf = (model: Model, action: Action): SideIndex | undefined => {
  if ('side' in action) return action.side
  if ('message' in action) return model.messages[action.message]?.to
  const index = 'orders' in action ? (action.orders[0] ?? 0) : action.order
  const from = model.orders[index]?.from ?? 0
  return action.kind === 'fill' || action.kind === 'prove' ? otherOf(from) : from
}

const startPlay = (seeds: readonly OrderSeed[]): Play => {
  const intents = seeds.map(intentOf)
  const contracts = new Set<Hex>(stages.flatMap(({ puppets }) => Object.values(puppets)))
  const model: Model = {
    sides: [openModelSide(0), openModelSide(1)],
    orders: seeds.flatMap((seed, index) =>
      intents.slice(index, index + 1).map((intent) => modelOrder(intent, seed)),
    ),
    messages: [],
    patron: STRANGER,
    isContract: (account) => contracts.has(account),
  }
  return { stages, model, intents, messages: [], commands: new Map(), events: [] }
}

const playMove = async (play: Play, move: Move): Promise<void> => {
  const action = actionOf(play.model, move)
  const index = sideOf(play.model, action)
  if (index === undefined) return
  if (action.kind === 'wait') {
    play.model.sides[index].time += action.seconds
    return
  }
  await tick(play, index)
  const expected = step(play.model, action)
  assert.equal(
    await perform(play, action),
    expected,
    `${action.kind} should ${expected ? '' : 'not '}succeed`,
  )
  const name = `${action.kind} ${expected ? 'done' : 'refused'}`
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Every balance, credit and status on chain equals the model's. */
const assertModelled = (play: Play, index: SideIndex, ledger: Ledger): void => {
  const { balances, credits, statuses } = play.model.sides[index]
  assert.deepEqual(ledger.balances, balances)
  const owed = [...ledger.credits].filter(([, amount]) => amount !== 0n)
  assert.deepEqual(new Map(owed), credits)
  assert.deepEqual(
    ledger.statuses,
    play.intents.map((_, position) => statuses.get(position) ?? STATUS.none),
  )
}

/** No value is created or lost, and the settler holds exactly its escrows and credits; read from the chain alone. */
const assertConserved = (play: Play, index: SideIndex, ledger: Ledger): void => {
  const { side } = stages[index]
  for (const token of tokensOf(stages[index])) {
    assert.equal(sumOf(ledger.balances, token), sumOf(first[index].balances, token))
    const escrowed = play.intents
      .filter(({ inputToken }, position) => inputToken === token && ledger.statuses[position] === STATUS.open)
      .reduce((sum, { inputAmount }) => sum + inputAmount, 0n)
    assert.equal(ledger.balances.get(`${side.settler} ${token}`), escrowed + sumOf(ledger.credits, token))
  }
}

/** From the settlers' events: an order is opened, filled and ended at most once, and its end is the right one. */
const assertEnds = (play: Play): void => {
  for (const [position, intent] of play.intents.entries()) {
    const origin = play.model.orders[position]?.from ?? 0
    const own = play.events.filter(({ event }) => event.args['orderId'] === orderIdOf(intent))
    const named = (...names: readonly string[]) => own.filter(({ event }) => names.includes(event.eventName))
    const fills = named('Filled')
    const releases = named('Released', 'ReleaseCredited')
    const refunds = named('Refunded', 'RefundCredited')
    assert.ok(fills.length <= 1 && named('Open').length <= 1 && releases.length + refunds.length <= 1)
    if (releases.length === 1) assert.equal(fills.length, 1, 'released without a fill')
    if (releases.length + refunds.length === 1) assert.equal(named('Open').length, 1)
    const { inputToken: token, inputAmount: amount } = intent
    for (const { side, event } of refunds)
      assert.deepEqual(
        [side, event.args['depositor'], event.args['token'], event.args['amount']],
        [origin, intent.depositor, token, amount],
      )
    for (const { side, event } of releases)
      assert.deepEqual(
        [side, event.args['solver'], event.args['token'], event.args['amount']],
        [origin, intent.solver, token, amount],
      )
    for (const { side, event } of fills)
      assert.deepEqual(
        [side, event.args['recipient'], event.args['amount']],
        [otherOf(origin), intent.recipient, intent.outputAmount],
      )
  }
}

const assertBooks = async (play: Play): Promise<void> => {
  for (const index of [0, 1] as const) {
    const ledger = await readLedger(stages[index], play.intents.map(orderIdOf))
    assertModelled(play, index, ledger)
    assertConserved(play, index, ledger)
  }
  assertEnds(play)
}

test('random walks on two chains conserve value: an order is filled at most once, released or refunded but never both, and refunds go to the depositor', async () => {
  const seeds = fc.array(orderArbitrary, { minLength: ORDERS, maxLength: ORDERS })
  const moves = fc.array(moveArbitrary, { minLength: MOVES, maxLength: MOVES, size: 'max' })
  const holds = fc.asyncProperty(seeds, moves, async (someSeeds, someMoves) => {
    const states = await Promise.all(stages.map(({ side }) => side.rpc('evm_snapshot')))
    const play = startPlay(someSeeds)
    try {
      for (const move of [...BEGINNING, ...someMoves]) await playMove(play, move)
      await assertBooks(play)
      for (const move of END) await playMove(play, move)
      await assertBooks(play)
      for (const { side } of stages)
        for (const token of [zeroAddress, side.token])
          assert.equal(
            await side.balanceOf(token, side.settler),
            0n,
            'value is left that nobody can withdraw',
          )
    } finally {
      await Promise.all(stages.map(({ side }, index) => side.rpc('evm_revert', states[index])))
    }
  })
  const limits = { interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: true }
  await fc.assert(holds, { ...FIXED, ...limits })
  await fc.assert(holds, { ...limits, numRuns: WALKS, seed })
})

test('the walks covered every kind of action, succeeding and failing', (t) => {
  const kinds = ['open', 'fill', 'prove', 'decline', 'refund', 'withdraw']
  const expected = [
    ...kinds.flatMap((kind) => [`${kind} done`, `${kind} refused`]),
    'deliver done',
    'replay refused',
  ]
  for (const name of [...expected, 'forge refused', 'misplace done'])
    assert.ok(counts.get(name), `no ${name}`)
  t.diagnostic(JSON.stringify(Object.fromEntries(counts)))
})
