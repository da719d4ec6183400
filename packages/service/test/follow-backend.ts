import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { getAddress, type Hex, isAddressEqual, type TransactionReceipt } from 'viem'
import type { Backend, Lookup } from '../src/backends/backend.ts'
import { addressTopic } from '../src/chains/evm/abi-words.ts'
import type { Asset, AssetPair } from '../src/core/order.ts'
import type { QuoteRecord } from '../src/core/quote-record.ts'
import type { Observation } from '../src/core/transfer.ts'
import { type BackendWorld, pairsOf } from './backend-world.ts'
import { eventually } from './eventually.ts'
import { balanceOf } from './wallet.ts'
/** The backend of a type. */
export const backendOf = (world: BackendWorld, type: string): Backend => {
  const found = world.backends.find((backend) => backend.type === type)
  assert.ok(found)
  return found
}

/** The pair of tokens between two chains, by index, with the given source symbol. */
export const pairOf = (
  world: BackendWorld,
  backend: Backend,
  symbol: RegExp,
  from: number,
  to: number,
): AssetPair => {
  const ids = world.catalog.chains.map(({ chainId }) => chainId)
  const found = pairsOf(world, backend).find(
    (pair) =>
      symbol.test(pair.from.token.symbol) &&
      pair.from.chain.chainId === ids[from] &&
      pair.to.chain.chainId === ids[to],
  )
  assert.ok(found)
  return found
}

/** The ERC-20 balance in base units. */
export const balance = (world: BackendWorld, asset: Asset, owner: Hex): Promise<bigint> =>
  balanceOf(world.sandbox, { chain: asset.chain.chainId, token: `0x${asset.token.address.slice(2)}` }, owner)

/** An address that no other test pays. */
export const addressOf = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`

/** The status lookup after executing a quote of the backend, from the event that the backend declares. */
export const lookupOf = (
  { catalog }: Pick<BackendWorld, 'catalog'>,
  { messageEvent }: Backend,
  record: QuoteRecord,
  receipt: TransactionReceipt,
): NonNullable<Lookup> => {
  assert.ok(messageEvent !== null)
  const caller = messageEvent.caller === 'sender' ? record.sender : receipt.to
  const chain = catalog.chain(record.fromChain)
  const emitter = chain === undefined ? undefined : messageEvent.emitter(chain, record.fromToken)
  assert.ok(caller !== null && emitter !== undefined)
  const position = receipt.logs.findIndex(
    ({ address, topics: [topic, sender] }) =>
      topic === messageEvent.topic &&
      sender === addressTopic(caller) &&
      isAddressEqual(address, getAddress(emitter)),
  )
  assert.ok(position >= 0)
  return { messageId: `${receipt.transactionHash}-${position}`, sourceChain: record.fromChain }
}

/** Repeats a read until its result is the expected one. */
export const until = async <Answer>(
  ask: () => Promise<Answer>,
  isWanted: (answer: Answer) => boolean,
): Promise<Answer> => {
  let last: Answer | undefined
  const [wanted] = await eventually(
    () => `another answer than ${inspect(last)}`,
    async () => {
      last = await ask()
      return isWanted(last) && [last]
    },
  )
  return wanted
}

/** Tracks until an observation of the expected kind. Returns every distinct stage before it, and the observation. */
export const follow = async (
  backend: Backend,
  record: QuoteRecord,
  lookup: Lookup,
  wanted: Observation['seen'],
): Promise<{ readonly stages: readonly string[]; readonly last: Observation }> => {
  const stages: string[] = []
  const last = await until(
    async () => {
      const observation = await backend.track(record, lookup)
      const stage = `${observation.seen} ${observation.details['stage'] ?? ''}`
      if (stages.at(-1) !== stage) stages.push(stage)
      return observation
    },
    ({ seen }) => seen === wanted,
  )
  return { stages, last }
}

/** Tracks until a transfer in flight is at the expected stage. */
export const followStage = async (
  backend: Backend,
  record: QuoteRecord,
  lookup: Lookup,
  wanted: string,
): Promise<Observation> => {
  const last = await until(
    () => backend.track(record, lookup),
    ({ details }) => details['stage'] === wanted,
  )
  assert.equal(last.seen, 'in_flight')
  return last
}
