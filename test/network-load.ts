import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from 'openrfq/test/eventually.ts'
import type { MainnetWorld } from 'openrfq/test/mainnet-world.ts'
import { createDice } from 'openrfq/test/seeded.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'
import type { ServiceProcess } from './service-process.ts'

type Token = MainnetWorld['network']['tokens'][number]
/** Two sides of one interchain token. */
export type Pair = readonly [Token, Token]

type Readiness = { readonly status: number; readonly body: { readonly missing?: readonly string[] } }
/** What readyz answers. */
export const readiness = ({ url }: ServiceProcess): Promise<Readiness> => fetchJson(`${url}/readyz`)

/** Every direction between two chains of one interchain token that the service lists. */
export const servedPairs = async (
  { url }: ServiceProcess,
  { network }: MainnetWorld,
): Promise<readonly Pair[]> => {
  const { body } = await fetchJson<{ tokens: readonly Token[] }>(`${url}/v1/rfq/tokens`)
  const keyOf = ({ chainId, address }: Token): string => `${chainId} ${address.toLowerCase()}`
  const listed = new Set(body.tokens.map(keyOf))
  const tokens = network.tokens.filter((token) => token.its !== undefined && listed.has(keyOf(token)))
  const groups = Map.groupBy(tokens, ({ its }) => its?.tokenId)
  return [...groups.values()].flatMap((group) =>
    group.flatMap((from) => group.filter((to) => to !== from).map((to): Pair => [from, to])),
  )
}

/** Asks for a quote of one whole token. */
export const ask = ({ url }: ServiceProcess, [from, to]: Pair) =>
  fetchJson<{ quotes: readonly unknown[] }>(`${url}/v1/rfq/quote`, {
    ...{ fromChain: from.chainId, fromToken: from.address, toChain: to.chainId, toToken: to.address },
    ...{ amount: String(10n ** BigInt(from.decimals)), orderType: 'EXACT_INPUT' },
    ...{ sender: `0x${'1'.repeat(40)}`, recipient: `0x${'2'.repeat(40)}` },
  })

const IDLE_SECONDS = 20

/** What idle seconds cost: calls a second of each chain, refused requests, and questions to Axelar. */
export const idle = async ({ rpc, axelar }: MainnetWorld) => {
  const callsOf = (): readonly number[] =>
    rpc.endpoints.map((own) => own.reduce((sum, { count }) => sum + count.calls, 0))
  const refusals = (): number => rpc.endpoints.flat().reduce((sum, { count }) => sum + count.refused, 0)
  const [before, refused, asked] = [callsOf(), refusals(), axelar.asked.length]
  await sleep(IDLE_SECONDS * 1_000)
  return {
    rates: callsOf().map((calls, place) => (calls - (before[place] ?? 0)) / IDLE_SECONDS),
    refused: refusals() - refused,
    asked: axelar.asked.length - asked,
  }
}

const SEED = 15

/** A random sample of pairs, the same in every run. */
export const samplePairs = (pairs: readonly Pair[], count: number): readonly Pair[] => {
  const dice = createDice(SEED)
  return Array.from({ length: count }, () => pairs[dice(pairs.length)]).filter((pair) => pair !== undefined)
}

/** Asks sampled pairs until each is quoted. Returns how many first answers were empty. */
export const quoteSample = async (
  service: ServiceProcess,
  pairs: readonly Pair[],
  count: number,
): Promise<number> => {
  let empty = 0
  for (const pair of samplePairs(pairs, count)) {
    // The first answer may miss its deadline; what it read is kept.
    if ((await ask(service, pair)).body.quotes.length > 0) continue
    empty += 1
    await eventually('the pair is quoted', async () => (await ask(service, pair)).body.quotes.length > 0)
  }
  return empty
}

/** Resident memory of the service in MB. */
export const memoryOf = ({ processId }: ServiceProcess): number => {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
