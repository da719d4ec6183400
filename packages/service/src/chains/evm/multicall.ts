import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import { addressWord, bytesTail, uintAt, uintWord, wordAt } from './abi-words.ts'
import { type CallBlock, ethCall } from './block-calls.ts'
import type { EvmCall } from './evm-chain.ts'
import { keccakHex } from './keccak.ts'
import { Bytes } from './rpc-answers.ts'

/** Where Multicall3 is deployed on most chains. Source: mds1/multicall. */
export const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'

/** Keccak-256 of the contract's code, which is the same on all chains: other code at the address is not trusted. */
const CODE_HASH = 'd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891'
const AGGREGATE = '0x82ad56cb'
const TRUE = uintWord(1n)
const WORD_DIGITS = 64
/** Calls of one aggregate: nodes limit the gas of a call, and a read of a token takes up to 30,000. */
const MOST_CALLS = 100
/** Time after which a chain may have got the contract. */
const LOOK_AGAIN_MS = 3_600_000

const tuple = ({ to, data }: EvmCall): string => `${addressWord(to)}${TRUE}${uintWord(96n)}${bytesTail(data)}`

/** Calldata of `aggregate3`, in which each call may fail. Source: Multicall3. */
export const aggregateData = (calls: readonly EvmCall[]): string => {
  const tuples = calls.map(tuple)
  let offset = BigInt(tuples.length * 32)
  const offsets = tuples.map((encoded) => {
    const own = uintWord(offset)
    offset += BigInt(encoded.length / 2)
    return own
  })
  return `${AGGREGATE}${uintWord(32n)}${uintWord(BigInt(tuples.length))}${offsets.join('')}${tuples.join('')}`
}

/** The word at a byte offset. Throws RangeError outside the data. */
const wordFrom = (hex: string, offset: bigint): bigint => {
  if (offset > BigInt(hex.length)) throw new RangeError('offset outside the data')
  const start = 2 + Number(offset) * 2
  const word = hex.slice(start, start + WORD_DIGITS)
  if (word.length !== WORD_DIGITS) throw new RangeError('offset outside the data')
  return BigInt(`0x${word}`)
}

/**
 * The bytes that `aggregate3` returned for each call, undefined for a failed one; undefined for another form, such as results that
 * share bytes: a hundred copies of a large answer would fill the memory.
 */
export const parseAggregate = (hex: string, count: number): readonly (string | undefined)[] | undefined => {
  const list = BigInt(32)
  if (uintAt(hex, 0) !== list || wordAt(hex, 1) === undefined || uintAt(hex, 1) !== BigInt(count))
    return undefined
  const heads = list + 32n
  let left = hex.length
  try {
    return Array.from({ length: count }, (_, index) => {
      const result = heads + wordFrom(hex, heads + BigInt(index * 32))
      const isSuccess = wordFrom(hex, result) === 1n
      const bytes = result + wordFrom(hex, result + 32n)
      const start = 2 + Number(bytes + 32n) * 2
      const end = start + Number(wordFrom(hex, bytes)) * 2
      left -= end - start
      if (end > hex.length || left < 0) throw new RangeError('bytes outside the data')
      return isSuccess ? `0x${hex.slice(start, end)}` : undefined
    })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * Asks one endpoint for contract reads at a block, and for other calls with the same request. The answers are those of
 * single calls: first of the reads, then of the others.
 */
export type AskContracts = {
  (
    ask: RpcAsk,
    calls: readonly EvmCall[],
    block: CallBlock,
    others?: readonly RpcCall[],
  ): Promise<readonly RpcAnswer[]>
  /** Looks for the contract, so that no read has to. */
  readonly prepare: (ask: RpcAsk) => Promise<unknown>
}

const CODE_CALL: RpcCall = { method: 'eth_getCode', params: [MULTICALL3, 'latest'] }

/** What was found at the contract's address, and when. */
type Look = { readonly isDeployed: boolean; readonly at: number }

/**
 * Creates a reader that asks for several contract reads in one call where the code of Multicall3 is at its address, as the
 * endpoints say, and in batches elsewhere. A read that fails in it is asked for by itself, since it may have failed for lack of gas, unless
 * a revert is an expected answer.
 */
export const createMulticall = (now: () => number): AskContracts => {
  let look: Look | undefined
  const isDeployed = async (ask: RpcAsk): Promise<boolean> => {
    if (look !== undefined && (look.isDeployed || now() - look.at < LOOK_AGAIN_MS)) return look.isDeployed
    const [answer] = await ask([CODE_CALL])
    const code = answer?.ok === true ? Bytes.safeParse(answer.result).data : undefined
    if (code === undefined) return false
    look = { isDeployed: keccakHex(Buffer.from(code.slice(2), 'hex')) === CODE_HASH, at: now() }
    return look.isDeployed
  }
  const askAll = async (
    ask: RpcAsk,
    calls: readonly EvmCall[],
    block: CallBlock,
    others: readonly RpcCall[] = [],
  ): Promise<readonly RpcAnswer[]> => {
    if (calls.length + others.length === 0) return []
    // The caller of an aggregated call is the contract.
    const isPlain = calls.every(({ from }) => from === undefined)
    if (calls.length < 2 || !isPlain || !(await isDeployed(ask)))
      return ask([...calls.map((call) => ethCall(call, block)), ...others])
    const groups = inGroups(calls)
    const aggregates = groups.map((group) => ethCall({ to: MULTICALL3, data: aggregateData(group) }, block))
    const answers = await ask([...aggregates, ...others])
    // An endpoint has said that the contract is there, and one has none: the next read looks again.
    if (block === 'latest' && answers.slice(0, groups.length).some(isEmpty)) look = undefined
    const known = groups.flatMap((group, position) => parseGroup(group, answers[position]))
    const open = calls.filter((_call, position) => known[position] === undefined)
    const again = open.length === 0 ? [] : await ask(open.map((call) => ethCall(call, block)))
    let next = 0
    const reads = known.map((answer) => answer ?? again[next++] ?? REVERTED)
    return [...reads, ...answers.slice(groups.length)]
  }
  return Object.assign(askAll, { prepare: isDeployed })
}

/** What a call of an address without code answers. */
const isEmpty = (answer: RpcAnswer): boolean => answer.ok && answer.result === '0x'

const REVERTED: RpcAnswer = { ok: false, code: 3, message: 'execution reverted' }

const inGroups = (calls: readonly EvmCall[]): readonly (readonly EvmCall[])[] =>
  Array.from({ length: Math.ceil(calls.length / MOST_CALLS) }, (_, index) =>
    calls.slice(index * MOST_CALLS, (index + 1) * MOST_CALLS),
  )

/** The answer to each call of an aggregate; undefined for one that has to be asked for by itself. */
const parseGroup = (
  group: readonly EvmCall[],
  answer: RpcAnswer | undefined,
): readonly (RpcAnswer | undefined)[] => {
  const returned = answer?.ok === true ? Bytes.safeParse(answer.result).data : undefined
  const results = returned === undefined ? undefined : parseAggregate(returned, group.length)
  if (results === undefined) return group.map(() => undefined)
  return results.map((result, position) => {
    if (result !== undefined) return { ok: true, result }
    return group[position]?.mayRevert === true ? REVERTED : undefined
  })
}
