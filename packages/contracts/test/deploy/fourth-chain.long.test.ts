import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { chainWord } from '@openrfq/sandbox/test/intent-order.ts'
import { encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { proofOf } from '../settlers/settlement-cases.ts'
import {
  approved,
  claimCall,
  fillCall,
  KIND,
  messagesOf,
  moves,
  openCall,
  orderOf,
  proveAndMark,
  recordOf,
  refundCall,
} from '../settlers/steps.ts'
import {
  DEPOSITOR,
  FILLER,
  fund,
  RECIPIENT,
  type Side,
  SOLVER,
  STRANGER,
  WORLD_ARTIFACTS,
  type World,
} from '../settlers/world.ts'
import { KEY, networkIn, OWNER, openPlaces, type Place, planIn } from './places.ts'

const COST = 10n ** 18n
/** The window of a chain whose Axelar finality is 960 s. */
const WINDOW = 2_700

let places: readonly Place[]
let folder: string
let stop: () => Promise<void>
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rfq-deploy-'))
  const opened = await openPlaces(['Ethereum', 'binance', 'arbitrum', 'Polygon', 'evil'])
  places = opened.places
  stop = async () => {
    await opened.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
after(() => stop())

/** Deploys the family to the first chains by the command. Returns the plan that it had. */
const deployTo = async (count: number) => {
  const plan = await planIn(networkIn(folder, places.slice(0, count)), OWNER, 'a family')
  await plan.send(KEY, COST, () => undefined)
  return plan
}

const sideOf = async (
  place: Place,
  { factory, settler }: Pick<Side, 'factory' | 'settler'>,
): Promise<Side> => {
  const token = await place.deploy('token')
  const side = { ...place, factory, settler, token, permitToken: token }
  for (const account of [DEPOSITOR, FILLER]) await fund(side, account)
  return side
}

/** What code at the settler's address of a hostile chain sends: any payload, by that chain's own gateway. */
const puppetMessage = async (evil: Place, settler: Hex, origin: Side, payload: Hex) => {
  const call = encodeFunctionData({
    abi: WORLD_ARTIFACTS.gateway.abi,
    functionName: 'callContract',
    args: [origin.axelarName, settler, payload],
  })
  const act = evil.encode('act', [evil.gateway, call])
  const [message] = messagesOf(
    { ...origin, axelarName: evil.axelarName },
    await evil.run({ from: STRANGER, to: settler, data: act }),
  )
  assert.ok(message)
  return message
}

test('transfers go both ways between a fourth chain and three live ones without changes there, and a foreign contract at our address elsewhere changes nothing', async (t) => {
  const { family: live } = await deployTo(3)
  const blocks = () => Promise.all(places.slice(0, 3).map(({ rpc }) => rpc('eth_blockNumber')))
  const before = await blocks()
  const { family } = await deployTo(4)
  assert.deepEqual([family.contracts, await blocks()], [live.contracts, before])

  const settler = family.contracts.find(({ role }) => role === 'intent')?.address
  const evil = places[4]
  assert.ok(settler && evil)
  const puppet = await evil.rpc('eth_getCode', await evil.deploy('puppet'), 'latest')
  await evil.rpc('anvil_setCode', settler, puppet)
  const sides = await Promise.all(
    places.slice(0, 4).map((place) => sideOf(place, { factory: family.factory, settler })),
  )
  const fourth = sides[3]
  assert.ok(fourth)
  for (const first of sides.slice(0, 3))
    for (const [from, to] of [
      [first, fourth],
      [fourth, first],
    ] as const) {
      const world: World = { a: from, b: to, settler }
      const made = await orderOf(world)
      const order = { ...made, refundAfter: made.fillDeadline + WINDOW }
      await moves(from, () => from.run(openCall(from, order)), [[from.token, DEPOSITOR, -order.inputAmount]])
      await moves(to, () => to.run(fillCall(to, order)), [
        [to.token, FILLER, -order.outputAmount],
        [to.token, RECIPIENT, order.outputAmount],
      ])
      const lie = await puppetMessage(evil, settler, from, proofOf(settler, [order], STRANGER))
      assert.deepEqual([lie.sourceChain, lie.sourceAddress], ['evil', settler])
      await from.run(await approved(from, lie))
      assert.deepEqual(await recordOf(from, order), [KIND.open, zeroAddress])
      await proveAndMark(from, to, [order])
      await from.run(await approved(from, lie))
      assert.deepEqual(await recordOf(from, order), [KIND.proven, SOLVER])
      await moves(from, () => from.run(claimCall(from, [order], SOLVER)), [
        [from.token, SOLVER, order.inputAmount - order.integratorFee],
        [from.token, STRANGER, 0n],
      ])
      t.diagnostic(`${from.axelarName} to ${to.axelarName}: ${order.outputAmount} paid, the puppet gained 0`)
    }
  const named = { ...(await orderOf({ a: fourth, b: fourth, settler })), destinationChain: chainWord('evil') }
  const order = { ...named, destinationChainId: 31_341n, refundAfter: named.fillDeadline + WINDOW }
  await fourth.run(openCall(fourth, order))
  await fourth.run(
    await approved(fourth, await puppetMessage(evil, settler, fourth, proofOf(settler, [order], STRANGER))),
  )
  assert.deepEqual(await recordOf(fourth, order), [KIND.proven, STRANGER], 'its depositor chose that chain')
  assert.equal(await fourth.refusal(refundCall(fourth, order), order.refundAfter + 1), 'WrongKind')
})
