import assert from 'node:assert/strict'
import type { AssetPair } from '../src/core/order.ts'
import { type BackendWorld, execute, offerFor, orderFor, pairsOf, recordOf, user } from './backend-world.ts'
import { backendOf, balance, follow, lookupOf } from './follow-backend.ts'

type Family = 'solana' | 'stellar'

/** The chain of a family, to which `its` moves tokens from EVM chains. */
export type ItsDestination = {
  /** An EVM token, and the same token on the chain. */
  readonly pair: AssetPair
  readonly chain: BackendWorld['simulatedChains'][number]
  /** The address of one of the chain's funded accounts. */
  readonly accountAt: (index: number) => string
  /** The token that an account holds, in base units. */
  readonly held: (owner: string) => Promise<bigint>
}

/** Finds a family's chain and a pair that ends there. */
export const itsDestination = (world: BackendWorld, family: Family): ItsDestination => {
  const [pair] = pairsOf(world, backendOf(world, 'its')).filter(({ to }) => to.chain.chainType === family)
  const chain = world.simulatedChains.find((one) => one.chain.chainType === family)
  assert.ok(pair !== undefined && chain !== undefined)
  return {
    pair,
    chain,
    accountAt: (index) => {
      const account = chain.accounts[index]
      assert.ok(account)
      return account.address
    },
    held: async (owner) => {
      const payments = world.deps.paymentChains.get(pair.to.chain.chainId)
      assert.ok(payments)
      const { amounts } = await payments.balances(owner, [pair.to.token.address])
      return amounts[0] ?? 0n
    },
  }
}

type Delivery = {
  readonly recipient: string
  /** The amount that is asked to be sent; its digits below the destination's decimals are `dust`. */
  readonly input: bigint
  readonly output: bigint
  readonly dust: string
}

/**
 * Sends a transfer and follows it: the recipient gets exactly the output, the sender pays the input without its dust, and
 * the message proves the transfer of no other recipient or sender.
 */
export const checkExactDelivery = async (
  world: BackendWorld,
  { pair, accountAt, held }: ItsDestination,
  { recipient, input, output, dust }: Delivery,
): Promise<void> => {
  const backend = backendOf(world, 'its')
  const sender = user(4)
  const order = orderFor(pair, input, { sender: sender.address, recipient })
  const offer = await offerFor(backend, order)
  assert.deepEqual([offer.output, offer.metadata['dust']], [output, dust])
  const record = recordOf(order, offer)
  const [paidBefore, heldBefore] = [await balance(world, pair.from, sender.address), await held(recipient)]
  const receipt = await execute(world, offer, sender.privateKey)
  const lookup = lookupOf(world, backend, record, receipt)
  const { last } = await follow(backend, record, lookup, 'delivered')
  assert.ok(last.seen === 'delivered')
  assert.equal(last.output.amount, output.toString())
  assert.equal((await held(recipient)) - heldBefore, output)
  assert.equal(paidBefore - (await balance(world, pair.from, sender.address)), offer.input)
  for (const change of [{ recipient: accountAt(2) }, { sender: user(5).address }])
    assert.notEqual((await backend.track({ ...record, ...change }, lookup)).seen, 'delivered')
}
