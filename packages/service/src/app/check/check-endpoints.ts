import { z } from 'zod'
import {
  createRpcEndpoint,
  type RpcAnswer,
  type RpcCall,
  type RpcEndpoint,
} from '../../chains/rpc/json-rpc.ts'
import { parseAnswer } from '../../chains/rpc/parse-answer.ts'
import { endpointsOf } from '../../chains/rpc/quorum.ts'
import { type ClassicEvents, readClassicEvents } from '../../chains/stellar/classic-events.ts'
import type { NetworkChain } from '../../core/network.ts'
import { doubtful, type Finding, fine, wrong } from './finding.ts'

const DEADLINE_MS = 10_000
/** A head that is older than this is not the head. */
const OLD_SECONDS = 300
const DEFAULT_LEAD_SECONDS = 15

const Quantity = z.string().regex(/^0x[0-9a-f]+$/i)

/** How a family's endpoint tells its chain, and in seconds the time of its head where one call tells it. */
type Asked = {
  readonly calls: readonly RpcCall[]
  readonly identity: (answers: readonly unknown[]) => string
  readonly headSeconds: (answers: readonly unknown[]) => number | undefined
}

const ASKED = {
  evm: {
    calls: [
      { method: 'eth_chainId', params: [] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
    ],
    identity: ([id]) => `eip155:${BigInt(parseAnswer(Quantity, id))}`,
    headSeconds: ([, block]) => Number(parseAnswer(z.object({ timestamp: Quantity }), block).timestamp),
  },
  solana: {
    calls: [{ method: 'getGenesisHash', params: [] }],
    identity: ([hash]) => `solana:${parseAnswer(z.string(), hash).slice(0, 32)}`,
    headSeconds: () => undefined,
  },
  stellar: {
    calls: [{ method: 'getNetwork', params: {} }],
    identity: ([network]) => parseAnswer(z.object({ passphrase: z.string() }), network).passphrase,
    headSeconds: () => undefined,
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

/** Whether an endpoint of Stellar tells the payments that a vault is paid by. Rejects as the endpoint does. */
const checkEvents = async (
  { passphrase }: Pick<NetworkChain, 'passphrase'>,
  endpoint: Pick<RpcEndpoint, 'ask'>,
  subject: string,
): Promise<Finding> => {
  const ask = (calls: readonly RpcCall[]) => endpoint.ask(calls, DEADLINE_MS)
  const checkTime = (): void => undefined
  return EVENTS[await readClassicEvents(Object.assign(ask, { checkTime }), passphrase ?? '')](subject)
}

/** An endpoint that is asked, by its name in a finding. */
type Named = { readonly subject: string; readonly url: string; readonly headers: NetworkChain['rpcHeaders'] }

/** Asks an endpoint which chain it is, and goes on to ask it `more` when it is the chain's. */
const checkEndpoint = async (
  chain: NetworkChain,
  { subject, url, headers }: Named,
  nowMs: () => number,
  more: (endpoint: Pick<RpcEndpoint, 'ask'>, results: readonly unknown[]) => Promise<Finding>,
): Promise<Finding> => {
  const { calls, identity }: Asked = ASKED[chain.chainType]
  const endpoint = createRpcEndpoint(url, { maximumBatch: 1, rpcHeaders: headers, now: nowMs })
  try {
    const results = (await endpoint.ask(calls, DEADLINE_MS)).map(resultOf)
    const told = identity(results)
    const expected = chain.chainType === 'stellar' ? chain.passphrase : chain.chainId
    if (told !== expected)
      return wrong(subject, `it is an endpoint of ${told}: name one of ${expected}, or correct chainId`)
    return await more(endpoint, results)
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
      return checkEndpoint(chain, named, nowMs, async (endpoint, results) => {
        if (chain.chainType === 'stellar') return checkEvents(chain, endpoint, subject)
        const seconds = headSeconds(results)
        return seconds === undefined
          ? fine(subject, 'the right chain')
          : ageFinding(subject, chain, Math.round(nowMs() / 1000 - seconds))
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
