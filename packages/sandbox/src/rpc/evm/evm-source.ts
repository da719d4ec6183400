import { z } from 'zod'
import { createHeadReader } from '../head-reader.ts'
import type { NodeClient } from '../node-client.ts'
import type { AnswerCall, RpcAnswer, RpcCall } from '../rpc-message.ts'

/** A chain's node as all its endpoints see it: each read of one block is asked once. */
export type EvmSource = {
  readonly ask: AnswerCall
  /** The newest block, at most `reuseMs` old; listeners hear of each one first. */
  readonly head: () => Promise<EvmHead>
  /** Reads the newest block now. */
  readonly refresh: () => Promise<void>
  readonly onHead: (listener: (head: EvmHead, isFork: boolean) => void) => void
}

type EvmHead = { readonly number: number; readonly hash: string }

/** An answer is kept while its block is the newest, and no longer than this. */
const KEPT_MS = 1000
const MOST_KEPT = 2000
/** What may change without a new block. */
const NEVER_KEPT = /^(eth_send|eth_getTransactionByHash|anvil_|evm_|debug_|eth_.*[fF]ilter|eth_gasPrice)/

const Block = z.object({
  number: z.string().transform(Number),
  hash: z.string(),
  parentHash: z.string(),
})

type Options = { readonly node: NodeClient; readonly reuseMs: number; readonly now: () => number }

/** Reads a node for several endpoints. */
export const createEvmSource = ({ node, reuseMs, now }: Options): EvmSource => {
  const listeners: ((head: EvmHead, isFork: boolean) => void)[] = []
  let answers = new Map<string, { readonly answer: Promise<RpcAnswer>; readonly at: number }>()
  let newest: z.infer<typeof Block> | undefined

  const blockAt = async (number: string): Promise<z.infer<typeof Block>> => {
    const answer = await node.ask({ method: 'eth_getBlockByNumber', params: [number, false] })
    if ('error' in answer) throw new Error(answer.error.message)
    return Block.parse(answer.result)
  }
  const leftChain = async (known: z.infer<typeof Block>, block: z.infer<typeof Block>): Promise<boolean> => {
    if (block.number === known.number + 1) return block.parentHash !== known.hash
    if (block.number <= known.number) return true
    return (await blockAt(`0x${known.number.toString(16)}`)).hash !== known.hash
  }
  const read = async (): Promise<EvmHead> => {
    const block = await blockAt('latest')
    const known = newest
    if (known?.hash !== block.hash) {
      const isFork = known !== undefined && (await leftChain(known, block))
      newest = block
      answers = new Map()
      for (const listener of listeners) listener(block, isFork)
    }
    return block
  }
  const keep = (key: string, call: RpcCall): Promise<RpcAnswer> => {
    const answer = node.ask(call)
    if (answers.size < MOST_KEPT) answers.set(key, { answer, at: now() })
    return answer
  }
  return {
    ask: (call) => {
      const key = `${call.method} ${JSON.stringify(call.params)}`
      if (NEVER_KEPT.test(call.method) || key.includes('"pending"')) return node.ask(call)
      const kept = answers.get(key)
      return kept !== undefined && now() - kept.at < KEPT_MS ? kept.answer : keep(key, call)
    },
    ...createHeadReader({ read, reuseMs, now }),
    onHead: (listener) => listeners.push(listener),
  }
}
