import assert from 'node:assert/strict'
import type { Call, Event } from '@openrfq/sandbox/test/chain-calls.ts'
import {
  encodeOrder,
  encodeOrders,
  type IntentOrder,
  orderIdOf,
  wrapOrder,
} from '@openrfq/sandbox/test/intent-order.ts'
import {
  approve,
  DEPOSITOR,
  executionOf,
  FILLER,
  fund,
  type Message,
  messagesOf,
  RECIPIENT,
  type Side,
  SOLVER,
  STRANGER,
  THIRD,
} from '@openrfq/sandbox/test/settler-world.ts'
import { type Hex, zeroAddress } from 'viem'
import { type Action, type Model, otherOf, type SideIndex } from './settler-model.ts'

const WEALTH = 10n ** 18n
/** Roles of a side's contract accounts. */
export const PUPPETS = ['depositor', 'recipient', 'solver'] as const

/** Contract accounts of one side, which reject native value or burn its gas on command. */
type Puppets = Readonly<Record<(typeof PUPPETS)[number], Hex>>
/** A side with all accounts that ever hold value on it. */
export type Stage = { readonly side: Side; readonly puppets: Puppets; readonly accounts: readonly Hex[] }
/** The model, the two chains, and all settler events since the start. */
export type Play = {
  readonly stages: readonly [Stage, Stage]
  readonly model: Model
  readonly intents: readonly IntentOrder[]
  readonly messages: Message[]
  readonly commands: Map<number, Hex>
  readonly events: { readonly side: SideIndex; readonly event: Event }[]
}

/** Funds a side's accounts and deploys its puppets. */
export const openStage = async (side: Side): Promise<Stage> => {
  const [depositor, recipient, solver] = [
    await side.deploy('puppet'),
    await side.deploy('puppet'),
    await side.deploy('puppet'),
  ]
  for (const account of [DEPOSITOR, FILLER, STRANGER]) await fund(side, account, WEALTH)
  await side.run({ from: STRANGER, to: side.token, data: side.encode('mint', [depositor, WEALTH]) })
  const approval = side.encode('act', [side.token, side.encode('approve', [side.settler, WEALTH])])
  await side.run({ from: STRANGER, to: depositor, data: approval })
  const puppets = { depositor, recipient, solver }
  const accounts = [
    DEPOSITOR,
    FILLER,
    STRANGER,
    RECIPIENT,
    SOLVER,
    depositor,
    recipient,
    solver,
    side.settler,
  ]
  return { side, puppets, accounts }
}

/** Sends the call from the account itself, or through a puppet contract whose caller supplies the native value. */
const by = ({ side: chain }: Stage, account: Hex, data: Hex, isPuppet: boolean, value = 0n): Call =>
  isPuppet
    ? { from: STRANGER, to: account, data: chain.encode('act', [chain.settler, data]), value }
    : { from: account, to: chain.settler, data, value }

const nativeOf = (token: Hex, amount: bigint): bigint => (token === zeroAddress ? amount : 0n)

/** Advances a side by one second, in the model and on the chain. */
export const tick = async (play: Play, index: SideIndex): Promise<Stage> => {
  const stage = play.stages[index]
  const time = ++play.model.sides[index].time
  await stage.side.setNextTime(time)
  return stage
}

const sendOn = async (play: Play, index: SideIndex, call: Call): Promise<boolean> => {
  const { side: chain } = play.stages[index]
  const { events } = await chain.send(call)
  for (const event of events ?? [])
    if (event.address.toLowerCase() === chain.settler.toLowerCase()) play.events.push({ side: index, event })
  if (events !== undefined) play.messages.push(...messagesOf(chain, events))
  return events !== undefined
}

const execute = async (play: Play, index: SideIndex, forged: Message): Promise<readonly [Hex, boolean]> => {
  const { side: chain } = play.stages[index]
  const id = await approve(chain, forged)
  await tick(play, index)
  return [id, await sendOn(play, index, executionOf(chain, id, forged))]
}

type OrderAction = Extract<Action, { order: number }>

