import { encodeJson } from '../../solana/json.ts'
import { createNodeClient } from '../node-client.ts'
import type { ChainRpc } from '../rpc-family.ts'
import type { JsonFormat } from '../rpc-message.ts'
import { createSolanaEndpoint } from './solana-endpoint.ts'
import { tellSolanaLie } from './solana-lies.ts'
import { createSolanaSource } from './solana-source.ts'

type Options = { readonly rpcUrl: string; readonly now: () => number }

const INTEGER = /^-?[0-9]+$/

/** Integers above 2^53 are bigints, because nodes write u64 as bare numbers. */
const exact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && INTEGER.test(context?.source ?? '')
    ? BigInt(context?.source ?? '')
    : value

const EXACT_JSON: JsonFormat = { parse: (text) => JSON.parse(text, exact), encode: encodeJson }

/** The RPC of a Solana cluster. */
export const createSolanaRpc = ({ rpcUrl, now }: Options): ChainRpc => {
  const node = createNodeClient(rpcUrl, EXACT_JSON, true)
  const source = createSolanaSource(node, now)
  return {
    json: EXACT_JSON,
    endpoint: ({ lateness }) => createSolanaEndpoint({ source, lateness, now }),
    tell: (lie, { answer: honest, sightings }) => tellSolanaLie(lie, { honest, since: sightings.view() }),
    refresh: source.refresh,
    close: node.close,
  }
}
