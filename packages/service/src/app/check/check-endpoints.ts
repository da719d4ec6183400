import { z } from 'zod'
import { askFor } from '../../chains/rpc/ask-for.ts'
import {
  createRpcEndpoint,
  type RpcAnswer,
  type RpcCall,
  type RpcEndpoint,
} from '../../chains/rpc/json-rpc.ts'
import { parseAnswer } from '../../chains/rpc/parse-answer.ts'
import { endpointsOf } from '../../chains/rpc/quorum.ts'
import type { RpcAsk } from '../../chains/rpc/rpc-members.ts'
import { BlockTime, U64 } from '../../chains/solana/rpc-answers.ts'
import { type ClassicEvents, readClassicEvents } from '../../chains/stellar/classic-events.ts'
import { readWindow } from '../../chains/stellar/ledger-window.ts'
import type { NetworkChain } from '../../core/network.ts'
import { doubtful, type Finding, fine, wrong } from './finding.ts'

const DEADLINE_MS = 10_000
/** A head that is older than this is not the head. */
const OLD_SECONDS = 300
/** A chain whose head is older than this has stopped. */
const STOPPED_SECONDS = 86_400
const DEFAULT_LEAD_SECONDS = 15

const Quantity = z.string().regex(/^0x[0-9a-f]+$/i)

/** How a family's endpoint reports its chain, and the time of its head in seconds. */
type Asked = {
  readonly calls: readonly RpcCall[]
  readonly identity: (answers: readonly unknown[]) => string
  readonly headSeconds: (answers: readonly unknown[], ask: RpcAsk) => Promise<number>
}