const callOf = (
  play: Play,
  action: OrderAction,
  intent: IntentOrder,
  from: SideIndex,
): readonly [SideIndex, Call] => {
  const [origin, destination] = [play.stages[from], play.stages[otherOf(from)]]
  const { isContract } = play.model
  const entitled = (account: Hex): Hex => ('isEntitled' in action && !action.isEntitled ? STRANGER : account)
  const at = (stage: Stage, account: Hex, name: string, args: readonly unknown[], value = 0n): Call =>
    by(stage, account, stage.side.encode(name, args), isContract(account), value)
  switch (action.kind) {
    case 'open': {
      const value = nativeOf(intent.inputToken, intent.inputAmount)
      return [from, at(origin, entitled(intent.depositor), 'open', [wrapOrder(intent)], value)]
    }
    case 'fill': {
      const value = nativeOf(intent.outputToken, intent.outputAmount)
      const args = [orderIdOf(intent), encodeOrder(intent), '0x']
      return [otherOf(from), at(destination, entitled(intent.filler), 'fill', args, value)]
    }
    case 'decline':
      return [from, at(origin, entitled(intent.solver), 'decline', [intent])]
    default:
      return [from, at(origin, STRANGER, 'refund', [intent])]
  }
}

const forgeryOf = (play: Play, kind: 'forge' | 'misplace', intent: IntentOrder, from: SideIndex): Message => {
  const source = play.stages[otherOf(from)].side
  const authentic = { target: play.stages[from].side.settler, payload: encodeOrders([intent]) }
  return kind === 'forge'
    ? { ...authentic, sourceChain: source.axelarChain, sourceAddress: STRANGER }
    : { ...authentic, sourceChain: THIRD.axelarChain, sourceAddress: THIRD.settler }
}

const performOnOrder = async (play: Play, action: OrderAction): Promise<boolean> => {
  const [intent, modelled] = [play.intents[action.order], play.model.orders[action.order]]
  assert.ok(intent && modelled)
  if (action.kind === 'forge' || action.kind === 'misplace') {
    const forgery = forgeryOf(play, action.kind, intent, modelled.from)
    return (await execute(play, modelled.from, forgery))[1]
  }
  const [index, call] = callOf(play, action, intent, modelled.from)
  return sendOn(play, index, call)
}

const performMessage = async (play: Play, kind: 'deliver' | 'replay', position: number): Promise<boolean> => {
  const [sent, modelled] = [play.messages[position], play.model.messages[position]]
  if (sent === undefined || modelled === undefined) return false
  if (kind === 'deliver') {
    const [id, isDone] = await execute(play, modelled.to, sent)
    play.commands.set(position, id)
    return isDone
  }
  const id = play.commands.get(position)
  if (id === undefined) return false
  const { side: chain } = play.stages[modelled.to]
  return sendOn(play, modelled.to, executionOf(chain, id, sent))
}

/** Repeats the model's last action on the chains. Returns whether the transaction succeeded. */
export const perform = async (play: Play, action: Action): Promise<boolean> => {
  switch (action.kind) {
    case 'wait':
      return true
    case 'mood': {
      const { side: chain } = play.stages[action.side]
      const data = chain.encode('setMood', [action.mood])
      return sendOn(play, action.side, { from: STRANGER, to: action.puppet, data })
    }
    case 'withdraw': {
      const { side: chain } = play.stages[action.side]
      const data = chain.encode('withdraw', [action.account, action.token])
      return sendOn(play, action.side, { from: STRANGER, to: chain.settler, data })
    }
    case 'prove': {
      const [first] = action.orders.flatMap((index) => play.model.orders[index] ?? [])
      assert.ok(first)
      const { side: chain } = play.stages[otherOf(first.from)]
      const intents = action.orders.flatMap((index) => play.intents[index] ?? [])
      const call = { from: STRANGER, to: chain.settler, data: chain.encode('prove', [intents]) }
      return sendOn(play, otherOf(first.from), call)
    }
    case 'deliver':
    case 'replay':
      return performMessage(play, action.kind, action.message)
    default:
      return performOnOrder(play, action)
  }
}
