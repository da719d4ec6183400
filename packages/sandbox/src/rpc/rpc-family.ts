import type { EndpointLife } from './lateness.ts'
import type { Lie } from './lie.ts'
import type { AnswerCall, JsonFormat } from './rpc-message.ts'
import type { Sightings } from './sightings.ts'

/** One endpoint as honest as nodes are, and what it knows of the chain. */
export type HonestEndpoint = {
  readonly answer: AnswerCall
  readonly sightings: Pick<Sightings, 'view' | 'freeze' | 'settle'>
}

/** What a lie is about besides the chain. */
export type LieSubject = {
  /** An order whose fill is forged, though no chain shows it. */
  readonly orderId: string | undefined
}

/** The endpoints of one chain: how they read its node, and how they lie. */
export type ChainRpc = {
  readonly json: JsonFormat
  readonly endpoint: (life: EndpointLife) => HonestEndpoint
  /** The answers of an endpoint that tells a lie from now on; honest ones for lies below JSON-RPC. */
  readonly tell: (lie: Lie, endpoint: HonestEndpoint, subject: LieSubject) => AnswerCall
  /** Lets the endpoints hear of the newest block now. */
  readonly refresh: () => Promise<void>
  readonly close: () => void
}
