import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, Chain } from '@openrfq/sandbox/test/chain-calls.ts'
import type { Hex } from 'viem'
import { z } from 'zod'

/** A call, the gas it uses, and how much it may use. */
export type GasRow = [what: string, gas: bigint, limit: bigint]

/** What the last release used, which a release replaces by its own table. */
const RELEASED = z
  .strictObject({ release: z.string(), token: z.string(), gas: z.record(z.string(), z.int().positive()) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'gas-of-release.json'), 'utf8')))

const widen = (words: readonly string[]): string =>
  words.map((word, index) => (index === 0 ? word.padEnd(44) : word.padStart(9))).join('')

/** The gas that a call uses, which must succeed. */
export const gasOfSuccess = async (side: Pick<Chain, 'send' | 'rpc'>, call: Call): Promise<bigint> => {
  const { txHash, events } = await side.send(call)
  assert.ok(events, `${call.data.slice(0, 10)} failed`)
  // CAST: anvil's receipt.
  const { gasUsed } = (await side.rpc('eth_getTransactionReceipt', txHash)) as { readonly gasUsed: Hex }
  return BigInt(gasUsed)
}

/** Notes the rows beside what the last release used, with the token named, and holds each to its limit. */
export const checkGas = (rows: readonly GasRow[], note: (line: string) => void): void => {
  note(RELEASED.token)
  note(widen(['gas of', 'now', RELEASED.release, 'change', 'limit']))
  for (const [what, gas, limit] of rows) {
    const before = RELEASED.gas[what]
    const change = before === undefined ? '' : `${(((Number(gas) - before) * 100) / before).toFixed(1)} %`
    note(widen([what, String(gas), String(before ?? '–'), change, String(limit)]))
  }
  for (const [what, gas, limit] of rows) assert.ok(gas <= limit, `${what}: ${gas}`)
}