const ASKED = {
  evm: {
    calls: [
      { method: 'eth_chainId', params: [] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
    ],
    identity: ([id]) => `eip155:${BigInt(parseAnswer(Quantity, id))}`,
    headSeconds: async ([, block]) => Number(parseAnswer(z.object({ timestamp: Quantity }), block).timestamp),
  },
  solana: {
    calls: [{ method: 'getGenesisHash', params: [] }],
    identity: ([hash]) => `solana:${parseAnswer(z.string(), hash).slice(0, 32)}`,
    headSeconds: async (_, ask) => {
      const slot = await askFor(ask, { method: 'getSlot', params: [{ commitment: 'finalized' }] }, U64)
      return askFor(ask, { method: 'getBlockTime', params: [Number(slot)] }, BlockTime)
    },
  },
  stellar: {
    calls: [{ method: 'getNetwork', params: {} }],
    identity: ([network]) => parseAnswer(z.object({ passphrase: z.string() }), network).passphrase,
    headSeconds: async (_, ask) => (await readWindow(ask)).latestLedgerCloseTime,
  },
} as const satisfies Record<NetworkChain['chainType'], Asked>

const resultOf = (answer: RpcAnswer): unknown => {
  if (!answer.ok) throw new Error(`the endpoint refuses: ${answer.message}`)
  return answer.result
}

/** An endpoint's name, without its path, which may hold a key. */
const nameOf = (chain: NetworkChain, url: string, position: number): string =>
  `chain ${chain.chainId} endpoint ${position} (${new URL(url).host})`

const ageFinding = (subject: string, chain: NetworkChain, ageSeconds: number): Finding => {
  const lead = chain.maximumClockLeadSeconds ?? DEFAULT_LEAD_SECONDS
  if (ageSeconds < -lead)
    return wrong(subject, `its head is ${-ageSeconds} s ahead of this machine's clock: set the clock (NTP)`)
  if (ageSeconds > STOPPED_SECONDS)
    return wrong(
      subject,
      `its head is ${Math.floor(ageSeconds / STOPPED_SECONDS)} d old: the chain or this node has stopped; take it out of the file`,
    )
  if (ageSeconds > OLD_SECONDS)
    return wrong(
      subject,
      `its head is ${ageSeconds} s old: the node is behind, or this machine's clock is ahead`,
    )
  return fine(subject, `the right chain, head ${Math.max(0, ageSeconds)} s old`)
}

const EVENTS = {
  shown: (subject) => fine(subject, 'the right chain, and it shows classic payments'),
  quiet: (subject) =>
    doubtful(
      subject,
      'its newest 100 ledgers have no transaction, so this check cannot tell whether it shows classic payments',
    ),
  hidden: (subject) =>
    wrong(
      subject,
      'it shows no classic payments: set EMIT_CLASSIC_EVENTS of its stellar-core, or name another endpoint',
    ),
} as const satisfies Record<ClassicEvents, (subject: string) => Finding>

/** Questions to one endpoint; the time of its head is compared by this check itself. */
const askOf = (endpoint: Pick<RpcEndpoint, 'ask'>): RpcAsk =>
  Object.assign((calls: readonly RpcCall[]) => endpoint.ask(calls, DEADLINE_MS), {
    checkTime: (): void => undefined,
  })

/** An endpoint that is asked, by its name in a finding. */
type Named = { readonly subject: string; readonly url: string; readonly headers: NetworkChain['rpcHeaders'] }

/** Asks an endpoint which chain it is, and goes on to ask it `more` when it is the chain's. */
const checkEndpoint = async (
  chain: NetworkChain,
  { subject, url, headers }: Named,
  nowMs: () => number,
  more: (ask: RpcAsk, results: readonly unknown[]) => Promise<Finding>,
): Promise<Finding> => {
  const { calls, identity }: Asked = ASKED[chain.chainType]
  const endpoint = createRpcEndpoint(url, { maximumBatch: 1, rpcHeaders: headers, now: nowMs })
  try {
    const results = (await endpoint.ask(calls, DEADLINE_MS)).map(resultOf)
    const told = identity(results)
    const expected = chain.chainType === 'stellar' ? chain.passphrase : chain.chainId
    if (told !== expected)
      return wrong(subject, `it is an endpoint of ${told}: name one of ${expected}, or correct chainId`)
    return await more(askOf(endpoint), results)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return doubtful(subject, `no answer (${reason}): remove it, or correct its key`)
  } finally {
    endpoint.close()
  }
}

/** Asks every endpoint of a chain which chain it is and how old its head is; without any answer the chain is an error. */
export const checkEndpoints = async (
  chain: NetworkChain,
  nowMs: () => number,
): Promise<readonly Finding[]> => {
  const { headSeconds }: Asked = ASKED[chain.chainType]
  const findings = await Promise.all(
    endpointsOf(chain).map((url, position) => {
      const subject = nameOf(chain, url, position)
      const named = { subject, url, headers: chain.rpcHeaders }
      return checkEndpoint(chain, named, nowMs, async (ask, results) => {
        const seconds = await headSeconds(results, ask)
        const age = ageFinding(subject, chain, Math.round(nowMs() / 1000 - seconds))
        return chain.chainType === 'stellar' && age.level === 'ok'
          ? EVENTS[await readClassicEvents(ask, chain.passphrase ?? '')](subject)
          : age
      })
    }),
  )
  return findings.some(({ level }) => level === 'ok')
    ? findings
    : [...findings, wrong(`chain ${chain.chainId}`, 'no endpoint can be used: nothing is quoted on it')]
}

/** Whether the node that pages ask is one of the chain: a wallet's transaction would be checked against another. */
export const checkBrowserNode = async (
  chain: NetworkChain,
  nowMs: () => number,
): Promise<readonly Finding[]> => {
  const { chainId, browserRpcUrl: url } = chain
  if (url === undefined) return []
  const subject = `chain ${chainId} browserRpcUrl (${new URL(url).host})`
  const named = { subject, url, headers: undefined }
  return [await checkEndpoint(chain, named, nowMs, async () => fine(subject, 'the right chain'))]
}
