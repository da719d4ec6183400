import { z } from 'zod'
import { digits } from '../../core/decimal-text.ts'
import { AxelarError } from './axelar-error.ts'
import type { Lcd } from './lcd.ts'

/** The contracts that decide about an interchain transfer, by their addresses on Axelar. */
export type HubPlaces = {
  readonly hub: string
  readonly router: string
  /** The gateway before the hub, which keeps the messages that it has approved. */
  readonly gateway: string
}

/** A chain as the hub and the router have it. */
export type HubChain = {
  /** Whether the hub refuses every transfer from and to the chain. */
  readonly isFrozen: boolean
  /** Bits of the largest amount that the hub scales to. */
  readonly maxUintBits: number
  /** Whether the router takes nothing from the chain, and whether it sends nothing there. */
  readonly isSourceFrozen: boolean
  readonly isDestinationFrozen: boolean
}

/** A token on one chain as the hub has it; `supply` in base units is the most that may leave the chain, null for any amount. */
export type HubToken = { readonly supply: bigint | null; readonly decimals: number }

/** A message at the gateway before the hub: waiting to be executed by anybody, or executed. */
type HubMessage = 'approved' | 'executed'

/** Axelar's ITS hub and router. Every read has a deadline and rejects with AxelarError without a usable answer. */
export type Hub = {
  /** Whether the hub and the router carry anything. */
  readonly isEnabled: () => Promise<boolean>
  /** A chain by its exact Axelar name; undefined for one that the hub does not know. */
  readonly chain: (axelarName: string) => Promise<HubChain | undefined>
  /** A token on a chain; undefined for one that the hub does not have there. */
  readonly token: (axelarName: string, tokenId: string) => Promise<HubToken | undefined>
  /** A message from a chain; rejects before the gateway has approved it. */
  readonly message: (axelarName: string, messageId: string) => Promise<HubMessage>
}

const answer = <Schema extends z.ZodType>(data: Schema) => z.object({ data })

const Enabled = answer(z.boolean())
const ItsChain = answer(
  z
    .object({
      frozen: z.boolean(),
      truncation: z.object({ max_uint_bits: z.int().min(1).max(256) }),
    })
    .nullable(),
)
const Supply = z.union([z.literal('untracked'), z.object({ tracked: digits(78) })])
const TokenInstance = answer(z.object({ supply: Supply, decimals: z.int().min(0).max(255) }).nullable())
/** 0 none, 1 incoming, 2 outgoing, 3 both. Source: axelar-amplifier, router-api GatewayDirection. */
const ChainInfo = answer(z.object({ frozen_status: z.int().min(0).max(3) }))
const INCOMING = 1
const OUTGOING = 2
const ExecutableMessages = answer(
  z.array(z.union([z.object({ approved: z.unknown() }), z.object({ executed: z.unknown() })])).length(1),
)

/** How the router says that it does not know a chain: it knows amplifier chains alone. */
const UNKNOWN_CHAIN = /chain is not found/

const isUnknownChain = (error: unknown): boolean =>
  error instanceof AxelarError &&
  (UNKNOWN_CHAIN.test(error.message) ||
    (error.cause instanceof Error && UNKNOWN_CHAIN.test(error.cause.message)))

const bareHex = (tokenId: string): string => tokenId.toLowerCase().replace(/^0x/, '')

/** Asks contracts of Axelar. Source: CosmWasm `QuerySmartContractState`. */
const queryOf =
  (lcd: Pick<Lcd, 'read'>) =>
  <Schema extends z.ZodType>(contract: string, message: object, schema: Schema) => {
    const encoded = encodeURIComponent(Buffer.from(JSON.stringify(message)).toString('base64'))
    return lcd.read(`/cosmwasm/wasm/v1/contract/${contract}/smart/${encoded}`, schema)
  }

/**
 * Whether the router, which carries every message of an amplifier chain, is enabled and has the chain frozen in no direction. Rejects for a
 * chain that it does not know, and without a usable answer. Source: axelar-amplifier, router 1.4.
 */
export const readRouted = async (
  lcd: Pick<Lcd, 'read'>,
  router: string,
  axelarName: string,
): Promise<boolean> => {
  const query = queryOf(lcd)
  const [enabled, chain] = await Promise.all([
    query(router, { is_enabled: {} }, Enabled),
    query(router, { chain_info: axelarName.toLowerCase() }, ChainInfo),
  ])
  return enabled.data && chain.data.frozen_status === 0
}

/** Creates a client over a REST node. Source: axelar-amplifier, interchain-token-service 1.3, router 1.4, axelarnet-gateway 1.0. */
export const createHub = (lcd: Pick<Lcd, 'read'>, { hub, router, gateway }: HubPlaces): Hub => {
  const query = queryOf(lcd)
  const frozenAtRouter = async (axelarName: string): Promise<number> => {
    try {
      const { data } = await query(router, { chain_info: axelarName.toLowerCase() }, ChainInfo)
      return data.frozen_status
    } catch (error) {
      if (isUnknownChain(error)) return 0
      throw error
    }
  }
  return {
    isEnabled: async () => {
      const enabled = await Promise.all(
        [hub, router].map((contract) => query(contract, { is_enabled: {} }, Enabled)),
      )
      return enabled.every(({ data }) => data)
    },
    chain: async (axelarName) => {
      const [{ data }, frozen] = await Promise.all([
        query(hub, { its_chain: { chain: axelarName } }, ItsChain),
        frozenAtRouter(axelarName),
      ])
      if (data === null) return undefined
      return {
        isFrozen: data.frozen,
        maxUintBits: data.truncation.max_uint_bits,
        isSourceFrozen: (frozen & INCOMING) !== 0,
        isDestinationFrozen: (frozen & OUTGOING) !== 0,
      }
    },
    token: async (axelarName, tokenId) => {
      const message = { token_instance: { chain: axelarName, token_id: bareHex(tokenId) } }
      const { data } = await query(hub, message, TokenInstance)
      if (data === null) return undefined
      const { supply, decimals } = data
      return { supply: supply === 'untracked' ? null : BigInt(supply.tracked), decimals }
    },
    message: async (axelarName, messageId) => {
      const id = { source_chain: axelarName, message_id: messageId }
      const { data } = await query(gateway, { executable_messages: { cc_ids: [id] } }, ExecutableMessages)
      const [found = {}] = data
      return 'executed' in found ? 'executed' : 'approved'
    },
  }
}
