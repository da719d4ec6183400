import { createNodeClient } from '../node-client.ts'
import type { ChainRpc } from '../rpc-family.ts'
import { PLAIN_JSON } from '../rpc-message.ts'
import { createStellarEndpoint } from './stellar-endpoint.ts'
import { tellStellarLie } from './stellar-lies.ts'
import { createStellarSource } from './stellar-source.ts'

type Options = { readonly rpcUrl: string; readonly now: () => number }

/** The RPC of a Stellar network. */
export const createStellarRpc = ({ rpcUrl, now }: Options): ChainRpc => {
  const node = createNodeClient(rpcUrl, PLAIN_JSON, false)
  const source = createStellarSource(node, now)
  return {
    json: PLAIN_JSON,
    endpoint: ({ lateness }) => createStellarEndpoint({ source, lateness, now }),
    tell: (lie, { answer: honest, sightings }) => tellStellarLie(lie, { honest, since: sightings.view() }),
    refresh: source.refresh,
    close: node.close,
  }
}
